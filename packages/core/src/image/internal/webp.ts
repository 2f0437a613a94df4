/** WebP (RFC 9649): a RIFF file with one picture, or with the frames of an animation. */
import { Result } from "effect"
import { ascii, broken, makeRanges, type Read, type ReadImage, truncated, walk } from "./imageParts.ts"

const notWhole = broken("WebP")

const ofTheImage: ReadonlySet<string> = new Set(["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP"])
/** The flags of VP8X for Exif and XMP. */
const asideFlags = 0x0c

interface Size {
  readonly width: number
  readonly height: number
}

const uint24 = (view: DataView, at: number): number => view.getUint16(at, true) | (view.getUint8(at + 2) << 16)

/** The size in the header of compressed pixels; undefined if the header is invalid. */
const pixelsAt = (view: DataView, type: string, at: number, length: number): Size | undefined => {
  if (type === "VP8 ") {
    if (length < 10 || uint24(view, at + 3) !== 0x2a019d) return undefined
    return { width: view.getUint16(at + 6, true) & 0x3fff, height: view.getUint16(at + 8, true) & 0x3fff }
  }
  if (length < 5 || view.getUint8(at) !== 0x2f) return undefined
  const bits = view.getUint32(at + 1, true)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

const largest = (a: Size, b: Size): Size => ({
  width: Math.max(a.width, b.width),
  height: Math.max(a.height, b.height)
})

const frameHeader = 16

/** The size of an animation's frame, with its position; undefined if the frame is invalid. */
const frameAt = (view: DataView, at: number, length: number): Size | undefined => {
  if (length < frameHeader + 8) return undefined
  const stated = {
    width: 2 * uint24(view, at) + uint24(view, at + 6) + 1,
    height: 2 * uint24(view, at + 3) + uint24(view, at + 9) + 1
  }
  for (let inner = at + frameHeader; inner + 8 <= at + length; ) {
    const size = view.getUint32(inner + 4, true)
    const type = String.fromCharCode(...[0, 1, 2, 3].map((i) => view.getUint8(inner + i)))
    if (inner + 8 + size > at + length) return undefined
    if (type === "VP8 " || type === "VP8L") {
      const pixels = pixelsAt(view, type, inner + 8, size)
      return pixels === undefined ? undefined : largest(stated, pixels)
    }
    inner += 8 + size + (size % 2)
  }
  return undefined
}

/** The size in a chunk; null if the chunk has none, undefined if it is invalid. */
const sizeIn = (view: DataView, type: string, at: number, length: number): Size | null | undefined => {
  if (type === "VP8X")
    return length < 10 ? undefined : { width: uint24(view, at + 4) + 1, height: uint24(view, at + 7) + 1 }
  if (type === "VP8 " || type === "VP8L") return pixelsAt(view, type, at, length)
  return type === "ANMF" ? frameAt(view, at, length) : null
}

export const readWebp: ReadImage = (bytes) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const stated = 8 + view.getUint32(4, true)
  if (stated > bytes.length) return truncated
  const ranges = makeRanges(bytes)
  let size: Size = { width: 0, height: 0 }
  let frames = 0
  let flagsAt: number | undefined
  ranges.keep(0, 12)

  const chunk = (at: number): number | "end" | Read => {
    if (at + 8 > stated) return notWhole
    const type = ascii(bytes, at, 4)
    const length = view.getUint32(at + 4, true)
    const after = at + 8 + length + (length % 2)
    if (at + 8 + length > stated) return truncated
    const said = sizeIn(view, type, at + 8, length)
    if (said === undefined) return notWhole
    if (said !== null) size = largest(size, said)
    if (type === "VP8X") flagsAt = at + 8
    else if (said !== null) frames += 1
    if (ofTheImage.has(type)) ranges.keep(at, Math.min(after, stated))
    return after >= stated ? "end" : after
  }
  const stopped = walk(stated, 12, chunk)

  if (stopped !== undefined) return stopped
  if (frames === 0) return notWhole
  return Result.succeed({ ...size, frames, scans: 1, bytes: mended(bytes, ranges.assemble(), flagsAt) })
}

/** Corrects the lengths and flags of a file from which chunks were removed. */
const mended = (whole: Uint8Array, kept: Uint8Array, flagsAt: number | undefined): Uint8Array => {
  if (kept === whole) return whole
  const view = new DataView(kept.buffer, kept.byteOffset, kept.length)
  view.setUint32(4, kept.length - 8, true)
  // VP8X, if present, is the first chunk, so it has not moved.
  if (flagsAt === 20) view.setUint8(flagsAt, view.getUint8(flagsAt) & ~asideFlags)
  return kept
}
