/** What the customer room brings: its services, and the rows that If-Match is judged by. */
import { Layer } from "effect"
import type { VersionedRows } from "../database/RowVersions.ts"
import { CustomerAccounts } from "./CustomerAccounts.ts"
import { CustomerAddresses } from "./CustomerAddresses.ts"
import { Customers } from "./Customers.ts"
import { CustomerTokens } from "./CustomerTokens.ts"

/** Needs `CustomerTraces`, of which each room that keeps something of a customer implements its part. */
export const customerRoom = Layer.mergeAll(CustomerAccounts.layer, CustomerAddresses.layer).pipe(
  Layer.provideMerge(Customers.layer),
  Layer.provideMerge(CustomerTokens.layer)
)

export const customerRows = {
  customer: { table: "customer", keepsDeleted: true },
  customerAddress: { table: "customer_address", parent: "customer_id", lockFirst: { parentTable: "customer" } }
} as const satisfies VersionedRows
