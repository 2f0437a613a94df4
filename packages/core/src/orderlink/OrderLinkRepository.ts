/** The one statement that gives orders of a guest to a customer. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { versionAfter } from "../database/Precondition.ts"
import { many } from "../database/Repository.ts"

export interface LinkedMailbox {
  readonly customerId: string
  /** As it is stored: trimmed, in lower case. */
  readonly email: string
}

export class OrderLinkRepository extends Context.Service<OrderLinkRepository>()(
  "@effect-commerce/core/orderlink/OrderLinkRepository",
  {
    make: Effect.map(Database, ({ sql }) => ({
      // orders_store_id_email_guest_idx finds them; their rows are locked in the order of their ids.
      /** Links at most `most` orders of the mailbox that are nobody's, and returns their ids. */
      link: (storeId: string, { customerId, email }: LinkedMailbox, most: number, now: Date) =>
        many(
          sql<{ readonly id: string }>`UPDATE orders o SET customer_id = ${customerId},
              updated_at = ${versionAfter(sql, now, "o.updated_at")}
            WHERE o.store_id = ${storeId} AND o.id = ANY (ARRAY(
              SELECT g.id FROM orders g WHERE g.store_id = ${storeId} AND g.email = ${email}
                AND g.customer_id IS NULL ORDER BY g.id LIMIT ${most} FOR NO KEY UPDATE))
            RETURNING o.id`,
          ({ id }) => id
        )
    }))
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
