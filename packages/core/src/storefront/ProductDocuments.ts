/**
 * Writes what storefronts read of products: the listing row and the composed document of each (decision 0024). Every
 * use case that changes what a product shows calls it once, in its own transaction and after its last write, so that
 * readers see both or neither. A product whose rows were changed by somebody who does not call it (a release before, a
 * host's own SQL) is noted by triggers and composed by a worker.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { lockThenRead } from "../database/Repository.ts"
import { canPurchase } from "../kernel/Availability.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { composeDocument } from "./internal/composeDocument.ts"
import { listedFields, listingRow } from "./internal/listingRow.ts"
import { correctionWords, isFoundAlike, searchVector } from "./internal/searchVector.ts"
import { ListingRepository } from "./ListingRepository.ts"
import type { ProductState } from "../product/Product.ts"
import { ProductRepository } from "../product/ProductRepository.ts"

/** Products that one statement reads and writes. */
const chunk = 200

/** As `listing_buyable` says. */
const isBuyable = ({ type, stock, variants }: ProductState): boolean | null => {
  if (type === "KIT") return null
  return type === "VARIABLE"
    ? variants.some((variant) => variant.status === "active" && canPurchase(variant.stock))
    : canPurchase(stock)
}

export interface ProductDocumentsMethods {
  /**
   * Composes these products anew inside the caller's open transaction; those that are deleted or unknown are removed
   * from what storefronts read. `now` is in epoch milliseconds.
   */
  readonly refresh: (store: StoreContext, productIds: ReadonlyArray<string>, now: number) => Effect.Effect<void>
  /** `refresh`, and the products as they are, in no order. */
  readonly compose: (
    store: StoreContext,
    productIds: ReadonlyArray<string>,
    now: number
  ) => Effect.Effect<ReadonlyArray<ProductState>>
  /** `compose` of one product that this transaction has made, so that nobody else can have written it. */
  readonly composeMade: (
    store: StoreContext,
    productId: string,
    now: number
  ) => Effect.Effect<ReadonlyArray<ProductState>>
  /**
   * The same for products that this transaction has made, and whose state the caller has in hand: nobody else can have
   * changed them, and nothing is read. Sent behind the statements that write their rows.
   */
  readonly write: (store: StoreContext, products: ReadonlyArray<ProductState>, now: number) => Effect.Effect<void>
  /**
   * Nobody else composes the product until the transaction ends. Answers whether nothing was noted of it, and the store
   * is known by the currency that it has; else the caller composes the product.
   */
  readonly holdComposed: (store: StoreContext, productId: string) => Effect.Effect<boolean>
  /**
   * Of a product that was read behind `holdComposed` as `before`, and is as `product` says once what the caller has
   * sent is done: nothing is read. `ProductRepository.change` is what has been sent.
   */
  readonly rewrite: (
    store: StoreContext,
    before: ProductState,
    product: ProductState,
    now: number
  ) => Effect.Effect<void>
}

export class ProductDocuments extends Context.Service<ProductDocuments, ProductDocumentsMethods>()(
  "@effect-commerce/core/storefront/ProductDocuments"
) {
  static readonly layer = Layer.effect(
    ProductDocuments,
    Effect.gen(function* () {
      const database = yield* Database
      const repository = yield* ListingRepository
      const products = yield* ProductRepository

      const composed = (store: StoreContext, states: ReadonlyArray<ProductState>, now: number) => ({
        rows: states.map((state) => listingRow(store.id, state, now)),
        documents: states
          .filter(({ status }) => status === "active")
          .map((state) => composeDocument(state, store.currency, now)),
        words: correctionWords(states)
      })

      const writeMade = (store: StoreContext, states: ReadonlyArray<ProductState>, now: number) =>
        Effect.suspend(() =>
          repository.writeMade(store.id, { ...composed(store, states, now), buyable: states.map(isBuyable) })
        )

      const composeSome = Effect.fnUntraced(function* (store: StoreContext, ids: ReadonlyArray<string>, now: number) {
        const [, states] = yield* lockThenRead(repository.hold(store.id, ids), products.several(store.id, ids))
        const known = new Set(states.map(({ id }) => id))
        yield* repository.write(store.id, {
          ...composed(store, states, now),
          gone: ids.filter((id) => !known.has(id))
        })
        return states
      })

      const compose = Effect.fnUntraced(function* (
        store: StoreContext,
        productIds: ReadonlyArray<string>,
        now: number
      ) {
        const ids = [...new Set(productIds)].sort()
        const states: Array<ProductState> = []
        for (let at = 0; at < ids.length; at += chunk)
          states.push(...(yield* database.write(store.id)(composeSome(store, ids.slice(at, at + chunk), now))))
        return states
      })

      const composeMade = Effect.fnUntraced(function* (store: StoreContext, productId: string, now: number) {
        const states = yield* products.several(store.id, [productId])
        yield* writeMade(store, states, now)
        return states
      })

      const write = Effect.fnUntraced(function* (
        store: StoreContext,
        states: ReadonlyArray<ProductState>,
        now: number
      ) {
        for (let at = 0; at < states.length; at += chunk) yield* writeMade(store, states.slice(at, at + chunk), now)
      })

      return ProductDocuments.of({
        refresh: (store, productIds, now) => Effect.asVoid(compose(store, productIds, now)),
        compose,
        composeMade,
        write,
        holdComposed: (store, productId) => repository.holdComposed(store.id, productId, store.currency),
        rewrite: (store, before, product, now) =>
          Effect.suspend(() => {
            const row = listedFields(product, now)
            const found = isFoundAlike(before, product)
              ? undefined
              : { search: searchVector(store.id, product, row.terms), words: correctionWords([product]) }
            return repository.rewrite(store.id, { row, document: composeDocument(product, store.currency, now), found })
          })
      })
    })
  ).pipe(Layer.provide([ListingRepository.layer, ProductRepository.layer]))
}
