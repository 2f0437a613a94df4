/**
 * What the customer room asks of the rooms that keep something of a customer, in the transaction that deletes the
 * customer: that nothing personal stays of it. Each room implements its own part; without it the record of a deleted
 * customer's mails would still say who they were.
 */
import { Context, type Effect } from "effect"

/** Removes what one room keeps of a customer, or takes the customer off it. Inside `Database.write(storeId)`. */
export type CustomerTrace = (
  storeId: string,
  customer: { readonly id: string; readonly email: string }
) => Effect.Effect<void>

export class CustomerTraces extends Context.Service<CustomerTraces, ReadonlyArray<CustomerTrace>>()(
  "@effect-commerce/core/customer/CustomerTraces"
) {}
