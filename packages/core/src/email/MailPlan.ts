/** How a mail is made of an event: what a plan gets, and what it returns. MailPlans.ts lists the plans. */
import { Effect, Schema } from "effect"
import type { StoredDataUnreadable } from "../kernel/StoredData.ts"
import type { RelayedEvent } from "../outbox/OutboxConsumer.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import type { EmailType } from "../template/EmailType.ts"
import type { View } from "../template/TemplateRenderer.ts"
import type { LinkBase } from "./MailLinks.ts"

/** A mail to be made. */
export interface MailDraft {
  readonly to: string
  /** Null: the store's language. */
  readonly language: string | null
  /**
   * The variables of the template, which is in `language`. Called with the token, and once more with a placeholder for
   * the copy that is kept.
   */
  readonly view: (token: string, language: string) => View
  /** Null if the mail carries none. */
  readonly token: string | null
  /** When the token expires; null if there is none. */
  readonly expiresAt: Date | null
  /** A mail with a token goes before all others, unless nobody waits for it. */
  readonly canWait?: true
  /**
   * It carries the token of a person of the dashboard, who may work for other stores too: nothing of the store decides
   * how it looks, where its links lead, who sends it or who gets the answers.
   */
  readonly ofService?: true
}

/** What plans need beside the event. */
export interface MailSources {
  readonly store: StoreContext
  /** The owner's address; null if there is no owner. */
  readonly owner: Effect.Effect<string | null>
  readonly linkBase: LinkBase
  /** The base URL of links for people of the dashboard; null where no public URL is set. */
  readonly dashboardBase: string | null
  /** Where this server answers; null where that is not known. */
  readonly apiAddress: string | null
  /** The plain token of an event about a customer or a checkout, or null if it cannot be unsealed. */
  readonly open: (subjectId: string, sealed: string) => string | null
}

export interface MailPlan {
  readonly type: EmailType
  /** Undefined if there is nobody to write to. A failure concerns this mail alone; the consumer logs it. */
  readonly draft: (
    event: RelayedEvent,
    sources: MailSources
  ) => Effect.Effect<MailDraft | undefined, StoredDataUnreadable | MailNotPossible>
}

/** The event was decoded, but no mail can be made from it. */
export class MailNotPossible extends Schema.TaggedError<MailNotPossible>()("MailNotPossible", {
  reason: Schema.String
}) {}

/** A mail without a token; undefined if there is nobody to write to. */
export const draftTo = (to: string | null, language: string | null, view: (language: string) => View) =>
  to === null ? undefined : { to, language, view: (_: string, of: string) => view(of), token: null, expiresAt: null }

/** The plain text of what an event carries sealed. */
export const unsealed = ({ open }: MailSources, signupId: string, sealed: string) => {
  const text = open(signupId, sealed)
  return text === null
    ? Effect.fail(new MailNotPossible({ reason: "what it carries cannot be unsealed" }))
    : Effect.succeed(text)
}
