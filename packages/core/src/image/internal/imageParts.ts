/**
 * What the readers of image formats share. A reader walks through the parts of a file (segments, chunks, blocks) from
 * its first byte to its end and decodes no pixel. It finds the size, refuses what is cut off or is no such file, and
 * says which ranges are the image: all else, such as where and when a photo was taken, is not stored.
 */
import { Result } from "effect"

/** Pixels as the image is shown: a photo that says it is to be turned has been turned. */
export interface ImageParts {
  readonly width: number
  readonly height: number
  readonly frames: number
  /** How often decoding passes over its pixels: the scans of a progressive JPEG, else 1. */
  readonly scans: number
  /** The file without what is no part of the image. */
  readonly bytes: Uint8Array
}

/** The parts, or why it is no whole image: the rest of a sentence that begins with "the file". */
export type Read = Result.Result<ImageParts, string>
export type ReadImage = (bytes: Uint8Array) => Read

export const truncated: Read = Result.fail("ends before the image does")
export const broken = (format: string): Read => Result.fail(`is not a whole ${format} image`)
const tooManyParts: Read = Result.fail("is made of too many parts")

/** More than any encoder makes of ten megabytes. */
const mostParts = 50_000

export const ascii = (bytes: Uint8Array, start: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(start, start + length))

/** Ranges of a file that are kept, in their order. */
export const makeRanges = (bytes: Uint8Array) => {
  const ranges: Array<{ start: number; end: number }> = []
  return {
    keep: (start: number, end: number): void => {
      const last = ranges.at(-1)
      if (last !== undefined && last.end === start) last.end = end
      else ranges.push({ start, end })
    },
    isFull: (): boolean => ranges.length > mostParts,
    /** What is kept, with `inserted` after the first `at` bytes; the file itself where that is all of it. */
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
 * Walks from part to part. `step` answers where the next one begins, "end" where the file is complete, or why it is no
 * image; beyond the last byte it is cut off.
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
