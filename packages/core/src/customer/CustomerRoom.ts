/** The services of the customer room. */
import { Layer } from "effect"
import type { Room } from "../database/Room.ts"
import { CustomerAccounts } from "./CustomerAccounts.ts"
import { CustomerAddresses } from "./CustomerAddresses.ts"
import { CustomerSignIns } from "./CustomerSignIns.ts"
import { Customers } from "./Customers.ts"
import { CustomerTokens } from "./CustomerTokens.ts"
import { customerLaws } from "./customerLaws.ts"
import { Mailboxes } from "./Mailboxes.ts"

/** Needs `CustomerTraces` and `MailboxProofs`: each room that keeps something of customers implements its part. */
export const customerRoom = {
  layer: Layer.mergeAll(CustomerAccounts.layer, CustomerAddresses.layer, CustomerSignIns.layer).pipe(
    Layer.provideMerge(Layer.merge(Customers.layer, Mailboxes.layer)),
    Layer.provideMerge(CustomerTokens.layer)
  ),
  rows: {
    customer: { table: "customer", keepsDeleted: true },
    customerAddress: { table: "customer_address", parent: "customer_id", lockFirst: { parentTable: "customer" } }
  },
  laws: customerLaws
} as const satisfies Room
