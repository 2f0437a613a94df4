/** The server of `commerce serve`, by itself: its bounds, its own refusals and its end. */
import type { RequestListener } from "node:http"
import { connect, type Socket } from "node:net"
import { Context } from "effect"
import { afterEach, describe, expect, it } from "vitest"
import { defaultHttpBounds, type HttpBounds, type HttpServer, openHttpServer } from "../../src/adapters/httpServer.ts"
import { type Listening, listening } from "./nodeServer.ts"

const cleanups: Array<() => unknown> = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const open = async (listener: RequestListener, bounds: Partial<HttpBounds> = {}): Promise<HttpServer & Listening> => {
  const http = openHttpServer({ node: listener, services: Context.empty() }, bounds)
  const at = await listening(http.server)
  cleanups.push(at.close)
  return { ...at, ...http }
}

interface Line {
  readonly socket: Socket
  /** All that has come so far. */
  readonly text: () => string
  /** Resolves when so much has come; rejects when the connection ends before. */
  readonly until: (part: string | RegExp) => Promise<void>
  /** Everything, once the connection is closed; `null` where it was reset. */
  readonly closed: Promise<string | null>
}

const dial = (port: number, from = "127.0.0.1"): Promise<Line> =>
  new Promise((done, fail) => {
    let text = ""
    let reset = false
    const socket = connect({ port, host: "127.0.0.1", localAddress: from }, () => done(line))
    cleanups.push(() => socket.destroy())
    socket.on("data", (chunk) => (text += chunk.toString("latin1")))
    socket.on("error", (error) => {
      reset = true
      fail(error)
    })
    const closed = new Promise<string | null>((ended) => socket.on("close", () => ended(reset ? null : text)))
    const has = (part: string | RegExp) => (typeof part === "string" ? text.includes(part) : part.test(text))
    const until = (part: string | RegExp) =>
      new Promise<void>((came, gone) => {
        const look = () => {
          if (!has(part)) return
          socket.off("data", look)
          came()
        }
        socket.on("data", look)
        void closed.then(() => gone(new Error(`closed after ${text}`)))
        look()
      })
    const line: Line = { socket, text: () => text, until, closed }
  })

const hello: RequestListener = (_request, response) => void response.end("hello")
const get = "GET / HTTP/1.1\r\nhost: a\r\n\r\n"
/** What a caller that waits forever would wait, in milliseconds. */
const since = (began: number): number => performance.now() - began

describe("the bounds of time", () => {
  it("close slow headers within 15 seconds and slow bodies within 35, as they stand", async () => {
    const { headers, request, check, connections, drain } = defaultHttpBounds
    expect(headers + check).toBeLessThan(15_000)
    expect(request + check).toBeLessThan(35_000)
    expect([connections, drain]).toEqual([4_096, 7_000])
    const { server } = await open(hello)
    expect([server.headersTimeout, server.requestTimeout, server.maxConnections]).toEqual([
      headers,
      request,
      connections
    ])
    // Node's own looking-after, which it keeps under this name.
    expect((server as unknown as { readonly connectionsCheckingInterval: number }).connectionsCheckingInterval).toBe(
      check
    )
  })

  it("hold for headers that trickle, for a body that does, and for a connection that says nothing", async () => {
    const waiting: RequestListener = (request, response) => void request.resume().on("end", () => response.end("whole"))
    const { port } = await open(waiting, { headers: 300, request: 600, check: 50 })
    const silent = await dial(port)
    const headers = await dial(port)
    const body = await dial(port)
    const began = performance.now()
    headers.socket.write("GET / HTTP/1.1\r\nhost: a\r\n")
    body.socket.write("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\n")
    const trickle = setInterval(() => {
      if (headers.socket.writable) headers.socket.write("x-more: 1\r\n")
      if (body.socket.writable) body.socket.write("x")
    }, 50)
    cleanups.push(() => clearInterval(trickle))
    const [nothing, told] = await Promise.all([silent.closed, headers.closed])
    expect(since(began)).toBeLessThan(8_000)
    expect(nothing).toBe("")
    expect(told).toContain('"code":"BAD_REQUEST","message":"The request did not arrive in time"')
    expect(await body.closed).toContain('"statusCode":400')
    expect(since(began)).toBeGreaterThan(550)
    expect(since(began)).toBeLessThan(8_000)
  })
})

