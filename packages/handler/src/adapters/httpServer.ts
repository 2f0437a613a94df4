/**
 * Node's HTTP server around `commerce.node`, for hosts without one: it limits times and connections, writes its own
 * errors in the error envelope, and ends without cutting responses off. `commerce serve` listens through it.
 */
import { Clock, Context } from "effect"
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http"
import { Server as NetServer, type Socket } from "node:net"
import type { Duplex } from "node:stream"
import { type Refusal, refusalBody } from "../middleware/Envelope.ts"
import { type Connection, inTurn, isStuck, nextInTurn, opened } from "./connections.ts"

/** Milliseconds, but for `connections`. */
export interface HttpBounds {
  /** From a connection, or the first byte of a further request on it, to the end of the headers. */
  readonly headers: number
  /** The same to the end of the body. */
  readonly request: number
  /**
   * How often these limits are checked: a connection is closed at most this much later. Node's default is 30 seconds.
   */
  readonly check: number
  /** How long a response may wait until the client reads any of it. Then its connection is closed. */
  readonly write: number
  /** Connections at a time, and half as many of one address; further ones are closed as they come. */
  readonly connections: number
  /** How long the shutdown waits for requests that have begun. */
  readonly drain: number
}

/**
 * Connections with slow headers are closed within 15 seconds, with slow bodies within 35, and those that read nothing
 * within 31.
 */
export const defaultHttpBounds: HttpBounds = {
  headers: 14_000,
  request: 34_000,
  check: 500,
  write: 30_000,
  connections: 4_096,
  drain: 7_000
}

export interface HttpServer {
  readonly server: Server
  /**
   * Takes no new connections and ends idle ones; every response from now on is the last on its connection. Clients that
   * have connected by then are served, and requests that have arrived are read first. Resolves when the requests under
   * way are answered, or cut off after `drain`.
   */
  readonly end: () => Promise<void>
}

/** The parts of a `Commerce` that it needs. */
interface Served {
  readonly node: RequestListener
  readonly services: Context.Context<never>
}

export const openHttpServer = ({ node, services }: Served, bounds: Partial<HttpBounds> = {}): HttpServer => {
  const { headers, request, check, write, connections, drain } = { ...defaultHttpBounds, ...bounds }
  const clock = Context.get(services, Clock.Clock)
  const open = new Map<Socket, Connection>()
  /** Open connections by address, of a client or of a proxy. */
  const openOf = new Map<string, number>()
  let ending = false
  /** Connections that were accepted. */
  let taken = 0
  /** Requests that are being answered. */
  let answering = 0
  /** Requests that wait until no more connections are accepted. */
  let held: Array<() => void> | undefined
  /** How long they have waited, in milliseconds. */
  let heldFor = 0
  let looking: ReturnType<typeof setInterval> | undefined

  const isIdle = (socket: Socket, { underWay, read }: Connection): boolean =>
    underWay.size === 0 && socket.bytesRead === read

  const answered = (socket: Socket, response: ServerResponse): void => {
    const connection = open.get(socket)
    if (connection === undefined) return
    connection.underWay.delete(response)
    connection.read = socket.bytesRead
    connection.since = performance.now()
    nextInTurn(socket, connection)
  }

  const serve: RequestListener = (incoming, response) => {
    const { socket } = incoming
    if (incoming.headers.host === undefined && incoming.httpVersion === "1.1")
      return refuseHostless(response, clock.currentTimeMillisUnsafe())
    const connection = open.get(socket)
    connection?.underWay.add(response)
    response.on("close", () => answered(socket, response))
    const answer = (): void => {
      if (response.destroyed) return
      if (ending) response.shouldKeepAlive = false
      answering += 1
      response.on("close", () => (answering -= 1))
      node(incoming, response)
    }
    const begin = () => {
      if (held === undefined) answer()
      else held.push(answer)
    }
    if (connection === undefined) begin()
    else inTurn(socket, connection, begin)
  }

  const server = createServer(
    // Node's own answer to a request without a host has no body.
    { requireHostHeader: false, headersTimeout: headers, requestTimeout: request, connectionsCheckingInterval: check },
    serve
  )
  // By default Node answers an `Expect` that it does not know with an empty 417.
  server.on("checkExpectation", serve)
  server.maxConnections = connections
  const cutStuck = (): void => {
    for (const [socket, connection] of open) if (isStuck(socket, connection, write / check)) socket.destroy()
  }
  server.on("connection", (socket) => {
    const address = socket.remoteAddress ?? ""
    const ofAddress = (openOf.get(address) ?? 0) + 1
    if (ofAddress > connections / 2) return socket.destroy()
    openOf.set(address, ofAddress)
    taken += 1
    open.set(socket, opened())
    looking ??= setInterval(cutStuck, check)
    socket.on("close", () => {
      open.delete(socket)
      const left = (openOf.get(address) ?? 1) - 1
      if (left === 0) openOf.delete(address)
      else openOf.set(address, left)
      if (open.size > 0) return
      clearInterval(looking)
      looking = undefined
    })
  })
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const connection = open.get(socket as Socket)
    const isAnswering = connection !== undefined && [...connection.underWay].some(({ headersSent }) => headersSent)
    if (!socket.writable || isAnswering || (connection !== undefined && isIdle(socket as Socket, connection)))
      socket.destroy()
    else refuse(socket, error.code ?? "", clock.currentTimeMillisUnsafe())
  })

  /**
   * A client that was served or connected a moment ago may have sent its next request already: that one is still
   * answered.
   */
  const endIdle = (): void => {
    const now = performance.now()
    for (const [socket, connection] of open) {
      const wait = connection.read === 0 ? firstRequest : nextRequest
      if (isIdle(socket, connection) && now - connection.since >= wait + heldFor) socket.destroy()
    }
  }

  /**
   * A connection that has not been accepted when the listener closes is reset. So requests are held first: no client is
   * answered and connects again, those on their way are accepted, and then none is left to be reset.
   */
  const end = (): Promise<void> =>
    new Promise((done) => {
      const cut = setTimeout(() => server.closeAllConnections(), drain)
      held = []
      const began = performance.now()
      const stop = () => {
        heldFor = performance.now() - began
        const idle = setInterval(() => whenRead(endIdle, drain), 50)
        // Node's own `close` of an HTTP server cuts off responses that are written but not sent.
        NetServer.prototype.close.call(server, () => {
          clearTimeout(cut)
          clearInterval(idle)
          done()
        })
        ending = true
        for (const { underWay } of open.values()) for (const response of underWay) response.shouldKeepAlive = false
        for (const answer of held?.splice(0) ?? []) answer()
        held = undefined
        whenRead(endIdle, drain)
      }
      let seen = taken
      let since = began
      whenRead(stop, mostAwaited, (waited) => {
        const isQuiet = taken === seen
        if (!isQuiet || answering > 0) since = performance.now()
        seen = taken
        return isQuiet && (performance.now() - since >= silence || waited > mostSilence)
      })
    })

  return { server, end }
}

