import type { Readable } from "node:stream"

/** The first `maxBytes` of a stream; the rest is never read, the connection behind it is given up. */
export const readBounded = async (stream: Readable, maxBytes: number): Promise<{ readonly bytes: Uint8Array; readonly complete: boolean }> => {
  const parts: Array<Buffer> = []
  let length = 0
  let complete = true
  try {
    for await (const chunk of stream) {
      const part = chunk as Buffer
      parts.push(part.subarray(0, maxBytes - length))
      length += part.length
      if (length > maxBytes) {
        complete = false
        break
      }
    }
  } catch {
    complete = false
  }
  // Leaving the loop destroys the stream; what it then still says is of no interest.
  stream.on("error", () => undefined)
  return { bytes: Buffer.concat(parts), complete }
}
