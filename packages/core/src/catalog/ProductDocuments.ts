/**
 * Writes what storefronts read of products: the listing row and the composed document of each (decision 0024). Every
 * use case that changes what a product shows calls it once, in its own transaction and after its last write, so that
 * readers see both or neither. A product whose rows were changed by somebody who does not call it (a release before, a
 * host's own SQL) is noted by triggers and composed by a worker.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { lockThenRead } from "../database/Repository.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { composeDocument } from "./internal/composeDocument.ts"
import { listingRow } from "./internal/listingRow.ts"
import { correctionWords } from "./internal/searchVector.ts"
import { ListingRepository, type ListingWrite } from "./ListingRepository.ts"
import type { ProductState } from "./Product.ts"
import { ProductRepository } from "./ProductRepository.ts"

/** Products that one statement reads and writes. */
const chunk = 200

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
   * Nobody else composes the product until the transaction ends. What is noted of it is done by the caller, who reads
   * it behind this.
   */
  readonly hold: (store: StoreContext, productId: string) => Effect.Effect<void>
  /**
   * Of a product that was read behind `hold`, and is as this state says once what the caller has sent is done: nothing
   * is read. What somebody else has noted since stays noted. Not inside a savepoint.
   */
  readonly writeHeld: (store: StoreContext, product: ProductState, now: number) => Effect.Effect<void>
}

export class ProductDocuments extends Context.Service<ProductDocuments, ProductDocumentsMethods>()(
  "@effect-commerce/core/catalog/ProductDocuments"
) {
  static readonly layer = Layer.effect(
    ProductDocuments,
    Effect.gen(function* () {
      const database = yield* Database
      const repository = yield* ListingRepository
      const products = yield* ProductRepository

      const put = (
        store: StoreContext,
        states: ReadonlyArray<ProductState>,
        { gone = [], made = [], held = [] }: Partial<Pick<ListingWrite, "gone" | "made" | "held">>,
        now: number
      ): Effect.Effect<void> =>
        repository.write(store.id, {
          rows: states.map((state) => listingRow(store.id, state, now)),
          documents: states
            .filter(({ status }) => status === "active")
            .map((state) => composeDocument(state, store.currency, now)),
          gone,
          made,
          held,
          words: correctionWords(states)
        })

      const composeSome = Effect.fnUntraced(function* (store: StoreContext, ids: ReadonlyArray<string>, now: number) {
        const [, states] = yield* lockThenRead(repository.hold(store.id, ids), products.several(store.id, ids))
        const known = new Set(states.map(({ id }) => id))
        yield* put(store, states, { gone: ids.filter((id) => !known.has(id)) }, now)
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
        yield* put(store, states, { made: states.map(({ id }) => id) }, now)
        return states
      })

      const write = Effect.fnUntraced(function* (
        store: StoreContext,
        states: ReadonlyArray<ProductState>,
        now: number
      ) {
        for (let at = 0; at < states.length; at += chunk) {
          const some = states.slice(at, at + chunk)
          yield* put(store, some, { made: some.map(({ id }) => id) }, now)
        }
      })

      return ProductDocuments.of({
        refresh: (store, productIds, now) => Effect.asVoid(compose(store, productIds, now)),
        compose,
        composeMade,
        write,
        hold: (store, productId) => repository.hold(store.id, [productId]),
        writeHeld: (store, product, now) => put(store, [product], { held: [product.id] }, now)
      })
    })
  ).pipe(Layer.provide([ListingRepository.layer, ProductRepository.layer]))
}
