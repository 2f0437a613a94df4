/**
 * Decides whether bytes are an image that may be stored, before anything decodes them: the first bytes show the type,
 * which must be the declared one; size, frames and scans are read from headers; and the file must be complete. A file
 * of ten megabytes takes a few milliseconds, whatever it claims to be.
 */
import { Result } from "effect"
import { readGif } from "./internal/gif.ts"
import { ascii, type ReadImage } from "./internal/imageParts.ts"
import { readJpeg } from "./internal/jpeg.ts"
import { readPng } from "./internal/png.ts"
import { readWebp } from "./internal/webp.ts"
import type { ImageType } from "./ImageType.ts"

export interface InspectedImage {
  readonly mimeType: ImageType
  /** Pixels as the image is shown. */
  readonly width: number
  readonly height: number
  /** The bytes to store: the picture without places, dates, names and other metadata. */
  readonly bytes: Uint8Array
}

/** 40 megapixels: 8,000 by 5,000. */
export const maxPixels = 40_000_000
/** Frames of an animation. */
export const maxFrames = 500
/** Scans of a progressive JPEG; encoders make about ten. */
export const maxScans = 100
/** Pixels times scans: a decoder goes over all pixels with each scan, however few bytes it has. */
export const maxScannedPixels = 1_000_000_000

const startsWith = (bytes: Uint8Array, ...start: ReadonlyArray<number>): boolean =>
  start.every((byte, i) => bytes[i] === byte)

/** Formats by the first bytes of a file. */
const formats: ReadonlyArray<{
  readonly type: ImageType
  readonly isIt: (bytes: Uint8Array) => boolean
  readonly read: ReadImage
}> = [
  { type: "image/jpeg", isIt: (bytes) => startsWith(bytes, 0xff, 0xd8, 0xff), read: readJpeg },
  {
    type: "image/png",
    isIt: (bytes) => startsWith(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    read: readPng
  },
  { type: "image/gif", isIt: (bytes) => /^GIF8[79]a$/.test(ascii(bytes, 0, 6)), read: readGif },
  {
    type: "image/webp",
    isIt: (bytes) => ascii(bytes, 0, 4) === "RIFF" && ascii(bytes, 8, 4) === "WEBP",
    read: readWebp
  }
]

/** Declared types that mean that the sender does not know the type. */
const unsaid: ReadonlySet<string> = new Set(["", "application/octet-stream", "binary/octet-stream"])
const otherNames: Readonly<Record<string, ImageType>> = { "image/jpg": "image/jpeg", "image/pjpeg": "image/jpeg" }

const declaredOf = (contentType: string): string => {
  const type = contentType.split(";")[0]?.trim().toLowerCase() ?? ""
  return otherNames[type] ?? type
}

/** The image, or why it is rejected: the rest of a sentence that begins with "the file". */
export const inspectImage = (bytes: Uint8Array, contentType: string): Result.Result<InspectedImage, string> => {
  const format = formats.find(({ isIt }) => isIt(bytes))
  if (format === undefined) return Result.fail("is not a JPEG, PNG, WebP or GIF image")
  const declared = declaredOf(contentType)
  if (!unsaid.has(declared) && declared !== format.type)
    return Result.fail(`is declared as another type than it is (${format.type})`)
  return Result.flatMap(format.read(bytes), ({ width, height, frames, scans, bytes: kept }) => {
    if (width === 0 || height === 0) return Result.fail("is an image without a size")
    if (width * height > maxPixels) return Result.fail(`has more than ${maxPixels / 1_000_000} megapixels`)
    if (frames > maxFrames) return Result.fail(`has more than ${maxFrames} frames`)
    if (scans > maxScans) return Result.fail(`has more than ${maxScans} scans`)
    if (width * height * scans > maxScannedPixels) return Result.fail("has too many scans for its size")
    return Result.succeed({ mimeType: format.type, width, height, bytes: kept })
  })
}
