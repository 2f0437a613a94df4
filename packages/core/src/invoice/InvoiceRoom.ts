/** The service of the invoice room. Needs the signed links. */
import type { Room } from "../database/Room.ts"
import { invoiceLaws } from "./invoiceLaws.ts"
import { Invoices } from "./Invoices.ts"

export const invoiceRoom = { layer: Invoices.layer, laws: invoiceLaws } as const satisfies Room
