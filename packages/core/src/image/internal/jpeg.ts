/** JPEG (ITU T.81): segments that begin with a marker, and scans of compressed data between them. */
import { Result } from "effect"
import { ascii, broken, makeRanges, type ReadImage, walk } from "./imageParts.ts"

const notWhole = broken("JPEG")

/** Whether it is a frame header, which holds the size. The other markers in this range are tables. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
const isStandalone = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)
/** Whether a segment is metadata or a comment; the colour profile and Adobe's transform belong to the picture. */
const isAside = (bytes: Uint8Array, marker: number, at: number): boolean => {
  if (marker === 0xfe) return true
  if (marker < 0xe1 || marker > 0xef || marker === 0xee) return false
  return marker !== 0xe2 || ascii(bytes, at + 4, 11) !== "ICC_PROFILE"
}

/** The end of the compressed data that begins here: the next marker that is not part of the data. */
const endOfScan = (bytes: Uint8Array, from: number): number => {
  for (let at = from; at < bytes.length; at++) {
    if (bytes[at] !== 0xff) continue
    const next = bytes[at + 1] ?? 0
    if (next !== 0 && next !== 0xff && !isStandalone(next)) return at
  }
  return bytes.length
}

export const readJpeg: ReadImage = (bytes) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const ranges = makeRanges(bytes)
  let [width, height, orientation, scans] = [0, 0, 1, 0]
  ranges.keep(0, 2)

  const keepTo = (start: number, next: number): number => {
    ranges.keep(start, next)
    return next
  }
  const end = (at: number): "end" => {
    // Cameras append previews and films after the end; they are not part of the picture.
    ranges.keep(at, at + 2)
    return "end"
  }
  const segment = (marker: number, at: number, after: number): number => {
    if (isFrame(marker) && after >= at + 9) {
      height = Math.max(height, view.getUint16(at + 5))
      width = Math.max(width, view.getUint16(at + 7))
    }
    if (marker === 0xe1) orientation = orientationOf(bytes.subarray(at + 4, after)) ?? orientation
    if (isAside(bytes, marker, at)) return after
    if (marker !== 0xda) return keepTo(at, after)
    scans += 1
    return keepTo(at, endOfScan(bytes, after))
  }

  const stopped = walk(bytes.length, 2, (at) => {
    if (bytes[at] !== 0xff) return notWhole
    const marker = bytes[at + 1]
    // Fill bytes may stand before a marker.
    if (marker === 0xff) return at + 1
    if (marker === 0xd9) return end(at)
    if (marker === undefined || at + 4 > bytes.length) return bytes.length + 1
    if (isStandalone(marker)) return keepTo(at, at + 2)
    const after = at + 2 + view.getUint16(at + 2)
    if (after < at + 4) return notWhole
    return after > bytes.length ? after : segment(marker, at, after)
  })

  if (stopped !== undefined) return stopped
  if (scans === 0) return notWhole
  const isTurned = orientation >= 5
  return Result.succeed({
    width: isTurned ? height : width,
    height: isTurned ? width : height,
    frames: 1,
    scans,
    bytes: ranges.assemble(orientation === 1 ? undefined : orientationSegment(orientation), 2)
  })
}

/** The orientation (1 to 8) of an Exif segment, if it has one (CIPA DC-008, tag 0x0112 of the first directory). */
const orientationOf = (segment: Uint8Array): number | undefined => {
  if (ascii(segment, 0, 4) !== "Exif" || segment.length < 14) return undefined
  const tiff = new DataView(segment.buffer, segment.byteOffset + 6, segment.length - 6)
  const little = tiff.getUint16(0) === 0x4949
  const directory = tiff.getUint32(4, little)
  if (directory + 2 > tiff.byteLength) return undefined
  const entries = tiff.getUint16(directory, little)
  for (let i = 0, at = directory + 2; i < entries && at + 12 <= tiff.byteLength; i++, at += 12) {
    if (tiff.getUint16(at, little) !== 0x0112) continue
    const value = tiff.getUint16(at + 8, little)
    return value >= 1 && value <= 8 ? value : undefined
  }
  return undefined
}

/** An Exif segment that holds only the orientation. */
const orientationSegment = (orientation: number): Uint8Array => {
  const segment = Buffer.from("ffe100224578696600004d4d002a00000008000101120003000000010000000000000000", "hex")
  segment[29] = orientation
  return segment
}
