/**
 * The checkouts of draft orders: whoever has the invoice of a draft pays it by a checkout that sells what was drafted,
 * at the prices of then. Its cart is empty and belongs to it alone: what locks a checkout locks its cart first. A draft
 * has one checkout at a time that can be completed, and a bounded number of them in all, since those that have ended
 * may make its order still, where money comes late. A write of the draft closes the one that is open.
 */
import { Context, Effect, Layer } from "effect"
import { adminCarts, type CartAccess } from "../cart/CartAccess.ts"
import { CartRepository } from "../cart/CartRepository.ts"
import { newCart } from "../cart/NewCart.ts"
import { nextVersion } from "../database/Precondition.ts"
import type { Address } from "../kernel/Address.ts"
import { makeId, makeSecretId } from "../kernel/Ids.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import {
  type CheckoutCustomer,
  type CheckoutLine,
  type CheckoutState,
  type DraftTerms,
  statusAt
} from "../checkout/Checkout.ts"
import { CheckoutPaymentRepository } from "../checkout/CheckoutPaymentRepository.ts"
import { CheckoutProcessing } from "../checkout/CheckoutErrors.ts"
import { makeCheckoutReading } from "../checkout/CheckoutReading.ts"
import { CheckoutRepository, type DraftCheckout } from "../checkout/CheckoutRepository.ts"
import { makeGiveUp } from "../checkout/paymentRelease.ts"

/** A draft has at most this many checkouts, with those that have expired or were cancelled. */
const maxDraftCheckouts = 100

/** A draft order as its checkout needs it. */
export interface DraftToPay extends DraftTerms {
  readonly id: string
  readonly email: string | null
  readonly customer: CheckoutCustomer
  readonly shippingAddress: Address | null
  readonly billingAddress: Address | null
  readonly couponCode: string | null
  readonly notes: string | null
  readonly lines: ReadonlyArray<
    Pick<CheckoutLine, "productId" | "variantId" | "name" | "quantity" | "unitPrice" | "modifiers">
  >
}

export class DraftCheckouts extends Context.Service<DraftCheckouts>()(
  "@effect-commerce/core/draftorder/DraftCheckouts",
  {
    make: Effect.gen(function* () {
      const repository = yield* CheckoutRepository
      const carts = yield* CartRepository
      const giveUp = yield* makeGiveUp
      const { load, presentedIn } = yield* makeCheckoutReading

      const make = Effect.fnUntraced(function* (
        store: StoreContext,
        access: CartAccess,
        draft: DraftToPay,
        now: number
      ) {
        // Whoever has the link pays: the cart and the checkout are nobody's.
        const cart = yield* carts.insert(
          store.id,
          newCart(store, { ...access, customerId: null }, { locale: null, now })
        )
        const made = checkoutOf(store, { cartId: cart.id, access, draft }, now)
        yield* repository.insert(store.id, made)
        const { checkout, quote } = yield* Effect.orDie(load(store, adminCarts, made.id))
        yield* repository.save(
          store.id,
          made.id,
          { presentedIn: yield* presentedIn(store, checkout, quote) },
          made.updatedAt
        )
        return made.id
      })

      return {
        /**
         * The id of the checkout that pays the draft: the one that is open, or a new one; undefined where it has had as
         * many as a draft may have. Inside the transaction that has locked the draft.
         */
        open: Effect.fn("DraftCheckouts.open")(function* (
          store: StoreContext,
          access: CartAccess,
          draft: DraftToPay,
          now: number
        ) {
          const existing = yield* repository.lockOfDraft(store.id, draft.id)
          const open = existing.find((checkout) => isOpen(checkout, now))
          if (open !== undefined) return open.id
          return existing.length < maxDraftCheckouts ? yield* make(store, access, draft, now) : undefined
        }),
        /** Whether the draft has had as many checkouts as it may have: an invoice of it would open none. */
        areUsedUp: (storeId: string, draftId: string) =>
          Effect.map(repository.countOfDraft(storeId, draftId), (count) => count >= maxDraftCheckouts),
        /**
         * Cancels the checkout that is open, and gives up a payment that only waits for the shopper; fails while one is
         * under way. All checkouts of the draft are locked from here on, so none of them makes an order meanwhile.
         * Inside the transaction that has locked the draft.
         */
        close: Effect.fn("DraftCheckouts.close")(function* (store: StoreContext, draftId: string, now: number) {
          for (const checkout of yield* repository.lockOfDraft(store.id, draftId)) {
            const { id, status, updatedAt } = checkout
            const isReopened = status === "PROCESSING" && (yield* giveUp(store, checkout, now))
            if (status === "PROCESSING" && !isReopened) return yield* new CheckoutProcessing({ id })
            if (status === "PENDING" || isReopened)
              yield* repository.save(store.id, id, { status: "CANCELLED" }, nextVersion(updatedAt, now))
          }
        })
      }
    })
  }
) {
  static readonly layer = Layer.effect(DraftCheckouts, DraftCheckouts.make).pipe(
    Layer.provide([CheckoutRepository.layer, CheckoutPaymentRepository.layer, CartRepository.layer])
  )
}

const isOpen = (checkout: DraftCheckout, now: number): boolean => {
  const status = statusAt(checkout, now)
  return status === "PENDING" || status === "PROCESSING"
}

const checkoutOf = (
  store: StoreContext,
  { cartId, access, draft }: { readonly cartId: string; readonly access: CartAccess; readonly draft: DraftToPay },
  now: number
): CheckoutState => {
  const { lines, email, customer, shippingAddress, billingAddress, couponCode, notes, ...terms } = draft
  const at = new Date(now)
  return {
    email,
    customer,
    shippingAddress,
    billingAddress,
    couponCode,
    notes,
    id: makeSecretId("chk", now),
    cartId,
    salesChannelId: access.salesChannelId,
    customerId: null,
    status: "PENDING",
    attempt: 1,
    deliveryType: "shipping",
    shippingRateId: null,
    regionId: null,
    currency: store.currency,
    presentedIn: null,
    locale: null,
    tenders: [],
    customFieldValues: {},
    draft: terms,
    expiresAt: new Date(now + store.checkoutLifetimeMinutes * 60_000),
    recoveryEmailSentAt: null,
    createdAt: at,
    updatedAt: at,
    rulesVersion: store.rulesVersion,
    holding: {},
    reservedUntil: null,
    competing: null,
    lines: lines.map((line) => ({
      ...line,
      id: makeId("line", now),
      cartItemId: null,
      notes: null,
      metadata: {},
      customizations: {},
      offer: null,
      sellable: null
    }))
  }
}
