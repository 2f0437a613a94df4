import { createServer as createHttpServer, type IncomingMessage } from "node:http"
import { type AddressInfo, createServer, type Server, type Socket } from "node:net"
import { createServer as createTlsServer } from "node:tls"
import { Effect, Exit, Layer, Result, Scope } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { GuardedFetch, type OutboundOptions, type OutboundRequest } from "../../src/outbound/GuardedFetch.ts"
import { forbiddenUrls } from "./forbiddenUrls.ts"
import { openNameServer } from "./nameServer.ts"

/** 127.0.0.2 plays the internet, 127.0.0.3 and [::1] what must never be reached. All listen on one port. */
const closers: Array<() => Promise<void>> = []
const forbidden: Array<string> = []
let port = 0
let seen: Array<IncomingMessage> = []
let answer: (request: IncomingMessage, socket: Socket) => void = () => undefined

const listenOn = (server: Server, host: string, at: number): Promise<number> =>
  new Promise((done, fail) => {
    server.once("error", fail)
    server.listen(at, host, () => done((server.address() as AddressInfo).port))
    closers.push(() => new Promise((closed) => server.close(() => closed())))
  })

beforeAll(async () => {
  const open = createHttpServer((request, response) => {
    seen.push(request)
    request.resume()
    if (request.url === "/socket") return answer(request, request.socket)
    if (request.url === "/redirect")
      return response.writeHead(302, { location: `http://127.0.0.3:${port}/secret` }).end()
    return response.writeHead(200, { "content-type": "text/plain" }).end("hello")
  })
  port = await listenOn(open, "127.0.0.2", 0)
  for (const host of ["127.0.0.3", "127.0.0.1", "::1"]) {
    const server = createServer((socket) => {
      forbidden.push(host)
      socket.destroy()
    })
    await listenOn(server, host, port)
  }
})
afterAll(async () => {
  await Promise.all(closers.map((close) => close()))
})

type Asked = Omit<OutboundRequest, "method"> & { readonly method?: OutboundRequest["method"] }

