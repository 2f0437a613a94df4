/**
 * The input of the tax arithmetic: the store's choices about rounding, and the amounts to be taxed with the rates that
 * matched them.
 */
import type { StoreContext } from "../store/StoreContext.ts"
import type { TaxMatch } from "./TaxMatch.ts"

/** The store's settings for rounding tax. */
export type TaxPolicy = Pick<StoreContext, "taxRounding" | "taxRoundingMode" | "stackRounding">

/** The default of a new store: line, half up, combined. */
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
