/** The limits of the media room in time, memory and space. docs/bounds.md lists them. */
export interface MediaLimits {
  /** Milliseconds that the response of an upload waits for the thumbnail. */
  readonly thumbnailWaitMillis: number
  /** Milliseconds of real time that decoding a picture may take; beyond that it has no thumbnail. */
  readonly decodingMillis: number
  /** Bytes of memory that the process that decodes may take. */
  readonly decodingBytes: number
  /** Bytes of free disk below which a folder takes no uploads. */
  readonly freeBytes: number
}

export const mediaLimits: MediaLimits = {
  thumbnailWaitMillis: 1_000,
  decodingMillis: 5_000,
  decodingBytes: 512 * 1_048_576,
  freeBytes: 1_073_741_824
}

/** Default storage limit of a store in bytes, and the limit of shoppers' uploads that nothing refers to. */
export const defaultStorageBytes = 5n * 1_073_741_824n
export const unclaimedUploadBytes = 256n * 1_048_576n
/** The limit of a store without limit. */
export const noStorageLimit = 2n ** 63n - 1n
