import type { AccountNotFound, FieldRejected, SalesChannelNotFound, StoreNotFound, StoreSuspended } from "@effect-commerce/core/store/StoreErrors"
import { type ErrorRows, missing } from "../middleware/ErrorRow.ts"
import { fieldErrors } from "../middleware/pipelineErrors.ts"

export const storeErrors: ErrorRows<StoreNotFound | StoreSuspended | AccountNotFound | SalesChannelNotFound | FieldRejected> = {
  StoreNotFound: missing("store"),
  AccountNotFound: missing("account"),
  SalesChannelNotFound: missing("sales channel"),
  StoreSuspended: { code: "STORE_SUSPENDED", message: () => "This store is suspended" },
  FieldRejected: {
    code: "VALIDATION_FAILED",
    message: (e) => fieldErrors({ [e.field]: e.reason }).message,
    details: (e) => fieldErrors({ [e.field]: e.reason }).details
  }
}
