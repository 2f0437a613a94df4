/** The SQL of checkouts that follow their cart: its prices, its items, its end. Under the cart's lock. */
import { Context, Effect, Layer } from "effect"
import type { CheckoutsOf } from "../cart/OpenCheckouts.ts"
import { Database } from "../database/Database.ts"
import { versionAfter } from "../database/Precondition.ts"
import { many } from "../database/Repository.ts"

export interface RefreshedCheckout {
  readonly id: string
  /** A line of it, or of its cart, has an offer's price. */
  readonly isPricedHere: boolean
  readonly hasTenders: boolean
}

export class CartCheckoutRepository extends Context.Service<CartCheckoutRepository>()(
  "@effect-commerce/core/checkout/CartCheckoutRepository",
  {
    make: Effect.gen(function* () {
      const { sql, withCommit } = yield* Database
      return {
        /**
         * Copies the cart's prices to the PENDING checkouts made from it. Returns the checkouts, and which of them are
         * to be priced on their own: those with lines of offers, whose price depends on the other lines that are
         * bought, and those with lines whose modifiers were changed in the cart, or that were removed from it.
         */
        refreshPrices: (storeId: string, cartId: string, now: Date) =>
          many(
            sql<RefreshedCheckout>`WITH fresh AS (
                UPDATE checkout c SET updated_at = ${versionAfter(sql, now, "c.updated_at")} WHERE c.store_id =
                  ${storeId} AND c.cart_id = ${cartId} AND c.status = 'PENDING' RETURNING c.id, c.tenders
              ), priced AS (
                UPDATE checkout_line l SET unit_price = i.unit_price
                FROM fresh f, cart_item i
                WHERE l.store_id = ${storeId} AND l.checkout_id = f.id AND i.store_id = ${storeId} AND i.cart_id =
                  ${cartId} AND i.id = l.cart_item_id
              )
              SELECT f.id, f.tenders <> '[]' AS has_tenders,
                bool_or(l.offer_id IS NOT NULL OR i.offer_id IS NOT NULL OR i.id IS NULL OR i.modifiers <> l.modifiers)
                  AS is_priced_here
              FROM fresh f JOIN checkout_line l ON l.store_id = ${storeId} AND l.checkout_id = f.id
                LEFT JOIN cart_item i ON i.store_id = ${storeId} AND i.cart_id = ${cartId} AND i.id = l.cart_item_id
              GROUP BY f.id, f.tenders ORDER BY f.id`
          ),
        /** Sets the prices of lines. */
        savePrices: (storeId: string, id: string, prices: ReadonlyMap<string, bigint>) =>
          withCommit(
            sql`UPDATE checkout_line l SET unit_price = n.unit_price
              FROM unnest(${[...prices.keys()]}::text[], ${[...prices.values()]}::bigint[]) AS n (id, unit_price)
              WHERE l.store_id = ${storeId} AND l.checkout_id = ${id} AND l.id = n.id`
          ),
        // checkout_store_id_cart_id_idx serves this and the following.
        /** Cancels PENDING checkouts of a cart that is locked. */
        cancelOf: (storeId: string, { cartId, itemIds }: CheckoutsOf, now: Date) => {
          const named =
            itemIds === undefined
              ? sql`true`
              : sql`EXISTS
                (SELECT FROM checkout_line l WHERE l.store_id = k.store_id AND l.checkout_id = k.id AND l.cart_item_id =
                ANY(${itemIds}::text[]))`
          return withCommit(
            sql`UPDATE checkout k SET status = 'CANCELLED', updated_at = ${versionAfter(sql, now, "k.updated_at")}
              WHERE k.store_id = ${storeId} AND k.cart_id = ${cartId} AND k.status = 'PENDING' AND ${named}`
          )
        },
        /** As `OpenCheckouts.follow`. */
        followItem: (
          storeId: string,
          cartId: string,
          { gone, into }: { readonly gone: string; readonly into: string }
        ) =>
          withCommit(
            sql`UPDATE checkout_line l SET cart_item_id = ${into} FROM checkout k
              WHERE k.store_id = ${storeId} AND k.cart_id = ${cartId} AND l.store_id = k.store_id AND l.checkout_id =
                k.id AND l.cart_item_id = ${gone}`
          ),
        /** As `OpenCheckouts.dropping`. */
        dropping: (storeId: string, cartId: string, itemIds: ReadonlyArray<string>, now: Date) =>
          sql`losing AS (
              SELECT k.id, bool_and(coalesce(l.cart_item_id = ANY(${itemIds}::text[]), false)) AS all_of_it
              FROM checkout k JOIN checkout_line l ON l.store_id = k.store_id AND l.checkout_id = k.id
              WHERE k.store_id = ${storeId} AND k.cart_id = ${cartId} AND k.status = 'PENDING'
                AND k.expires_at > ${now}
              GROUP BY k.id HAVING bool_or(l.cart_item_id = ANY(${itemIds}::text[]))
            ), dropped AS (
              DELETE FROM checkout_line l USING losing n WHERE NOT n.all_of_it AND l.store_id = ${storeId}
                AND l.checkout_id = n.id AND l.cart_item_id = ANY(${itemIds}::text[])
            ), lost AS (
              UPDATE checkout k SET updated_at = ${versionAfter(sql, now, "k.updated_at")},
                status = CASE WHEN n.all_of_it THEN 'CANCELLED' ELSE k.status END
              FROM losing n WHERE k.store_id = ${storeId} AND k.id = n.id)`
      }
    })
  }
) {
  static readonly layer = Layer.effect(CartCheckoutRepository, CartCheckoutRepository.make)
}
