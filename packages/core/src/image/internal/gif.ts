/**
 * GIF 87a and 89a: a screen, then blocks whose data is cut into pieces of at most 255 bytes. Nothing may follow the
 * end: a GIF with a text behind it is the usual way to disguise a script as a picture.
 */
import { Result } from "effect"
import { ascii, broken, makeRanges, type ReadImage, walk } from "./imageParts.ts"

const notWhole = broken("GIF")
/** Application extensions that hold how an animation is repeated, or its colours. */
const applications: ReadonlySet<string> = new Set(["NETSCAPE2.0", "ANIMEXTS1.0", "ICCRGBG1012"])

const tableLength = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1))

/** Pieces in one file: ten megabytes are some 40,000 full ones. */
const mostPieces = 400_000

/** The end of the pieces that begin here; beyond the file if they are cut off, or far too many. */
const endOfPieces = (bytes: Uint8Array, from: number, budget: { pieces: number }): number => {
  let at = from
  while (at < bytes.length && budget.pieces > 0) {
    const length = bytes[at] ?? 0
    at += 1 + length
    budget.pieces -= 1
    if (length === 0) return at
  }
  return bytes.length + 1
}

/** Whether an extension is part of the picture: its timing, or how it is repeated. */
const isOfTheImage = (bytes: Uint8Array, at: number): boolean =>
  bytes[at + 1] === 0xf9 || (bytes[at + 1] === 0xff && applications.has(ascii(bytes, at + 3, 11)))

export const readGif: ReadImage = (bytes) => {
  if (bytes.length < 13) return notWhole
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const ranges = makeRanges(bytes)
  let width = view.getUint16(6, true)
  let height = view.getUint16(8, true)
  let frames = 0
  const budget = { pieces: mostPieces }
  const start = 13 + tableLength(bytes[10] ?? 0)
  ranges.keep(0, Math.min(start, bytes.length))

  const stopped = walk(bytes.length, start, (at) => {
    if (bytes[at] === 0x3b) {
      ranges.keep(at, at + 1)
      return isPadding(bytes, at + 1) ? "end" : notWhole
    }
    if (bytes[at] === 0x21) {
      const after = endOfPieces(bytes, at + 2, budget)
      if (after <= bytes.length && isOfTheImage(bytes, at)) ranges.keep(at, after)
      return after
    }
    if (bytes[at] !== 0x2c) return notWhole
    if (at + 10 > bytes.length) return bytes.length + 1
    // Viewers enlarge the screen to frames that reach beyond it.
    width = Math.max(width, view.getUint16(at + 1, true) + view.getUint16(at + 5, true))
    height = Math.max(height, view.getUint16(at + 3, true) + view.getUint16(at + 7, true))
    frames += 1
    const after = endOfPieces(bytes, at + 11 + tableLength(bytes[at + 9] ?? 0), budget)
    if (after <= bytes.length) ranges.keep(at, after)
    return after
  })

  if (stopped !== undefined) return stopped
  return frames === 0 ? notWhole : Result.succeed({ width, height, frames, scans: 1, bytes: ranges.assemble() })
}

const isPadding = (bytes: Uint8Array, from: number): boolean => bytes.subarray(from).every((byte) => byte === 0)
