/**
 * The last step of every write of products, inside the open transaction: composes them from their rows for storefronts,
 * checks their size, and emits the event of each.
 */
import { Array, Effect } from "effect"
import { FieldRejected } from "../../kernel/FieldRejected.ts"
import { jsonBytes } from "../../kernel/JsonSize.ts"
import { Outbox } from "../../outbox/Outbox.ts"
import type { StoreContext } from "../../store/StoreContext.ts"
import { maxShownBytes } from "../../taxonomy/ProductChanges.ts"
import { ProductNotFound } from "../../taxonomy/TaxonomyErrors.ts"
import type { ProductState } from "../Product.ts"
import { productCreated, productUpdated } from "../ProductEvents.ts"
import { ProductReadModel } from "../ProductReadModel.ts"
import { type Audience, toProductView } from "../productViews.ts"

/**
 * Maximum size in bytes of a product as a merchant reads it, with what shoppers do not see (inactive variants, files).
 */
const maxProductBytes = 1_048_576

/** Products that are composed, and whose events are emitted, together. */
const chunk = 200

const bytesFor = (audience: Audience, { currency }: StoreContext, product: ProductState, now: number) =>
  jsonBytes(toProductView(product, { currency, audience, now }))

/**
 * Fails for a product that has become too large: every statement and list that shows it carries all of its bytes. One
 * that was too large `before` may stay so, as long as it does not grow.
 */
const sizeCheck = (store: StoreContext, now: number, before?: ProductState) => (product: ProductState) => {
  const whole = bytesFor("admin", store, product, now)
  // A merchant sees everything that shoppers see.
  if (whole <= maxShownBytes) return Effect.void
  const grew = (audience: Audience, bytes: number) =>
    before === undefined || bytes > bytesFor(audience, store, before, now)
  const tooLarge = (most: number, as: string) =>
    Effect.fail(FieldRejected.at("product", `must be at most ${most} bytes ${as}`))
  const shown = bytesFor("storefront", store, product, now)
  if (shown > maxShownBytes && grew("storefront", shown))
    return tooLarge(maxShownBytes, "with its active variants and all that shoppers see of it")
  return whole > maxProductBytes && grew("admin", whole)
    ? tooLarge(maxProductBytes, "with all its variants, as it is answered")
    : Effect.void
}

export const makeProductChanges = Effect.gen(function* () {
  const readModel = yield* ProductReadModel
  const outbox = yield* Outbox

  const announced = Effect.fnUntraced(function* <E>(
    event: typeof productCreated | typeof productUpdated,
    store: StoreContext,
    ids: ReadonlyArray<string>,
    now: number,
    check: (product: ProductState) => Effect.Effect<void, E>
  ) {
    let changed: ReadonlyArray<ProductState> = []
    for (const next of Array.chunksOf(ids, chunk)) {
      const found = new Map((yield* readModel.rebuild(store, next, now)).map((product) => [product.id, product]))
      const products = next.flatMap((id) => found.get(id) ?? [])
      for (const product of products) yield* check(product)
      yield* outbox.appendAll(
        store.id,
        products.map((product) => {
          const view = toProductView(product, { currency: store.currency, audience: "subscriber", now })
          return event.of({ productId: product.id, product: view })
        })
      )
      changed = [...changed, ...products]
    }
    return changed
  })

  /** Kits show data of their components, so they become stale too. */
  const updated = <E>(
    store: StoreContext,
    ids: ReadonlyArray<string>,
    now: number,
    check: (product: ProductState) => Effect.Effect<void, E>
  ) => Effect.andThen(readModel.markKitsStale(store.id, ids), announced(productUpdated, store, ids, now, check))

  return {
    /** For products that this transaction has created, in the order of their ids. */
    created: (store: StoreContext, ids: ReadonlyArray<string>, now: number) =>
      announced(productCreated, store, ids, now, sizeCheck(store, now)),

    /** For changed products, each with its own event. */
    updated: (store: StoreContext, ids: ReadonlyArray<string>, now: number) =>
      updated(store, ids, now, sizeCheck(store, now)),

    /** The same for one product whose state was `before`; returns its current state. */
    updatedOne: Effect.fnUntraced(function* (store: StoreContext, before: ProductState, now: number) {
      const [product] = yield* updated(store, [before.id], now, sizeCheck(store, now, before))
      return product ?? (yield* Effect.die(new ProductNotFound({ id: before.id })))
    }),

    /** For products that lost a picture, or got a thumbnail for one; without a check of their size. */
    picturesUpdated: (store: StoreContext, ids: ReadonlyArray<string>, now: number) =>
      updated(store, ids, now, () => Effect.void)
  }
})
