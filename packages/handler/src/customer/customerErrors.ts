import type {
  CustomerAddressesFull,
  CustomerAddressNotFound,
  CustomerCredentialsRejected,
  CustomerEmailTaken,
  CustomerNotFound,
  CustomerTokenRejected
} from "@effect-commerce/core/customer/CustomerErrors"
import { type ErrorRows, missing } from "../middleware/ErrorRow.ts"

export const customerErrors: ErrorRows<
  | CustomerNotFound
  | CustomerAddressNotFound
  | CustomerAddressesFull
  | CustomerEmailTaken
  | CustomerCredentialsRejected
  | CustomerTokenRejected
> = {
  CustomerNotFound: missing("customer", "CUSTOMER_NOT_FOUND"),
  CustomerAddressNotFound: missing("address"),
  CustomerAddressesFull: {
    code: "BUSINESS_RULE_VIOLATION",
    message: (e) => `A customer keeps at most ${e.maxAddresses} addresses`,
    details: (e) => ({ maxAddresses: e.maxAddresses })
  },
  CustomerEmailTaken: {
    code: "CONFLICT",
    message: () => "A customer with this e-mail address exists",
    details: () => ({ field: "email" })
  },
  CustomerCredentialsRejected: {
    code: "UNAUTHORIZED",
    message: () => "E-mail address or password is wrong",
    headers: () => ({ "www-authenticate": "Bearer" })
  },
  CustomerTokenRejected: {
    code: "VALIDATION_FAILED",
    message: () => "Invalid request: token: is not valid, was used, or has expired",
    details: () => ({ errors: { token: "is not valid, was used, or has expired" } })
  }
}
