/**
 * What `serve` does when it finds nothing: on an empty embedded database it sets up a store, and with `--demo` fills it. A demo that was interrupted
 * is made up for by the next start: it is loaded while the one store there is, made for it, holds no product.
 */
import { Products } from "@effect-commerce/core/catalog/Products"
import { SalesChannels } from "@effect-commerce/core/store/SalesChannels"
import { Stores } from "@effect-commerce/core/store/Stores"
import type { Commerce } from "@effect-commerce/handler/createCommerce"
import { type Context, Effect } from "effect"
import { settle } from "./openCore.ts"
import { note } from "./print.ts"
import type { Settings } from "./Settings.ts"
import { setUp } from "./setUp.ts"

/** Lines for the person who started it: ids, and on the first run the admin key. */
export const firstRun = async (settings: Settings, commerce: Commerce, demo: boolean): Promise<ReadonlyArray<string>> => {
  const run = <A, E>(effect: Effect.Effect<A, E, CommerceServices>): Promise<A> => settle(Effect.provideContext(effect, commerce.services))
  const made = settings.databaseUrl === undefined ? await run(begin(demo)) : undefined
  if (demo && (await run(isBare))) await run(loadDemo)
  if (made === undefined) return run(introduce)
  return [
    `store          ${made.storeId}`,
    `sales channel  ${made.salesChannelId}`,
    `admin key      ${made.apiKey}`,
    "The admin key is shown this once: keep it."
  ]
}

type CommerceServices = Commerce["services"] extends Context.Context<infer R> ? R : never

const demoName = "Demo store"

/** undefined where there is a store already, be it that another process has just made it. */
const begin = Effect.fnUntraced(function* (demo: boolean) {
  if ((yield* (yield* Stores).list).length > 0) return undefined
  const asked = { name: demo ? demoName : "My store", currency: "USD", country: "US" }
  return yield* setUp(asked).pipe(Effect.catchTag("AlreadySetUp", () => Effect.succeed(undefined)))
})

const isBare = Effect.gen(function* () {
  const [store, ...others] = yield* (yield* Stores).list
  if (store?.name !== demoName || others.length > 0) return false
  const { total } = yield* (yield* Products).list(store, { page: { page: 1, limit: 1 }, filter: {}, sortBy: "menuOrder", descending: false }, "admin")
  return total === 0
})

const loadDemo = Effect.gen(function* () {
  const { demoStore } = yield* Effect.promise(() => import("./demo/demoStore.ts"))
  const { loadInto } = yield* Effect.promise(() => import("./seed.ts"))
  note("Filling the demo store …")
  yield* loadInto(undefined, demoStore)
})

/** Of the one store with its one channel; of more there would be too much to say. */
const introduce = Effect.gen(function* () {
  const [store, ...others] = yield* (yield* Stores).list
  if (store === undefined) return ["There is no store yet: `commerce init` makes one, also while this runs."]
  if (others.length > 0) return []
  const [channel, ...more] = yield* (yield* SalesChannels).list(store.id)
  return [`store          ${store.id}`, ...(channel === undefined || more.length > 0 ? [] : [`sales channel  ${channel.id}`])]
})
