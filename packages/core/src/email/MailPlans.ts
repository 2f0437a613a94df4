/**
 * Which event sends which mails, and to whom: one row for an event type, one entry for a mail. A new mail is a new
 * entry here and a view in internal/mailViews.ts; its templates exist already.
 */
import { Effect } from "effect"
import {
  customerSignedUp,
  mailTokenLifetime,
  resetMailAsked,
  type TokenMail,
  verificationMailAsked
} from "../customer/CustomerEvents.ts"
import type { RelayedEvent } from "../outbox/OutboxConsumer.ts"
import { exportCompleted } from "../export/ExportEvents.ts"
import { backInStock, lowStock } from "../inventory/InventoryEvents.ts"
import { type EventDefinition, eventReader } from "../kernel/EventDefinition.ts"
import { cartRecoveryAsked } from "../checkout/CheckoutEvents.ts"
import { draftInvoiceAsked } from "../draftorder/DraftOrderEvents.ts"
import { newsletterConfirmationAsked, newsletterWelcomed } from "../newsletter/NewsletterEvents.ts"
import { signupTokenLifetime } from "../newsletter/NewsletterSignup.ts"
import { orderCreated, orderMailAsked, orderMails } from "../order/OrderEvents.ts"
import { ordersLinked } from "../orderlink/OrderLinkEvents.ts"
import type { EmailType } from "../template/EmailType.ts"
import { draftTo, MailNotPossible, type MailPlan, type MailSources, unsealed } from "./MailPlan.ts"
import { attentionMailPlans } from "./AttentionMailPlans.ts"
import { teamMailPlans } from "./TeamMailPlans.ts"
import {
  backInStockView,
  cartRecoveryView,
  circuitOpenView,
  exportView,
  lowStockView,
  newsletterConfirmationView,
  newCustomerView,
  newsletterWelcomeView,
  OrderEvent,
  OrderMailEvent,
  orderMailView,
  ordersLinkedView,
  orderView,
  tokenView
} from "./internal/mailViews.ts"
import { draftInvoiceView, InvoiceEvent } from "./internal/invoiceView.ts"
import { circuitOpened } from "../webhook/WebhookEvents.ts"

const readOrder = eventReader(orderCreated, OrderEvent)

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

const readOrderMail = eventReader(orderMailAsked, OrderMailEvent)

/** To the buyer, where the event asks for this mail. */
const askedFor = (type: (typeof orderMails)[number]): MailPlan => ({
  type,
  draft: (event, { store }) =>
    Effect.map(readOrderMail(event), (read) =>
      read.mail === type
        ? draftTo(read.order.customer.email, read.order.locale ?? null, (language) =>
            orderMailView(store, read, language)
          )
        : undefined
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

const readExport = eventReader(exportCompleted, exportCompleted.data)

/** Without a known address of this server nobody can be sent to the file: the export itself shows it. */
const ofExport: MailPlan = {
  type: "EXPORT_COMPLETE",
  draft: Effect.fnUntraced(function* (event: RelayedEvent, { owner, apiAddress, open }: MailSources) {
    const read = yield* readExport(event)
    const [to, token] = [yield* owner, open(read.exportId, read.token)]
    if (token === null) return yield* new MailNotPossible({ reason: "its token cannot be unsealed" })
    if (to === null || apiAddress === null) return undefined
    return {
      to,
      language: null,
      view: exportView(read, apiAddress),
      token,
      expiresAt: new Date(read.expiresAt),
      canWait: true
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

const readSignedUp = eventReader(customerSignedUp, customerSignedUp.data)
const readLinked = eventReader(ordersLinked, ordersLinked.data)

const ofNewCustomer: MailPlan = {
  type: "NEW_CUSTOMER",
  draft: (event, { owner }) =>
    Effect.flatMap(readSignedUp(event), (read) =>
      Effect.map(owner, (address) => draftTo(address, null, () => newCustomerView(read)))
    )
}

const ofLinkedOrders: MailPlan = {
  type: "ORDERS_LINKED",
  draft: (event, { linkBase }) =>
    Effect.map(readLinked(event), (read) =>
      draftTo(read.email, read.language, () => ordersLinkedView(read, linkBase(read.salesChannelId)))
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
  [orderMailAsked.type]: orderMails.map(askedFor),
  [draftInvoiceAsked.type]: [toPayer],
  [backInStock.type]: [toWaiting],
  [exportCompleted.type]: [ofExport],
  [cartRecoveryAsked.type]: [toLeaver],
  [customerSignedUp.type]: [ofNewCustomer],
  [lowStock.type]: [ofLowStock],
  [ordersLinked.type]: [ofLinkedOrders],
  [circuitOpened.type]: [ofOpenCircuit],
  ...attentionMailPlans,
  [verificationMailAsked.type]: [
    withToken(verificationMailAsked, {
      type: "EMAIL_VERIFICATION",
      purpose: "verification",
      page: { link: "verificationUrl", path: "/verify-email" }
    })
  ],
  [newsletterConfirmationAsked.type]: [newsletterConfirmation],
  [newsletterWelcomed.type]: [newsletterWelcome],
  ...teamMailPlans,
  [resetMailAsked.type]: [
    withToken(resetMailAsked, {
      type: "PASSWORD_RESET",
      purpose: "reset",
      page: { link: "resetUrl", path: "/reset-password" }
    })
  ]
}
