/** Composes what storefronts read of products, and writes it: the listing row and the document of each. */
import { Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { lockThenRead } from "../database/Repository.ts"
import { canPurchase } from "../kernel/Availability.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { composeDocument } from "./internal/composeDocument.ts"
import { listedFields, listingRow } from "./internal/listingRow.ts"
import { correctionWords, isFoundAlike, searchVector } from "./internal/searchVector.ts"
import { ListingRepository } from "./ListingRepository.ts"
import type { ProductState } from "../product/Product.ts"
import { ProductReadModel } from "../product/ProductReadModel.ts"
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

export const productReadModelLayer = Layer.effect(
  ProductReadModel,
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

    const compose = Effect.fnUntraced(function* (store: StoreContext, productIds: ReadonlyArray<string>, now: number) {
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

    const write = Effect.fnUntraced(function* (store: StoreContext, states: ReadonlyArray<ProductState>, now: number) {
      for (let at = 0; at < states.length; at += chunk) yield* writeMade(store, states.slice(at, at + chunk), now)
    })

    return ProductReadModel.of({
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
