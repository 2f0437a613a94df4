/**
 * A bucket that speaks as much of S3's protocol as the product asks for, with its objects in memory. It can be told to
 * leave requests for some keys without an answer, as storage does that has lost its way to a part of itself.
 */
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo, Socket } from "node:net"

export interface BucketServer {
  /** The value of COMMERCE_MEDIA_URL. */
  readonly mediaUrl: string
  /** From then on no request for a key that begins so is answered. */
  readonly hang: (prefix: string) => void
  /** Requests that wait without an answer. */
  readonly hanging: () => number
  readonly keys: () => ReadonlyArray<string>
  readonly close: () => Promise<void>
}

const bucket = "proof-media"

const answer = (response: ServerResponse, status: number, body: Buffer = Buffer.alloc(0)): void => {
  response.writeHead(status, { "content-length": body.byteLength, etag: '"proof"' })
  response.end(body)
}

export const openBucketServer = async (): Promise<BucketServer> => {
  const objects = new Map<string, Buffer>()
  const sockets = new Set<Socket>()
  let silent: string | undefined
  let hanging = 0

  const server = createServer((request, response) => {
    const key = decodeURIComponent((request.url ?? "").split("?")[0] ?? "").slice(`/${bucket}/`.length)
    const parts: Array<Buffer> = []
    request.on("error", () => undefined)
    request.on("data", (part: Buffer) => parts.push(part))
    request.on("end", () => {
      if (silent !== undefined && key.startsWith(silent)) {
        hanging += 1
        response.on("close", () => (hanging -= 1))
        return
      }
      const found = objects.get(key)
      if (request.method === "PUT") {
        objects.set(key, Buffer.concat(parts))
        answer(response, 200)
      } else if (request.method === "DELETE") {
        objects.delete(key)
        answer(response, 204)
      } else answer(response, found === undefined ? 404 : 200, found)
    })
  })
  server.on("connection", (socket) => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const { port } = server.address() as AddressInfo
  return {
    mediaUrl: `s3://KEY:SECRET@${bucket}?endpoint=http://127.0.0.1:${port}`,
    hang: (prefix) => {
      silent = prefix
    },
    hanging: () => hanging,
    keys: () => [...objects.keys()],
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((done) => server.close(() => done()))
    }
  }
}
