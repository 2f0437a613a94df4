/** PNG (W3C, third edition), animated ones too: chunks of a length, a type, data and a checksum. */
import { Result } from "effect"
import { ascii, broken, makeRanges, type ReadImage, walk } from "./imageParts.ts"

const notWhole = broken("PNG")
const headerLength = 13

/** Chunks of pixels and colours. Texts, dates, Exif and unknown chunks are dropped. */
const ofTheImage: ReadonlySet<string> = new Set(
  "IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT bKGD hIST pHYs sPLT acTL fcTL fdAT".split(" ")
)
const isCritical = (type: string): boolean => /^[A-Z]/.test(type)

export const readPng: ReadImage = (bytes) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const ranges = makeRanges(bytes)
  let [width, height, frames, hasData] = [0, 0, 1, false]
  ranges.keep(0, 8)

  /** Reads what a chunk says about the picture; returns whether it is valid. */
  const take = (type: string, at: number, length: number): boolean => {
    if (type === "IHDR" && length === headerLength) {
      width = view.getUint32(at)
      height = view.getUint32(at + 4)
      return true
    }
    if (type === "acTL" && length >= 8) frames = Math.max(1, view.getUint32(at))
    if (type === "IDAT") hasData = true
    if (type === "IHDR") return false
    return type !== "fcTL" || (length >= 26 && !isOutside(view, at + 4, width, height))
  }

  const stopped = walk(bytes.length, 8, (at) => {
    if (at + 12 > bytes.length) return bytes.length + 1
    const length = view.getUint32(at)
    const type = ascii(bytes, at + 4, 4)
    const after = at + 12 + length
    if (!/^[A-Za-z]{4}$/.test(type) || (at === 8) !== (type === "IHDR")) return notWhole
    if (isCritical(type) && !ofTheImage.has(type)) return notWhole
    if (after > bytes.length) return after
    if (!take(type, at + 8, length)) return notWhole
    if (ofTheImage.has(type)) ranges.keep(at, after)
    return type === "IEND" ? "end" : after
  })

  if (stopped !== undefined) return stopped
  return hasData ? Result.succeed({ width, height, frames, scans: 1, bytes: ranges.assemble() }) : notWhole
}

/** Whether a frame of an animation reaches beyond the picture. */
const isOutside = (view: DataView, at: number, width: number, height: number): boolean =>
  view.getUint32(at) + view.getUint32(at + 8) > width || view.getUint32(at + 4) + view.getUint32(at + 12) > height
