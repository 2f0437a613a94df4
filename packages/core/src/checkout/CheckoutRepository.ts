/**
 * The SQL of checkout and checkout_line. A checkout is read with its lines, their products, their stock and the store's
 * rules version in one statement.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { versionAfter } from "../database/Precondition.ts"
import { many, one } from "../database/Repository.ts"
import type { Address } from "../kernel/Address.ts"
import { lineOfferJson } from "../offer/OfferColumns.ts"
import { holdingJson, sellableJoins, sellableJson } from "../pricing/Sellable.ts"
import {
  type CheckoutCustomer,
  type CheckoutLine,
  type CheckoutState,
  type CheckoutStatus,
  type DraftTerms,
  maxOpenCheckouts
} from "./Checkout.ts"

type LineJson = Omit<CheckoutLine, "unitPrice"> & { readonly unitPrice: string }
type CheckoutRow = Omit<CheckoutState, "lines"> & { readonly lines: ReadonlyArray<LineJson> }

/** Absent leaves a column as it is. */
export interface CheckoutChanges {
  readonly email?: string
  readonly customer?: CheckoutCustomer
  readonly shippingAddress?: Address
  readonly billingAddress?: Address | null
  readonly deliveryType?: CheckoutState["deliveryType"]
  readonly shippingRateId?: string | null
  readonly couponCode?: string | null
  readonly tenders?: CheckoutState["tenders"]
  readonly customFieldValues?: CheckoutState["customFieldValues"]
  readonly presentedIn?: CheckoutState["presentedIn"]
  readonly status?: CheckoutStatus
}

/** A checkout that has got today's prices. */
export interface CheckoutPlace {
  readonly storeId: string
  readonly id: string
  readonly salesChannelId: string | null
  /** What a payment provider is asked in. */
  readonly currency: string
}

/** A checkout of a draft order. */
export type DraftCheckout = Pick<CheckoutState, "id" | "cartId" | "status" | "expiresAt" | "updatedAt">

