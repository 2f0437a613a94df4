/** The SQL that clears what a deleted customer left in carts and checkouts. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { versionAfter } from "../database/Precondition.ts"
import { many, none } from "../database/Repository.ts"

interface Id {
  readonly id: string
}
const idOf = ({ id }: Id) => id

export class ErasureRepository extends Context.Service<ErasureRepository>()(
  "@effect-commerce/core/erasure/ErasureRepository",
  {
    make: Effect.map(Database, ({ sql }) => ({
      // cart_store_id_customer_id_idx
      /** Locks the carts of a customer, in the order of their ids. */
      lockCarts: (storeId: string, customerId: string) =>
        many(
          sql<Id>`SELECT id FROM cart WHERE store_id = ${storeId} AND customer_id = ${customerId} ORDER BY id
            FOR UPDATE`,
          idOf
        ),
      // checkout_store_id_customer_id_idx, checkout_store_id_cart_id_idx
      /** Locks the checkouts of a customer and of these carts, which are locked. */
      lockCheckouts: (storeId: string, customerId: string, carts: ReadonlyArray<string>) =>
        many(
          sql<Id>`SELECT id FROM checkout WHERE store_id = ${storeId}
              AND (customer_id = ${customerId} OR cart_id = ANY(${carts}::text[])) ORDER BY id FOR UPDATE`,
          idOf
        ),
      /** Open carts lose their lines and end; all of them lose what was written into them. */
      clearCarts: (storeId: string, carts: ReadonlyArray<string>, now: Date) =>
        none(
          sql`WITH emptied AS (
              DELETE FROM cart_item i USING cart c WHERE c.store_id = ${storeId} AND c.id = ANY(${carts}::text[])
                AND c.status IN ('ACTIVE', 'ABANDONED') AND i.store_id = ${storeId} AND i.cart_id = c.id
            ), cleared AS (
              UPDATE cart_item i SET notes = NULL FROM cart c WHERE c.store_id = ${storeId}
                AND c.id = ANY(${carts}::text[]) AND c.status NOT IN ('ACTIVE', 'ABANDONED')
                AND i.store_id = ${storeId} AND i.cart_id = c.id AND i.notes IS NOT NULL
            )
            UPDATE cart SET notes = NULL, analytics_client_id = NULL, analytics_session_id = NULL,
              status = CASE WHEN status IN ('ACTIVE', 'ABANDONED') THEN 'EXPIRED' ELSE status END,
              updated_at = ${versionAfter(sql, now)}
            WHERE store_id = ${storeId} AND id = ANY(${carts}::text[])`
        ),
      /**
       * The lines stay, which name what was bought and not by whom; the notes on them go where no payment may still
       * make an order of them.
       */
      clearCheckouts: (storeId: string, checkouts: ReadonlyArray<string>, now: Date) =>
        none(
          sql`WITH cleared AS (
              UPDATE checkout_line l SET notes = NULL WHERE l.store_id = ${storeId}
                AND l.checkout_id = ANY(${checkouts}::text[]) AND l.notes IS NOT NULL
                AND NOT EXISTS (SELECT FROM provider_operation p WHERE p.store_id = ${storeId}
                  AND p.subject_id = l.checkout_id)
            )
            UPDATE checkout SET email = NULL, customer = '{}', shipping_address = NULL, billing_address = NULL,
              custom_field_values = '{}', notes = NULL, recovery_due_at = NULL,
              status = CASE status WHEN 'PENDING' THEN 'CANCELLED' ELSE status END,
              updated_at = ${versionAfter(sql, now)}
            WHERE store_id = ${storeId} AND id = ANY(${checkouts}::text[])`
        ),
      /** Those of the carts and checkouts that hold units of stock, without what a payment is under way for. */
      holding: (storeId: string, carts: ReadonlyArray<string>, checkouts: ReadonlyArray<string>) =>
        many(
          sql<Id>`SELECT DISTINCT r.holder_id AS id FROM reservation r WHERE r.store_id = ${storeId}
              AND r.holder_id = ANY(${[...carts, ...checkouts]}::text[])
              AND NOT EXISTS (SELECT FROM checkout k WHERE k.store_id = ${storeId} AND k.id = ANY(${checkouts}::text[])
                AND k.status = 'PROCESSING' AND r.holder_id IN (k.id, k.cart_id))
            ORDER BY 1`,
          idOf
        )
    }))
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
