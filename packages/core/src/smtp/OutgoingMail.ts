/** A mail as a transport gets it, and the result of sending it (MailTransport.ts). */
import { type Effect, Schema } from "effect"
import type { Signature } from "../emaildomain/EmailDomains.ts"
import type { EmailType } from "../template/EmailType.ts"

export interface OutgoingMail {
  readonly id: string
  readonly storeId: string
  readonly eventType: EmailType
  readonly to: string
  readonly from: { readonly name: string; readonly address: string }
  readonly replyTo: string | null
  readonly subject: string
  readonly html: string
  readonly text: string
  readonly createdAt: Date
  /** The address of the header List-Unsubscribe; null: the mail has none. */
  readonly unsubscribeUrl: string | null
  /** What the mail is signed with (DKIM); null: it comes from the installation's own address. */
  readonly signature: Signature | null
}

/**
 * `permanent`: this mail was rejected for good. `unreachable`: no mail can be sent at the moment. `reason` is for logs
 * and holds no secret.
 */
export class MailUndelivered extends Schema.TaggedError<MailUndelivered>()("MailUndelivered", {
  reason: Schema.String,
  permanent: Schema.Boolean,
  unreachable: Schema.Boolean
}) {}

/** Sends mails. */
export interface Transport {
  /**
   * True: mails stay in the database, readable, tokens included. False: mails are sent, and bodies that hold a token
   * are sealed until then.
   */
  readonly keeps: boolean
  /** The address mails come from. */
  readonly fromAddress: string
  readonly deliver: (mail: OutgoingMail) => Effect.Effect<"SENT" | "KEPT", MailUndelivered>
}

/** The same for every attempt, so that a reader who receives a mail twice can recognise it. */
export const messageIdOf = (mail: Pick<OutgoingMail, "id" | "from">): string =>
  `<${mail.id}@${mail.from.address.split("@")[1] ?? "localhost"}>`
