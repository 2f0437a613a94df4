/**
 * A merchant's endpoint that behaves as badly as endpoints do, path by path, on a bare socket: requests are kept with
 * the time they came, and signatures are verified by a few lines of its own, apart from the product's.
 */
import { createHmac } from "node:crypto"
import { type AddressInfo, createServer, type Socket } from "node:net"

/** What an endpoint does with a delivery. A number is answered as the status. */
export type Manner =
  | number
  /** 301 to a path that must never be asked for. */
  | "redirect"
  | "silence"
  | "reset"
  /** 200, and the body breaks off. */
  | "cut"
  /** 200, and a body that never ends. */
  | "flood"
  /** A head of which one byte comes each second. */
  | "dribble"
  /** HTTP/1.0, closed after the answer. */
  | "old"
  /** Closed without an answer. */
  | "empty"

export interface Hit {
  readonly path: string
  readonly eventId: string
  readonly type: string
  /** `performance.now()` when the whole request was there. */
  readonly at: number
  /** Unix milliseconds, as signed. */
  readonly timestamp: number
  readonly signature: string
  readonly body: Buffer
  readonly manner: Manner
}

export interface EventSink {
  readonly url: (path: string, scheme?: "http" | "https") => string
  readonly hits: ReadonlyArray<Hit>
  /** `nth` counts the hits of the path from 1. 200 unless told. */
  readonly behave: (path: string, manner: (nth: number) => Manner | Promise<Manner>) => void
  /** Most bytes of one endless body that were taken before the connection ended. */
  readonly flooded: () => number
  /** Connections that began with something other than HTTP. */
  readonly garbled: () => number
  readonly close: () => Promise<void>
}

/** More than any socket buffer between the two ends. */
const chunk = Buffer.alloc(65_536, 0x61)
const endless = 1_000_000_000

/** Whether the signature is that of this secret over the exact bytes. */
export const isSigned = ({ signature, timestamp, body }: Hit, secret: string): boolean =>
  createHmac("sha256", secret)
    .update(Buffer.concat([Buffer.from(`${timestamp}.`), body]))
    .digest("hex") === signature

interface Request {
  readonly path: string
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
  readonly length: number
}

/** The first request in the bytes, when all of it is there. */
const parse = (bytes: Buffer): Request | undefined => {
  const end = bytes.indexOf("\r\n\r\n")
  if (end < 0) return undefined
  const [first = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\r\n")
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()])
  )
  const length = end + 4 + Number(headers.get("content-length") ?? 0)
  return bytes.length < length
    ? undefined
    : { path: first.split(" ")[1] ?? "", headers, body: bytes.subarray(end + 4, length), length }
}

export const openEventSink = async (): Promise<EventSink> => {
  const hits: Array<Hit> = []
  const manners = new Map<string, (nth: number) => Manner | Promise<Manner>>()
  const sockets = new Set<Socket>()
  let [flooded, garbled] = [0, 0]

  const flood = (socket: Socket): void => {
    let sent = 0
    const more = (): void => {
      while (!socket.destroyed && sent < endless) {
        sent += chunk.length
        flooded = Math.max(flooded, sent)
        if (!socket.write(chunk)) return void socket.once("drain", more)
      }
    }
    socket.write("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n")
    more()
  }
  const dribble = (socket: Socket): void => {
    const timer = setInterval(() => socket.write("x"), 1_000)
    socket.on("close", () => clearInterval(timer))
    socket.write("HTTP/1.1 200 OK\r\nx-slow: ")
  }
  const answer = (socket: Socket, manner: Manner): void => {
    if (typeof manner === "number") return void socket.write(`HTTP/1.1 ${manner} Said\r\ncontent-length: 2\r\n\r\nok`)
    switch (manner) {
      case "redirect":
        return void socket.write("HTTP/1.1 301 Moved\r\nlocation: /followed\r\ncontent-length: 0\r\n\r\n")
      case "silence":
        return
      case "reset":
        return void socket.resetAndDestroy()
      case "cut":
        return void socket.end("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nbroken")
      case "flood":
        return flood(socket)
      case "dribble":
        return dribble(socket)
      case "old":
        return void socket.end("HTTP/1.0 200 OK\r\n\r\nfine")
      case "empty":
        return void socket.end()
    }
  }
  const receive = async (socket: Socket, { path, headers, body }: Request): Promise<void> => {
    const nth = hits.filter((hit) => hit.path === path).length + 1
    const told = manners.get(path)?.(nth) ?? 200
    const { id, type } = JSON.parse(body.toString("utf8")) as { readonly id: string; readonly type: string }
    const known = {
      path,
      eventId: id,
      type,
      at: performance.now(),
      timestamp: Number(headers.get("x-svc-timestamp")),
      body: Buffer.from(body)
    }
    const place = hits.push({ ...known, signature: headers.get("x-svc-signature") ?? "", manner: 0 }) - 1
    const manner = await told
    const hit = hits[place]
    if (hit !== undefined) hits[place] = { ...hit, manner }
    answer(socket, manner)
  }

  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
    socket.on("error", () => undefined)
    let bytes = Buffer.alloc(0)
    socket.on("data", (part: Buffer) => {
      bytes = Buffer.concat([bytes, part])
      if (bytes[0] === 0x16) {
        garbled += 1
        return void socket.destroy()
      }
      for (let request = parse(bytes); request !== undefined; request = parse(bytes)) {
        bytes = bytes.subarray(request.length)
        void receive(socket, request)
      }
    })
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const { port } = server.address() as AddressInfo
  return {
    url: (path, scheme = "http") => `${scheme}://127.0.0.1:${port}${path}`,
    hits,
    behave: (path, manner) => void manners.set(path, manner),
    flooded: () => flooded,
    garbled: () => garbled,
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((done) => server.close(() => done()))
    }
  }
}
