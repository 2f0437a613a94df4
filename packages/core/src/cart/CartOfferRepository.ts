/** The SQL of lines that are taken from offers: they are added together, and become ordinary lines together. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { CartLine } from "./Cart.ts"
import { type CartTouch, touchedCart } from "./CartRepository.ts"

export interface AddedLines {
  /** New lines, and lines whose quantity has grown. */
  readonly lines: ReadonlyArray<CartLine>
  /** A line that they replace. */
  readonly gone?: string | undefined
}

export interface ReleasedLines {
  readonly lines: ReadonlyArray<CartLine>
  /** Lines that were merged into others. */
  readonly gone: ReadonlyArray<string>
}

const rowsOf = (lines: ReadonlyArray<CartLine>): string =>
  JSON.stringify(
    lines.map(({ sellable: _sellable, offer, unitPrice, ...line }) => ({
      ...line,
      unitPrice: String(unitPrice),
      offerId: offer?.offerId ?? null,
      bundleItemId: offer?.bundleItemId ?? null
    }))
  )

export class CartOfferRepository extends Context.Service<CartOfferRepository>()(
  "@effect-commerce/core/cart/CartOfferRepository",
  {
    make: Effect.map(Database, ({ sql, withCommit }) => {
      const touched = touchedCart(sql)

      return {
        /** Writes all lines of an offer, and the cart's expiry and version, in one statement. */
        addLines: (storeId: string, cartId: string, { lines, gone }: AddedLines, touch: CartTouch) =>
          withCommit(
            sql`WITH gone AS (
                DELETE FROM cart_item WHERE store_id = ${storeId} AND cart_id = ${cartId} AND id = ${gone ?? null}
              ), lines AS (
                INSERT INTO cart_item (store_id, cart_id, id, identity, product_id, variant_id, quantity, unit_price,
                  notes, metadata, customizations, modifiers, offer_id, bundle_item_id, created_at)
                SELECT ${storeId}, ${cartId}, l.id, l.identity, l."productId", l."variantId", l.quantity,
                  l."unitPrice", l.notes, l.metadata, l.customizations, l.modifiers, l."offerId", l."bundleItemId",
                  ${touch.now}
                FROM jsonb_to_recordset(${rowsOf(lines)}::jsonb) AS l (id text, identity text, "productId" text,
                  "variantId" text, quantity int, "unitPrice" bigint, notes text, metadata jsonb, customizations jsonb,
                  modifiers jsonb, "offerId" text, "bundleItemId" text)
                ON CONFLICT (store_id, cart_id, id) DO UPDATE SET quantity = EXCLUDED.quantity
              )
              UPDATE cart SET ${touched(touch)} WHERE store_id = ${storeId} AND id = ${cartId}`
          ),
        /** Lines become ordinary ones, with the identity, quantity and price that they have now. */
        release: (storeId: string, cartId: string, { lines, gone }: ReleasedLines) =>
          withCommit(
            sql`WITH gone AS (
                DELETE FROM cart_item WHERE store_id = ${storeId} AND cart_id = ${cartId}
                  AND id = ANY(${gone}::text[])
              )
              UPDATE cart_item i SET identity = l.identity, quantity = l.quantity, unit_price = l."unitPrice",
                offer_id = l."offerId", bundle_item_id = l."bundleItemId"
              FROM jsonb_to_recordset(${rowsOf(lines)}::jsonb) AS l (id text, identity text, quantity int,
                "unitPrice" bigint, "offerId" text, "bundleItemId" text)
              WHERE i.store_id = ${storeId} AND i.cart_id = ${cartId} AND i.id = l.id`
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(CartOfferRepository, CartOfferRepository.make)
}
