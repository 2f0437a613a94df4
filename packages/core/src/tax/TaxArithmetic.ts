/**
 * Turns amounts and matched rates into taxes. Guarantees: the tax of an item is the sum over its rates; in every policy
 * the items add up to the rounded tax; an inclusive tax never exceeds its amount, so net = gross - tax is never
 * negative (for inclusive rates of at most 100 % together). Everything is integer arithmetic with one division per
 * rounding.
 *
 * `taxRounding` says what is rounded: `line` rounds the tax of each line, `unit` the tax of one unit which is then
 * multiplied, `order` the tax of all lines that carry the same rates, shared out by largest remainder. `stackRounding`
 * says how rates that stack are rounded: `combined` rounds their sum once and splits it by largest remainder (ties to
 * the rate of lower priority number), `each` rounds every rate by itself.
 */
import type { TraceEntry } from "../kernel/Trace.ts"
import { taxByItem } from "./internal/taxByItem.ts"
import { taxByOrder } from "./internal/taxByOrder.ts"
import type { TaxItem, TaxPolicy } from "./TaxPolicy.ts"

/**
 * `cells[item][rate]`: the tax in minor units of each item by each rate of its match. Trace entries are appended to
 * `trace`.
 */
export const computeTaxes = (
  items: ReadonlyArray<TaxItem>,
  policy: TaxPolicy,
  trace: Array<TraceEntry>
): ReadonlyArray<ReadonlyArray<bigint>> =>
  policy.taxRounding === "order"
    ? taxByOrder(items, policy, trace)
    : items.map((item) => taxByItem(item, policy, trace))
