/** Removes words from the corrections of a search once no product uses them any more. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { makeSearchWordSweep, sweepStart } from "./SearchWordRepository.ts"

/** Statements in one call of `sweep`. */
const statementsPerSweep = 20

export class SearchWords extends Context.Service<SearchWords>()("@effect-commerce/core/storefront/SearchWords", {
  make: Effect.gen(function* () {
    const sweepSome = makeSearchWordSweep(yield* Database)
    let position = sweepStart
    return {
      /** Checks the next words, store by store. The next call continues where this one ended. */
      sweep: Effect.gen(function* () {
        for (let i = 0; i < statementsPerSweep; i++) {
          position = yield* sweepSome(position)
          if (position === sweepStart) return
        }
      })
    }
  })
}) {
  static readonly layer = Layer.effect(SearchWords, SearchWords.make)
}
