/** What a storefront asks about paying for a checkout before and after it is completed. */
import { Clock, Context, Effect, Layer } from "effect"
import { checkCurrency } from "../cart/Cart.ts"
import type { CartAccess } from "../cart/Carts.ts"
import { formatMoney } from "../kernel/Money.ts"
import { OrderAlreadyPaid } from "../order/OrderErrors.ts"
import { OrderPlacement } from "../order/OrderPlacement.ts"
import { formatOrderNumber } from "../order/OrderView.ts"
import { PaymentProviders } from "../payment/PaymentProviders.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { type CheckoutState, statusAt } from "./Checkout.ts"
import { CheckoutNotEditable } from "./CheckoutErrors.ts"
import { Checkouts } from "./Checkouts.ts"

export class CheckoutPayments extends Context.Service<CheckoutPayments>()(
  "@effect-commerce/core/checkout/CheckoutPayments",
  {
    make: Effect.gen(function* () {
      const checkouts = yield* Checkouts
      const placement = yield* OrderPlacement
      const providers = yield* PaymentProviders

      const load = Effect.fnUntraced(function* (cachedStore: StoreContext, access: CartAccess, id: string) {
        const now = yield* Clock.currentTimeMillis
        const { store, checkout, quote } = yield* checkouts.load(cachedStore, access, id)
        const status = statusAt(checkout, now)
        // A late payment can make an order of an expired checkout: only a PENDING checkout certainly has none.
        const order = status === "PENDING" ? undefined : yield* placement.findByCheckout(store.id, id)
        return { store, checkout, status, quote, order }
      })

      return {
        /** The order's financial status, or the state of the checkout where there is no order. */
        status: Effect.fnUntraced(function* (store: StoreContext, access: CartAccess, id: string) {
          const { status, order } = yield* load(store, access, id)
          if (order === undefined) return { status: statusWords[status], orderId: null, orderNumber: null }
          return { status: order.financialStatus, orderId: order.id, orderNumber: formatOrderNumber(order.orderNumber) }
        }),
        /**
         * Returns how to pay through a provider; it charges, holds and changes nothing. The existing providers need
         * neither a client secret nor a page of their own.
         */
        begin: Effect.fn("CheckoutPayments.begin")(function* (
          cachedStore: StoreContext,
          access: CartAccess,
          id: string,
          providerId: string
        ) {
          const { store, checkout, status, quote, order } = yield* load(cachedStore, access, id)
          if (order !== undefined && order.capturedAmount > 0n) return yield* new OrderAlreadyPaid({ id: order.id })
          if (status !== "PENDING") return yield* new CheckoutNotEditable({ id, status })
          yield* checkCurrency(checkout, store)
          const provider = yield* providers.forMethod(providerId, access.isTest)
          const { currency } = checkout
          return {
            providerType: provider.code,
            clientSecret: null,
            redirectUrl: null,
            amount: formatMoney(quote.amountDue, currency),
            currency
          }
        })
      }
    })
  }
) {
  static readonly layer = Layer.effect(CheckoutPayments, CheckoutPayments.make)
}

const statusWords: Readonly<Record<CheckoutState["status"], string>> = {
  PENDING: "pending",
  PROCESSING: "processing",
  COMPLETED: "pending",
  EXPIRED: "expired",
  CANCELLED: "cancelled"
}
