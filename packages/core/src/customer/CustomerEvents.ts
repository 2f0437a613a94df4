/**
 * What this room tells the outbox: three public events, and two that only the mails are made from (never shown, never
 * delivered).
 */
import type { OutboxEvent } from "../database/Outbox.ts"
import type { CustomerState } from "./Customer.ts"
import type { TokenPurpose } from "./CustomerTokenRepository.ts"
import { toCustomerView } from "./CustomerView.ts"

/** What a mail needs to reach a customer with a token; `token` is sealed for `mailTokenContext`. */
export interface TokenMail {
  readonly customerId: string
  readonly email: string
  readonly firstName: string | null
  readonly language: string
  readonly salesChannelId: string
  readonly token: string
}

/**
 * How long the tokens of mails are good, in milliseconds: a day to confirm an address, an hour to choose a password
 * (interface.md, Other limits).
 */
export const mailTokenLifetime: Record<TokenPurpose, number> = { verification: 24 * 3_600_000, reset: 3_600_000 }

/** Purpose under which tokens inside events are sealed, and where they belong. */
export const mailTokenPurpose = "mail-token"
export const mailTokenContext = (storeId: string, customerId: string): string => `${storeId}|event|token|${customerId}`

const told =
  (type: string) =>
  (customer: CustomerState): OutboxEvent => ({
    type,
    data: { customerId: customer.id, customer: toCustomerView(customer) }
  })

export const customerCreated = told("customer.created")
export const customerUpdated = told("customer.updated")

/** The row's content is gone: the id is all there is to tell. */
export const customerDeleted = (customerId: string): OutboxEvent => ({ type: "customer.deleted", data: { customerId } })

export const verificationMailAsked = (data: TokenMail): OutboxEvent => ({ type: "internal.email_verification", data })
export const resetMailAsked = (data: TokenMail): OutboxEvent => ({ type: "internal.password_reset", data })
