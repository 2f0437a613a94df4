/** What does not apply to a cart or a checkout, and why; and what a cart is close to. */
import { Schema } from "effect"
import { arrayOf, listedText, nullableInteger, nullableMoney, nullableString, oneOf, string } from "../kernel/Fields.ts"
import { formatMoney } from "../kernel/Money.ts"
import { discountKinds, type NotApplied, notAppliedReasons, tenderKinds } from "./Adjustment.ts"

const SourceView = Schema.Struct({
  type: listedText(discountKinds, "Kind of what takes off."),
  id: string("Id of it.", "promo_01k9f3m2q7x4b8n6c5d1e0h2jk"),
  name: string("Name of it.", "Summer sale")
}).annotate({ identifier: "DiscountSource", description: "A promotion or a coupon." })

export const NotAppliedView = Schema.Struct({
  type: listedText([...discountKinds, ...tenderKinds], "Kind of what does not apply."),
  id: nullableString(
    "Id of it, of a gift card the `tenderId` to remove it by; null for a code that the store does not have.",
    "coupon_01k9f3m2q7x4b8n6c5d1e0h2jk"
  ),
  name: nullableString("Name of it; null for a code that the store does not have.", "Welcome"),
  code: nullableString("The code that was entered; null for what applies by itself.", "WELCOME10"),
  reason: listedText(
    notAppliedReasons,
    "Why it takes nothing off. `lost`: the discounts of `lostTo` take more off and do not combine with it. " +
      "`needs_customer`: sign in to use it."
  ),
  missingAmount: nullableMoney("What the subtotal lacks; null where it is not an amount that is missing.", "10.00"),
  missingQuantity: nullableInteger("How many units are missing; null where it is not units."),
  lostTo: arrayOf(SourceView, "What applies in its place, where it lost.")
}).annotate({ identifier: "NotApplied", description: "A promotion or a code that does not apply, and why." })

export const NudgeView = Schema.Struct({
  ruleId: string("Id of the promotion."),
  text: string("A sentence to show.", "Add 10.00 USD more for Summer sale"),
  type: oneOf(["AMOUNT_NEEDED", "QUANTITY_NEEDED"], "What is missing."),
  amountNeeded: nullableMoney("What the subtotal lacks; null where it is not an amount that is missing.", "10.00"),
  quantityNeeded: nullableInteger("How many units are missing; null where it is not units.")
}).annotate({ identifier: "Nudge", description: "A promotion that a cart is close to." })

/** The most entries of `notApplied` and `nudges`: a store may have more rules than a shopper reads. */
const mostShown = 20

/** What somebody has entered comes before rules. */
export const codesFirst = (notApplied: ReadonlyArray<NotApplied>): ReadonlyArray<NotApplied> =>
  [...notApplied].sort((a, b) => Number(a.code === null) - Number(b.code === null))

export const notAppliedViews = (
  notApplied: ReadonlyArray<NotApplied>,
  currency: string
): ReadonlyArray<typeof NotAppliedView.Type> =>
  notApplied.length === 0
    ? []
    : codesFirst(notApplied)
        .slice(0, mostShown)
        .map(({ kind, sourceId, name, code, reason, missingAmount, missingQuantity, lostTo }) => ({
          type: kind,
          id: sourceId,
          name,
          code,
          reason,
          missingAmount: missingAmount === undefined ? null : formatMoney(missingAmount, currency),
          missingQuantity: missingQuantity ?? null,
          lostTo: lostTo.map((winner) => ({ type: winner.kind, id: winner.sourceId, name: winner.name }))
        }))

/** Promotions that one more step would bring in. */
export const nudgesOf = (
  notApplied: ReadonlyArray<NotApplied>,
  currency: string
): ReadonlyArray<typeof NudgeView.Type> =>
  notApplied
    .flatMap(({ code, sourceId, name, missingAmount, missingQuantity }): ReadonlyArray<typeof NudgeView.Type> => {
      if (code !== null || sourceId === null || name === null) return []
      if (missingAmount !== undefined) {
        const amountNeeded = formatMoney(missingAmount, currency)
        const text = `Add ${amountNeeded} ${currency} more for ${name}`
        return [{ ruleId: sourceId, text, type: "AMOUNT_NEEDED", amountNeeded, quantityNeeded: null }]
      }
      if (missingQuantity === undefined) return []
      const units = missingQuantity === 1 ? "1 more item" : `${missingQuantity} more items`
      const text = `Add ${units} for ${name}`
      const quantityNeeded = missingQuantity
      return [{ ruleId: sourceId, text, type: "QUANTITY_NEEDED", amountNeeded: null, quantityNeeded }]
    })
    .slice(0, mostShown)
