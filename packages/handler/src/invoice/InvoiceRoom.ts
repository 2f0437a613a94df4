import type { Room } from "../middleware/Room.ts"
import { invoiceEndpoints } from "./InvoiceEndpoints.ts"
import { invoiceErrors } from "./invoiceErrors.ts"

export const invoiceRoom = { endpoints: invoiceEndpoints, errors: invoiceErrors } as const satisfies Room