describe("the bound of connections", () => {
  it("takes as many as it says, half of them of one address, closes one more, and takes another when one has gone", async () => {
    const { port } = await open(hello, { connections: 4 })
    const others = "127.0.0.2"
    const lines = [await dial(port), await dial(port)]
    for (const line of lines) {
      line.socket.write(get)
      await line.until("hello")
    }
    const third = await dial(port)
    third.socket.write(get)
    await third.closed
    expect(third.text()).toBe("")
    lines.push(await dial(port, others), await dial(port, others))
    for (const line of lines.slice(2)) {
      line.socket.write(get)
      await line.until("hello")
    }
    const fifth = await dial(port, "127.0.0.3")
    expect(await fifth.closed).toBe("")
    lines[0]?.socket.destroy()
    const answered = async (): Promise<boolean> => {
      const line = await dial(port)
      line.socket.write(get)
      return line.until("hello").then(
        () => true,
        () => false
      )
    }
    await expect.poll(answered, { timeout: 5_000 }).toBe(true)
  })
})

describe("what is refused before it is a request", () => {
  it.each([
    [
      "headers that are too large",
      `GET / HTTP/1.1\r\nhost: a\r\nx: ${"x".repeat(17_000)}\r\n\r\n`,
      "The headers are larger than 16 KiB"
    ],
    ["no HTTP at all", "how do you do\r\n\r\n", "This is no valid HTTP request"],
    [
      "a length and chunks",
      "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
      "This is no valid HTTP request"
    ],
    [
      "two lengths",
      "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\nabcd",
      "This is no valid HTTP request"
    ],
    ["a control character in its path", "GET /\u0001 HTTP/1.1\r\nhost: a\r\n\r\n", "This is no valid HTTP request"]
  ])("is told so in the envelope, and the connection ends: %s", async (_what, text, message) => {
    let asked = 0
    const { raw } = await open((request, response) => {
      asked += 1
      hello(request, response)
    })
    const { status, head, body } = await raw(text)
    expect([status, asked, /connection: close/i.test(head)]).toEqual([400, 0, true])
    expect(body).toEqual({ statusCode: 400, code: "BAD_REQUEST", message, timestamp: expect.any(String), path: "" })
  })
})

it("answers who expects what nobody promises as it answers others", async () => {
  const { port } = await open(hello)
  const line = await dial(port)
  line.socket.write("GET / HTTP/1.1\r\nhost: a\r\nexpect: a-miracle\r\nconnection: close\r\n\r\n")
  expect(await line.closed).toMatch(/^HTTP\/1.1 200 OK[\s\S]*hello$/)
})

