/**
 * A room of a host's own that asks for captures, refunds and releases of an order's charge, beside the product's. It
 * keeps nothing of its own: the order follows the charge. A process of an older release has no such room.
 */
import type { AnyOutcomeHandler, OutcomeHandler } from "@effect-commerce/core/charge/OutcomeHandlers"
import { Database } from "@effect-commerce/core/database/Database"
import { Effect } from "effect"

export const orderSubject = "host_order"

type OrderHandler = OutcomeHandler<{ readonly orderId: string }, string, never>

export const orderChanges: Effect.Effect<AnyOutcomeHandler, never, Database> = Effect.map(
  Database,
  ({ sql }): OrderHandler => ({
    subjectType: orderSubject,
    // The order comes after its charge in the lock order: the operation's own lock is enough.
    lock: (storeId, id) => sql`SELECT id AS order_id FROM orders WHERE store_id = ${storeId} AND id = ${id}`,
    succeeded: ({ operation }) => Effect.succeed({ _tag: "Accepted", result: operation.kind }),
    ended: () => Effect.void
  })
)
