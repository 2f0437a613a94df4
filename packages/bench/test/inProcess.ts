/**
 * The installation of the proofs without processes: servers are instances in this process, each on a port of its own
 * and with a way of its own to the run's PostgreSQL. Killing one cuts that way and its sockets for good, so that
 * nothing it still does can reach anybody: what is left behind is what a killed process leaves. Starting one takes
 * milliseconds, so that every fault can be planted with every test.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { createServer as createHttpServer, type Server as HttpServer } from "node:http"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { ConnectionOptions } from "@effect-commerce/core/database/ConnectionOptions"
import { keptMailbox } from "@effect-commerce/core/smtp/MailTransport"
import { FaultPoint, type FaultPointName } from "@effect-commerce/core/database/FaultPoint"
import * as TestDatabase from "@effect-commerce/core/testing/TestDatabase"
import { contractPolicy, CurrentWebhookPolicy } from "@effect-commerce/core/webhook/WebhookPolicy"
import { type Commerce, type CommerceOptions, createCommerce } from "@effect-commerce/handler"
import { Effect } from "effect"
import { Client } from "pg"
import { freePort } from "../src/processes.ts"
import { contractTimes, type DeliveryTimes } from "../src/proof/deliveries.ts"
import { type Installation, moveClock, type Slot } from "../src/proof/Installation.ts"
import { metBy } from "../src/proof/metBy.ts"
import type { Fault, FaultMet, Server } from "../src/proof/Server.ts"
import { shopsOn } from "../src/proof/Shops.ts"

/** A way to PostgreSQL that can be cut. */
interface Gate {
  readonly connection: ConnectionOptions
  /** Loses the connections there are; new ones are let through. */
  readonly drop: () => void
  readonly close: () => void
}

const openGate = async (to: ConnectionOptions): Promise<Gate> => {
  const sockets = new Set<Socket>()
  const keep = (socket: Socket): Socket => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
    return socket
  }
  const gate = createServer((client) => {
    const server = keep(to.path === undefined ? connect(to.port ?? 5432, to.host ?? "127.0.0.1") : connect(to.path))
    keep(client)
    for (const [one, other] of [
      [client, server],
      [server, client]
    ] as const) {
      one.setNoDelay(true)
      one.on("error", () => undefined)
      one.on("close", () => other.destroy())
      one.pipe(other)
    }
  })
  await new Promise<void>((done) => gate.listen(0, "127.0.0.1", done))
  const { path: _path, ...rest } = to
  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    connection: { ...rest, host: "127.0.0.1", port: (gate.address() as AddressInfo).port },
    drop,
    close: () => {
      gate.close()
      drop()
    }
  }
}

interface Armed {
  readonly fault: Fault
  readonly happen: (who: FaultMet) => Effect.Effect<void>
}

/** One fault at a time in this process, whichever instance passes the point. */
let armed: Armed | undefined
const passed = new Map<string, number>()
const faults = (name: FaultPointName): Effect.Effect<void> =>
  Effect.flatMap(metBy, (who) => {
    passed.set(name, (passed.get(name) ?? 0) + 1)
    if (armed?.fault.point !== name) return Effect.void
    const { happen } = armed
    armed = undefined
    return happen(who)
  })
// The points are read by the requests' own fibers, to which nothing outside can provide: so it is their default that is
// put in place.
Object.assign(FaultPoint.Faults, { defaultValue: () => faults })

/**
 * The contract's delays, a five-hundredth of them: nobody waits for them here. The pause of a circuit is passed by the
 * clock.
 */
export const quickTimes: DeliveryTimes = {
  ...contractTimes,
  retryDelays: contractTimes.retryDelays.map((delay) => delay / 500)
}
Object.assign(CurrentWebhookPolicy, { defaultValue: () => ({ ...contractPolicy, ...quickTimes, timeout: 700 }) })

