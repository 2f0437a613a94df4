import type {
  ReservationUnsupported,
  StockBelowReserved,
  StockTotalMismatch,
  StockValueInvalid
} from "@effect-commerce/core/inventory/InventoryErrors"
import type { ErrorRows } from "../middleware/ErrorRow.ts"
import { fieldErrors } from "../middleware/pipelineErrors.ts"

export const inventoryErrors: ErrorRows<
  StockValueInvalid | StockBelowReserved | StockTotalMismatch | ReservationUnsupported
> = {
  StockValueInvalid: {
    code: "INVALID_STOCK_VALUE",
    message: (e) => fieldErrors(e.errors).message,
    details: (e) => fieldErrors(e.errors).details
  },
  StockBelowReserved: {
    code: "CONFLICT",
    message: (e) =>
      `${e.reserved} units are held for shoppers, and backorders do not cover what a total of ${e.total} lacks`,
    details: ({ total, reserved }) => ({ total, reserved })
  },
  StockTotalMismatch: {
    code: "CONFLICT",
    message: (e) => `The total is ${e.currentTotal}, not ${e.expectedTotal}`,
    details: ({ expectedTotal, currentTotal }) => ({ expectedTotal, currentTotal })
  },
  ReservationUnsupported: {
    code: "BAD_REQUEST",
    message: () => "This store reserves stock at payment only: there is no reservation to extend or release",
    details: (e) => ({ strategy: e.strategy })
  }
}
