/** One mail of a store: waiting, sent, kept where no mail server is set, or given up. */
import { Schema } from "effect"
import type { EmailType } from "./EmailType.ts"

export const MessageStatus = Schema.Literals(["QUEUED", "SENT", "KEPT", "FAILED"])
export type MessageStatus = typeof MessageStatus.Type

/**
 * What leaves before what: a mail with a token is worth nothing later, and a buyer waits for the confirmation. Waiting
 * mails of a lower number leave first, however long those of a higher one have waited.
 */
export const mailPriority = { token: 0, confirmation: 1, other: 2 } as const
export type MailPriority = (typeof mailPriority)[keyof typeof mailPriority]

/** A mail that is about to be queued. */
export interface NewMessage {
  readonly id: string
  /** The outbox event it was made of; null where a person sent it. */
  readonly eventId: string | null
  readonly eventType: EmailType
  /** Normalised: however it was written, an address is counted once. */
  readonly toAddress: string
  readonly fromName: string
  readonly fromAddress: string
  readonly replyTo: string | null
  readonly subject: string
  readonly html: string
  readonly plainText: string
  /** The bodies with their token, sealed, where `html` and `plainText` are without it. */
  readonly sealed: string | null
  readonly priority: MailPriority
  /** When the link in it ends: not sent after that. */
  readonly expiresAt: Date | null
}

export interface MessageState extends NewMessage {
  readonly status: MessageStatus
  /** How often it was tried, the try that is under way included. */
  readonly attempts: number
  readonly createdAt: Date
}

/** On the wire (operations.md, COMMERCE_SMTP_URL). */
export const EmailMessage = Schema.Struct({
  id: Schema.String,
  to: Schema.String,
  from: Schema.String,
  subject: Schema.String,
  html: Schema.String,
  text: Schema.String,
  eventType: Schema.String,
  status: MessageStatus,
  createdAt: Schema.String
})
export type EmailMessage = typeof EmailMessage.Type

export const toEmailMessage = (state: MessageState): EmailMessage => ({
  id: state.id,
  to: state.toAddress,
  from: `${state.fromName} <${state.fromAddress}>`,
  subject: state.subject,
  html: state.html,
  text: state.plainText,
  eventType: state.eventType,
  status: state.status,
  createdAt: state.createdAt.toISOString()
})
