/**
 * Pictures that cost far more to decode than to send: progressive JPEGs whose scans are many, small to send and large
 * to hold. Real ones, made by the encoder that shops use, with their last scan repeated.
 */
import sharp from "sharp"

/** Where each scan (SOS) of a JPEG begins, and where the image ends (EOI). */
const scansOf = (bytes: Buffer): ReadonlyArray<number> => {
  const places: Array<number> = []
  for (let at = 2; at + 4 <= bytes.length; ) {
    const marker = bytes[at + 1] ?? 0
    if (bytes[at] !== 0xff) return places
    if (marker === 0xd9) return [...places, at]
    if (marker === 0xda) places.push(at)
    at += 2 + bytes.readUInt16BE(at + 2)
    if (marker !== 0xda) continue
    while (at + 1 < bytes.length && !(bytes[at] === 0xff && bytes[at + 1] !== 0 && !isRestart(bytes[at + 1]))) at += 1
  }
  return places
}

const isRestart = (marker: number | undefined): boolean => marker !== undefined && marker >= 0xd0 && marker <= 0xd7

/** A progressive JPEG of one colour whose last scan stands there `scans` times. */
const manyScans = async (width: number, height: number, scans: number): Promise<Buffer> => {
  const picture = await sharp({ create: { width, height, channels: 3, background: "#336699" } })
    .jpeg({ progressive: true, quality: 10 })
    .toBuffer()
  const places = scansOf(picture)
  const [last, end] = places.slice(-2)
  if (last === undefined || end === undefined) throw new Error("no scan was found")
  const scan = picture.subarray(last, end)
  return Buffer.concat([picture.subarray(0, end), ...Array.from({ length: scans }, () => scan), picture.subarray(end)])
}

/** Many scans; scans that pass a bound on their number and are slow all the same; pixels that are many. */
export const hostilePictures = async (): Promise<ReadonlyArray<Buffer>> =>
  Promise.all([
    manyScans(2_000, 2_000, 2_000),
    manyScans(7_000, 5_700, 60),
    sharp({ create: { width: 7_000, height: 5_700, channels: 3, background: "#112233" } })
      .jpeg({ quality: 20 })
      .toBuffer()
  ])
