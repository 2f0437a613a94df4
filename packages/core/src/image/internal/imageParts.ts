/**
 * Shared by the readers of image formats. A reader walks through the parts of a file (segments, chunks, blocks) from
 * its first byte to its end and decodes no pixel. It finds the size, rejects incomplete files and other formats, and
 * returns which ranges are the image: everything else, such as where and when a photo was taken, is not stored.
 */
import { Result } from "effect"

/** Pixels as the image is shown, after the orientation that a photo declares. */
export interface ImageParts {
  readonly width: number
  readonly height: number
  readonly frames: number
  /** How many times decoding passes over the pixels: the scans of a progressive JPEG, else 1. */
  readonly scans: number
  /** The file without what is not part of the image. */
  readonly bytes: Uint8Array
}

/** The parts, or why it is not a complete image: the rest of a sentence that begins with "the file". */
export type Read = Result.Result<ImageParts, string>
export type ReadImage = (bytes: Uint8Array) => Read

export const truncated: Read = Result.fail("ends before the image does")
export const broken = (format: string): Read => Result.fail(`is not a whole ${format} image`)
const tooManyParts: Read = Result.fail("is made of too many parts")

/** More than any encoder makes of ten megabytes. */
const mostParts = 50_000

export const ascii = (bytes: Uint8Array, start: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(start, start + length))

/** Collects the ranges of a file that are kept, in order. */
export const makeRanges = (bytes: Uint8Array) => {
  const ranges: Array<{ start: number; end: number }> = []
  return {
    keep: (start: number, end: number): void => {
      const last = ranges.at(-1)
      if (last !== undefined && last.end === start) last.end = end
      else ranges.push({ start, end })
    },
    isFull: (): boolean => ranges.length > mostParts,
    /** The kept ranges, with `inserted` after the first `at` bytes; the file itself if all of it is kept. */
    assemble: (inserted: Uint8Array = new Uint8Array(0), at = 0): Uint8Array => {
      const [only] = ranges
      const isWhole = ranges.length === 1 && only?.start === 0 && only.end === bytes.length
      if (isWhole && inserted.length === 0) return bytes
      const kept = Buffer.concat(ranges.map(({ start, end }) => bytes.subarray(start, end)))
      return inserted.length === 0 ? kept : Buffer.concat([kept.subarray(0, at), inserted, kept.subarray(at)])
    }
  }
}

/**
 * Walks from part to part. `step` returns where the next part begins, "end" if the file is complete, or why it is not
 * an image; a position beyond the last byte means that the file is cut off.
 */
export const walk = (length: number, from: number, step: (at: number) => number | "end" | Read): Read | undefined => {
  let at = from
  for (let parts = 0; parts < mostParts; parts++) {
    if (at >= length) return truncated
    const next = step(at)
    if (next === "end") return undefined
    if (typeof next !== "number") return next
    if (next > length) return truncated
    at = next
  }
  return tooManyParts
}
