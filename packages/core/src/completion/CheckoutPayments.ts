/** What a storefront asks about paying for a checkout: how the shopper pays, and what has become of it. */
import { Clock, Context, Effect, Layer } from "effect"
import type { CartAccess } from "../cart/Carts.ts"
import { formatMoney } from "../kernel/Money.ts"
import { OrderAlreadyPaid } from "../order/OrderErrors.ts"
import { OrderPlacement } from "../order/OrderPlacement.ts"
import { formatOrderNumber } from "../order/OrderView.ts"
import { ChargeLooks } from "../charge/ChargeLooks.ts"
import { Charges } from "../charge/Charges.ts"
import type { NextAction } from "../payment/PaymentProvider.ts"
import { PaymentProviders } from "../payment/PaymentProviders.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { type CheckoutState, statusAt } from "../checkout/Checkout.ts"
import { CheckoutNotEditable, ReservationExpired } from "../checkout/CheckoutErrors.ts"
import type { BeginPayment } from "../checkout/CheckoutInput.ts"
import { Checkouts } from "../checkout/Checkouts.ts"
import { Completion } from "./Completion.ts"
import { isAwaited } from "../checkout/paymentRelease.ts"

const noAction: NextAction = { redirectUrl: null, clientSecret: null }

/** Why a checkout cannot be paid for any more. */
const ended = (id: string, status: CheckoutState["status"], order: OrderMoney | undefined) => {
  if (order !== undefined && order.capturedAmount > 0n) return new OrderAlreadyPaid({ id: order.id })
  return status === "EXPIRED" ? new ReservationExpired({ id }) : new CheckoutNotEditable({ id, status })
}
type OrderMoney = { readonly id: string; readonly capturedAmount: bigint }

export class CheckoutPayments extends Context.Service<CheckoutPayments>()(
  "@effect-commerce/core/completion/CheckoutPayments",
  {
    make: Effect.gen(function* () {
      const checkouts = yield* Checkouts
      const completion = yield* Completion
      const placement = yield* OrderPlacement
      const providers = yield* PaymentProviders
      const charges = yield* Charges
      const looks = yield* ChargeLooks

      const read = Effect.fnUntraced(function* (cachedStore: StoreContext, access: CartAccess, id: string) {
        const now = yield* Clock.currentTimeMillis
        const { store, checkout, quote } = yield* checkouts.load(cachedStore, access, id)
        const status = statusAt(checkout, now)
        // A late payment can make an order of an expired checkout: only a PENDING checkout certainly has none.
        const order = status === "PENDING" ? undefined : yield* placement.findByCheckout(store.id, id)
        return { store, checkout, status, quote, order }
      })

      /** Where nothing has begun: it was paid meanwhile, or what another payment held pays for all of it now. */
      const stillDue = Effect.fnUntraced(function* (cachedStore: StoreContext, access: CartAccess, id: string) {
        const { status, order, quote } = yield* read(cachedStore, access, id)
        if (order !== undefined || status !== "PENDING") return yield* ended(id, status, order)
        return quote.amountDue
      })

      /** Of a checkout without an order. */
      const statusWord = Effect.fnUntraced(function* (
        store: StoreContext,
        id: string,
        status: CheckoutState["status"]
      ) {
        if (status !== "PROCESSING") return statusWords[status]
        return isAwaited(yield* charges.openOf(store.id, id)) ? ("awaiting_shopper" as const) : statusWords[status]
      })

      return {
        /**
         * The order's financial status, or the state of the checkout where there is no order. A shopper who comes back
         * from the provider makes us ask it, whichever browser he comes back in.
         */
        status: Effect.fnUntraced(function* (cachedStore: StoreContext, access: CartAccess, id: string) {
          const before = yield* read(cachedStore, access, id)
          const isOpen = before.order === undefined && before.status === "PROCESSING"
          if (isOpen) yield* looks.lookOnReturn(before.store, id)
          const { store, status, order } = isOpen ? yield* read(cachedStore, access, id) : before
          if (order === undefined)
            return { status: yield* statusWord(store, id, status), orderId: null, orderNumber: null }
          return { status: order.financialStatus, orderId: order.id, orderNumber: formatOrderNumber(order.orderNumber) }
        }),
        /**
         * Begins a payment at a provider: stock and tenders are held as at completion, and the charge exists before the
         * shopper pays. The same again returns the same charge. For payments outside of any system nothing begins.
         */
        begin: Effect.fn("CheckoutPayments.begin")(function* (
          cachedStore: StoreContext,
          access: CartAccess,
          id: string,
          { providerId, returnUrl = null }: typeof BeginPayment.Type
        ) {
          const { store, checkout, status, quote, order } = yield* read(cachedStore, access, id)
          if (order !== undefined || (status !== "PENDING" && status !== "PROCESSING"))
            return yield* ended(id, status, order)
          const regionId = quote.region?.id ?? null
          const { provider } = yield* providers.forMethod(store, providerId, { isTest: access.isTest, regionId })
          const isOffline = provider.kind === "manual" || quote.amountDue === 0n
          // Paying outside of any system begins nothing, and gives up what waits for the shopper.
          const begun =
            isOffline && status === "PENDING"
              ? undefined
              : yield* completion.beginPayment(store, access, id, { providerId, returnUrl })
          const due = begun === undefined && !isOffline ? yield* stillDue(cachedStore, access, id) : quote.amountDue
          const { amount, currency, ...nextAction } = begun ?? { ...noAction, amount: due, currency: checkout.currency }
          return { providerType: provider.code, ...nextAction, amount: formatMoney(amount, currency), currency }
        })
      }
    })
  }
) {
  static readonly layer = Layer.effect(CheckoutPayments, CheckoutPayments.make)
}

const statusWords = {
  PENDING: "pending",
  PROCESSING: "processing",
  COMPLETED: "pending",
  EXPIRED: "expired",
  CANCELLED: "cancelled"
} as const satisfies Readonly<Record<CheckoutState["status"], string>>
