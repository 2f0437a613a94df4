/**
 * Applies a merchant's change to a row of stock: pure, so that a single change and a hundred in one call follow the
 * same rules.
 */
import { Result } from "effect"
import { type FieldErrors, maxInt4, problemsOf, wholeProblem } from "../kernel/FieldErrors.ts"
import { StockBelowReserved, StockTotalMismatch, StockValueInvalid } from "./InventoryErrors.ts"
import type { Adjustment, InventoryChange } from "./InventoryItem.ts"
import type { StockRow } from "./InventoryRepository.ts"

export type ChangeRefusal = StockValueInvalid | StockBelowReserved | StockTotalMismatch

const isStorable = (value: number): boolean => Number.isInteger(value) && Math.abs(value) <= maxInt4

const wrongCounts = ({ total, backorderLimit, lowStockThreshold, expectedTotal }: InventoryChange): FieldErrors =>
  problemsOf({
    total: wholeProblem(total, 0, maxInt4),
    backorderLimit: wholeProblem(backorderLimit, 0, maxInt4),
    lowStockThreshold: wholeProblem(lowStockThreshold, 0, maxInt4),
    expectedTotal: wholeProblem(expectedTotal, -maxInt4, maxInt4)
  })

/** The total must cover what is held and owed, as stock_available_check requires too. */
const isCovered = (row: StockRow): boolean => {
  if (row.trackingMode !== "TRACKED" || row.backorderMode === "ALLOW") return true
  return row.total - row.reserved >= (row.backorderMode === "LIMITED" ? -(row.backorderLimit ?? 0) : 0)
}

const covered = (row: StockRow): Result.Result<StockRow, StockBelowReserved> =>
  isCovered(row)
    ? Result.succeed(row)
    : Result.fail(new StockBelowReserved({ total: row.total, reserved: row.reserved }))

/** Sets counts and modes; absent is unchanged, null clears. */
export const changeStock = (row: StockRow, change: InventoryChange): Result.Result<StockRow, ChangeRefusal> => {
  const errors = wrongCounts(change)
  if (Object.keys(errors).length > 0) return Result.fail(new StockValueInvalid({ errors }))
  const { expectedTotal } = change
  if (expectedTotal !== undefined && expectedTotal !== row.total)
    return Result.fail(new StockTotalMismatch({ expectedTotal, currentTotal: row.total }))
  return covered({
    ...row,
    total: change.total ?? row.total,
    trackingMode: change.trackingMode ?? row.trackingMode,
    backorderMode: change.backorderMode ?? row.backorderMode,
    backorderLimit: change.backorderLimit === undefined ? row.backorderLimit : change.backorderLimit,
    lowStockThreshold: change.lowStockThreshold === undefined ? row.lowStockThreshold : change.lowStockThreshold
  })
}

/** Adds or removes units. Removing stops at zero; a row with a negative count may be brought nearer to it. */
export const adjustStock = (
  row: StockRow,
  { delta }: Adjustment
): Result.Result<StockRow, StockValueInvalid | StockBelowReserved> => {
  const refuse = (reason: string) => Result.fail(new StockValueInvalid({ errors: { delta: reason } }))
  if (!isStorable(delta) || delta === 0)
    return refuse(`must be a whole number from -${maxInt4} to ${maxInt4}, and not 0`)
  const total = row.total + delta
  if (delta < 0 && total < 0) return refuse(`would leave ${total} of the ${row.total} there are`)
  if (!isStorable(total)) return refuse(`would make more than ${maxInt4}`)
  return covered({ ...row, total })
}
