/**
 * Use cases inside the transaction that a host has open on its own client, with any kind of database connection: in a
 * savepoint, as the application's role, under our timeouts unless the host has set its own. Calls on one client wait
 * for each other: savepoints of two calls would interleave, and rolling back one call would undo the writes of another
 * that has reported success.
 */
import { Effect, Semaphore } from "effect"
import { Database } from "../database/Database.ts"
import type { JoinedConnection } from "../database/DatabaseDriver.ts"
import type { HostClient } from "./HostClient.ts"
import { GuestTransaction } from "./internal/guestTransaction.ts"

/** Runs the body in a savepoint: a failure rolls back its own writes and leaves the host's transaction usable. */
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

/** Listens for errors: a connection lost during a call fails that call; without a listener Node would exit. */
const heard = (client: HostClient) => {
  const ignore = () => undefined
  return Effect.acquireRelease(
    Effect.sync(() => client.on("error", ignore)),
    () => Effect.sync(() => client.removeListener("error", ignore))
  )
}
