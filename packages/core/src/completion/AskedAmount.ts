/** What a payment provider is asked for, and in which currency. Pure. */
import { chargeOf } from "../claim/PaymentPlan.ts"
import type { AskedPresentment } from "../fx/OrderPresentment.ts"
import { isConverting, presentmentOf } from "../fx/Presentment.ts"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import { isStorableMoney } from "../kernel/Money.ts"
import type { NewOrder } from "../order/Order.ts"
import { CurrencyChanged } from "../store/StoreErrors.ts"
import type { LoadedCheckout } from "../checkout/CheckoutReading.ts"
import { Effect } from "effect"

/** In minor units of the currency. */
export interface AskedAmount {
  readonly amount: bigint
  readonly currency: string
}

export const askedOf = (draft: NewOrder): AskedAmount =>
  draft.presentment === null
    ? { amount: chargeOf(draft), currency: draft.currency }
    : { amount: draft.presentment.amount, currency: draft.presentment.currency }

/**
 * A checkout whose region has another currency than it was presented in cannot be completed until it was changed, and
 * so read, again.
 */
export const checkPresented = ({
  store,
  checkout: { presentedIn, currency },
  quote: { region }
}: LoadedCheckout): Effect.Effect<void, CurrencyChanged> => {
  const regionCurrency = region?.currency ?? currency
  return presentedIn === null || presentedIn.currency === regionCurrency
    ? Effect.void
    : Effect.fail(
        new CurrencyChanged({ currency: presentedIn.currency, storeCurrency: store.currency, regionCurrency })
      )
}

/** How a provider is asked for what is due; null: in the checkout's own currency. */
export const presentmentAsked = Effect.fnUntraced(function* ({ checkout, quote }: LoadedCheckout) {
  const { presentedIn, currency } = checkout
  if (!isConverting(presentedIn)) return null
  const { due, total, subtotal } = presentmentOf(quote, currency, presentedIn)
  if (!isStorableMoney(total) || !isStorableMoney(subtotal))
    return yield* FieldRejected.at("total", "is more than an order can come to")
  const asked: AskedPresentment = {
    currency: presentedIn.currency,
    rate: presentedIn.rate,
    bufferPercent: presentedIn.bufferPercent,
    rounding: BigInt(presentedIn.rounding),
    amount: due
  }
  return asked
})
