/** A process that has a picture decoded, says which process does it, and waits to be killed. */
import { Effect } from "effect"
import sharp from "sharp"
import { makeDecodingProcess } from "../../src/image/DecodingProcess.ts"

const background = { create: { width: 6_000, height: 6_000, channels: 3, background: "#c00" } } as const
const picture = await sharp(background).png({ compressionLevel: 1 }).toBuffer()
const { decode, pid } = makeDecodingProcess({ side: 400, maxPixels: 40_000_000, maxBytes: 2 ** 30, millis: 60_000 })
await Effect.runPromise(decode(picture))
void Effect.runPromise(decode(picture))
process.stdout.write(`${pid()}\n`)
