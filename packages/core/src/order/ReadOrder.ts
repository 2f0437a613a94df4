/** Bodies of orders as the use cases read them: amounts are minor units. */
import { Effect } from "effect"
import { wholeName } from "../kernel/Address.ts"
import { isCurrency } from "../kernel/Currency.ts"
import { checkAll, checkEach, FieldRejected } from "../kernel/FieldRejected.ts"
import { parseAmount } from "../kernel/Money.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import type { OrderInput, StorefrontOrderInput } from "./OrderInput.ts"

/** Amounts of a body as minor units. */
export const amounts = (currency: string) => (field: string, given: number | string | undefined) => {
  if (given === undefined) return Effect.undefined
  const minor = parseAmount(given, currency)
  return typeof minor === "bigint" ? Effect.succeed(minor) : FieldRejected.at(field, minor.message)
}

const nameOf = (customer: NonNullable<OrderInput["customer"]>): string | undefined =>
  customer.name ?? wholeName(customer) ?? undefined

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

/** A storefront's order, in the store's currency. */
export const readStorefrontOrder = (store: StoreContext, { customer, items, ...body }: StorefrontOrderInput) => {
  const amount = amounts(store.currency)
  const lines = checkEach(items, ({ price, variantId, ...item }, i) =>
    Effect.map(amount(`items.${i}.price`, price), (minor = 0n) => ({
      ...item,
      variantId: variantId ?? null,
      price: minor
    }))
  )
  const { email, phone } = customer
  const buyer = { email, name: nameOf(customer) ?? null, phone: phone ?? null }
  return Effect.map(lines, (read) => ({ ...body, items: read, customer: buyer }))
}
export type ReadStorefrontOrder = Effect.Success<ReturnType<typeof readStorefrontOrder>>
