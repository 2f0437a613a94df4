/**
 * Invoices of draft orders: a mail to the buyer with a link, whose token opens a checkout of the draft. The token's
 * hash is stored, the token itself is in the mail alone. An invoice stands until it expires, a newer one is sent, or
 * the draft is changed.
 */
import { Clock, Context, Effect, Layer } from "effect"
import type { CartAccess } from "../cart/CartAccess.ts"
import { Checkouts } from "../checkout/Checkouts.ts"
import { randomSecret, sha256Hex } from "../crypto/Hashing.ts"
import { RootSecret } from "../crypto/RootSecret.ts"
import { mailTokenContext, mailTokenPurpose } from "../customer/CustomerEvents.ts"
import { Database } from "../database/Database.ts"
import { orFail } from "../database/Repository.ts"
import { normaliseEmail } from "../kernel/Address.ts"
import { parseAmount } from "../kernel/Money.ts"
import { chosenOf } from "../modifier/LineModifiers.ts"
import { Outbox } from "../outbox/Outbox.ts"
import { SalesChannels } from "../store/SalesChannels.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { Stores } from "../store/Stores.ts"
import { DraftCheckouts, type DraftToPay } from "./DraftCheckouts.ts"
import { type DraftInvoiceInput, type DraftOrderState, toDraftOrderView } from "./DraftOrder.ts"
import {
  DraftInvoiceNotPossible,
  DraftInvoiceUnknown,
  DraftOrderCompleted,
  DraftOrderNotFound
} from "./DraftOrderErrors.ts"
import { draftInvoiceAsked } from "./DraftOrderEvents.ts"
import { DraftOrderRepository } from "./DraftOrderRepository.ts"
import { checkCurrency, DraftOrders } from "./DraftOrders.ts"

/** How long an invoice can be paid by its link: 30 days, in milliseconds. */
const invoiceLifetime = 30 * 24 * 3_600_000

