/**
 * Every law of the books. A new table that holds money, stock or a promise brings its laws along, and each law a
 * planted fault in the test.
 */
import type { Law } from "./Law.ts"
import { customerLaws } from "./customerLaws.ts"
import { listingLaws } from "./listingLaws.ts"
import { moneyLaws } from "./moneyLaws.ts"
import { orderLaws } from "./orderLaws.ts"
import { recordLaws } from "./recordLaws.ts"
import { reviewLaws } from "./reviewLaws.ts"
import { stockLaws } from "./stockLaws.ts"

export const laws: ReadonlyArray<Law> = [
  ...stockLaws,
  ...orderLaws,
  ...moneyLaws,
  ...recordLaws,
  ...customerLaws,
  ...listingLaws,
  ...reviewLaws
]
