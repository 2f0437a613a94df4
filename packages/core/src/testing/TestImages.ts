/**
 * Images for tests, made here byte by byte: whole ones of any size, and the parts to make broken ones of. Their headers
 * state whatever the caller passes; only PNG and GIF images have pixels that decode.
 */
import { crc32, deflateSync } from "node:zlib"

const be32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const le16 = (value: number): Buffer => Buffer.from([value & 0xff, value >> 8])
const le24 = (value: number): Buffer => Buffer.from([value & 0xff, (value >> 8) & 0xff, value >> 16])
const le32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
const be16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff])

export const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** `stated` is the length that the chunk says it has. */
export const pngChunk = (type: string, data: Uint8Array, stated = data.length): Buffer => {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data])
  return Buffer.concat([be32(stated), body, be32(crc32(body))])
}

const pngHeader = (width: number, height: number) =>
  pngChunk("IHDR", Buffer.concat([be32(width), be32(height), Buffer.from([8, 0, 0, 0, 0])]))

/** A grey PNG of one colour; `extra` are chunks between its header and its pixels. */
export const png = (width: number, height: number, ...extra: ReadonlyArray<Buffer>): Buffer =>
  Buffer.concat([
    pngSignature,
    pngHeader(width, height),
    ...extra,
    pngChunk("IDAT", deflateSync(Buffer.alloc((width + 1) * height), { level: 1 })),
    pngChunk("IEND", Buffer.alloc(0))
  ])

/** A PNG of exactly `bytes` bytes: a chunk that is part of the image fills up the rest. */
export const pngOfSize = (bytes: number): Buffer => {
  const rest = bytes - png(4, 4).length - 12
  return png(4, 4, pngChunk("iCCP", Buffer.alloc(rest, 7)))
}

export const jpegSegment = (marker: number, data: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([0xff, marker]), be16(data.length + 2), data])

/** `extra` are segments after the first marker. */
export const jpeg = (width: number, height: number, ...extra: ReadonlyArray<Buffer>): Buffer =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...extra,
    jpegSegment(0xdb, Buffer.alloc(65, 1)),
    jpegSegment(0xc0, Buffer.concat([Buffer.from([8]), be16(height), be16(width), Buffer.from([1, 1, 0x11, 0])])),
    jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56]),
    Buffer.from([0xff, 0xd9])
  ])

/** Exif with the orientation of the picture, and the place where it was taken. */
export const exif = (orientation: number, place = "GPS 52.5200 N 13.4050 E"): Buffer =>
  jpegSegment(
    0xe1,
    Buffer.concat([
      Buffer.from("Exif\0\0MM\0*\0\0\0\x08", "latin1"),
      be16(1),
      Buffer.from([0x01, 0x12, 0x00, 0x03, 0x00, 0x00, 0x00, 0x01, 0x00, orientation, 0x00, 0x00]),
      be32(0),
      Buffer.from(place)
    ])
  )

export interface GifOptions {
  readonly frames?: number
  /** Blocks before the frames. */
  readonly extra?: Uint8Array
  readonly behind?: Uint8Array
}

/** Frames of one pixel on a screen of the stated size. */
export const gif = (width: number, height: number, { frames = 1, extra, behind }: GifOptions = {}): Buffer => {
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 0x01, 0])
  return Buffer.concat([
    Buffer.from("GIF89a", "latin1"),
    le16(width),
    le16(height),
    Buffer.from([0x80, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff]),
    extra ?? Buffer.alloc(0),
    ...Array.from({ length: frames }, () => frame),
    Buffer.from([0x3b]),
    behind ?? Buffer.alloc(0)
  ])
}

export const webpChunk = (type: string, data: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(type, "latin1"), le32(data.length), data, Buffer.alloc(data.length % 2)])

const riff = (...chunks: ReadonlyArray<Buffer>): Buffer => {
  const body = Buffer.concat([Buffer.from("WEBP", "latin1"), ...chunks])
  return Buffer.concat([Buffer.from("RIFF", "latin1"), le32(body.length), body])
}

const vp8l = (width: number, height: number): Buffer =>
  webpChunk(
    "VP8L",
    Buffer.concat([Buffer.from([0x2f]), le32(((width - 1) | ((height - 1) << 14)) >>> 0), Buffer.alloc(8)])
  )

const vp8x = (width: number, height: number, flags: number): Buffer =>
  webpChunk("VP8X", Buffer.concat([Buffer.from([flags, 0, 0, 0]), le24(width - 1), le24(height - 1)]))

/** A lossless WebP. */
export const webp = (width: number, height: number): Buffer => riff(vp8l(width, height))

/** The same with chunks around it, under the flags of the extended header. */
export const extendedWebp = (width: number, height: number, flags: number, ...extra: ReadonlyArray<Buffer>): Buffer =>
  riff(vp8x(width, height, flags), vp8l(width, height), ...extra)

export const animatedWebp = (width: number, height: number, frames: number): Buffer => {
  const frame = webpChunk(
    "ANMF",
    Buffer.concat([Buffer.alloc(6), le24(width - 1), le24(height - 1), le24(40), Buffer.from([0]), vp8l(width, height)])
  )
  return riff(
    vp8x(width, height, 0x02),
    webpChunk("ANIM", Buffer.alloc(6)),
    ...Array.from({ length: frames }, () => frame)
  )
}

/** A progressive JPEG whose headers have `scans` scans. */
export const scannedJpeg = (width: number, height: number, scans: number): Buffer => {
  const scan = Buffer.concat([jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 0, 0])), Buffer.from([0x12])])
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    jpegSegment(0xc2, Buffer.concat([Buffer.from([8]), be16(height), be16(width), Buffer.from([1, 1, 0x11, 0])])),
    ...Array.from({ length: scans }, () => scan),
    Buffer.from([0xff, 0xd9])
  ])
}

/** A progressive JPEG that decodes, with its last scan repeated `more` times. */
export const withMoreScans = (progressive: Buffer, more: number): Buffer => {
  const end = progressive.length - 2
  const last = progressive.subarray(progressive.lastIndexOf(Buffer.from([0xff, 0xda])), end)
  return Buffer.concat([
    progressive.subarray(0, end),
    ...Array.from({ length: more }, () => last),
    progressive.subarray(end)
  ])
}
