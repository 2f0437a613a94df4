import type { ReviewNotFound, ReviewWritten } from "@effect-commerce/core/review/ReviewErrors"
import { type ErrorRows, missing } from "../middleware/ErrorRow.ts"

export const reviewErrors: ErrorRows<ReviewNotFound | ReviewWritten> = {
  ReviewNotFound: missing("review"),
  ReviewWritten: {
    code: "CONFLICT",
    message: () => "You have written a review of this product already",
    details: (e) => ({ reason: "already_reviewed", productId: e.productId })
  }
}
