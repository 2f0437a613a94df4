/** Keeps the words that misspelt ones may stand for to those that something uses. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { makeSearchWordSweep, sweepBegins } from "./SearchWordRepository.ts"

/** Statements of one turn. */
const statementsAtOnce = 20

export interface SearchWordsMethods {
  /** One turn over the next words, of one store after the other; it goes on where the turn before has ended. */
  readonly sweep: Effect.Effect<void>
}

export class SearchWords extends Context.Service<SearchWords, SearchWordsMethods>()(
  "@effect-commerce/core/storefront/SearchWords"
) {
  static readonly layer = Layer.effect(
    SearchWords,
    Effect.gen(function* () {
      const sweepSome = makeSearchWordSweep(yield* Database)
      let at = sweepBegins
      return SearchWords.of({
        sweep: Effect.gen(function* () {
          for (let i = 0; i < statementsAtOnce; i++) {
            at = yield* sweepSome(at)
            if (at === sweepBegins) return
          }
        })
      })
    })
  )
}
