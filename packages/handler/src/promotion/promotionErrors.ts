import type { PromotionNotFound } from "@effect-commerce/core/promotion/PromotionErrors"
import { type ErrorRows, missing } from "../middleware/ErrorRow.ts"

export const promotionErrors: ErrorRows<PromotionNotFound> = {
  PromotionNotFound: missing("promotion")
}
