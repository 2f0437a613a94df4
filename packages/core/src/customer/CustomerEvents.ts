/** The events of customers: three that subscribers receive, and two internal ones that only mails are made from. */
import { Schema } from "effect"
import { defineEvent, type NewEvent } from "../kernel/EventDefinition.ts"
import type { CustomerState } from "./Customer.ts"
import type { TokenPurpose } from "./CustomerTokenRepository.ts"
import { CustomerView, toCustomerView } from "./CustomerView.ts"

const customerData = Schema.Struct({ customerId: Schema.String, customer: CustomerView })

export const customerCreated = defineEvent("customer.created", {
  description:
    "An account is created. May come again for a known customer: treat it as an upsert. Guest checkouts have none.",
  data: customerData
})

export const customerUpdated = defineEvent("customer.updated", {
  description: "Profile or contact change.",
  data: customerData
})

/** The account is deleted, so the event only has its id. */
export const customerDeleted = defineEvent("customer.deleted", {
  description: "An account is deleted.",
  data: Schema.Struct({ customerId: Schema.String })
})

/** What `customer.created` and `customer.updated` carry. */
export const customerSnapshot = (customer: CustomerState): typeof customerData.Type => ({
  customerId: customer.id,
  customer: toCustomerView(customer)
})

/** What a mail with a token for a customer needs; `token` is sealed for `mailTokenContext`. */
export const TokenMail = Schema.Struct({
  customerId: Schema.String,
  email: Schema.String,
  firstName: Schema.NullOr(Schema.String),
  /** Null: the store's. */
  language: Schema.NullOr(Schema.String),
  /** Null: the store's first. */
  salesChannelId: Schema.NullOr(Schema.String),
  token: Schema.String
})
export type TokenMail = typeof TokenMail.Type

export const verificationMailAsked = defineEvent("internal.email_verification", {
  description: "A customer is to confirm an e-mail address.",
  data: TokenMail,
  internal: true
})

export const resetMailAsked = defineEvent("internal.password_reset", {
  description: "A customer asked to choose a new password.",
  data: TokenMail,
  internal: true
})

/** Not for customers whom the merchant creates: the owner knows of them. */
export const customerSignedUp = defineEvent("internal.customer_signed_up", {
  description: "Somebody has opened an account: the owner is told by mail.",
  data: Schema.Struct({
    customerId: Schema.String,
    email: Schema.String,
    firstName: Schema.NullOr(Schema.String),
    lastName: Schema.NullOr(Schema.String)
  }),
  internal: true
})

/** The events of somebody who has opened an account themselves, once for each customer. */
export const signedUp = (customer: CustomerState): ReadonlyArray<NewEvent> => {
  const { id: customerId, email, firstName, lastName } = customer
  return [
    customerCreated.of(customerSnapshot(customer)),
    customerSignedUp.of({ customerId, email, firstName, lastName })
  ]
}

export const customerEvents = [
  customerCreated,
  customerUpdated,
  customerDeleted,
  customerSignedUp,
  verificationMailAsked,
  resetMailAsked
]

/** How long tokens in mails are valid, in milliseconds: a day to confirm an address, an hour to choose a password. */
export const mailTokenLifetime: Record<TokenPurpose, number> = { verification: 24 * 3_600_000, reset: 3_600_000 }

/** The purpose for which tokens inside events are sealed, and their context. */
export const mailTokenPurpose = "mail-token"
export const mailTokenContext = (storeId: string, subjectId: string): string => `${storeId}|event|token|${subjectId}`
