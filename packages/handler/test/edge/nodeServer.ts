/**
 * A Node server on a port of its own, asked over a plain socket: what no client library would send goes out as it is
 * written.
 */
import { createServer, type RequestListener, type Server } from "node:http"
import { connect } from "node:net"

export interface Answered {
  readonly status: number
  readonly head: string
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads any path of any answer
  readonly body: any
}

export interface Listening {
  readonly port: number
  readonly url: string
  readonly server: Server
  /** The whole request as text; the connection is closed after its answer. */
  readonly raw: (text: string) => Promise<Answered>
  /** A request with this target, written byte for byte. */
  readonly ask: (
    method: string,
    target: string,
    headers?: Readonly<Record<string, string>>,
    body?: string
  ) => Promise<Answered>
  readonly close: () => Promise<void>
}

const answered = (text: string): Answered => {
  const end = text.indexOf("\r\n\r\n")
  const [head, rest] = end < 0 ? [text, ""] : [text.slice(0, end), text.slice(end + 4)]
  const body = /transfer-encoding: chunked/i.test(head)
    ? rest.replace(/^[0-9a-f]+\r\n|\r\n(?:[0-9a-f]+\r\n|$)/gi, "")
    : rest
  const isJson = /content-type: application\/json/i.test(head) && body !== ""
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0),
    head,
    text: body,
    body: isJson ? JSON.parse(body) : undefined
  }
}

const rawRequest = (port: number, text: string): Promise<Answered> =>
  new Promise((done, fail) => {
    const chunks: Array<Buffer> = []
    const socket = connect(port, "127.0.0.1", () => socket.write(text))
    socket.on("data", (chunk) => chunks.push(chunk))
    socket.on("error", fail)
    socket.on("close", () => done(answered(Buffer.concat(chunks).toString("utf8"))))
  })

export const listening = (listener: RequestListener | Server): Promise<Listening> =>
  new Promise((done, fail) => {
    const server = typeof listener === "function" ? createServer(listener) : listener
    server.once("error", fail)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const raw = (text: string) => rawRequest(port, text)
      done({
        port,
        url: `http://127.0.0.1:${port}`,
        server,
        raw,
        ask: (method, target, headers = {}, body) => {
          const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }
          const lines = Object.entries({ host: "shop.test", connection: "close", ...length, ...headers }).map(
            ([name, value]) => `${name}: ${value}`
          )
          return raw(`${method} ${target} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body ?? ""}`)
        },
        close: () =>
          new Promise((closed) => {
            server.close(() => closed())
            server.closeAllConnections()
          })
      })
    })
  })