export class DraftInvoices extends Context.Service<DraftInvoices>()("@effect-commerce/core/draftorder/DraftInvoices", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* DraftOrderRepository
    const drafts = yield* DraftOrders
    const draftCheckouts = yield* DraftCheckouts
    const checkouts = yield* Checkouts
    const channels = yield* SalesChannels
    const stores = yield* Stores
    const secret = yield* RootSecret
    const outbox = yield* Outbox

    /** The channel that the draft's invoice is paid on: its own while the store has it, else the store's first. */
    const channelOf = ({ storeId, salesChannelId }: DraftOrderState) =>
      Effect.map(channels.list(storeId), (all) => (all.find(({ id }) => id === salesChannelId) ?? all[0])?.id ?? null)

    const send = Effect.fn("DraftInvoices.send")(function* (
      cachedStore: StoreContext,
      id: string,
      { to, subject, message }: DraftInvoiceInput
    ) {
      const now = yield* Clock.currentTimeMillis
      return yield* database.write(cachedStore.id)(
        Effect.gen(function* () {
          const store = yield* stores.fresh(cachedStore)
          const draft = yield* orFail(repository.lock(store.id, id), () => new DraftOrderNotFound({ id }))
          const order = yield* drafts.orderOf(store.id, id)
          if (order !== undefined) return yield* new DraftOrderCompleted({ id, orderId: order.id })
          yield* checkCurrency(draft, store)
          if (draft.currency !== store.currency) return yield* new DraftInvoiceNotPossible({ reason: "other_currency" })
          if (yield* draftCheckouts.areUsedUp(store.id, id))
            return yield* new DraftInvoiceNotPossible({ reason: "too_many_checkouts" })
          const email = typeof to === "string" ? normaliseEmail(to) : draft.email
          if (email === null) return yield* new DraftInvoiceNotPossible({ reason: "no_email" })
          const salesChannelId = yield* channelOf(draft)
          if (salesChannelId === null) return yield* new DraftInvoiceNotPossible({ reason: "no_channel" })
          const token = randomSecret("", 32)
          const expiresAt = new Date(now + invoiceLifetime)
          yield* repository.saveInvoice(store.id, id, {
            tokenHash: sha256Hex(token),
            sentAt: new Date(now),
            expiresAt
          })
          const sent = toDraftOrderView((yield* repository.find(store.id, id)) ?? draft, undefined)
          yield* outbox.append(store.id, draftInvoiceAsked, {
            draftId: id,
            email,
            salesChannelId,
            token: secret.seal(mailTokenPurpose, mailTokenContext(store.id, id), token),
            expiresAt: expiresAt.toISOString(),
            subject: subject ?? null,
            message: message ?? null,
            draft: sent
          })
          return sent
        })
      )
    })

    /** The checkout of an invoice: the one that is open, a new one, or the one that the draft was bought with. */
    const open = Effect.fn("DraftInvoices.open")(function* (
      cachedStore: StoreContext,
      access: CartAccess,
      token: string
    ) {
      const now = yield* Clock.currentTimeMillis
      const hash = sha256Hex(token)
      const found = repository.idByToken(cachedStore.id, hash, new Date(now))
      return yield* database.write(cachedStore.id)(
        Effect.gen(function* () {
          const unknown = () => new DraftInvoiceUnknown()
          const id = yield* orFail(found, unknown)
          const draft = yield* orFail(repository.lock(cachedStore.id, id), unknown)
          // Another invoice may have been sent, or the draft changed, before the lock.
          if ((yield* found) !== id || (yield* channelOf(draft)) !== access.salesChannelId) return yield* unknown()
          const order = yield* drafts.orderOf(cachedStore.id, id)
          if (order !== undefined && order.checkoutId === null)
            return yield* new DraftOrderCompleted({ id, orderId: order.id })
          const store = yield* stores.fresh(cachedStore)
          const checkoutId = order?.checkoutId ?? (yield* openCheckout(store, access, draft, now))
          if (checkoutId === undefined) return yield* unknown()
          return yield* Effect.orDie(checkouts.get(store, access, checkoutId))
        })
      )
    })

    const openCheckout = Effect.fnUntraced(function* (
      store: StoreContext,
      access: CartAccess,
      draft: DraftOrderState,
      now: number
    ) {
      yield* checkCurrency(draft, store)
      return yield* draftCheckouts.open(store, access, toPay(draft), now)
    })

    return { send, open }
  })
}) {
  static readonly layer = Layer.effect(DraftInvoices, DraftInvoices.make).pipe(
    Layer.provide(DraftOrderRepository.layer)
  )
}

/** The buyer's first and last name where both were given apart, else the whole of it as the first. */
const namesOf = (given: DraftOrderState["body"]["customer"], name: string | null) =>
  given === undefined || given.name !== undefined
    ? { firstName: name, lastName: null }
    : { firstName: given.firstName ?? null, lastName: given.lastName ?? null }

/** What the buyer of a draft pays. */
const toPay = ({ id, customerId, email, body, priced }: DraftOrderState): DraftToPay => {
  const { shippingAddress, billingAddress, customer, notes, currency } = priced
  const stated = (amount: number | string | undefined) => {
    const minor = amount === undefined ? undefined : parseAmount(amount, currency)
    return typeof minor === "bigint" ? String(minor) : null
  }
  return {
    id,
    customerId,
    externalId: body.externalId ?? null,
    sourceName: body.sourceName ?? null,
    email,
    customer: { ...namesOf(body.customer, customer.name ?? null), phone: customer.phone ?? null },
    shippingAddress,
    billingAddress,
    couponCode: body.couponCode ?? null,
    notes,
    discountAmount: stated(body.discountAmount),
    shippingAmount: stated(body.shippingAmount),
    taxAmount: stated(body.taxAmount),
    lines: priced.items.map(({ productId, variantId, quantity, unitPrice, name }, i) => ({
      productId,
      variantId,
      quantity,
      unitPrice,
      name: productId === null ? name : (body.items[i]?.name ?? null),
      modifiers: chosenOf(body.items[i]?.modifiers ?? [])
    }))
  }
}
