/** More stores beside the one of a place. */
import { coreLayer } from "@effect-commerce/core/CommerceCore"
import * as EmbeddedPostgres from "@effect-commerce/core/embedded/EmbeddedPostgres"
import { Stores } from "@effect-commerce/core/store/Stores"
import { Effect, Layer } from "effect"
import type { Place } from "./place.ts"

/** Makes `count` stores, and returns their ids. */
export const openStores = ({ dataDir, connection }: Place, count: number): Promise<ReadonlyArray<string>> =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const secret = yield* EmbeddedPostgres.rootSecret(dataDir)
        const services = yield* Layer.build(coreLayer({ connection, secret, maxConnections: 3 }))
        return yield* Effect.provideContext(make(count), services)
      })
    )
  )

const make = Effect.fnUntraced(function* (count: number) {
  const stores = yield* Stores
  return yield* Effect.forEach(Array.from({ length: count }), (_, i) =>
    Effect.map(stores.create({ name: `Mugs ${i + 1}`, currency: "USD", country: "US" }), ({ id }) => id)
  )
})
