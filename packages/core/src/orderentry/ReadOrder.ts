/** The body of an order that an admin key enters, as the use cases read it: amounts are minor units. */
import { Effect } from "effect"
import { amounts } from "../kernel/Amount.ts"
import { isCurrency } from "../kernel/Currency.ts"
import { checkAll, checkEach, FieldRejected } from "../kernel/FieldRejected.ts"
import { nameOf } from "../order/OrderFields.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import type { OrderInput } from "./OrderInput.ts"

/** An order in its own currency: the store's unless the body has another. */
export const readOrder = Effect.fnUntraced(function* (store: StoreContext, body: OrderInput) {
  const currency = body.currency ?? store.currency
  // The number of decimals depends on the currency: with an invalid currency, amounts are not checked.
  const amount = isCurrency(currency) ? amounts(currency) : () => Effect.undefined
  const { customer, couponCode, discountAmount, shippingAmount, taxAmount, items, ...rest } = body
  const read = yield* checkAll({
    items: checkEach(items, ({ price, variantId, ...item }, i) =>
      Effect.map(amount(`items.${i}.price`, price), (minor) => ({
        ...item,
        variantId: variantId ?? undefined,
        price: minor
      }))
    ),
    currency: isCurrency(currency)
      ? Effect.succeed(currency)
      : FieldRejected.at("currency", "must be an ISO 4217 code such as USD"),
    discountAmount: amount("discountAmount", discountAmount),
    shippingAmount: amount("shippingAmount", shippingAmount),
    taxAmount: amount("taxAmount", taxAmount)
  })
  return {
    ...rest,
    ...read,
    couponCode: couponCode ?? undefined,
    customer: customer === undefined ? undefined : { ...customer, name: nameOf(customer) }
  }
})
export type ReadOrder = Effect.Success<ReturnType<typeof readOrder>>
