/**
 * The exact share that each line has in a percentage. A percentage is rounded once, on all lines together, and the
 * result is split over them: the exact share of a line is the percentage of that line.
 */
import { parseRate } from "../../kernel/Rate.ts"
import type { Discount, LineShare } from "../AdjustmentSource.ts"
import { amountDue, type Ledger } from "./ledger.ts"

const percentageTypes: ReadonlySet<string> = new Set(["PERCENTAGE", "PERCENTAGE_OFF"])

/**
 * The shares of a discount of a percentage, with their exact values. Other discounts, and a percentage that was cut to
 * a maximum, keep what their source knows.
 */
export const exactShares = (
  { type, value }: Pick<Discount, "type" | "value">,
  shares: ReadonlyArray<LineShare>,
  { lines }: Pick<Ledger, "lines">
): ReadonlyArray<LineShare> => {
  const rate = percentageTypes.has(type) ? parseRate(value) : undefined
  if (rate === undefined || "_tag" in rate) return shares
  const denominator = 100n * 10n ** BigInt(rate.scale)
  const exact = shares.map(({ lineId }) => {
    const line = lines.find(({ id }) => id === lineId)
    return { numerator: (line === undefined ? 0n : amountDue(line)) * rate.value, denominator }
  })
  const apart = shares.reduce((sum, { amount }, i) => sum + amount * denominator - (exact[i]?.numerator ?? 0n), 0n)
  const isPercentage = apart <= denominator && -apart <= denominator
  return isPercentage
    ? shares.map((share, i) => ({ ...share, exact: exact[i] ?? { numerator: 0n, denominator } }))
    : shares
}