describe("the end", () => {
  it("reads first what came while this process was busy: a request on an idle connection, and one on a new connection", async () => {
    const { port, end } = await open(hello)
    const idle = await dial(port)
    idle.socket.write(get)
    await idle.until("hello")
    const late = new Promise<Line>((done, fail) => {
      const busy = () => {
        const until = performance.now() + 20
        while (performance.now() < until);
      }
      // In the last turn before the end nobody reads: a connection is begun, a request is written, and the turn goes
      // on.
      setImmediate(() =>
        setImmediate(() => {
          dial(port).then(done, fail)
          idle.socket.write(get)
          process.nextTick(busy)
        })
      )
    })
    const ended = end()
    const fresh = await late
    fresh.socket.write(get)
    expect([(await idle.closed)?.split("hello").length, (await fresh.closed)?.split("hello").length]).toEqual([3, 2])
    await ended
  })

  it("reads first what came on an idle connection while this process was busy until after it would be closed", async () => {
    const { port, end } = await open(hello)
    const idle = await dial(port)
    idle.socket.write(get)
    await idle.until("hello")
    const answered = performance.now()
    const ended = end()
    await expect.poll(() => since(answered)).toBeGreaterThan(300)
    const sleepUntil = (time: number) =>
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, time - performance.now())
    // Idle connections are looked for every 50 ms, two turns later: after turns of 60 ms, in each turn.
    const turn = (more: number): void =>
      void setImmediate(() => {
        if (more > 0) {
          sleepUntil(performance.now() + 60)
          return turn(more - 1)
        }
        idle.socket.write(get)
        process.nextTick(() => sleepUntil(answered + 3_200))
      })
    turn(3)
    expect((await idle.closed)?.split("hello").length).toBe(3)
    await ended
  })

  it("closes what is idle or silent at once, and answers what is under way or has just begun as the last on its connection", async () => {
    const held: Array<() => void> = []
    const { port, end } = await open((request, response) => {
      if (request.url === "/hold") held.push(() => response.end("held"))
      else hello(request, response)
    })
    const [silent, idle, busy, begun] = [await dial(port), await dial(port), await dial(port), await dial(port)]
    idle.socket.write(get)
    await idle.until("hello")
    expect(idle.text()).not.toMatch(/connection: close/i)
    begun.socket.write(get)
    await begun.until("hello")
    busy.socket.write("GET /hold HTTP/1.1\r\nhost: a\r\n\r\n")
    await expect.poll(() => held.length).toBe(1)
    // The second request of `begun` is on its way when the end begins: half of its headers are here.
    await new Promise<unknown>((sent) => begun.socket.write("GET /second HTTP/1.1\r\nho", sent))
    const began = performance.now()
    const ended = end()
    expect([await silent.closed, (await idle.closed)?.includes("hello")]).toEqual(["", true])
    expect(since(began)).toBeLessThan(5_000)
    begun.socket.write("st: a\r\n\r\n")
    const second = (await begun.closed) ?? ""
    expect([second.split("hello").length, /connection: close/i.test(second.slice(second.indexOf("hello")))]).toEqual([
      3,
      true
    ])
    held[0]?.()
    expect(await busy.closed).toMatch(/connection: close[\s\S]*held$/i)
    await ended
    expect(since(began)).toBeLessThan(6_000)
    await expect(dial(port)).rejects.toMatchObject({ code: "ECONNREFUSED" })
  })

  it("answers the next request of whoever was answered a moment ago, as the last", async () => {
    const { port, end } = await open(hello)
    const line = await dial(port)
    line.socket.write(get)
    await line.until("hello")
    const ended = end()
    await expect
      .poll(() => dial(port).then(String, (error: NodeJS.ErrnoException) => error.code), { interval: 1 })
      .toBe("ECONNREFUSED")
    line.socket.write(get)
    expect(await line.closed).toMatch(/hello[\s\S]*connection: close[\s\S]*hello$/i)
    await ended
  })

  it("sends an answer whole that was written before the end and is still on its way, and closes after it", async () => {
    const size = 24 * 1_048_576
    const { port, end } = await open((_request, response) => void response.end(Buffer.alloc(size, "x")))
    const slow = connect(port, "127.0.0.1", () => slow.write(get))
    cleanups.push(() => slow.destroy())
    await new Promise((began) => slow.once("data", began))
    slow.pause()
    const ended = end()
    let got = 0
    const closed = new Promise<number>((done) => slow.on("close", () => done(got)))
    slow.on("data", (chunk: Buffer) => (got += chunk.length)).resume()
    expect(await closed).toBeGreaterThan(size - 200_000)
    await ended
  })

  it("cuts off what never ends, when its time is over", async () => {
    const { port, end } = await open(() => undefined, { drain: 200 })
    const never = await dial(port)
    never.socket.write(get)
    const began = performance.now()
    await end()
    expect(await never.closed).toBe("")
    expect([since(began) >= 190, since(began) < 6_000]).toEqual([true, true])
  })
})
