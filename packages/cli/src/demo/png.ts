/** A PNG file of few colours: each pixel is a place in a palette (PNG: chunks of IHDR, PLTE, IDAT and IEND). */
import { crc32, deflateSync } from "node:zlib"

export interface Drawing {
  readonly width: number
  readonly height: number
  /** Colours as #rrggbb, at most 256. */
  readonly palette: ReadonlyArray<string>
  /** Which colour each pixel has, row by row. */
  readonly pixels: Uint8Array
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

const indexedColour = 3

const headerOf = ({ width, height }: Drawing): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits a pixel; the three zeros that follow are the only compression and filter method, and no interlacing.
  header.set([8, indexedColour], 8)
  return header
}

/** Each row begins with its filter: 0 is none. */
const rowsOf = ({ width, height, pixels }: Drawing): Buffer => {
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y += 1) rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1)
  return rows
}

export const pngOf = (drawing: Drawing): Uint8Array =>
  Buffer.concat([
    signature,
    chunk("IHDR", headerOf(drawing)),
    chunk("PLTE", Buffer.from(drawing.palette.map((colour) => colour.slice(1)).join(""), "hex")),
    chunk("IDAT", deflateSync(rowsOf(drawing))),
    chunk("IEND", Buffer.alloc(0))
  ])
