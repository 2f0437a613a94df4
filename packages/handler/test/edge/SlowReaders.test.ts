/** Peers of `commerce serve` that read nothing, little or late, and those that ask much before they read. */
import type { RequestListener } from "node:http"
import { connect, type Socket } from "node:net"
import { Context } from "effect"
import { afterEach, describe, expect, it } from "vitest"
import { defaultHttpBounds, type HttpBounds, openHttpServer } from "../../src/adapters/httpServer.ts"
import { handingOn } from "../../src/adapters/nodeListener.ts"
import { type Listening, listening } from "./nodeServer.ts"

const cleanups: Array<() => unknown> = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const open = async (node: RequestListener, bounds: Partial<HttpBounds> = {}): Promise<Listening> => {
  const at = await listening(openHttpServer({ node, services: Context.empty() }, bounds).server)
  cleanups.push(at.close)
  return at
}

const dial = (port: number): Promise<Socket> =>
  new Promise((done) => {
    const socket = connect(port, "127.0.0.1", () => done(socket))
    socket.on("error", () => undefined)
    cleanups.push(() => socket.destroy())
  })

const get = "GET / HTTP/1.1\r\nhost: a\r\n\r\n"
/** More than the buffers of the two ends hold. */
const large = Buffer.alloc(32 * 1_048_576, "x")

describe("who reads an answer", () => {
  it("is waited for 30 seconds, looked after as often as the other bounds", () => {
    expect([defaultHttpBounds.write, defaultHttpBounds.check]).toEqual([30_000, 500])
  })

  it("is cut off when it takes nothing of it, though it goes on sending", async () => {
    const closed = Promise.withResolvers<string>()
    const { port } = await open(
      (_request, response) => {
        response.on("close", () => closed.resolve(response.writableFinished ? "sent" : "cut"))
        response.end(large)
      },
      { write: 300, check: 50 }
    )
    const socket = await dial(port)
    socket.pause()
    socket.write(get)
    const asking = setInterval(() => socket.writable && socket.write(get), 50)
    cleanups.push(() => clearInterval(asking))
    expect(await closed.promise).toBe("cut")
  })

  it("gets all of it, however slowly it reads, and however long the answer takes to be made", async () => {
    const { port } = await open(
      (_request, response) => void setTimeout(() => response.writeHead(200, { connection: "close" }).end(large), 900),
      { write: 600, check: 50 }
    )
    const socket = await dial(port)
    const began = performance.now()
    let bytes = 0
    let paused = 0
    socket.on("data", (chunk) => {
      bytes += chunk.length
      if (bytes < (paused + 1) * 2_097_152) return
      paused += 1
      socket.pause()
      setTimeout(() => socket.resume(), 150)
    })
    socket.write(get)
    await new Promise((ended) => socket.on("close", ended))
    expect(bytes).toBeGreaterThan(large.length)
    // Much longer than somebody is waited for who reads nothing.
    expect(performance.now() - began).toBeGreaterThan(900 + 2 * 600)
  })
})

describe("who asks again before it was answered", () => {
  it("has four requests answered at a time, the others in their order, and is read no further meanwhile", async () => {
    const answers: Array<() => void> = []
    let most = 0
    let underWay = 0
    const { port, server } = await open((request, response) => {
      underWay += 1
      most = Math.max(most, underWay)
      answers.push(() => {
        underWay -= 1
        response.end(`<${request.headers["x-number"]}>`)
      })
    })
    const served = new Promise<Socket>((came) => server.once("connection", came))
    const socket = await dial(port)
    let text = ""
    socket.on("data", (chunk) => (text += chunk.toString("latin1")))
    const pad = "p".repeat(200)
    const count = 4_000
    const asked = Array.from({ length: count }, (_, i) =>
      get.replace("host: a", `host: a\r\nx-number: ${i}\r\nx-pad: ${pad}`)
    ).join("")
    const sent = new Promise<void>((done) => socket.write(asked, () => done()))
    await expect.poll(() => answers.length, { timeout: 5_000 }).toBe(4)
    const connection = await served
    await expect.poll(() => connection.isPaused(), { timeout: 5_000 }).toBe(true)
    expect(connection.bytesRead).toBeLessThan(asked.length / 2)
    const answering = setInterval(() => {
      for (let i = 0; i < 500; i += 1) answers.shift()?.()
    }, 1)
    cleanups.push(() => clearInterval(answering))
    await sent
    await expect.poll(() => text.includes(`<${count - 1}>`), { timeout: 30_000 }).toBe(true)
    expect(most).toBe(4)
    const order = [...text.matchAll(/<(\d+)>/g)].map(([, number]) => Number(number))
    expect(order).toEqual(Array.from({ length: count }, (_, i) => i))
  })

  it("and leaves has every answer closed, those whose turn never came too", async () => {
    const closed: Array<string | undefined> = []
    let begun = 0
    const listener: RequestListener = (request, response) => {
      response.on("close", () => closed.push(request.url))
      response.end(large)
      begun += 1
    }
    const { port } = await open(handingOn(listener, "/"))
    const socket = await dial(port)
    socket.pause()
    for (const i of [0, 1, 2]) socket.write(get.replace("/ HTTP", `/${i} HTTP`))
    await expect.poll(() => begun, { timeout: 5_000 }).toBe(3)
    socket.destroy()
    await expect.poll(() => closed.toSorted(), { timeout: 5_000 }).toEqual(["/0", "/1", "/2"])
  })
})
