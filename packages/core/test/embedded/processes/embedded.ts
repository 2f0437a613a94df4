/**
 * A process that uses the embedded PostgreSQL of the folder it is given: says what it got, and leaves when its input
 * ends.
 */
import { Cause, Effect, Exit, Redacted, Scope } from "effect"
import * as EmbeddedPostgres from "../../../src/embedded/EmbeddedPostgres.ts"

const dataDir = process.argv[2] ?? ""
const scope = Effect.runSync(Scope.make())
const say = (message: unknown) => process.stdout.write(`${JSON.stringify(message)}\n`)

const exit = await Effect.runPromiseExit(Scope.provide(EmbeddedPostgres.start({ dataDir, durable: false }), scope))
if (Exit.isFailure(exit)) {
  say({ refused: String((Cause.squash(exit.cause) as Error).message) })
} else {
  const { connection, started } = exit.value
  const secret = Redacted.value(await Effect.runPromise(EmbeddedPostgres.rootSecret(dataDir)))
  say({
    started,
    connection: {
      ...connection,
      password: connection.password === undefined ? "" : Redacted.value(connection.password)
    },
    secret
  })
  await new Promise((resolve) => process.stdin.once("end", resolve).resume())
}
await Effect.runPromise(Scope.close(scope, Exit.void))
