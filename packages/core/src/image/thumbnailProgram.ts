/**
 * The program of the process that decodes pictures (DecodingProcess.ts): it returns the bytes of a thumbnail for each
 * file that it gets. Nothing imports it. It ends when its parent does, and when a picture takes more memory than
 * allowed; always by SIGKILL, because a process that exits by itself waits for its decoding threads.
 */
import { fileURLToPath } from "node:url"
import type sharpType from "sharp"

/** The program's argument, as JSON. */
export interface ProgramSettings {
  /** Pixels of the longer side. */
  readonly side: number
  readonly maxPixels: number
  /** Bytes of resident memory. */
  readonly maxBytes: number
}

/** The WebP, or why there is none: the file cannot be decoded, or sharp is not installed. */
export type ProgramAnswer = Uint8Array | "unreadable" | "absent"

/** Loaders of libvips for the four formats; the others, such as those of SVG and PDF, stay blocked. */
const loaders = ["Jpeg", "Png", "Webp", "Nsgif"].map((format) => `VipsForeignLoad${format}`)

const loadSharp = async (): Promise<typeof sharpType | undefined> => {
  try {
    const { default: sharp } = await import("sharp")
    sharp.concurrency(1)
    sharp.cache(false)
    sharp.block({ operation: ["VipsForeignLoad"] })
    sharp.unblock({ operation: loaders })
    return sharp
  } catch {
    return undefined
  }
}

const end = (): void => {
  process.kill(process.pid, "SIGKILL")
}

const answerPictures = ({ side, maxPixels, maxBytes }: ProgramSettings): void => {
  const loaded = loadSharp()

  const thumbnailOf = async (bytes: Uint8Array): Promise<ProgramAnswer> => {
    const sharp = await loaded
    if (sharp === undefined) return "absent"
    try {
      return await sharp(bytes, { limitInputPixels: maxPixels, pages: 1, failOn: "error", sequentialRead: true })
        .rotate()
        .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true })
        .webp({ quality: 80 })
        .toBuffer()
    } catch {
      return "unreadable"
    }
  }

  process.on("disconnect", end)
  // A terminal signals all processes of a command; this one ends only when the server ends it.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined)
  process.on("message", async (bytes: Uint8Array) => {
    const watch = setInterval(() => process.memoryUsage.rss() > maxBytes && end(), 10)
    const answer = await thumbnailOf(bytes)
    clearInterval(watch)
    process.send?.(answer)
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) answerPictures(JSON.parse(process.argv[2] ?? "{}"))
