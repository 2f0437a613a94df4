/** A server that is told to end while many connect: each is answered, or refused; none is cut off or reset. */
import { type ChildProcess, fork } from "node:child_process"
import { on } from "node:events"
import { connect } from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

let child: ChildProcess
let messages: AsyncIterableIterator<Array<unknown>>
beforeAll(() => {
  child = fork(join(import.meta.dirname, "processes/endingServer.ts"), { execArgv: ["--conditions=source"] })
  messages = on(child, "message") as AsyncIterableIterator<Array<unknown>>
})
afterAll(() => child.disconnect())

/** The next message of the server. */
const told = async (): Promise<unknown> => (await messages.next()).value?.[0]

/** What becomes of one connection with one request. */
const ask = (port: number): Promise<string> =>
  new Promise((done) => {
    let text = ""
    let end = "cut off"
    const socket = connect(port, "127.0.0.1", () =>
      socket.write("GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n")
    )
    socket.on("data", (chunk) => (text += chunk.toString()))
    socket.on("error", (error: NodeJS.ErrnoException) => (end = error.code ?? ""))
    socket.on("close", () => done(/^HTTP\/1.1 200 [^]*hello/.test(text) ? "answered" : end))
  })

const clients = 50
const rounds = 5

describe("a server that is told to end while many connect", () => {
  it("answers or refuses each of them", async () => {
    for (let round = 0; round < rounds; round++) {
      const port = Number(await told())
      const ends = new Map<string, number>()
      let isTold = false
      const keepAsking = async (): Promise<void> => {
        const end = await ask(port)
        ends.set(end, (ends.get(end) ?? 0) + 1)
        if (!isTold && ends.get("answered") === 10 * clients) isTold = child.kill("SIGTERM")
        if (end !== "ECONNREFUSED") await keepAsking()
      }
      const [ended] = await Promise.all([told(), ...Array.from({ length: clients }, keepAsking)])
      expect([ended, [...ends.keys()].toSorted(), ends.get("ECONNREFUSED")]).toEqual([
        "ended",
        ["ECONNREFUSED", "answered"],
        clients
      ])
    }
  })
})
