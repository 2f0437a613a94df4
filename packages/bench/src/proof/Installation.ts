/**
 * What a scenario runs on: a data directory with its embedded PostgreSQL, which belongs to this process or to the
 * servers alone, any number of servers, the clock they share, and shops to buy in.
 */
import { chmodSync, mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type ConnectionOptions, nodePostgresConfig } from "@effect-commerce/core/database/ConnectionOptions"
import * as EmbeddedPostgres from "@effect-commerce/core/embedded/EmbeddedPostgres"
import { up } from "@effect-commerce/core/migration/Migrations"
import { Effect, Exit, Scope } from "effect"
import { Client } from "pg"
import { freePort } from "../processes.ts"
import { send, until } from "./Client.ts"
import { type Server, type ServerOptions, startServer } from "./Server.ts"
import { type Query, type Shops, shopsOn } from "./Shops.ts"

/** A place for a server: its port stays the same whichever process listens there. */
export interface Slot {
  readonly port: number
  server: Server | undefined
}

export interface Installation {
  readonly folder: string
  readonly dataDir: string
  readonly connection: ConnectionOptions
  /** Runs as the superuser, to whom row-level security does not apply; reconnects after the database was lost. */
  readonly query: Query
  readonly openShop: Shops["openShop"]
  readonly stock: Shops["stock"]
  readonly openSlots: (count: number) => Promise<ReadonlyArray<Slot>>
  /** Starts a server in the slot and gives it the time of the others. */
  readonly start: (slot: Slot, options?: Pick<ServerOptions, "faulty" | "role" | "env" | "checkout">) => Promise<Server>
  /** Moves the clock of every running server. */
  readonly advance: (slots: ReadonlyArray<Slot>, millis: number) => Promise<void>
  /** The time of the servers: epoch milliseconds. */
  readonly now: () => number
  /** Disconnects this process from the database: from then on only the servers keep it running. */
  readonly letGo: () => Promise<void>
  /** Process id of the database's server. */
  readonly postmaster: () => number
  /** Ends every session of the servers at once. */
  readonly dropSessions: () => Promise<void>
  readonly close: () => Promise<void>
}

/** `migrate` false leaves the schema to the first server. */
export const openInstallation = async (folder: string, { migrate = true } = {}): Promise<Installation> => {
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o755)
  const dataDir = join(folder, "data")
  const scope = await Effect.runPromise(Scope.make())
  const { connection } = await Effect.runPromise(Scope.provide(EmbeddedPostgres.start({ dataDir }), scope))
  if (migrate) await Effect.runPromise(up(connection))
  let held = true
  let offset = 0
  let client: Client | undefined

  const letGo = async () => {
    if (!held) return
    held = false
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }

  const connected = async (): Promise<Client> => {
    if (client !== undefined) return client
    const made = new Client({ ...nodePostgresConfig(connection), application_name: "proof" })
    made.on("error", () => {
      if (client === made) client = undefined
    })
    await made.connect()
    client = made
    return made
  }
  const query: Installation["query"] = async (sql, params = []) =>
    (await (await connected()).query(sql, [...params])).rows

  const { openShop, stock } = shopsOn(query)

  const advance: Installation["advance"] = async (slots, millis) => {
    offset += millis
    for (const slot of slots) {
      if (slot.server?.isAlive() === true) await moveClock(slot.port, millis)
    }
  }

  let logs = 0
  const start: Installation["start"] = async (slot, options = {}) => {
    logs += 1
    const log = join(folder, `serve-${logs}.log`)
    slot.server = await startServer({ dataDir, folder, log, port: slot.port, drop: dropSessions, ...options })
    if (offset > 0 && options.role !== "worker") await moveClock(slot.port, offset)
    return slot.server
  }

  const dropSessions = async () => {
    await query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'commerce' AND pid <> " +
        "pg_backend_pid()"
    )
    await until(
      2_000,
      async () =>
        (
          await query(
            "SELECT 1 FROM pg_stat_activity WHERE application_name = 'commerce' AND state LIKE 'idle in transaction%'"
          )
        ).length === 0
    )
  }

  return {
    folder,
    dataDir,
    connection,
    query,
    openShop,
    stock,
    openSlots: async (count) => {
      const slots: Array<Slot> = []
      for (let i = 0; i < count; i++) slots.push({ port: await freePort(), server: undefined })
      return slots
    },
    start,
    advance,
    now: () => performance.timeOrigin + performance.now() + offset,
    letGo,
    postmaster: () => Number(readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8").split("\n")[0]),
    dropSessions,
    close: async () => {
      await client?.end().catch(() => undefined)
      await letGo()
      await stopDatabase(dataDir)
    }
  }
}

/** Killed servers cannot stop the database themselves. */
const stopDatabase = (dataDir: string): Promise<void> =>
  Effect.runPromise(Effect.scoped(Effect.asVoid(EmbeddedPostgres.start({ dataDir, exclusive: true }))))

export const moveClock = async (port: number, advanceMs: number): Promise<void> => {
  const { status } = await send(port, "POST", "/test/clock", { body: { advanceMs } })
  if (status !== 200) throw new Error(`the clock could not be moved: ${status}`)
}
