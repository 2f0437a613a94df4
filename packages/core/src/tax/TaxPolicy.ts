/**
 * What the tax arithmetic is given: the store's choices about rounding, and the amounts to be taxed with the rates that
 * matched them. Source: completions.md, Money (settings of a store) and settled question 2.
 */
import type { RoundingMode } from "../kernel/Rounding.ts"
import type { TaxMatch } from "./TaxMatch.ts"

export type TaxRounding = "line" | "unit" | "order"
export type StackRounding = "combined" | "each"

/** A store's settings of the same names. */
export interface TaxPolicy {
  readonly taxRounding: TaxRounding
  readonly taxRoundingMode: RoundingMode
  readonly stackRounding: StackRounding
}

/** What a store has that chose nothing: line, half up, combined. */
export const DEFAULT_TAX_POLICY: TaxPolicy = {
  taxRounding: "line",
  taxRoundingMode: "half_up",
  stackRounding: "combined"
}

/** An amount to be taxed: a line after its discounts, or the shipping charge. */
export interface TaxItem {
  /** The line id, or `shipping`: the target of its trace entries. */
  readonly id: string
  /** Minor units, gross where inclusive rates apply; not negative. */
  readonly amount: bigint
  /** How many units the amount stands for, at least 1; matters to `unit` only. */
  readonly quantity: bigint
  readonly match: TaxMatch
}

/** The accepted values of a store's `taxRounding` and `stackRounding`. */
export const TAX_ROUNDINGS: ReadonlyArray<TaxRounding> = ["line", "unit", "order"]
export const STACK_ROUNDINGS: ReadonlyArray<StackRounding> = ["combined", "each"]
