/** The services of the tax room. */
import { Layer } from "effect"
import type { Room } from "../database/Room.ts"
import { TaxClasses } from "./TaxClasses.ts"
import { TaxRates } from "./TaxRates.ts"
import { taxClassBound } from "./TaxClass.ts"

export const taxRoom = {
  layer: Layer.merge(TaxRates.layer, TaxClasses.layer),
  rows: {
    taxRate: { table: "tax_rate", lockFirst: "store" },
    taxClass: { table: "tax_class", lockFirst: "store" }
  },
  bounds: [taxClassBound]
} as const satisfies Room
