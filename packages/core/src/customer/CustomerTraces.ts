/**
 * The port to the rooms that store data of a customer: in the transaction that deletes the customer, they remove
 * everything personal. Each room implements its own part; without it the record of a deleted customer's mails would
 * still say who they were.
 */
import { Context, type Effect } from "effect"

/** Deletes one room's data of a customer, or anonymises it. Inside `Database.write(storeId)`. */
export type CustomerTrace = (
  storeId: string,
  customer: { readonly id: string; readonly email: string }
) => Effect.Effect<void>

export class CustomerTraces extends Context.Service<CustomerTraces, ReadonlyArray<CustomerTrace>>()(
  "@effect-commerce/core/customer/CustomerTraces"
) {}
