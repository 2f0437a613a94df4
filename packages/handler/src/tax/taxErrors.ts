import type {
  TaxClassInUse,
  TaxClassNameTaken,
  TaxClassNotFound,
  TaxesUnavailable,
  TaxRateNotFound,
  TaxRateRejected
} from "@effect-commerce/core/tax/TaxErrors"
import { type ErrorRows, missing } from "../middleware/ErrorRow.ts"
import { fieldErrors } from "../middleware/pipelineErrors.ts"

export const taxErrors: ErrorRows<
  TaxRateNotFound | TaxRateRejected | TaxClassNotFound | TaxClassNameTaken | TaxClassInUse | TaxesUnavailable
> = {
  TaxRateNotFound: missing("tax rate"),
  TaxRateRejected: {
    code: "VALIDATION_FAILED",
    message: (e) => fieldErrors(e.errors).message,
    details: (e) => fieldErrors(e.errors).details
  },
  TaxClassNotFound: missing("tax class"),
  TaxClassNameTaken: {
    code: "CONFLICT",
    message: (e) => `A tax class named ${e.name} exists already`,
    details: (e) => ({ name: e.name })
  },
  TaxClassInUse: {
    code: "CONFLICT",
    message: (e) => `This tax class still has ${e.by === "rates" ? "tax rates" : "products"}`,
    details: (e) => ({ usedBy: e.by })
  },
  TaxesUnavailable: {
    code: "SERVICE_TEMPORARILY_UNAVAILABLE",
    message: () => "The taxes cannot be worked out now; nothing was processed. Retry shortly",
    headers: () => ({ "retry-after": "1" }),
    warning: (e) => `the tax calculator ${e.calculator} has failed: ${e.reason}`
  }
}
