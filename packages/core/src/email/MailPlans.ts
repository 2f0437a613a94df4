/**
 * Which event sends which mails, and to whom: one row for an event type, one entry for a mail. A new mail is a new
 * entry here and a view in internal/mailViews.ts; its templates exist already.
 */
import { Effect, Schema } from "effect"
import { mailTokenLifetime, resetMailAsked, type TokenMail, verificationMailAsked } from "../customer/CustomerEvents.ts"
import type { RelayedEvent } from "../outbox/OutboxConsumer.ts"
import { backInStock, lowStock } from "../inventory/InventoryEvents.ts"
import { type EventDefinition, eventReader } from "../kernel/EventDefinition.ts"
import type { StoredDataUnreadable } from "../kernel/StoredData.ts"
import { cartRecoveryAsked } from "../checkout/CheckoutEvents.ts"
import { draftInvoiceAsked } from "../draftorder/DraftOrderEvents.ts"
import { newsletterConfirmationAsked, newsletterWelcomed } from "../newsletter/NewsletterEvents.ts"
import { signupTokenLifetime } from "../newsletter/NewsletterSignup.ts"
import { orderCreated } from "../order/OrderEvents.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import type { EmailType } from "../template/EmailType.ts"
import type { LinkBase } from "./MailLinks.ts"
import {
  backInStockView,
  cartRecoveryView,
  circuitOpenView,
  draftInvoiceView,
  InvoiceEvent,
  lowStockView,
  newsletterConfirmationView,
  newsletterWelcomeView,
  OrderEvent,
  orderView,
  tokenView
} from "./internal/mailViews.ts"
import type { View } from "../template/TemplateRenderer.ts"
import { circuitOpened } from "../webhook/WebhookEvents.ts"

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
}

