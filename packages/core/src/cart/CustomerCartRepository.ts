/**
 * The SQL of a customer's carts: the active one, carts of sessions that are merged into it, and what a checkout of a
 * merged cart has bought.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { versionAfter } from "../database/Precondition.ts"
import type { CartMerge, CartOwner, MergeableCart, MergeParties } from "./CartMerge.ts"
import { cartColumns, type CartJsonRow, type CartTouch, toCart, touchedCart } from "./CartRepository.ts"

export class CustomerCartRepository extends Context.Service<CustomerCartRepository>()(
  "@effect-commerce/core/cart/CustomerCartRepository",
  {
    make: Effect.gen(function* () {
      const { sql, withCommit } = yield* Database
      const columns = cartColumns(sql)
      const touched = touchedCart(sql)

      /**
       * Whether a row `c` is a cart of this customer on this channel, in the store's current currency, that can still
       * be written to.
       */
      const activeOf = (storeId: string, of: CartOwner, now: Date) =>
        sql`c.store_id = ${storeId} AND c.customer_id = ${of.customerId} AND c.status IN ('ACTIVE', 'ABANDONED')
          AND c.currency = (SELECT currency FROM store WHERE id = ${storeId})
          AND c.sales_channel_id IS NOT DISTINCT FROM ${of.salesChannelId}::text AND c.expires_at > ${now}`

      return {
        // cart_store_id_customer_id_idx serves this and `lockForMerge`.
        /** The customer's newest cart on the channel that can be written to. */
        findActive: (storeId: string, owner: CartOwner, now: Date) =>
          Effect.orDie(
            Effect.map(
              sql<CartJsonRow>`SELECT ${columns(now)} FROM cart c WHERE ${activeOf(storeId, owner, now)}
                ORDER BY c.created_at DESC,
                c.id DESC LIMIT 1`,
              (rows) => (rows[0] === undefined ? undefined : toCart(rows[0]))
            )
          ),
        /**
         * Locks the cart of a session, the customer's active cart, and the cart that the session's was merged into;
         * returns their ids.
         */
        lockForMerge: (storeId: string, parties: MergeParties, now: Date) =>
          Effect.orDie(
            Effect.map(
              sql<{ readonly id: string }>`SELECT c.id FROM cart c WHERE c.store_id = ${storeId} AND c.id IN (
                  SELECT s.id FROM cart s WHERE s.store_id = ${storeId} AND s.session_token = ${parties.sessionToken}
                  UNION ALL SELECT s.merged_into FROM cart s WHERE s.store_id = ${storeId} AND s.session_token =
                    ${parties.sessionToken}
                  UNION ALL
                    (SELECT c.id FROM cart c WHERE ${activeOf(storeId, parties, now)} ORDER BY c.created_at DESC,
                    c.id DESC LIMIT 1)
                ) ORDER BY c.id FOR UPDATE OF c`,
              (rows) => rows.map((row) => row.id)
            )
          ),
        findForMerge: (storeId: string, ids: ReadonlyArray<string>, now: Date) =>
          Effect.orDie(
            Effect.map(
              // Under the carts' locks none of their checkouts is created, and no payment of one begins or ends;
              // checkout_store_id_cart_id_idx serves both.
              sql<CartJsonRow & Pick<MergeableCart, "isBeingPaid" | "hasOpenCheckouts">>`SELECT ${columns(now)},
                EXISTS (SELECT FROM checkout k WHERE k.store_id = c.store_id AND k.cart_id = c.id AND k.status =
                'PROCESSING') AS is_being_paid,
                  EXISTS (SELECT FROM checkout k WHERE k.store_id = c.store_id AND k.cart_id = c.id AND k.status =
                  'PENDING') AS has_open_checkouts
                FROM cart c WHERE c.store_id = ${storeId} AND c.id = ANY(${ids}::text[])`,
              (rows) =>
                rows.map((row) => ({
                  ...toCart(row),
                  isBeingPaid: row.isBeingPaid,
                  hasOpenCheckouts: row.hasOpenCheckouts
                }))
            )
          ),
        /** Merges the source into the target, whose lines become exactly these. */
        merge: (storeId: string, { sourceId, targetId, couponCode, lines }: CartMerge, touch: CartTouch) => {
          const rows = lines.map(({ sellable: _sellable, offer, unitPrice, ...line }) => ({
            ...line,
            offerId: offer?.offerId ?? null,
            bundleItemId: offer?.bundleItemId ?? null,
            unitPrice: String(unitPrice)
          }))
          return withCommit(
            sql`WITH emptied AS (
                DELETE FROM cart_item WHERE store_id = ${storeId} AND cart_id = ${sourceId}
              ), merged AS (
                UPDATE cart SET status = 'MERGED', merged_into = ${targetId},
                  updated_at = ${versionAfter(sql, touch.now)} WHERE store_id = ${storeId} AND id = ${sourceId}
              ), lines AS (
                INSERT INTO cart_item (store_id, cart_id, id, identity, product_id, variant_id, quantity, unit_price,
                  notes, metadata, customizations, modifiers, offer_id, bundle_item_id, created_at)
                SELECT ${storeId}, ${targetId}, l.id, l.identity, l."productId", l."variantId", l.quantity,
                  l."unitPrice", l.notes, l.metadata, l.customizations, l.modifiers, l."offerId",
                  l."bundleItemId", ${touch.now}
                FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS l (id text, identity text, "productId" text,
                  "variantId" text, quantity int, "unitPrice" bigint, notes text, metadata jsonb, customizations jsonb,
                    modifiers jsonb, "offerId" text, "bundleItemId" text)
                ON CONFLICT (store_id, cart_id, id) DO UPDATE SET quantity = EXCLUDED.quantity
              )
              UPDATE cart SET ${touched(touch)},
                coupon_code = ${couponCode} WHERE store_id = ${storeId} AND id = ${targetId}`
          )
        },
        /** Locks a cart; returns where it was merged into, null where it was not, undefined where there is none. */
        lockMerged: (storeId: string, id: string) =>
          Effect.orDie(
            Effect.map(
              sql<{
                readonly mergedInto: string | null
              }>`SELECT merged_into FROM cart WHERE store_id = ${storeId} AND id = ${id} FOR UPDATE`,
              (rows) => rows[0]?.mergedInto
            )
          ),
        /**
         * Removes what a checkout of a merged cart has bought from the locked cart it was merged into; returns the
         * lines that were reduced or removed.
         */
        removeBought: (storeId: string, cartId: string, checkoutId: string, now: Date) =>
          // A merge kept the id of a line that was new to this cart; a line equal to one of this cart was added to that
          // line, which is found by comparing their identities.
          Effect.orDie(
            Effect.map(
              sql<{ readonly id: string }>`WITH found AS (
                SELECT DISTINCT ON (l.id) i.id, l.quantity FROM checkout_line l
                JOIN cart_item i ON i.store_id = l.store_id AND i.cart_id = ${cartId} AND
                  (i.id = l.cart_item_id OR (i.product_id = l.product_id
                  AND i.variant_id IS NOT DISTINCT FROM l.variant_id AND i.metadata = l.metadata AND i.customizations =
                    l.customizations
                  AND i.modifiers = l.modifiers AND i.offer_id IS NOT DISTINCT FROM l.offer_id
                  AND i.bundle_item_id IS NOT DISTINCT FROM l.bundle_item_id))
                WHERE l.store_id = ${storeId} AND l.checkout_id = ${checkoutId} ORDER BY l.id,
                  i.id = l.cart_item_id DESC NULLS LAST
              ), bought AS (
                SELECT id, sum(quantity)::int AS quantity FROM found GROUP BY id
              ), gone AS (
                DELETE FROM cart_item i USING bought b WHERE i.store_id = ${storeId} AND i.cart_id = ${cartId} AND i.id
                  = b.id AND i.quantity <= b.quantity
              ), fewer AS (
                UPDATE cart_item i SET quantity = i.quantity - b.quantity FROM bought b
                WHERE i.store_id = ${storeId} AND i.cart_id = ${cartId} AND i.id = b.id AND i.quantity > b.quantity
              ), changed AS (
                UPDATE cart SET updated_at = ${versionAfter(sql, now)} WHERE store_id = ${storeId} AND id = ${cartId}
              )
              SELECT id FROM bought`,
              (rows) => rows.map((row) => row.id)
            )
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(CustomerCartRepository, CustomerCartRepository.make)
}
