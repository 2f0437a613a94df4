/**
 * Which event makes which mails, to whom: one row for an event type, one entry for a mail. A new mail is a new entry
 * here and a view beside the others in internal/mailViews.ts; its templates are there already.
 */
import { Effect, Option, Schema } from "effect"
import { mailTokenLifetime } from "../customer/CustomerEvents.ts"
import type { RelayedEvent } from "../database/OutboxRelay.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import type { EmailType } from "./EmailType.ts"
import type { LinkBase } from "./MailLinks.ts"
import { OrderEvent, orderView, TokenEvent, tokenView } from "./internal/mailViews.ts"
import type { View } from "./TemplateRenderer.ts"

/** A mail to be made: to whom, in which language (null: the store's), filled with what. */
export interface MailDraft {
  readonly to: string
  readonly language: string | null
  /** Called with the token, and once more with a stand-in for the copy that may be read. */
  readonly view: (token: string) => View
  /** Null where the mail carries none. */
  readonly token: string | null
  /** When the token ends; null where there is none. */
  readonly expiresAt: Date | null
}

/** What plans ask for beyond the event. */
export interface MailSources {
  readonly store: StoreContext
  /** The owner's address; null: nobody. */
  readonly owner: Effect.Effect<string | null>
  readonly linkBase: LinkBase
  /** The plain token of a customer's event, or null where the seal does not open. */
  readonly open: (customerId: string, sealed: string) => string | null
}

export interface MailPlan {
  readonly type: EmailType
  /**
   * Undefined: nobody to write to. A failure to read the event is a defect of one mail, not of the relay: it is logged
   * there.
   */
  readonly draft: (event: RelayedEvent, sources: MailSources) => Effect.Effect<MailDraft | undefined, UnreadableEvent>
}

/** The event does not hold what the plan needs. */
export class UnreadableEvent extends Schema.TaggedError<UnreadableEvent>()("UnreadableEvent", {
  reason: Schema.String
}) {}

const reading = <S extends Schema.Codec<unknown, unknown>>(schema: S) => {
  const decode = Schema.decodeUnknownOption(schema)
  return (event: RelayedEvent): Effect.Effect<S["Type"], UnreadableEvent> => {
    const read = decode(event.data)
    return Option.isSome(read)
      ? Effect.succeed(read.value)
      : Effect.fail(new UnreadableEvent({ reason: "its data have another shape" }))
  }
}
const readOrder = reading(OrderEvent)
const readToken = reading(TokenEvent)

const draftTo = (to: string | null, view: View): MailDraft | undefined =>
  to === null ? undefined : { to, language: null, view: () => view, token: null, expiresAt: null }

const toBuyer = (type: EmailType): MailPlan => ({
  type,
  draft: (event, { store }) =>
    Effect.map(readOrder(event), (read) => draftTo(read.order.customer.email, orderView(store, read)))
})

const toOwner = (type: EmailType): MailPlan => ({
  type,
  draft: (event, { store, owner }) =>
    Effect.flatMap(readOrder(event), (read) => Effect.map(owner, (address) => draftTo(address, orderView(store, read))))
})

/** Links lead to these pages of the storefront. */
const withToken = (
  type: EmailType,
  purpose: keyof typeof mailTokenLifetime,
  page: { readonly link: string; readonly path: string }
): MailPlan => ({
  type,
  draft: Effect.fnUntraced(function* (event: RelayedEvent, { linkBase, open }: MailSources) {
    const read = yield* readToken(event)
    const token = open(read.customerId, read.token)
    if (token === null) return yield* new UnreadableEvent({ reason: "its token does not open" })
    const expiresAt = new Date(event.createdAt.getTime() + mailTokenLifetime[purpose])
    return {
      to: read.email,
      language: read.language,
      view: tokenView(read, linkBase(read.salesChannelId), page),
      token,
      expiresAt
    }
  })
})

export const mailPlans: Readonly<Record<string, ReadonlyArray<MailPlan>>> = {
  "order.created": [toBuyer("ORDER_CONFIRMATION"), toOwner("NEW_ORDER_ADMIN")],
  "internal.email_verification": [
    withToken("EMAIL_VERIFICATION", "verification", { link: "verificationUrl", path: "/verify-email" })
  ],
  "internal.password_reset": [withToken("PASSWORD_RESET", "reset", { link: "resetUrl", path: "/reset-password" })]
}