/** A guard of its own, closed afterwards: 127.0.0.2 is admitted, http:// only where a test says so. */
const withGuard = async <A>(
  options: OutboundOptions,
  use: (request: (asked: Asked) => Promise<Result.Result<string, string>>) => Promise<A>
): Promise<A> => {
  const scope = await Effect.runPromise(Scope.make())
  const services = await Effect.runPromise(
    Scope.provide(Layer.build(GuardedFetch.layer({ allowCidrs: ["127.0.0.2/32"], ...options })), scope)
  )
  const request = (asked: Asked) =>
    Effect.runPromise(
      Effect.flatMap(GuardedFetch, (guard) =>
        guard.request({ method: "POST", body: Buffer.from("{}"), ...asked })
      ).pipe(
        Effect.map(({ status, body, complete }) => `${status} ${body.length} ${complete ? "complete" : "cut"}`),
        Effect.mapError((error) => (error._tag === "OutboundBlocked" ? "blocked" : error.kind)),
        Effect.result,
        Effect.provideContext(services)
      )
    )
  try {
    return await use(request)
  } finally {
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

const said = (result: Result.Result<string, string>) => (Result.isSuccess(result) ? result.success : result.failure)

describe("a guarded call", () => {
  it("reaches no forbidden listener by any spelling, and says that it was blocked", async () => {
    forbidden.length = 0
    const answers = await withGuard({}, (request) =>
      Promise.all(forbiddenUrls.map((url) => request({ url: url.replaceAll(":1/", `:${port}/`), timeoutMs: 2_000 })))
    )
    expect(answers.map(said).filter((one) => one !== "blocked")).toEqual([])
    expect(forbidden).toEqual([])
  })

  it("that a name server sends to a private address is blocked: directly, by CNAME, mapped into IPv6, beside a good one, or the second time", async () => {
    const mapped = [0, 0, 0, 0, 0, 0xffff, 0x7f00, 3]
    const dns = await openNameServer({
      "public.example": [[{ a: "127.0.0.2" }]],
      "private.example": [[{ a: "127.0.0.3" }]],
      "alias.example": [[{ cname: "inner.example", to: { a: "127.0.0.3" } }]],
      "mapped.example": [[{ aaaa: mapped }]],
      "loop6.example": [[{ aaaa: [0, 0, 0, 0, 0, 0, 0, 1] }]],
      "both.example": [[{ a: "127.0.0.2" }, { a: "127.0.0.3" }]],
      "mixed.example": [[{ a: "127.0.0.2" }, { aaaa: mapped }]],
      "rebinding.example": [[{ a: "127.0.0.2" }], [{ a: "127.0.0.3" }]]
    })
    forbidden.length = 0
    seen = []
    try {
      const answers = await withGuard({ resolver: dns.resolver, allowPrivate: false }, async (request) => {
        const to = (host: string) => request({ url: `https://${host}:${port}/`, timeoutMs: 3_000 }).then(said)
        const once: Array<string> = []
        for (const name of ["private", "alias", "mapped", "loop6", "both", "mixed"])
          once.push(await to(`${name}.example`))
        return {
          once,
          rebinding: [await to("rebinding.example"), await to("rebinding.example"), await to("rebinding.example")],
          unknown: await to("nobody.example")
        }
      })
      expect(answers.once).toEqual(["blocked", "blocked", "blocked", "blocked", "blocked", "blocked"])
      // Our public listener speaks no TLS, so what reaches it ends there.
      expect(answers.rebinding).toEqual(["tls", "blocked", "blocked"])
      expect(answers.unknown).toBe("dns")
      expect(forbidden).toEqual([])
    } finally {
      await dns.close()
    }
  })

  it("keeps the connection to an address it checked, and leaves it when the name moves to another one", async () => {
    let addresses = ["127.0.0.2"]
    const peers: Array<string | undefined> = []
    forbidden.length = 0
    seen = []
    await withGuard({ allowPrivate: true, resolver: async () => addresses }, async (request) => {
      const url = `http://moving.example:${port}/`
      expect(said(await request({ url }))).toBe("200 5 complete")
      await new Promise((done) => setImmediate(done))
      expect(said(await request({ url }))).toBe("200 5 complete")
      for (const one of seen) peers.push(`${one.socket.remotePort}`)
      addresses = ["127.0.0.3"]
      expect(said(await request({ url }))).toBe("broken")
    })
    expect(new Set(peers).size).toBe(1)
    expect(seen.length).toBe(2)
    expect(forbidden).toEqual(["127.0.0.3"])
  })

  it("asks for TLS by the name, although it connects to an address", async () => {
    const servernames: Array<string> = []
    const server = createTlsServer({
      SNICallback: (name, done) => {
        servernames.push(name)
        done(new Error("no certificate"))
      }
    })
    server.on("tlsClientError", () => undefined)
    const tlsPort = await listenOn(server, "127.0.0.2", 0)
    await withGuard({ resolver: async () => ["127.0.0.2"] }, async (request) => {
      expect(Result.isFailure(await request({ url: `https://shop.example:${tlsPort}/` }))).toBe(true)
    })
    expect(servernames).toEqual(["shop.example"])
  })

  it("does not follow a redirect", async () => {
    forbidden.length = 0
    await withGuard({ allowPrivate: true }, async (request) =>
      expect(said(await request({ url: `http://127.0.0.2:${port}/redirect` }))).toBe("302 0 complete")
    )
    expect(forbidden).toEqual([])
  })

  it.each([
    ["an endless body is cut at 64 KiB", (socket: Socket) => void pour(socket), "200 65536 cut"],
    [
      "a body of exactly 64 KiB is whole",
      (socket: Socket) => socket.end(Buffer.concat([head(65_536), Buffer.alloc(65_536)])),
      "200 65536 complete"
    ],
    [
      "one byte more is cut",
      (socket: Socket) => socket.end(Buffer.concat([head(65_537), Buffer.alloc(65_537)])),
      "200 65536 cut"
    ],
    [
      "a body that breaks off is cut",
      (socket: Socket) => socket.end(Buffer.concat([head(100), Buffer.alloc(10)])),
      "200 10 cut"
    ],
    ["a body that never ends is given up in time", (socket: Socket) => socket.write(head(100)), "200 0 cut"],
    ["silence ends in time", () => undefined, "timeout"],
    ["half a head ends in time", (socket: Socket) => socket.write("HTTP/1.1 200 OK\r\nx-slow: "), "timeout"],
    ["a reset is a broken connection", (socket: Socket) => socket.resetAndDestroy(), "broken"],
    ["an empty answer is a broken connection", (socket: Socket) => socket.end(), "broken"],
    [
      "something that is not HTTP is a broken connection",
      (socket: Socket) => socket.end("220 smtp ready\r\n"),
      "broken"
    ],
    ["HTTP/1.0 is an answer", (socket: Socket) => socket.end("HTTP/1.0 200 OK\r\n\r\nok"), "200 2 complete"],
    [
      "a head of 100 KB is refused",
      (socket: Socket) => socket.end(`HTTP/1.1 200 OK\r\nx-long: ${"a".repeat(100_000)}\r\n\r\n`),
      "broken"
    ]
  ])("%s", async (_name, behave, expected) => {
    answer = (_request, socket) => behave(socket)
    await withGuard({ allowPrivate: true }, async (request) => {
      expect(said(await request({ url: `http://127.0.0.2:${port}/socket`, timeoutMs: 700 }))).toBe(expected)
    })
  })

  it("is answered while a hundred to the same origin are not: the endpoints of many stores may be there", async () => {
    answer = () => undefined
    seen = []
    await withGuard({ allowPrivate: true }, async (request) => {
      const url = (path: string) => ({ url: `http://127.0.0.2:${port}${path}`, timeoutMs: 3_000 })
      const silent = Array.from({ length: 100 }, () => request(url("/socket")))
      const all = () => seen.filter((one) => one.url === "/socket").length
      await expect.poll(all).toBe(100)
      expect(said(await request(url("/")))).toBe("200 5 complete")
      expect(new Set((await Promise.all(silent)).map(said))).toEqual(new Set(["timeout"]))
    })
  })

  it("to a port where nobody listens is a failed connection", async () => {
    await withGuard({ allowPrivate: true }, async (request) =>
      expect(said(await request({ url: "http://127.0.0.9:9/" }))).toBe("blocked")
    )
    await withGuard({ allowPrivate: true }, async (request) =>
      expect(said(await request({ url: `http://127.0.0.9:${port}/` }))).toBe("connect")
    )
  })
})

const head = (length: number) => Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\n\r\n`)

/** Writes for as long as somebody reads. */
const pour = (socket: Socket) => {
  const block = Buffer.alloc(65_536)
  socket.on("error", () => undefined)
  socket.write("HTTP/1.1 200 OK\r\n\r\n")
  const more = () => {
    while (!socket.destroyed && socket.write(block));
    socket.once("drain", more)
  }
  more()
}
