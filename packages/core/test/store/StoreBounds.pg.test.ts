import { expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SalesChannels } from "../../src/store/SalesChannels.ts"
import { Stores } from "../../src/store/Stores.ts"
import type { StorePatch } from "../../src/store/Store.ts"
import { TestDatabase } from "../../src/testing/TestDatabase.ts"

const live = Layer.mergeAll(Stores.layer, SalesChannels.layer).pipe(Layer.provideMerge(TestDatabase.layer))
const shop = { name: "Shop", currency: "EUR", country: "DE" }
const refused = <A, E>(work: Effect.Effect<A, E>) =>
  Effect.match(work, { onFailure: (error): unknown => error, onSuccess: () => "stored" })
const tooLong = { field: "name", reason: "must have at most 200 characters" }

layer(live)("settings of a store", (it) => {
  it.effect.each<[fitting: StorePatch, over: StorePatch, problem: object]>([
    [{ name: "x".repeat(200) }, { name: "x".repeat(201) }, tooLong],
    [
      { languages: Array(50).fill("de") },
      { languages: Array(51).fill("de") },
      { field: "languages", reason: "must have at most 50 entries" }
    ],
    [
      { languages: ["en", "x".repeat(35)] },
      { languages: ["en", "x".repeat(36)] },
      { field: "languages", reason: "must have at most 35 characters" }
    ]
  ])("are stored at their bound and refused above it", ([fitting, over, problem]) =>
    Effect.gen(function* () {
      const stores = yield* Stores
      const store = yield* stores.create(shop)
      expect(yield* stores.update(store, fitting)).toMatchObject(fitting)
      expect(yield* refused(stores.update(store, over))).toMatchObject(problem)
      expect(yield* stores.context(store.id)).toMatchObject(fitting)
    })
  )

  it.effect("bound the names of a new store and of its channels", () =>
    Effect.gen(function* () {
      const [stores, channels] = [yield* Stores, yield* SalesChannels]
      const long = { name: "x".repeat(201) }
      expect(yield* refused(stores.create({ ...shop, ...long }))).toMatchObject(tooLong)
      const store = yield* stores.create(shop)
      const { id } = yield* channels.create(store.id, { name: "x".repeat(200) })
      expect(yield* refused(channels.create(store.id, long))).toMatchObject(tooLong)
      expect(yield* refused(channels.update(store.id, id, long))).toMatchObject(tooLong)
    })
  )
})
