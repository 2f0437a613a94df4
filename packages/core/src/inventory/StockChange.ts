/**
 * What a merchant's change makes of a row of stock: pure, so that one change and a hundred in one call are judged
 * alike.
 */
import { Result } from "effect"
import { maxInt4 } from "../kernel/FieldErrors.ts"
import { StockBelowReserved, StockTotalMismatch, StockValueInvalid } from "./InventoryErrors.ts"
import type { Adjustment, InventoryChange } from "./InventoryItem.ts"
import type { StockRow } from "./InventoryRepository.ts"

export type ChangeRefusal = StockValueInvalid | StockBelowReserved | StockTotalMismatch

const isStorable = (value: number): boolean => Number.isInteger(value) && Math.abs(value) <= maxInt4
const isCount = (value: number | null | undefined): boolean =>
  value === null || value === undefined || (isStorable(value) && value >= 0)

const wrongCount = (change: InventoryChange): StockValueInvalid | undefined => {
  const reason = `must be a whole number from 0 to ${maxInt4}`
  for (const field of ["total", "backorderLimit", "lowStockThreshold"] as const) {
    if (!isCount(change[field])) return new StockValueInvalid({ field, reason })
  }
  return change.expectedTotal === undefined || isStorable(change.expectedTotal)
    ? undefined
    : new StockValueInvalid({ field: "expectedTotal", reason: `must be a whole number from -${maxInt4} to ${maxInt4}` })
}

/** What is held and owed must be covered, as stock_available_check holds too. */
const isCovered = (row: StockRow): boolean => {
  if (row.trackingMode !== "TRACKED" || row.backorderMode === "ALLOW") return true
  return row.total - row.reserved >= (row.backorderMode === "LIMITED" ? -(row.backorderLimit ?? 0) : 0)
}

const covered = (row: StockRow): Result.Result<StockRow, StockBelowReserved> =>
  isCovered(row)
    ? Result.succeed(row)
    : Result.fail(new StockBelowReserved({ total: row.total, reserved: row.reserved }))

/** Counts and modes are set; absent is unchanged, null clears. */
export const changeStock = (row: StockRow, change: InventoryChange): Result.Result<StockRow, ChangeRefusal> => {
  const wrong = wrongCount(change)
  if (wrong !== undefined) return Result.fail(wrong)
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

/** Units come or go. Taking away stops at zero; a row that owes units may be brought nearer to it. */
export const adjustStock = (
  row: StockRow,
  { delta }: Adjustment
): Result.Result<StockRow, StockValueInvalid | StockBelowReserved> => {
  const refuse = (reason: string) => Result.fail(new StockValueInvalid({ field: "delta", reason }))
  if (!isStorable(delta) || delta === 0)
    return refuse(`must be a whole number from -${maxInt4} to ${maxInt4}, and not 0`)
  const total = row.total + delta
  if (delta < 0 && total < 0) return refuse(`would leave ${total} of the ${row.total} there are`)
  if (!isStorable(total)) return refuse(`would make more than ${maxInt4}`)
  return covered({ ...row, total })
}
