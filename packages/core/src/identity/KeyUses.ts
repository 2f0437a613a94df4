/**
 * When admin keys are used. A request only notes its key in memory; the process writes what it has noted once a minute,
 * all keys in one statement, and when it ends. Of what several processes have noted the latest time stays.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { ApiKeyRepository } from "./ApiKeyRepository.ts"

/** The most keys that are noted between two writes. Uses of further ones are not noted until then. */
const mostNoted = 100_000

export class KeyUses extends Context.Service<KeyUses>()("@effect-commerce/core/identity/KeyUses", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* ApiKeyRepository
    let noted = new Map<string, number>()

    const note = (keyId: string, at: number): void => {
      const before = noted.get(keyId)
      if (before === undefined ? noted.size < mostNoted : before < at) noted.set(keyId, at)
    }

    /** Writes what is noted. If the database is unavailable, the next call writes it. */
    const flush = Effect.suspend(() => {
      const uses = noted
      noted = new Map()
      const again = Effect.sync(() => {
        for (const [keyId, at] of uses) note(keyId, at)
      })
      return uses.size === 0
        ? Effect.void
        : database.platform(repository.used([...uses])).pipe(Effect.onError(() => again))
    })

    yield* Effect.addFinalizer(() =>
      Effect.catchCause(flush, (cause) => Effect.logError("When keys were last used could not be written", cause))
    )
    return { note, flush }
  })
}) {
  static readonly layer = Layer.effect(KeyUses, KeyUses.make).pipe(Layer.provide(ApiKeyRepository.layer))
}
