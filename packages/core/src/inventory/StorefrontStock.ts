/**
 * Stock as shoppers query it on a channel. Products that the channel does not show are left out of lists and cannot be
 * bought; one statement each, or one for several of the channel's shoppers who ask at the same time.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { type StockFacts, stockKeyOf } from "../kernel/Availability.ts"
import { coalesced } from "../cache/Coalesced.ts"
import { isJoined } from "../kernel/JoinedTransaction.ts"
import { kitStock } from "../kernel/Kit.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { InventoryRepository, type ShownRow } from "./InventoryRepository.ts"
import { demandsOf } from "./SoldLines.ts"
import {
  answerRequest,
  toAvailability,
  toStorefrontStockEntry,
  type AvailabilityRequest
} from "./StorefrontStockEntry.ts"

/** The most products that one statement counts for several shoppers. */
const mostTogether = 200

interface Ask {
  readonly productIds: ReadonlyArray<string>
  /** Epoch milliseconds. */
  readonly now: number
}

export class StorefrontStock extends Context.Service<StorefrontStock>()(
  "@effect-commerce/core/inventory/StorefrontStock",
  {
    make: Effect.gen(function* () {
      const repository = yield* InventoryRepository

      const rowsOf = (storeId: string, channelId: string, asks: ReadonlyArray<Ask>) => {
        const productIds = [...new Set(asks.flatMap((ask) => ask.productIds))]
        const now = new Date(Math.max(...asks.map((ask) => ask.now)))
        return Effect.map(repository.shown(storeId, { productIds, channelId, now }), (rows) =>
          Map.groupBy(rows, (row) => row.productId)
        )
      }
      const together = coalesced(
        mostTogether,
        (key, asks: ReadonlyArray<Ask>) => {
          const [storeId = "", channelId = ""] = key.split(" ")
          return rowsOf(storeId, channelId, asks)
        },
        ({ productIds }) => productIds.length
      )

      /** The rows of each requested product that can be seen. */
      const seen = Effect.fnUntraced(function* (store: StoreContext, channelId: string, asked: ReadonlyArray<string>) {
        const productIds = [...new Set(asked)]
        if (productIds.length === 0) return []
        const ask = { productIds, now: yield* Clock.currentTimeMillis }
        // What a transaction of the host sees must not be shared with others.
        const rows = yield* isJoined() ? rowsOf(store.id, channelId, [ask]) : together(`${store.id} ${channelId}`, ask)
        return productIds.flatMap((id) => (rows.has(id) ? [rows.get(id) ?? []] : []))
      })

      return {
        /** In the order requested, each once. */
        inventory: (store: StoreContext, channelId: string, productIds: ReadonlyArray<string>) =>
          Effect.map(seen(store, channelId, productIds), (products) =>
            products.flatMap((rows) => (rows[0] === undefined ? [] : [toStorefrontStockEntry(rows[0], rows)]))
          ),
        /** In the order requested, each once; a VARIABLE product by its variants. */
        availability: (store: StoreContext, channelId: string, productIds: ReadonlyArray<string>) =>
          Effect.map(seen(store, channelId, productIds), (products) =>
            products.flat().filter(isForSale).map(toAvailability)
          ),
        /**
         * Requests for the same units are served in their order: for the same item, or for a kit and its components.
         */
        check: (store: StoreContext, channelId: string, requests: ReadonlyArray<AvailabilityRequest>) =>
          Effect.map(
            seen(
              store,
              channelId,
              requests.map((request) => request.productId)
            ),
            (products) => {
              const things = new Map(
                products
                  .flat()
                  .filter(isForSale)
                  .map((row) => [`${row.productId} ${row.variantId ?? ""}`, row])
              )
              const taken = new Map<string, number>()
              const results = requests.map((request) => {
                const row = things.get(`${request.productId} ${request.variantId ?? ""}`)
                const answer = answerRequest(request, row && stockLeft(row, taken))
                const components = row?.parts ?? null
                for (const { quantity, ...part } of demandsOf([{ variantId: null, ...request, components }]))
                  taken.set(stockKeyOf(part), (taken.get(stockKeyOf(part)) ?? 0) + quantity)
                return answer
              })
              return { allAvailable: results.every((result) => result.isAvailable), results }
            }
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(StorefrontStock, StorefrontStock.make).pipe(
    Layer.provide(InventoryRepository.layer)
  )
}

/** The row minus the units that are already taken, by stock key. */
const stockLeft = (row: ShownRow, taken: ReadonlyMap<string, number>): ShownRow => {
  const without = <Stock extends StockFacts>(stock: Stock, key: string): Stock => ({
    ...stock,
    reserved: stock.reserved + (taken.get(key) ?? 0)
  })
  if (row.parts === null) return without(row, row.key)
  const parts = row.parts.map((part) => ({
    ...part,
    stock: part.stock === null ? null : without(part.stock, stockKeyOf(part))
  }))
  return { ...row, ...kitStock(parts) }
}

/** A VARIABLE product is bought by its variants, never as a whole. */
const isForSale = (row: ShownRow): boolean => row.type !== "VARIABLE" || row.variantId !== null
