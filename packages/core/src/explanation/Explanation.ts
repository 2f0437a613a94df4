/**
 * Where each amount of a cart, a checkout or an order comes from, as it is answered and as it is stored with an order:
 * one entry for each amount that was set, with the row that caused it, the formula, the value before rounding and where
 * it was rounded. The entries of a step add up to the total that `sumOf` names.
 */
import { Schema } from "effect"
import {
  arrayOf,
  listedText,
  money,
  nullable,
  nullableInteger,
  nullableMoney,
  nullableString,
  oneOf,
  string
} from "../kernel/Fields.ts"
import { ROUNDING_MODES } from "../kernel/Rounding.ts"
import { discountKinds, notAppliedReasons, tenderKinds } from "../pricing/Adjustment.ts"

/** In the order in which they are shown. `tax_rounding` and `total` belong to no sum. */
export const explanationSteps = [
  "prices",
  "rules",
  "coupon",
  "shipping",
  "tax_rounding",
  "tax",
  "surcharges",
  "total",
  "tenders"
] as const
export type ExplanationStep = (typeof explanationSteps)[number]

export const subjectTypes = ["cart", "checkout", "order"] as const
export type SubjectType = (typeof subjectTypes)[number]

const roundingPoints = ["line", "unit", "order", "allocation", "cap"] as const

const sourceTypes = [
  "product",
  "variant",
  "custom_item",
  "shipping_rate",
  "tax_rate",
  ...discountKinds,
  "checkout_field",
  "manual_discount",
  "manual_shipping",
  "manual_tax",
  ...tenderKinds
] as const

export const ExplanationSource = Schema.Struct({
  type: listedText(sourceTypes, "Kind of the row."),
  id: string("Id of the row.", "tax_01k9f3m2q7x4b8n6c5d1e0h2jk"),
  name: string("Its name when the amount was computed.", "California sales tax")
}).annotate({ identifier: "ExplanationSource", description: "A row that caused an amount." })
export type ExplanationSource = typeof ExplanationSource.Type

const Target = Schema.Struct({
  type: oneOf(["line", "shipping", "order"], "What the amount belongs to."),
  id: nullableString(
    "Id of the line; null for shipping and for the order as a whole.",
    "line_01k9f3m2q7x4b8n6c5d1e0h2jk"
  )
}).annotate({ identifier: "ExplanationTarget", description: "What an amount belongs to." })

const Rounding = Schema.Struct({
  point: oneOf(
    roundingPoints,
    "line, unit, order: where the store's tax policy rounds. allocation: split by largest remainder, so that the " +
      "parts add up. cap: cut to what was left."
  ),
  mode: nullable(Schema.Literals(ROUNDING_MODES), "How halves are rounded; null where the point needs no mode.")
}).annotate({ identifier: "ExplanationRounding", description: "Where and how an amount was rounded." })

export const ExplanationEntry = Schema.Struct({
  step: listedText(
    explanationSteps,
    "prices add up to `subtotal`, rules to `ruleDiscountAmount` and coupon to `discountAmount` (both negative), " +
      "shipping (the charge, and what rules and coupons save of it) to `shippingAmount`, tax to `taxAmount`, " +
      "surcharges to `surchargeAmount`; `total` and the tenders (negative) add up to `amountDue`. tax_rounding shows " +
      "a tax before it is split over rates or lines, and belongs to no sum."
  ),
  target: Target,
  source: nullable(ExplanationSource, "The row that caused the amount; null where there is none, or several."),
  formula: string("How the amount was found.", "amount x 19 / (100 + 19)"),
  unrounded: string("The value before rounding, with six more decimals than the currency has.", "2.55462185"),
  rounding: nullable(Rounding, "Where the value is rounded; null where nothing rounds it."),
  amount: money("The amount; negative where it is taken off.", "2.55")
}).annotate({ identifier: "ExplanationEntry", description: "One amount and where it comes from." })
export type ExplanationEntry = typeof ExplanationEntry.Type

const Totals = Schema.Struct({
  subtotal: money("Quantity times unit price, over all lines."),
  ruleDiscountAmount: money("What automatic rules take off the lines.", "0.00"),
  discountAmount: money("What the coupon, or a stated discount, takes off the lines.", "0.00"),
  shippingAmount: money("What shipping costs.", "5.00"),
  surchargeAmount: money("Surcharges.", "0.00"),
  taxAmount: money("All tax, contained in the prices or added to them.", "2.55"),
  includedTaxAmount: money("The part of `taxAmount` that the prices contain: it is not added to the total.", "0.00"),
  total: money(
    "subtotal - ruleDiscountAmount - discountAmount + shippingAmount + surchargeAmount + taxAmount - " +
      "includedTaxAmount.",
    "27.54"
  ),
  amountDue: money("What is left to pay after gift cards and points.", "27.54")
}).annotate({ identifier: "ExplanationTotals", description: "The totals that the entries add up to." })

const Missing = Schema.Struct({
  amount: nullableMoney("What the subtotal lacks; null where it is not an amount that is missing.", "10.00"),
  quantity: nullableInteger("How many units are missing; null where it is not units.")
}).annotate({ identifier: "ExplanationMissing", description: "What would bring a discount in." })

const ExplainedMiss = Schema.Struct({
  source: nullable(ExplanationSource, "The rule or the coupon; null for a code that the store does not have."),
  code: nullableString("The code that was entered; null for what applies by itself.", "WELCOME10"),
  reason: listedText(notAppliedReasons, "Why it takes nothing off."),
  missing: nullable(Missing, "What would bring it in; null where nothing that is bought would.")
}).annotate({ identifier: "ExplanationNotApplied", description: "A rule or a code that does not apply, and why." })

const ExplainedAlternative = Schema.Struct({
  sources: arrayOf(ExplanationSource, "The discounts that apply together."),
  total: money("The total with them.", "27.54")
}).annotate({ identifier: "ExplanationAlternative", description: "Discounts that were compared, and their total." })

export const ExplanationView = Schema.Struct({
  subject: Schema.Struct({
    type: oneOf(subjectTypes, "What is explained."),
    id: string("Id of it.", "ord_01k9f3m2q7x4b8n6c5d1e0h2jk")
  }).annotate({ identifier: "ExplanationSubject", description: "What is explained." }),
  currency: string("ISO 4217 currency of every amount.", "USD"),
  totals: Totals,
  entries: arrayOf(ExplanationEntry, "One entry for each amount that was set, step by step."),
  notApplied: arrayOf(ExplainedMiss, "Rules and codes that take nothing off."),
  alternatives: arrayOf(
    ExplainedAlternative,
    "The sets of discounts that were compared because they do not combine; the one that applies comes first."
  )
}).annotate({
  identifier: "Explanation",
  description: "Where each amount of a cart, a checkout or an order comes from."
})
export type ExplanationView = typeof ExplanationView.Type

/** The total that the entries of a step add up to, and whether they are taken off it; undefined for no sum. */
export const sumOf = {
  prices: "subtotal",
  rules: "ruleDiscountAmount",
  coupon: "discountAmount",
  shipping: "shippingAmount",
  tax: "taxAmount",
  surcharges: "surchargeAmount"
} as const satisfies { readonly [S in ExplanationStep]?: keyof ExplanationView["totals"] }

/** The steps whose entries are negative, because their amounts are taken off. */
export const takingOff: ReadonlySet<string> = new Set(["rules", "coupon", "tenders"])