export class CheckoutRepository extends Context.Service<CheckoutRepository>()(
  "@effect-commerce/core/checkout/CheckoutRepository",
  {
    make: Effect.gen(function* () {
      const { sql, withCommit } = yield* Database

      const shown = { channelId: sql.literal("c.sales_channel_id"), locale: sql.literal("c.locale") }
      const select = (
        now: Date
      ) => sql`SELECT c.id, c.cart_id, c.sales_channel_id, c.customer_id, c.status, c.attempt, c.email, c.customer,
        c.delivery_type, c.shipping_address, c.billing_address, c.shipping_rate_id, c.region_id, c.currency,
        c.presented_in, c.locale,
        c.coupon_code, c.tenders, c.custom_field_values, c.notes,
        c.draft_terms || jsonb_build_object('id', c.draft_id) AS draft,
        c.expires_at, c.recovery_email_sent_at, c.created_at,
        c.updated_at, (SELECT rules_version FROM store WHERE id = c.store_id) AS rules_version,
        (SELECT round(extract(epoch FROM max(r.expires_at)) * 1000)::float8 FROM reservation r WHERE r.store_id =
        c.store_id AND r.holder_id IN (c.cart_id, c.id)) AS reserved_until,
        ${holdingJson(sql, "c.cart_id", now)} AS holding,
        CASE WHEN c.draft_id IS NOT NULL THEN (SELECT json_build_object('id', o.id, 'status', 'COMPLETED')
          FROM orders o WHERE o.store_id = c.store_id AND o.draft_id = c.draft_id
            AND o.checkout_id IS DISTINCT FROM c.id)
        ELSE (SELECT json_build_object('id', o.id, 'status', o.status) FROM checkout o
          JOIN checkout_line b ON b.store_id = o.store_id AND b.checkout_id = o.id
          JOIN checkout_line m ON m.store_id = b.store_id AND m.checkout_id = c.id AND m.cart_item_id = b.cart_item_id
          WHERE o.store_id = c.store_id AND o.cart_id = c.cart_id AND o.id <> c.id AND o.status IN ('COMPLETED',
            'PROCESSING')
          ORDER BY o.status LIMIT 1) END AS competing,
        (SELECT json_agg(json_build_object('id', i.id, 'cartItemId', i.cart_item_id, 'productId', i.product_id,
            'variantId', i.variant_id, 'name', i.name,
            'quantity', i.quantity, 'unitPrice', i.unit_price::text, 'notes', i.notes,
            'metadata', i.metadata, 'customizations', i.customizations, 'modifiers', i.modifiers,
            'offer', ${sql.literal(lineOfferJson)}, 'sellable', CASE WHEN i.product_id IS NOT NULL THEN
              ${sellableJson(sql, now, shown)} END) ORDER BY i.position)
          FROM checkout_line i LEFT ${sql.literal(sellableJoins)}
          WHERE i.store_id = c.store_id AND i.checkout_id = c.id) AS lines
        FROM checkout c`

      /** The currency that a payment provider is asked in. */
      const paidIn = (table: string) =>
        sql.literal(
          `CASE WHEN ${table}.presented_in->>'rate' IS NULL THEN ${table}.currency
            ELSE ${table}.presented_in->>'currency' END`
        )

      /** Locks the checkout's row and returns its status; every write of a checkout begins with it. */
      const lock = (storeId: string, id: string) =>
        Effect.orDie(
          Effect.map(
            sql<{
              readonly status: CheckoutStatus
            }>`SELECT status FROM checkout WHERE store_id = ${storeId} AND id = ${id} FOR UPDATE`,
            (rows) => rows[0]?.status
          )
        )

      return {
        // checkout_store_id_cart_id_idx finds what is open.
        /**
         * The cart is locked. Of its checkouts the newest stay open, including the new one; older ones are cancelled.
         */
        insert: (storeId: string, checkout: CheckoutState) => {
          const lines = checkout.lines.map(({ sellable: _sellable, offer, ...line }, position) => ({
            ...line,
            offerId: offer?.offerId ?? null,
            bundleItemId: offer?.bundleItemId ?? null,
            unitPrice: String(line.unitPrice),
            position
          }))
          return withCommit(
            sql`WITH made AS (
                INSERT INTO checkout (store_id, id, cart_id, sales_channel_id, customer_id, email, customer, region_id,
                  currency, presented_in, locale, coupon_code, notes, shipping_address, billing_address, draft_id,
                  draft_terms, expires_at, created_at, updated_at)
                VALUES (${storeId}, ${checkout.id}, ${checkout.cartId}, ${checkout.salesChannelId},
                  ${checkout.customerId}, ${checkout.email}, ${JSON.stringify(checkout.customer)}::jsonb,
                  ${checkout.regionId}, ${checkout.currency}, ${JSON.stringify(checkout.presentedIn)}::jsonb,
                  ${checkout.locale}, ${checkout.couponCode}, ${checkout.notes},
                  ${jsonOf(checkout.shippingAddress)}::jsonb, ${jsonOf(checkout.billingAddress)}::jsonb,
                  ${checkout.draft?.id ?? null}, ${jsonOf(termsOf(checkout))}::jsonb, ${checkout.expiresAt},
                  ${checkout.createdAt}, ${checkout.updatedAt})
              ), crowded_out AS (
                UPDATE checkout SET status = 'CANCELLED',
                  updated_at = ${checkout.createdAt} WHERE store_id = ${storeId} AND id = ANY (ARRAY(
                  SELECT k.id FROM checkout k WHERE k.store_id = ${storeId} AND k.cart_id = ${checkout.cartId} AND
                    k.status = 'PENDING'
                  ORDER BY k.created_at DESC, k.id DESC OFFSET ${maxOpenCheckouts - 1})))
              INSERT INTO checkout_line (store_id, checkout_id, id, cart_item_id, position, product_id, variant_id,
                name, quantity, unit_price, notes, metadata, customizations, modifiers, offer_id, bundle_item_id)
              SELECT ${storeId}, ${checkout.id}, l.id, l."cartItemId", l.position, l."productId", l."variantId",
                l.name, l.quantity, l."unitPrice", l.notes, l.metadata, l.customizations, l.modifiers, l."offerId",
                l."bundleItemId"
              FROM jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) AS l (id text, "cartItemId" text, position int,
                "productId" text, "variantId" text, name text,
                quantity int, "unitPrice" bigint, notes text, metadata jsonb,
                  customizations jsonb, modifiers jsonb, "offerId" text, "bundleItemId" text)`
          )
        },
        find: (storeId: string, id: string, now: Date) =>
          Effect.orDie(
            Effect.map(sql<CheckoutRow>`${select(now)} WHERE c.store_id = ${storeId} AND c.id = ${id}`, (rows) =>
              rows[0] === undefined ? undefined : toState(rows[0])
            )
          ),
        lock,
        /** Locks the carts and checkouts of a draft order, which is locked, and returns the checkouts, newest first. */
        lockOfDraft: (storeId: string, draftId: string) =>
          many(
            sql<DraftCheckout>`SELECT k.id, k.cart_id, k.status, k.expires_at, k.updated_at FROM checkout k
              JOIN cart c ON c.store_id = k.store_id AND c.id = k.cart_id
              WHERE k.store_id = ${storeId} AND k.draft_id = ${draftId}
              ORDER BY k.created_at DESC, k.id DESC FOR UPDATE OF c, k`
          ),
        countOfDraft: (storeId: string, draftId: string) =>
          Effect.map(
            one(
              sql<{ readonly count: number }>`SELECT count(*)::int AS count FROM checkout
                WHERE store_id = ${storeId} AND draft_id = ${draftId}`
            ),
            (row) => row?.count ?? 0
          ),
        // The locks are taken in the order FOR UPDATE names them; both rows are found by their primary keys.
        /**
         * Locks the cart of the checkout, then the checkout: the order in which every writer takes the two. Returns the
         * cart's version.
         */
        lockWithCart: (storeId: string, id: string) =>
          one(
            sql<{
              readonly updatedAt: Date
            }>`SELECT c.updated_at FROM checkout k JOIN cart c ON c.store_id = k.store_id AND c.id = k.cart_id
              WHERE k.store_id = ${storeId} AND k.id = ${id} FOR UPDATE OF c, k`,
            ({ updatedAt }) => updatedAt
          ),
        save: (storeId: string, id: string, changes: CheckoutChanges, now: Date) => {
          return withCommit(
            sql`UPDATE checkout SET ${sql.csv([
              sql`updated_at = ${now}`,
              ...(changes.email === undefined ? [] : [sql`email = ${changes.email}`]),
              ...(changes.customer === undefined ? [] : [sql`customer = ${jsonOf(changes.customer)}::jsonb`]),
              ...(changes.shippingAddress === undefined
                ? []
                : [sql`shipping_address = ${jsonOf(changes.shippingAddress)}::jsonb`]),
              ...(changes.billingAddress === undefined
                ? []
                : [sql`billing_address = ${jsonOf(changes.billingAddress)}::jsonb`]),
              ...(changes.deliveryType === undefined ? [] : [sql`delivery_type = ${changes.deliveryType}`]),
              ...(changes.shippingRateId === undefined ? [] : [sql`shipping_rate_id = ${changes.shippingRateId}`]),
              ...(changes.couponCode === undefined ? [] : [sql`coupon_code = ${changes.couponCode}`]),
              ...(changes.tenders === undefined ? [] : [sql`tenders = ${jsonOf(changes.tenders)}::jsonb`]),
              ...(changes.customFieldValues === undefined
                ? []
                : [sql`custom_field_values = ${jsonOf(changes.customFieldValues)}::jsonb`]),
              ...(changes.presentedIn === undefined ? [] : [sql`presented_in = ${jsonOf(changes.presentedIn)}::jsonb`]),
              ...(changes.status === undefined ? [] : [sql`status = ${changes.status}`])
            ])} WHERE store_id = ${storeId} AND id = ${id}`
          )
        },
        /**
         * Sets the checkout COMPLETED and its cart CONVERTED. A cart with lines that were not bought keeps those and
         * its status; a MERGED cart stays MERGED. Returns whether the cart still holds any units: for other lines, or
         * for bought kits, by the components they had when the units were held.
         */
        complete: (storeId: string, { id, cartId }: { readonly id: string; readonly cartId: string }, now: Date) =>
          Effect.orDie(
            Effect.map(
              sql<{ readonly isHolding: boolean }>`WITH done AS (
                UPDATE checkout SET status = 'COMPLETED',
                  updated_at = ${versionAfter(sql, now)} WHERE store_id = ${storeId} AND id = ${id}
              ), bought AS MATERIALIZED (
                SELECT cart_item_id AS id FROM checkout_line WHERE store_id = ${storeId} AND checkout_id = ${id} AND
                  cart_item_id IS NOT NULL
              ), left_over AS MATERIALIZED (
                SELECT 1 FROM cart_item WHERE store_id = ${storeId} AND cart_id = ${cartId} AND id NOT IN
                  (SELECT id FROM bought) LIMIT 1
              ), gone AS (
                DELETE FROM cart_item WHERE store_id = ${storeId} AND cart_id = ${cartId} AND id IN
                  (SELECT id FROM bought) AND EXISTS (SELECT 1 FROM left_over)
              )
              UPDATE cart SET status = CASE WHEN status = 'MERGED' THEN status
                WHEN NOT EXISTS (SELECT 1 FROM left_over) THEN 'CONVERTED'
                WHEN status = 'ABANDONED' THEN 'ACTIVE' ELSE status END, updated_at = ${versionAfter(sql, now)}
              WHERE store_id = ${storeId} AND id = ${cartId}
              RETURNING EXISTS
                (SELECT FROM reservation r WHERE r.store_id = ${storeId} AND r.holder_id = ${cartId}) AS is_holding`,
              (rows) => rows[0]?.isHolding ?? false
            )
          ),
        /**
         * Finds the store and ids of a checkout, or of an order's checkout, in any store: for a notice that has no
         * other reference.
         */
        locate: (by: { readonly checkoutId: string } | { readonly orderId: string }) =>
          Effect.orDie(
            Effect.map(
              "checkoutId" in by
                ? sql<CheckoutPlace>`SELECT store_id, id, sales_channel_id,
                  ${paidIn("checkout")} AS currency FROM checkout WHERE id = ${by.checkoutId}`
                : sql<CheckoutPlace>`SELECT k.store_id, k.id, k.sales_channel_id,
                      ${paidIn("k")} AS currency FROM orders o
                    JOIN checkout k ON k.store_id = o.store_id AND k.id = o.checkout_id WHERE o.id = ${by.orderId}`,
              (rows) => rows[0]
            )
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(CheckoutRepository, CheckoutRepository.make)
}

const jsonOf = (value: unknown) => (value === null ? null : JSON.stringify(value))

const termsOf = ({ draft }: CheckoutState): DraftTerms | null => {
  if (draft === null) return null
  const { id: _, ...terms } = draft
  return terms
}

const toState = (row: CheckoutRow): CheckoutState => ({
  ...row,
  lines: row.lines.map((line) => ({ ...line, unitPrice: BigInt(line.unitPrice) }))
})
