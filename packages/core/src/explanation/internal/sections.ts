/** An explanation in the order in which a person reads it: a section for each total, with its entries and their sum. */
import { formatMoney, parseMoney } from "../../kernel/Money.ts"
import { type ExplanationEntry, type ExplanationStep, type ExplanationView, sumOf, takingOff } from "../Explanation.ts"

export interface Row {
  /** What the amount belongs to, in words. */
  readonly what: string
  /** What caused it, in words; empty where that is what it belongs to. */
  readonly why: string
  /** How it was found, with the value before rounding where it was rounded. */
  readonly value: string
  /** Where it was rounded, in words; empty where it was exact. */
  readonly rounding: string
  readonly amount: string
}

export interface Section {
  readonly step: ExplanationStep
  readonly title: string
  readonly rows: ReadonlyArray<Row>
  /** Values from which the rows were shared out; they are not added. */
  readonly between: ReadonlyArray<Row>
  /** The sum of the rows. */
  readonly sum: string
  /** What the sum has to be, and what that is called. */
  readonly total: { readonly name: string; readonly amount: string }
  readonly addsUp: boolean
}

type Summed = keyof typeof sumOf

const titles: Readonly<Record<Summed, readonly [title: string, total: string]>> = {
  prices: ["Prices", "Subtotal"],
  rules: ["Automatic discounts", "Automatic discounts together"],
  coupon: ["Coupon", "Coupon together"],
  shipping: ["Shipping", "Shipping"],
  tax: ["Tax", "Tax"],
  surcharges: ["Surcharges", "Surcharges together"]
}

const points = {
  line: "rounded for the line",
  unit: "rounded for one unit",
  order: "rounded once for all lines of these rates",
  allocation: "split so that the parts add up",
  cap: "cut to what was left"
} as const
const modes = { half_up: "half up", half_even: "half to even", half_down: "half down" } as const

const roundingWords = (rounding: ExplanationEntry["rounding"]): string =>
  rounding === null ? "" : `${points[rounding.point]}${rounding.mode === null ? "" : `, ${modes[rounding.mode]}`}`

/** Names of lines by their ids: what was sold, else its place in the list. */
const lineNames = ({ entries }: ExplanationView): ReadonlyMap<string, string> =>
  new Map(
    entries
      .filter(({ step }) => step === "prices")
      .map(({ target, source }, i) => [target.id ?? "", source?.name ?? `Line ${i + 1}`])
  )

const places = { line: "Line", shipping: "Shipping", order: "Whole order" } as const

/** The formula of a discount says what is taken off all lines: the value is the share of one of them. */
const valueWords = ({ step, formula, unrounded, rounding }: ExplanationEntry): string => {
  if (rounding === null) return formula
  return takingOff.has(step) ? `${formula}, of which ${unrounded}` : `${formula} = ${unrounded}`
}

const makeRow =
  (names: ReadonlyMap<string, string>) =>
  (entry: ExplanationEntry): Row => {
    const { step, target, source, rounding, amount } = entry
    return {
      what: names.get(target.id ?? "") ?? places[target.type],
      why: step === "prices" || source === null ? "" : source.name,
      value: valueWords(entry),
      rounding: roundingWords(rounding),
      amount
    }
  }

/** Adds decimal strings of a currency. */
export const sumText = (amounts: ReadonlyArray<string>, currency: string): string =>
  formatMoney(
    amounts.reduce((sum, amount) => {
      const minor = parseMoney(amount, currency)
      return typeof minor === "bigint" ? sum + minor : sum
    }, 0n),
    currency
  )

const negated = (amount: string, currency: string): string => {
  const minor = parseMoney(amount, currency)
  return typeof minor === "bigint" ? formatMoney(-minor, currency) : amount
}

export const sectionsOf = (view: ExplanationView): ReadonlyArray<Section> => {
  const { currency, entries, totals } = view
  const row = makeRow(lineNames(view))
  const rowsOf = (step: string) => entries.filter((entry) => entry.step === step).map(row)
  return Object.entries(sumOf).map(([step, field]) => {
    const [title, name] = titles[step as Summed]
    const rows = rowsOf(step)
    const sum = sumText(
      rows.map(({ amount }) => amount),
      currency
    )
    const amount = takingOff.has(step) ? negated(totals[field], currency) : totals[field]
    const between = step === "tax" ? rowsOf("tax_rounding") : []
    return { step: step as Summed, title, rows, between, sum, total: { name, amount }, addsUp: sum === amount }
  })
}

/** What pays for the total before a provider is asked. */
export const tendersOf = (view: ExplanationView): ReadonlyArray<Row> =>
  view.entries.filter(({ step }) => step === "tenders").map(makeRow(lineNames(view)))

/** How the total is made of the others: a sign, a name, an amount. */
export const totalLines = ({ totals, currency }: ExplanationView): ReadonlyArray<readonly [string, string]> => [
  ["Subtotal", totals.subtotal],
  ["Automatic discounts", negated(totals.ruleDiscountAmount, currency)],
  ["Coupon", negated(totals.discountAmount, currency)],
  ["Shipping", totals.shippingAmount],
  ["Surcharges", totals.surchargeAmount],
  ["Tax", totals.taxAmount],
  ["Tax that the prices contain already", negated(totals.includedTaxAmount, currency)]
]

const reasons: Readonly<Record<string, string>> = {
  unknown: "there is no such code",
  not_active: "it is not active",
  expired: "it has expired",
  usage_limit: "it has been used as often as it may be",
  customer_limit: "this customer has used it as often as they may",
  needs_customer: "it needs a customer who is signed in",
  region: "it is for other regions",
  minimum: "the cart is below its minimum",
  quantity: "there are too few units in the cart",
  no_eligible_items: "nothing in the cart is eligible",
  nothing_off: "there is nothing left that it could take off",
  lost: "other discounts, with which it does not combine, take more off",
  exhausted: "nothing is left on it",
  delivery: "it is for other ways of delivery"
}

/** Why a rule or a code takes nothing off, as a sentence. */
export const missLine = (
  { source, code, reason, missing }: ExplanationView["notApplied"][number],
  currency: string
): string => {
  const name = source?.name ?? ""
  const called = code === null ? name : name === "" ? code : `${name} (${code})`
  const { amount, quantity } = missing ?? { amount: null, quantity: null }
  const lacking = [
    ...(amount === null ? [] : [`${amount} ${currency} more`]),
    ...(quantity === null ? [] : [`${quantity} more ${quantity === 1 ? "unit" : "units"}`])
  ]
  const would = lacking.length === 0 ? "" : `; ${lacking.join(" and ")} would bring it in`
  return `${called}: ${reasons[reason] ?? reason}${would}`
}
