/**
 * The port to what works taxes out.
 *
 * What it decides: which rates each amount of a sale is taxed at, and how much each comes to; never what is taxed,
 * which the pricing pipeline decides (lines after their discounts, the shipping charge; not what is exempt). When it is
 * called: for each quote that knows where the sale is taxed, several times where discounts are compared, inside the
 * transaction that is open. It is therefore a pure function: it reads no network, no clock and no database. How it
 * differs from its neighbour: TaxMatcher finds the store's own rates for an address, and is part of the default. What
 * the default does: it matches the store's rates and rounds as the store says (`builtInTaxes`).
 *
 * A calculator that fails, or whose result does not hold together, makes the quote fail: nothing is sold without its
 * tax. Amounts are minor units of the sale's currency.
 */
import { Context } from "effect"
import { parseRate } from "../kernel/Rate.ts"
import type { TraceEntry } from "../kernel/Trace.ts"
import { computeTaxes } from "./TaxArithmetic.ts"
import { TaxesUnavailable } from "./TaxErrors.ts"
import type { AppliedRate, TaxMatch } from "./TaxMatch.ts"
import { traceProblem } from "./internal/traceProblem.ts"
import type { TaxAddress, TaxMatcher } from "./TaxMatcher.ts"
import type { TaxPolicy } from "./TaxPolicy.ts"

/** An amount to be taxed. */
export interface TaxableItem {
  /** The id of the line, or `shipping`. */
  readonly id: string
  readonly kind: "line" | "shipping"
  /** Null for shipping, and for a line that the catalogue does not know. */
  readonly productId: string | null
  /** Null is the Standard class. */
  readonly taxClassId: string | null
  /** After discounts, gross where inclusive rates apply; not negative. */
  readonly amount: bigint
  /** How many units the amount stands for, at least 1. */
  readonly quantity: number
}

/** Who buys, as far as it is known. */
export interface TaxedBuyer {
  readonly customerId: string | null
  readonly email: string | null
  readonly salesChannelId: string | null
  readonly regionId: string | null
}

export interface TaxableSale {
  readonly storeId: string
  readonly currency: string
  /** Where the sale is taxed: where goods go or are picked up, or where downloads are billed. */
  readonly address: TaxAddress
  readonly buyer: TaxedBuyer
  readonly items: ReadonlyArray<TaxableItem>
  /** The store's own rates. */
  readonly rates: TaxMatcher
  /** How the store rounds. */
  readonly policy: TaxPolicy
}

/** A rate that is charged: `text` is its percentage as a decimal string. */
export type ChargedRate = Pick<AppliedRate, "id" | "name" | "text" | "isInclusive">

/** The taxes of one item: an amount for each of its rates, in the same order. The item contains its inclusive taxes. */
export interface ItemTaxes {
  readonly rates: ReadonlyArray<ChargedRate>
  readonly amounts: ReadonlyArray<bigint>
}

export interface TaxCalculator {
  /** What explanations and the log call it. */
  readonly name: string
  /**
   * One entry for each item, in their order. Throws where it does not know. `trace` is the explanation of each amount
   * with what it was rounded from; where a calculator adds nothing to it, its amounts are explained by its name.
   */
  readonly calculate: (sale: TaxableSale, trace: Array<TraceEntry>) => ReadonlyArray<ItemTaxes>
}

/** The store's rates, by the store's rounding. */
export const builtInTaxes: TaxCalculator = {
  name: "built-in",
  calculate: ({ address, items, rates, policy }, trace) => {
    const matches = new Map<string | null, TaxMatch>()
    const matched = items.map(({ id, taxClassId, amount, quantity }) => {
      const match = matches.get(taxClassId) ?? rates.match(address, taxClassId)
      matches.set(taxClassId, match)
      return { id, amount, quantity: BigInt(quantity), match }
    })
    const amounts = computeTaxes(matched, policy, trace)
    return matched.map(({ match }, i) => ({ rates: match.rates, amounts: amounts[i] ?? [] }))
  }
}

/** The calculator of this installation: built in, or a host's own (`createCommerce({ tax: { calculator } })`). */
export const InstalledTaxCalculator: Context.Reference<TaxCalculator> = Context.Reference(
  "@effect-commerce/core/tax/InstalledTaxCalculator",
  { defaultValue: () => builtInTaxes }
)

/** How an installation works taxes out. */
export interface TaxOptions {
  readonly calculator?: TaxCalculator | undefined
}

const longestText = 200

const rateProblem = ({ id, name, text, isInclusive }: ChargedRate): string | undefined => {
  if (typeof id !== "string" || id === "" || id.length > longestText) return "a rate without an id"
  if (typeof name !== "string" || name.length > longestText) return `the rate ${id} has no name`
  if (typeof isInclusive !== "boolean") return `the rate ${id} does not say whether it is inclusive`
  return typeof text !== "string" || "_tag" in parseRate(text) ? `the rate ${id} has no percentage` : undefined
}

/** Why the taxes of an item cannot be charged; undefined if they can. */
const taxesProblem = ({ amount }: TaxableItem, taxes: ItemTaxes | undefined): string | undefined => {
  if (taxes === undefined || !Array.isArray(taxes.rates) || !Array.isArray(taxes.amounts)) return "no taxes"
  const { rates, amounts } = taxes
  if (rates.length !== amounts.length) return `${rates.length} rates and ${amounts.length} amounts`
  const wrong = rates.map(rateProblem).find((problem) => problem !== undefined)
  if (wrong !== undefined) return wrong
  if (new Set(rates.map(({ id }) => id)).size < rates.length) return "one rate twice"
  if (!amounts.every((tax) => typeof tax === "bigint" && tax >= 0n)) return "an amount that is no tax"
  const contained = amounts.reduce((sum, tax, i) => (rates[i]?.isInclusive === true ? sum + tax : sum), 0n)
  return contained > amount ? "more inclusive tax than the amount" : undefined
}

const explained = (name: string, { id }: TaxableItem, { rates, amounts }: ItemTaxes): TraceEntry => {
  const amount = amounts.reduce((sum, tax) => sum + tax, 0n)
  return {
    step: "tax",
    target: id,
    sources: rates.map((rate) => rate.id),
    formula: `by the tax calculator ${name}`,
    numerator: amount,
    denominator: 1n,
    roundingPoint: "none",
    roundingMode: null,
    amount
  }
}

/** Asks a calculator of a host. Throws TaxesUnavailable where it fails, or where its result does not hold together. */
export const askCalculator =
  ({ name, calculate }: TaxCalculator): TaxCalculator["calculate"] =>
  (sale, trace) => {
    const refuse = (reason: string) => new TaxesUnavailable({ calculator: name, reason })
    const entries: Array<TraceEntry> = []
    const found = ((): ReadonlyArray<ItemTaxes> => {
      try {
        return calculate(sale, entries)
      } catch (cause) {
        throw refuse(cause instanceof Error ? cause.message : String(cause))
      }
    })()
    // What a promise resolves to would come after the quote.
    if (!Array.isArray(found) || found.length !== sale.items.length)
      throw refuse("it has not returned one entry for each item")
    for (const [i, item] of sale.items.entries()) {
      const problem = taxesProblem(item, found[i])
      if (problem !== undefined) throw refuse(`for ${item.id} it has returned ${problem}`)
    }
    const problem = traceProblem(sale.items, found, entries)
    if (problem !== undefined) throw refuse(problem)
    trace.push(...(entries.length > 0 ? entries : sale.items.map((item, i) => explained(name, item, found[i] ?? none))))
    return found
  }

const none: ItemTaxes = { rates: [], amounts: [] }
