/**
 * What the reference page of a demo server is filled with, so that its samples can be tried as they stand: the ids of
 * the demo store in place of the recorded ones, and a key of its own. The key is minted at each start, which revokes
 * the key of the start before; the page shows it only to requests of this machine.
 */
import { Products } from "@effect-commerce/core/product/Products"
import { ApiKeys } from "@effect-commerce/core/identity/ApiKeys"
import { everyScope } from "@effect-commerce/core/identity/Scope"
import { SalesChannels } from "@effect-commerce/core/store/SalesChannels"
import type { StoreContext } from "@effect-commerce/core/store/StoreContext"
import type { ReferenceValues } from "@effect-commerce/handler/system/reference/ReferenceValues"
import { recordedIds } from "@effect-commerce/handler/system/samples/recordedIds"
import { Clock, Effect } from "effect"

const keyName = "Reference page"
/** If no later start revokes it: a week, in milliseconds. */
const keyLifetime = 7 * 86_400_000

const mintKey = Effect.fnUntraced(function* ({ id: storeId, accountId }: StoreContext) {
  const keys = yield* ApiKeys
  const expiresAt = new Date((yield* Clock.currentTimeMillis) + keyLifetime)
  for (const { id, name } of yield* keys.list({ storeId })) if (name === keyName) yield* keys.revoke({ storeId }, id)
  const { key } = yield* keys.mint({ accountId, storeId, name: keyName, scopes: everyScope, tier: "PRO", expiresAt })
  return key
})

/**
 * Pairs of a recorded id and the id of the thing with the same slug in this store; what the store no longer has is left
 * out.
 */
const pairs = <E, R>(
  recorded: Readonly<Record<string, string>>,
  find: (slug: string) => Effect.Effect<{ readonly id: string }, E, R>
) =>
  Effect.forEach(Object.entries(recorded), ([slug, id]) =>
    find(slug).pipe(
      Effect.map((found): ReadonlyArray<readonly [string, string]> => [[id, found.id]]),
      Effect.orElseSucceed((): ReadonlyArray<readonly [string, string]> => [])
    )
  ).pipe(Effect.map((found) => found.flat()))

export const demoReference = Effect.fnUntraced(function* (
  store: StoreContext,
  { withKey }: { readonly withKey: boolean }
) {
  const products = yield* Products
  const [channel] = yield* (yield* SalesChannels).list(store.id)
  const ids = [
    [recordedIds.storeId, store.id] as const,
    ...(channel === undefined ? [] : [[recordedIds.salesChannelId, channel.id] as const]),
    ...(yield* pairs(recordedIds.products, (slug) => products.get(store, { slug }, "admin")))
  ]
  const apiKey = withKey ? yield* mintKey(store) : undefined
  return { ids: Object.fromEntries(ids), apiKey } satisfies ReferenceValues
})
