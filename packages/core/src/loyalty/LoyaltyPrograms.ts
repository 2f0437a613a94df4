/** The loyalty programme of a store, as its merchant states it and as quotes and orders read it. */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { nextVersion } from "../database/Precondition.ts"
import { compiledRules } from "../store/compiledRules.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { Stores } from "../store/Stores.ts"
import {
  changeProgram,
  defaultProgram,
  inCurrency,
  type LoyaltyProgramInput,
  type LoyaltyProgramState,
  toProgramView,
  toShownProgram
} from "./LoyaltyProgram.ts"
import { LoyaltyProgramRepository } from "./LoyaltyProgramRepository.ts"

export class LoyaltyPrograms extends Context.Service<LoyaltyPrograms>()(
  "@effect-commerce/core/loyalty/LoyaltyPrograms",
  {
    make: Effect.gen(function* () {
      const database = yield* Database
      const repository = yield* LoyaltyProgramRepository
      const stores = yield* Stores

      /** The programme at `rulesVersion` or later; undefined where none was ever stated. */
      const compiled = compiledRules({
        read: repository.readRules,
        compile: ({ program }): LoyaltyProgramState | undefined => program,
        none: () => undefined
      })

      const current = (store: StoreContext) =>
        Effect.map(repository.find(store.id), (found) =>
          inCurrency(found ?? defaultProgram(store.currency, store.createdAt), store.currency)
        )

      /** Raises the version of the store's rules first, so that no quote is priced with what was replaced. */
      const put = Effect.fn("LoyaltyPrograms.put")(function* (store: StoreContext, input: LoyaltyProgramInput) {
        const now = yield* Clock.currentTimeMillis
        return yield* database.write(store.id)(
          Effect.gen(function* () {
            const fresh = yield* stores.bumpRules(store)
            const before = yield* repository.find(fresh.id)
            const at = before === undefined ? new Date(now) : nextVersion(before.updatedAt, now)
            const base = inCurrency(before ?? defaultProgram(fresh.currency, at), fresh.currency)
            const program = yield* changeProgram(base, input, at)
            yield* repository.put(fresh.id, program)
            return toProgramView(program)
          })
        )
      })

      return {
        get: (store: StoreContext) => Effect.map(current(store), toProgramView),
        shown: (store: StoreContext) => Effect.map(current(store), toShownProgram),
        put,
        /** As the store's settings were read. */
        at: ({ id, rulesVersion }: StoreContext) => compiled(id, rulesVersion),
        /** As it is now; undefined where none was ever stated. */
        find: repository.find
      }
    })
  }
) {
  static readonly layer = Layer.effect(LoyaltyPrograms, LoyaltyPrograms.make).pipe(
    Layer.provide(LoyaltyProgramRepository.layer)
  )
}