/** What plans need beside the event. */
export interface MailSources {
  readonly store: StoreContext
  /** The owner's address; null if there is no owner. */
  readonly owner: Effect.Effect<string | null>
  readonly linkBase: LinkBase
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

const readOrder = eventReader(orderCreated, OrderEvent)

const draftTo = (to: string | null, language: string | null, view: (language: string) => View) =>
  to === null ? undefined : { to, language, view: (_: string, of: string) => view(of), token: null, expiresAt: null }

const toBuyer = (type: EmailType): MailPlan => ({
  type,
  draft: (event, { store }) =>
    Effect.map(readOrder(event), (read) =>
      draftTo(read.order.customer.email, read.order.locale ?? null, (language) => orderView(store, read, language))
    )
})

const toOwner = (type: EmailType): MailPlan => ({
  type,
  draft: (event, { store, owner }) =>
    Effect.flatMap(readOrder(event), (read) =>
      Effect.map(owner, (address) => draftTo(address, null, (language) => orderView(store, read, language)))
    )
})

interface TokenPlan {
  readonly type: EmailType
  readonly purpose: keyof typeof mailTokenLifetime
  /** The page of the storefront that the link leads to. */
  readonly page: { readonly link: string; readonly path: string }
}

const withToken = (definition: EventDefinition<typeof TokenMail>, { type, purpose, page }: TokenPlan): MailPlan => {
  const readToken = eventReader(definition, definition.data)
  return {
    type,
    draft: Effect.fnUntraced(function* (event: RelayedEvent, { linkBase, open }: MailSources) {
      const read = yield* readToken(event)
      const token = open(read.customerId, read.token)
      if (token === null) return yield* new MailNotPossible({ reason: "its token cannot be unsealed" })
      const expiresAt = new Date(event.createdAt.getTime() + mailTokenLifetime[purpose])
      return {
        to: read.email,
        language: read.language,
        view: tokenView(read, linkBase(read.salesChannelId), page),
        token,
        expiresAt
      }
    })
  }
}

const readConfirmation = eventReader(newsletterConfirmationAsked, newsletterConfirmationAsked.data)
const readWelcome = eventReader(newsletterWelcomed, newsletterWelcomed.data)

const unsealed = ({ open }: MailSources, signupId: string, sealed: string) => {
  const text = open(signupId, sealed)
  return text === null
    ? Effect.fail(new MailNotPossible({ reason: "what it carries cannot be unsealed" }))
    : Effect.succeed(text)
}

const newsletterConfirmation: MailPlan = {
  type: "NEWSLETTER_CONFIRMATION",
  draft: Effect.fnUntraced(function* (event: RelayedEvent, sources: MailSources) {
    const read = yield* readConfirmation(event)
    return {
      to: read.email,
      language: read.locale,
      view: newsletterConfirmationView(read, sources.linkBase(read.salesChannelId)),
      token: yield* unsealed(sources, read.signupId, read.token),
      expiresAt: new Date(event.createdAt.getTime() + signupTokenLifetime)
    }
  })
}

/** The code is treated as a token: the copy of the mail that is kept does not have it. */
const newsletterWelcome: MailPlan = {
  type: "NEWSLETTER_WELCOME",
  draft: Effect.fnUntraced(function* (event: RelayedEvent, sources: MailSources) {
    const read = yield* readWelcome(event)
    return {
      to: read.email,
      language: read.locale,
      view: newsletterWelcomeView(read, sources.store, sources.linkBase(read.salesChannelId)),
      token: yield* unsealed(sources, read.signupId, read.code),
      expiresAt: read.expiresAt === null ? null : new Date(read.expiresAt)
    }
  })
}

const readBackInStock = eventReader(backInStock, backInStock.data)
const readLowStock = eventReader(lowStock, lowStock.data)
const readCircuitOpened = eventReader(circuitOpened, circuitOpened.data)

const toWaiting: MailPlan = {
  type: "BACK_IN_STOCK",
  draft: (event, { linkBase }) =>
    Effect.map(readBackInStock(event), (read) => ({
      to: read.email,
      language: read.locale,
      view: () => backInStockView(read, linkBase(read.salesChannelId)),
      token: null,
      expiresAt: null
    }))
}

const readRecovery = eventReader(cartRecoveryAsked, cartRecoveryAsked.data)

/** A guest's cart is found by the token in the link; a customer has to sign in, and the link carries nothing. */
const toLeaver: MailPlan = {
  type: "CART_ABANDONED",
  draft: Effect.fnUntraced(function* (event: RelayedEvent, { linkBase, open }: MailSources) {
    const read = yield* readRecovery(event)
    const base = linkBase(read.salesChannelId)
    if (base === null) return yield* new MailNotPossible({ reason: "no page is known to lead to" })
    const token = read.token === null ? null : open(read.checkoutId, read.token)
    if (read.token !== null && token === null)
      return yield* new MailNotPossible({ reason: "its token cannot be unsealed" })
    return {
      to: read.email,
      language: read.language,
      view: cartRecoveryView(read, base),
      token,
      expiresAt: token === null ? null : read.expiresAt,
      canWait: true
    }
  })
}

const ofLowStock: MailPlan = {
  type: "LOW_STOCK_ALERT",
  draft: (event, { owner }) =>
    Effect.flatMap(readLowStock(event), (read) =>
      Effect.map(owner, (address) => draftTo(address, null, () => lowStockView(read)))
    )
}

const ofOpenCircuit: MailPlan = {
  type: "WEBHOOK_CIRCUIT_OPEN",
  draft: (event, { store, owner }) =>
    Effect.flatMap(readCircuitOpened(event), (read) =>
      Effect.map(owner, (address) => draftTo(address, null, (language) => circuitOpenView(store, read, language)))
    )
}

const readInvoice = eventReader(draftInvoiceAsked, InvoiceEvent)

const toPayer: MailPlan = {
  type: "DRAFT_INVOICE",
  draft: Effect.fnUntraced(function* (event: RelayedEvent, sources: MailSources) {
    const read = yield* readInvoice(event)
    return {
      to: read.email,
      language: null,
      view: draftInvoiceView(read, sources.store, sources.linkBase(read.salesChannelId)),
      token: yield* unsealed(sources, read.draftId, read.token),
      expiresAt: read.expiresAt
    }
  })
}

/** Plans by the type of the event. */
export const mailPlans: Readonly<Record<string, ReadonlyArray<MailPlan>>> = {
  [orderCreated.type]: [toBuyer("ORDER_CONFIRMATION"), toOwner("NEW_ORDER_ADMIN")],
  [draftInvoiceAsked.type]: [toPayer],
  [backInStock.type]: [toWaiting],
  [cartRecoveryAsked.type]: [toLeaver],
  [lowStock.type]: [ofLowStock],
  [circuitOpened.type]: [ofOpenCircuit],
  [verificationMailAsked.type]: [
    withToken(verificationMailAsked, {
      type: "EMAIL_VERIFICATION",
      purpose: "verification",
      page: { link: "verificationUrl", path: "/verify-email" }
    })
  ],
  [newsletterConfirmationAsked.type]: [newsletterConfirmation],
  [newsletterWelcomed.type]: [newsletterWelcome],
  [resetMailAsked.type]: [
    withToken(resetMailAsked, {
      type: "PASSWORD_RESET",
      purpose: "reset",
      page: { link: "resetUrl", path: "/reset-password" }
    })
  ]
}
