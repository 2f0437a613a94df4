/** Core's services for a command: over DATABASE_URL or the embedded database, which may be another process's, brought up to date first. */
import { connectionOf, coreLayer, type CoreServices } from "@effect-commerce/core/CommerceCore"
import * as EmbeddedPostgres from "@effect-commerce/core/database/EmbeddedPostgres"
import * as Migrations from "@effect-commerce/core/database/Migrations"
import { Cause, Effect, Exit, Layer, Scope } from "effect"
import { Refused } from "./Refused.ts"
import type { Settings } from "./Settings.ts"

/** The database a command works on; attached to, or started for as long as the scope lasts. */
export const connectTo = (settings: Settings) =>
  settings.databaseUrl === undefined
    ? Effect.map(EmbeddedPostgres.start({ dataDir: settings.dataDir }), ({ connection }) => connection)
    : Effect.succeed(connectionOf(settings.directDatabaseUrl ?? settings.databaseUrl))

/** Runs `body` with core's services and leaves the database as it was found. */
export const withCore = async <A, E>(settings: Settings, body: Effect.Effect<A, E, CoreServices>): Promise<A> => {
  const scope = await Effect.runPromise(Scope.make())
  const work = Effect.gen(function* () {
    const connection = yield* connectTo(settings)
    yield* Migrations.up(connection)
    const services = yield* Layer.build(coreLayer({ connection, maxConnections: 4 }))
    return yield* Effect.provideContext(body, services)
  })
  try {
    return await settle(Scope.provide(work, scope))
  } finally {
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

/** A failure as one line: typed errors speak for themselves, defects by their message. */
export const settle = async <A, E>(effect: Effect.Effect<A, E>): Promise<A> => {
  const exit = await Effect.runPromiseExit(effect)
  if (Exit.isSuccess(exit)) return exit.value
  throw new Refused(lineOf(Cause.squash(exit.cause)))
}

const lineOf = (error: unknown): string => {
  if (typeof error === "object" && error !== null && "_tag" in error) {
    const facts = error as { readonly _tag: string; readonly field?: string; readonly reason?: unknown; readonly message?: string; readonly id?: string }
    if (facts.field !== undefined) return `${facts.field} ${String(facts.reason)}`
    if (typeof facts.reason === "string") return facts.reason
    if (facts._tag === "SqlError") return "the database cannot be reached or refused the request"
    if (facts._tag.endsWith("NotFound")) return `no such ${facts._tag.replace("NotFound", "").replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase()}: ${facts.id ?? ""}`
    return facts.message === undefined || facts.message === "" ? facts._tag : facts.message
  }
  return error instanceof Error ? error.message : String(error)
}
