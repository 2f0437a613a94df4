/** The SQL of checkouts during payment. The payment room runs some of these fragments as part of its own statements. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { anyRow, one } from "../database/Repository.ts"
import { versionAfter } from "../database/Precondition.ts"
import { type LineExtras, maxDraftBytes } from "../order/OrderDraft.ts"
import type { CheckoutStatus } from "./Checkout.ts"

/** What decides the outcome of a checkout's payment, read under the locks of cart and checkout. */
export interface PaidCheckout {
  readonly cartId: string
  /** The draft order whose invoice it pays, or null. */
  readonly draftId: string | null
  /** The cart that its cart was merged into since, or null. */
  readonly mergedInto: string | null
  /** The cart's version. */
  readonly cartUpdatedAt: Date
  readonly checkoutStatus: CheckoutStatus
  readonly checkoutExpiresAt: Date
  /** The version of the store's rules and settings that was read with the checkout. */
  readonly rulesVersion: bigint
}

export class CheckoutPaymentRepository extends Context.Service<CheckoutPaymentRepository>()(
  "@effect-commerce/core/checkout/CheckoutPaymentRepository",
  {
    make: Effect.gen(function* () {
      const { sql, withCommit } = yield* Database
      return {
        /**
         * Sets the checkout PROCESSING with this attempt number, if a row of `begun` shows that the payment was begun.
         */
        processing: (storeId: string, id: string, attempt: number, now: Date) =>
          sql`UPDATE checkout SET status = 'PROCESSING', attempt = ${attempt}, updated_at = ${versionAfter(sql, now)}
            FROM begun WHERE store_id = ${storeId} AND checkout.id = ${id}`,
        // The locks are taken in the order FOR UPDATE names them; both rows are found by their primary keys.
        /** Locks cart and checkout, in this order, and selects `PaidCheckout`. */
        lock: (storeId: string, id: string) =>
          sql`SELECT k.cart_id, k.draft_id, c.merged_into, c.updated_at AS cart_updated_at, k.status AS checkout_status,
              k.expires_at AS checkout_expires_at,
              (SELECT rules_version FROM store WHERE id = k.store_id) AS rules_version
            FROM checkout k JOIN cart c ON c.store_id = k.store_id AND c.id = k.cart_id
            WHERE k.store_id = ${storeId} AND k.id = ${id} FOR UPDATE OF c, k`,
        // checkout_store_id_cart_id_idx serves it.
        /**
         * Whether another checkout of the same cart, or of the cart that this one was merged into, has bought a line of
         * this checkout, or the draft order whose invoice it pays has its order. Under the cart's lock.
         */
        isBoughtElsewhere: (
          storeId: string,
          {
            id,
            cartId,
            mergedInto,
            draftId
          }: Pick<PaidCheckout, "cartId" | "mergedInto" | "draftId"> & {
            readonly id: string
          }
        ) =>
          anyRow(
            draftId !== null
              ? sql`SELECT 1 FROM orders WHERE store_id = ${storeId} AND draft_id = ${draftId}`
              : sql`SELECT 1 FROM checkout o
              JOIN checkout_line b ON b.store_id = o.store_id AND b.checkout_id = o.id
              JOIN checkout_line m ON m.store_id = b.store_id AND m.checkout_id = ${id}
                AND m.cart_item_id = b.cart_item_id
              WHERE o.store_id = ${storeId} AND o.cart_id = ANY(${[cartId, mergedInto ?? cartId]}::text[])
                AND o.id <> ${id} AND o.status = 'COMPLETED' LIMIT 1`
          ),
        /** Sets a PROCESSING checkout back to PENDING. `isOver`: its next payment has the next attempt number. */
        reopen: (storeId: string, id: string, isOver: boolean, now: Date) =>
          withCommit(
            sql`UPDATE checkout SET status = 'PENDING', attempt = attempt + ${isOver ? 1 : 0},
                updated_at = ${versionAfter(sql, now)}
                WHERE store_id = ${storeId} AND id = ${id} AND status = 'PROCESSING'`
          ),
        /**
         * What shoppers wrote about the checkout's lines, by their ids; undefined where it is larger than an order
         * allows.
         */
        lineExtras: (storeId: string, id: string) =>
          one(
            sql<{
              readonly extras: Readonly<Record<string, LineExtras>> | null
            }>`SELECT CASE WHEN coalesce(sum(octet_length(metadata::text)
                    + octet_length(customizations::text)), 0) <= ${longestStored} THEN coalesce(json_object_agg(id,
                    json_build_object('metadata', metadata, 'customizations', customizations)), '{}') END AS extras
                FROM checkout_line WHERE store_id = ${storeId} AND checkout_id = ${id}`,
            ({ extras }) => extras ?? undefined
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(CheckoutPaymentRepository, CheckoutPaymentRepository.make)
}

/** Characters of a draft's JSON as stored: PostgreSQL writes a space after each colon and comma. */
export const longestStored = 2 * maxDraftBytes
