/** What the tax room brings: its services, and the rows that If-Match is judged by. */
import { Layer } from "effect"
import type { VersionedRows } from "../database/RowVersions.ts"
import { TaxClasses } from "./TaxClasses.ts"
import { TaxRates } from "./TaxRates.ts"

export const taxRoom = Layer.merge(TaxRates.layer, TaxClasses.layer)

export const taxRows = {
  taxRate: { table: "tax_rate", lockFirst: "store" },
  taxClass: { table: "tax_class", lockFirst: "store" }
} as const satisfies VersionedRows
