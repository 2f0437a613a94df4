/**
 * What the customer room asks of whoever keeps the mails to a customer, in the transaction that deletes the customer:
 * that they go too. The email room, which owns those tables, implements it; without it the record of a deleted
 * customer's mails would still say who they were.
 */
import { Context, type Effect } from "effect"

export class CustomerMails extends Context.Service<
  CustomerMails,
  {
    /**
     * Removes every mail of the store to this address, those that have not left yet too. Inside
     * `Database.write(storeId)`.
     */
    readonly forget: (storeId: string, email: string) => Effect.Effect<void>
  }
>()("@effect-commerce/core/customer/CustomerMails") {}
