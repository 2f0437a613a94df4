/** One mail of a store: waiting, sent, kept because no mail server is set, or given up. */
import { Schema } from "effect"
import { described, string, timestamp, email } from "../kernel/Fields.ts"
import { EmailType, isAboutOrder, isForMerchant } from "../template/EmailType.ts"

export const MessageStatus = Schema.Literals(["QUEUED", "SENT", "KEPT", "FAILED"])
export type MessageStatus = typeof MessageStatus.Type

/**
 * The order in which queued mails are sent: the lowest number first, however long others have waited. A token expires,
 * a buyer waits for news of an order, and a merchant can look the order up.
 */
export const mailPriority = { token: 0, order: 1, other: 2, merchant: 3 } as const
export type MailPriority = (typeof mailPriority)[keyof typeof mailPriority]

/** Of a mail that an event makes. */
export const priorityOf = (type: EmailType): MailPriority => {
  if (isAboutOrder(type)) return mailPriority.order
  return isForMerchant(type) ? mailPriority.merchant : mailPriority.other
}

/** A mail that is about to be queued. */
export interface NewMessage {
  readonly id: string
  /** The outbox event it was made from; null if a person sent it. */
  readonly eventId: string | null
  readonly eventType: EmailType
  /** Normalised, so that all spellings of an address count as the same. */
  readonly toAddress: string
  readonly fromName: string
  readonly fromAddress: string
  readonly replyTo: string | null
  readonly subject: string
  readonly html: string
  readonly plainText: string
  /** The bodies with their token, sealed; `html` and `plainText` are then without it. */
  readonly sealed: string | null
  readonly priority: MailPriority
  /** The address of the header List-Unsubscribe; null if the mail has none. */
  readonly unsubscribeUrl: string | null
  /** When the mail's link expires: it is not sent after that. */
  readonly expiresAt: Date | null
}

export interface MessageState extends NewMessage {
  readonly status: MessageStatus
  /** Number of attempts, including the one under way. */
  readonly attempts: number
  readonly createdAt: Date
}

/** On the wire. */
export const EmailMessage = Schema.Struct({
  id: string("Id of the mail."),
  to: email("Address that the mail goes to.", "ada@example.com"),
  from: string("Name and address that it comes from.", "Demo store <shop@example.com>"),
  subject: string("Subject.", "Order #1001"),
  html: string("The mail as HTML. Tokens in links are left out."),
  text: string("The mail as plain text. Tokens in links are left out."),
  eventType: described(EmailType, "The kind of mail."),
  status: described(
    MessageStatus,
    "QUEUED: waits to be sent. SENT: the mail server has accepted it. KEPT: no mail server is set. FAILED: given up."
  ),
  createdAt: timestamp("When the mail was made.")
}).annotate({ identifier: "EmailMessage", description: "A mail that the store has sent or will send." })
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
