/**
 * Use cases inside the transaction that a host has open on its own client, whatever the database is reached by: in a
 * savepoint, as the application's role, under our bounds where the host has none. Calls on one client wait for each
 * other: savepoints of two calls would interleave, and the end of one would take the writes of the other back while it
 * reported success.
 */
import { Effect, Semaphore } from "effect"
import { Database } from "../database/Database.ts"
import type { JoinedConnection } from "../database/DatabaseDriver.ts"
import type { HostClient } from "./HostClient.ts"
import { GuestTransaction } from "./internal/guestTransaction.ts"

/** Runs the body in a savepoint: its failure takes back its own writes and leaves the host's transaction usable. */
export const joinHostTransaction =
  (client: HostClient) =>
  <A, E, R>(body: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | Database> =>
    Database.use(({ join }) => join(guestOn(client))(body))

const guestOn =
  (client: HostClient): JoinedConnection =>
  (session) => {
    const turn = turnOf(client)
    return Effect.acquireRelease(turn.take(1), () => turn.release(1), { interruptible: true }).pipe(
      Effect.andThen(heard(client)),
      Effect.andThen(
        Effect.acquireRelease(
          Effect.sync(() => new GuestTransaction(client, session)),
          ({ end }) => end
        )
      )
    )
  }

const turnOf = (client: HostClient): Semaphore.Semaphore => {
  const known = turns.get(client)
  if (known !== undefined) return known
  const made = Semaphore.makeUnsafe(1)
  turns.set(client, made)
  return made
}
const turns = new WeakMap<HostClient, Semaphore.Semaphore>()

/** A connection lost under a call is that call's failure; without a listener Node would end the process. */
const heard = (client: HostClient) => {
  const ignore = () => undefined
  return Effect.acquireRelease(
    Effect.sync(() => client.on("error", ignore)),
    () => Effect.sync(() => client.removeListener("error", ignore))
  )
}
