/**
 * The bundle offers of a store description. `triggerProductId`, `productIds` and the keys of `pinnedVariants` are
 * externalIds or ids of products; a pinned variant is named by its SKU or its id.
 */
import { ExternalIds } from "@effect-commerce/core/database/ExternalIds"
import { BundleOfferInput } from "@effect-commerce/core/offer/BundleOffer"
import { BundleOffers } from "@effect-commerce/core/offer/BundleOffers"
import { Products } from "@effect-commerce/core/product/Products"
import type { StoreContext } from "@effect-commerce/core/store/StoreContext"
import { Effect } from "effect"
import type { Row } from "./document.ts"
import { inRow, type Loading } from "./Loading.ts"
import { readRow } from "./rows.ts"

const section = "bundleOffers"

/** A product with the variant that has this SKU or id. */
const pinned = Effect.fnUntraced(function* (store: StoreContext, productId: string, reference: string) {
  const variants = yield* (yield* Products).variants(store, productId)
  return [productId, variants.find(({ sku }) => sku === reference)?.id ?? reference] as const
})

export const load = Effect.fnUntraced(function* (loading: Loading, rows: ReadonlyArray<Row>) {
  const offers = yield* BundleOffers
  const externalIds = yield* ExternalIds
  const { store } = loading
  const read = yield* Effect.forEach(rows, (row) =>
    Effect.map(Effect.fromResult(readRow(BundleOfferInput, section, row)), (body) => ({
      externalId: row.externalId,
      body
    }))
  )
  const products = read.flatMap(({ body }) => [body.triggerProductId, ...body.productIds])
  loading.name("products", yield* (yield* Products).idsByExternal(store, [...new Set(products)]))
  const known = yield* externalIds.find(
    store.id,
    "bundle_offer",
    read.map(({ externalId }) => externalId)
  )
  const idOf = (reference: string) => loading.idOf("products", reference)
  for (const { externalId, body } of read) {
    const id = known.get(externalId)
    const pins = yield* Effect.forEach(Object.entries(body.pinnedVariants ?? {}), ([product, variant]) =>
      inRow(section, externalId)(pinned(store, idOf(product), variant))
    )
    const named: BundleOfferInput = {
      ...body,
      triggerProductId: idOf(body.triggerProductId),
      productIds: body.productIds.map(idOf),
      pinnedVariants: Object.fromEntries(pins)
    }
    const written = id === undefined ? offers.create(store, named) : offers.update(store, id, named)
    const kept = yield* inRow(section, externalId)(written)
    if (id === undefined) yield* externalIds.assign(store.id, "bundle_offer", kept.id, externalId)
    loading.count(section, id === undefined ? "created" : "updated")
  }
})
