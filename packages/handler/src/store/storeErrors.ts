import type {
  AccountNotFound,
  CurrencyChanged,
  CurrencyInUse,
  SalesChannelNotFound,
  StoreNotFound,
  StoreSuspended
} from "@effect-commerce/core/store/StoreErrors"
import type { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { type ErrorRows, missing } from "../middleware/ErrorRow.ts"
import { fieldErrors } from "../middleware/pipelineErrors.ts"

export const storeErrors: ErrorRows<
  | CurrencyChanged
  | CurrencyInUse
  | StoreNotFound
  | StoreSuspended
  | AccountNotFound
  | SalesChannelNotFound
  | FieldRejected
> = {
  StoreNotFound: missing("store"),
  AccountNotFound: missing("account"),
  SalesChannelNotFound: missing("sales channel"),
  StoreSuspended: { code: "STORE_SUSPENDED", message: () => "This store is suspended" },
  CurrencyChanged: {
    code: "CONFLICT",
    message: (e) => `This began in ${e.currency}, and the store sells in ${e.storeCurrency} now`,
    details: (e) => ({ reason: "currency_changed", currency: e.currency, storeCurrency: e.storeCurrency })
  },
  CurrencyInUse: {
    code: "CONFLICT",
    message: (e) => `The store has amounts in ${e.currency}: its currency cannot change`,
    details: (e) => ({ reason: "currency_in_use", currency: e.currency, usedBy: e.usedBy })
  },
  FieldRejected: {
    code: "VALIDATION_FAILED",
    message: (e) => fieldErrors({ [e.field]: e.reason }).message,
    details: (e) => fieldErrors({ [e.field]: e.reason }).details
  }
}