/**
 * Milliseconds in which the next request of a connection may be on its way, and its first one. A client that was at
 * work a moment ago goes on, however busy its machine is: closing its connection meanwhile would reset the request.
 */
const nextRequest = 2_000
const firstRequest = 500

/**
 * How long, in milliseconds, the shutdown waits for a moment without pending connections. Requests are held meanwhile.
 */
const mostAwaited = 1_000
/**
 * Milliseconds without a new connection or response: a client that was answered just before would have connected again.
 */
const silence = 50
/** How long to wait for such a silence: other clients may go on connecting. */
const mostSilence = 500

/**
 * Milliseconds that a turn of the event loop may take so that what arrived during it counts as read; more, the longer
 * the wait has lasted.
 */
const shortTurn = (waited: number): number => 0.3 + waited / 50

/**
 * Runs as soon as hardly any received byte can be unread: closing a connection with unread bytes resets it and loses
 * its request, and a connection that is not accepted yet is lost too. Node accepts one connection per turn of the event
 * loop. `isQuiet` is called after each turn.
 */
const whenRead = (run: () => void, longest: number, isQuiet = (_waited: number) => true): void => {
  const began = performance.now()
  const turn = (last: number): void =>
    void setImmediate(() => {
      const now = performance.now()
      const waited = now - began
      const isRead = isQuiet(waited) && now - last <= shortTurn(waited)
      if (isRead || waited > longest) run()
      else turn(performance.now())
    })
  // The first turn may have begun long before.
  setImmediate(() => turn(performance.now()))
}

/** Reasons of what Node rejects before there is a request, by the codes of its parser. */
const reasons: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "The headers are larger than 16 KiB",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "The extensions of a chunk are larger than 16 KiB",
  ERR_HTTP_REQUEST_TIMEOUT: "The request did not arrive in time"
}

/** Milliseconds that a client has to read the error before the connection is closed. */
const grace = 500

const refuse = (socket: Duplex, code: string, now: number): void => {
  const refusal: Refusal = { code: "BAD_REQUEST", message: reasons[code] ?? "This is no valid HTTP request" }
  const body = JSON.stringify(refusalBody(refusal, "", now))
  const head =
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ` +
    `${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n`
  socket.end(head + body)
  const timer = setTimeout(() => socket.destroy(), grace)
  socket.once("close", () => clearTimeout(timer))
}

const refuseHostless = (response: ServerResponse, now: number): void => {
  const body = JSON.stringify(refusalBody({ code: "BAD_REQUEST", message: "The request names no host" }, "", now))
  response.writeHead(400, { "content-type": "application/json", connection: "close" }).end(body)
}
