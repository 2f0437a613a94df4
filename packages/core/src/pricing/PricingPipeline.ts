/**
 * Turns a snapshot into totals: the only place where a total is made, for carts, checkouts and orders alike. The order
 * of the steps defines the price, so it is one list: a step sees what the steps before it wrote and nothing else. Pure:
 * the ledger that the steps fill lives for one call.
 */
import type { Discount } from "./AdjustmentSource.ts"
import { applyCoupon, applyRules, takingAlone } from "./internal/applyDiscounts.ts"
import { applySurcharges } from "./internal/applySurcharges.ts"
import { assembleResult } from "./internal/assembleResult.ts"
import { bestOf } from "./internal/combinations.ts"
import { chargeShipping } from "./internal/chargeShipping.ts"
import { chargeTaxes } from "./internal/chargeTaxes.ts"
import { openLedger, type PricingStep } from "./internal/ledger.ts"
import { priceLines } from "./internal/priceLines.ts"
import type { PricingResult } from "./PricingResult.ts"
import type { PricingSnapshot } from "./PricingSnapshot.ts"

/**
 * Shipping comes before the discounts, because a rule may take something off it. Surcharges follow the taxes: they are
 * not taxed. Tenders pay for the finished total and change none of its parts.
 */
const STEPS: ReadonlyArray<PricingStep> = [
  { name: "prices", apply: priceLines },
  { name: "shipping", apply: chargeShipping },
  { name: "rules", apply: applyRules },
  { name: "coupon", apply: applyCoupon },
  { name: "tax", apply: chargeTaxes },
  { name: "surcharges", apply: applySurcharges }
]

/** The names of the steps, in order, as they appear in a trace. */
export const PRICING_STEPS: ReadonlyArray<string> = STEPS.map((step) => step.name)

/**
 * Computes the totals of a snapshot. Throws a RangeError where the snapshot breaks its own contract: a quantity that is
 * not a positive integer, a negative price, shipping charge or adjustment, a discount for a line that does not exist.
 * Sums are exact at any size; the code that stores them checks `isStorableMoney`.
 */
export const price = (snapshot: PricingSnapshot): PricingResult => {
  const { discounts = [], notApplied = [] } = snapshot
  const run = (applied: ReadonlyArray<Discount>): PricingResult => {
    const ledger = openLedger()
    for (const step of STEPS) step.apply(snapshot, ledger, applied)
    return assembleResult(snapshot, ledger)
  }
  const best = discounts.length < 2 ? run(discounts) : bestOf(discounts, run, aloneIn(snapshot))
  return notApplied.length === 0 ? best : { ...best, notApplied: [...notApplied, ...best.notApplied] }
}

/** What each discount would take off alone; the ledger for it is opened at the first one. */
const aloneIn = (snapshot: PricingSnapshot): ReturnType<typeof takingAlone> => {
  let alone: ReturnType<typeof takingAlone> | undefined
  return (discount) => {
    if (alone === undefined) {
      const ledger = openLedger()
      priceLines(snapshot, ledger)
      chargeShipping(snapshot, ledger)
      alone = takingAlone(snapshot, ledger)
    }
    return alone(discount)
  }
}
