import type {
  NoticeRejected,
  PaymentMethodUnavailable,
  PaymentProviderNotReady
} from "@effect-commerce/core/payment/PaymentErrors"
import type { NoticesFull } from "@effect-commerce/core/notice/NoticeErrors"
import type {
  PaymentAccountChanged,
  PaymentProviderInUse,
  PaymentProviderNamed,
  PaymentProviderNotFound,
  PaymentProviderTaken
} from "@effect-commerce/core/payment/StoreProviderErrors"
import { type ErrorRows, missing } from "../middleware/ErrorRow.ts"

const accountOf = ({ account, mode }: PaymentAccountChanged["current"]): string =>
  `${account === "" ? "no account" : account} (${mode ?? "test and live"})`

export const paymentErrors: ErrorRows<
  | PaymentProviderNotFound
  | PaymentProviderTaken
  | PaymentAccountChanged
  | PaymentProviderInUse
  | PaymentProviderNamed
  | PaymentMethodUnavailable
  | PaymentProviderNotReady
  | NoticeRejected
  | NoticesFull
> = {
  PaymentProviderNotFound: missing("payment provider"),
  PaymentProviderTaken: {
    code: "CONFLICT",
    message: (e) => `The account ${e.account} of ${e.type} is set up already`,
    details: (e) => ({ reason: "account_taken", type: e.type, account: e.account })
  },
  PaymentAccountChanged: {
    code: "CONFLICT",
    message: (e) =>
      `The credentials are of ${accountOf(e.given)}, and this payment provider is of ${accountOf(e.current)}: set up ` +
      "another one",
    details: (e) => ({ reason: "account_changed", current: e.current, given: e.given })
  },
  PaymentProviderInUse: {
    code: "CONFLICT",
    message: () => "Payments of this payment provider are not finished: switch it off, and delete it later",
    details: () => ({ reason: "payments_open" })
  },
  PaymentProviderNamed: {
    code: "CONFLICT",
    message: (e) => `${e.regionCount} regions list this payment provider`,
    details: (e) => ({ reason: "provider_in_use", regionCount: e.regionCount })
  },
  PaymentMethodUnavailable: {
    code: "PROVIDER_NOT_CONFIGURED",
    message: (e) => `The payment method ${e.paymentMethod} is not configured here`,
    details: (e) => ({ paymentMethod: e.paymentMethod })
  },
  PaymentProviderNotReady: {
    code: "PROVIDER_NOT_READY",
    message: (e) => `The payment provider ${e.paymentMethod} cannot be reached, or does not accept its credentials`,
    details: (e) => ({ paymentMethod: e.paymentMethod }),
    headers: () => ({ "retry-after": "10" })
  },
  NoticeRejected: {
    code: "UNAUTHORIZED",
    message: () => "This is no notice of the payment provider: its signature does not hold",
    warning: (e) => `A notice of a payment provider was rejected: ${e.reason}`
  },
  NoticesFull: {
    code: "SERVICE_TEMPORARILY_UNAVAILABLE",
    message: () => "Too many notices of this payment provider wait: send it again later",
    headers: () => ({ "retry-after": "60" })
  }
}
