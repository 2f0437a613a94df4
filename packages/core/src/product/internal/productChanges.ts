/**
 * What every change of a product ends with, inside the open transaction: its listing row and its document are composed
 * anew, and its event is written.
 */
import { Effect } from "effect"
import { Outbox } from "../../outbox/Outbox.ts"
import { FieldRejected } from "../../kernel/FieldRejected.ts"
import { jsonBytes } from "../../kernel/JsonSize.ts"
import type { StoreContext } from "../../store/StoreContext.ts"
import { maxShownBytes } from "../../taxonomy/ProductChanges.ts"
import { ProductNotFound } from "../../taxonomy/TaxonomyErrors.ts"
import { KitRepository } from "../KitRepository.ts"
import type { ProductState } from "../Product.ts"
import { ProductReadModel } from "../ProductReadModel.ts"
import { productCreated, productUpdated } from "../ProductEvents.ts"
import { type Audience, type ProductView, toProductView } from "../ProductView.ts"

/**
 * Bytes of a product with all that is not shown to shoppers (variants that are not active, files), as a merchant is
 * answered.
 */
export const maxProductBytes = 1_048_576

/** Products whose states and events are in memory together. */
const chunk = 50

export const makeProductChanges = Effect.gen(function* () {
  const documents = yield* ProductReadModel
  const kits = yield* KitRepository
  const outbox = yield* Outbox

  const viewFor = (store: StoreContext, product: ProductState, audience: Audience, now: number) =>
    toProductView(product, { currency: store.currency, audience, now })

  /** The product as it is after a write, and the event that says so. */
  const announce = Effect.fnUntraced(function* (
    store: StoreContext,
    id: string,
    event: typeof productCreated | typeof productUpdated,
    now: number
  ) {
    // What a kit shows follows from its components. A product that is made in this transaction is none yet.
    if (event !== productCreated) yield* kits.markKitsStale(store.id, [id])
    const [product] = yield* event === productCreated
      ? documents.composeMade(store, id, now)
      : documents.compose(store, [id], now)
    if (product === undefined) return yield* Effect.die(new ProductNotFound({ id }))
    yield* outbox.append(store.id, event, { productId: id, product: viewFor(store, product, "subscriber", now) })
    return product
  })

  const shownBytes = (store: StoreContext, product: ProductState, now: number) =>
    jsonBytes(viewFor(store, product, "storefront", now))

  /**
   * As a merchant is answered. Refused where a product has become too large: what one weighs, every statement and list
   * that shows it carries. One that was too large before may stay so, as long as it does not grow.
   */
  const boundedView = (
    store: StoreContext,
    product: ProductState,
    now: number,
    before?: ProductState
  ): Effect.Effect<ProductView, FieldRejected> => {
    const view = viewFor(store, product, "admin", now)
    const whole = jsonBytes(view)
    // A merchant sees all that shoppers see.
    if (whole <= maxShownBytes) return Effect.succeed(view)
    const tooLarge = (most: number, as: string) => FieldRejected.at("product", `must be at most ${most} bytes ${as}`)
    const shown = shownBytes(store, product, now)
    if (shown > maxShownBytes && (before === undefined || shown > shownBytes(store, before, now)))
      return tooLarge(maxShownBytes, "with its active variants and all that shoppers see of it")
    return whole <= maxProductBytes ||
      (before !== undefined && whole <= jsonBytes(viewFor(store, before, "admin", now)))
      ? Effect.succeed(view)
      : tooLarge(maxProductBytes, "with all its variants, as it is answered")
  }

  return {
    announce,
    boundedView,

    /** Products that are made in this transaction and are as these states say, in the order of their events. */
    announceCreated: Effect.fnUntraced(function* (
      store: StoreContext,
      products: ReadonlyArray<ProductState>,
      now: number
    ) {
      yield* documents.write(store, products, now)
      yield* outbox.appendAll(
        store.id,
        products.map((product) =>
          productCreated.of({ productId: product.id, product: viewFor(store, product, "subscriber", now) })
        )
      )
    }),

    /** A product that has changed, and whose documents are written. */
    announceRewritten: (store: StoreContext, product: ProductState, now: number) =>
      outbox.append(store.id, productUpdated, {
        productId: product.id,
        product: viewFor(store, product, "subscriber", now)
      }),

    announceBounded: (...written: Parameters<typeof announce>) =>
      Effect.tap(announce(...written), (product) => boundedView(written[0], product, written[3])),

    /** Products that have changed together; each has an event of its own. */
    announceAll: Effect.fnUntraced(function* (store: StoreContext, ids: ReadonlyArray<string>, now: number) {
      for (let at = 0; at < ids.length; at += chunk) {
        const products = yield* documents.compose(store, ids.slice(at, at + chunk), now)
        for (const product of products) yield* boundedView(store, product, now)
        yield* outbox.appendAll(
          store.id,
          products.map((product) =>
            productUpdated.of({ productId: product.id, product: viewFor(store, product, "subscriber", now) })
          )
        )
      }
    })
  }
})