const listening = (commerce: Commerce, port: number): Promise<HttpServer> =>
  new Promise((done, fail) => {
    const server = createHttpServer(commerce.node)
    server.once("error", fail)
    server.listen(port, "127.0.0.1", () => done(server))
  })

const settled = 10

export interface InProcess extends Installation {
  /** Instances that were killed are let go of too. */
  readonly close: () => Promise<void>
}

const begin = async (
  port: number,
  database: ConnectionOptions,
  closing: Array<Promise<void>>,
  mail: CommerceOptions["mail"]
): Promise<Server> => {
  const began = performance.now()
  const gate = await openGate(database)
  const commerce = await createCommerce({
    database: { connection: gate.connection },
    secret: TestDatabase.testSecret,
    rateLimit: { perMinute: "off" },
    outbound: { allowPrivate: true },
    testClock: true,
    mail
  })
  const http = await listening(commerce, port)
  let alive = true
  let met: FaultMet | undefined
  const ended = Promise.withResolvers<number | string>()
  const end = async (): Promise<void> => {
    if (!alive) return
    alive = false
    gate.close()
    http.closeAllConnections()
    await new Promise<void>((done) => http.close(() => done()))
    ended.resolve("SIGKILL")
    // It reaches nobody any more; what it does at its end is as good as not done. Not waited for: the fault may be a
    // part of it.
    closing.push(commerce.close())
  }
  const happen = ({ point, kind }: Fault, who: FaultMet): Effect.Effect<void> => {
    met = who
    if (kind === "throw") return Effect.die(new Error(`a fault was planted at ${point}`))
    if (kind === "kill") return Effect.andThen(Effect.promise(end), Effect.never)
    gate.drop()
    return Effect.promise(() => new Promise((done) => setTimeout(done, settled)))
  }
  return {
    port,
    pid: process.pid,
    startMillis: performance.now() - began,
    ended: ended.promise,
    isAlive: () => alive,
    isFrozen: () => false,
    thaw: () => undefined,
    kill: end,
    stop: end,
    arm: async (fault) => {
      met = undefined
      armed = { fault, happen: (who) => happen(fault, who) }
    },
    metBy: () => met,
    passed: () => passed,
    residentMemory: () => Number.NaN
  }
}

/** Without a way for mails they are kept. */
export const openInProcess = async (
  mail: CommerceOptions["mail"] = { transport: keptMailbox("no-reply@localhost") }
): Promise<InProcess> => {
  const folder = mkdtempSync(join(tmpdir(), "commerce-proof-test-"))
  const database = await TestDatabase.open()
  const client = new Client(database.nodePostgres)
  await client.connect()
  const query: Installation["query"] = async (sql, params = []) => (await client.query(sql, [...params])).rows
  const closing: Array<Promise<void>> = []
  const slots: Array<Slot> = []
  let offset = 0
  const onlyProcesses = (): never => {
    throw new Error("needs servers that are processes")
  }
  return {
    folder,
    dataDir: folder,
    connection: database.connection,
    query,
    ...shopsOn(query),
    // Servers that are alive are used again.
    openSlots: async (count) => {
      while (slots.length < count) slots.push({ port: await freePort(), server: undefined })
      return slots.slice(0, count)
    },
    start: async (slot) => {
      if (slot.server?.isAlive() === true) return slot.server
      slot.server = await begin(slot.port, database.connection, closing, mail)
      if (offset > 0) await moveClock(slot.port, offset)
      return slot.server
    },
    // All of them, whichever the scenario knows: they go on to the next one.
    advance: async (_, millis) => {
      offset += millis
      for (const slot of slots) if (slot.server?.isAlive() === true) await moveClock(slot.port, millis)
    },
    now: () => performance.timeOrigin + performance.now() + offset,
    letGo: onlyProcesses,
    postmaster: onlyProcesses,
    dropSessions: onlyProcesses,
    close: async () => {
      await Promise.all(slots.map((slot) => slot.server?.kill()))
      await Promise.all(closing)
      await client.end()
      await database.close()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
