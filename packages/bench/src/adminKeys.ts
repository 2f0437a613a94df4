/** Admin keys of the shop that a place is measured on, which a server on its data directory knows. */
import { coreLayer } from "@effect-commerce/core/CommerceCore"
import * as EmbeddedPostgres from "@effect-commerce/core/embedded/EmbeddedPostgres"
import { ApiKeys } from "@effect-commerce/core/identity/ApiKeys"
import { Stores } from "@effect-commerce/core/store/Stores"
import { Effect, Layer } from "effect"
import type { Place } from "./place.ts"

/** Mints a key with these scopes, and returns it in the clear. */
export const mintKey = ({ dataDir, connection, shop }: Place, scopes: ReadonlyArray<string>): Promise<string> =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const secret = yield* EmbeddedPostgres.rootSecret(dataDir)
        const services = yield* Layer.build(coreLayer({ connection, secret, maxConnections: 3 }))
        return yield* Effect.provideContext(mint(shop.storeId, scopes), services)
      })
    )
  )

const mint = Effect.fnUntraced(function* (storeId: string, scopes: ReadonlyArray<string>) {
  const { accountId } = yield* (yield* Stores).context(storeId)
  const asked = { accountId, storeId, name: "bench", scopes, tier: "ENTERPRISE", rateLimit: 100_000_000 } as const
  return (yield* (yield* ApiKeys).mint(asked)).key
})
