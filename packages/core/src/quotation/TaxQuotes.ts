/** The taxes of amounts that a caller states: by the store's rates, or the installation's tax calculator. */
import { Clock, Context, Effect, Layer } from "effect"
import { Customers } from "../customer/Customers.ts"
import { amounts } from "../kernel/Amount.ts"
import { checkAll, checkEach, FieldRejected } from "../kernel/FieldRejected.ts"
import { formatMoney } from "../kernel/Money.ts"
import { checkoutTaxBreakdown } from "../pricing/TaxBreakdown.ts"
import { isStorable, type PricedLine, type PricingResult } from "../pricing/PricingResult.ts"
import { Quotes } from "../pricing/Quotes.ts"
import { unknownBuyer } from "../pricing/Quote.ts"
import type { Sellable } from "../pricing/Sellable.ts"
import { SellableRepository } from "../pricing/SellableRepository.ts"
import type { StatedLine } from "../pricing/TaxQuote.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { Stores } from "../store/Stores.ts"
import { TaxClasses } from "../tax/TaxClasses.ts"
import { quotedAddress, type TaxQuoteInput, type TaxQuoteView } from "./QuoteInput.ts"

/** What a line names, as the store has it. */
interface Named {
  readonly sellables: ReadonlyMap<string, Sellable>
  readonly taxClasses: ReadonlySet<string>
}

export class TaxQuotes extends Context.Service<TaxQuotes>()("@effect-commerce/core/quotation/TaxQuotes", {
  make: Effect.gen(function* () {
    const quotes = yield* Quotes
    const stores = yield* Stores
    const customers = yield* Customers
    const taxClasses = yield* TaxClasses
    const sellables = yield* SellableRepository

    const namedBy = Effect.fnUntraced(function* (store: StoreContext, { lines }: TaxQuoteInput, now: Date) {
      const productIds = [...new Set(lines.flatMap(({ productId }) => productId ?? []))]
      const refs = productIds.map((productId) => ({ productId, variantId: null, modifiers: [] }))
      const by = { storeId: store.id, channelId: null, locale: null }
      const found = refs.length === 0 ? [] : yield* sellables.find(by, refs, now)
      const named: Named = {
        sellables: new Map(
          found.flatMap((one) => (one === undefined || one.deleted ? [] : [[one.productId, one] as const]))
        ),
        taxClasses: yield* taxClasses.existing(
          store,
          lines.flatMap(({ taxClassId }) => taxClassId ?? [])
        )
      }
      return named
    })

    const buyerOf = Effect.fnUntraced(function* (store: StoreContext, { customerId }: TaxQuoteInput) {
      if (typeof customerId !== "string") return unknownBuyer
      const customer = yield* customers.find(store.id, customerId)
      return customer === undefined
        ? yield* FieldRejected.at("customerId", "is not a customer of this store")
        : { ...unknownBuyer, customerId, email: customer.email }
    })

    return {
      quote: Effect.fnUntraced(function* (known: StoreContext, input: TaxQuoteInput) {
        const store = yield* stores.fresh(known)
        const { currency } = store
        const named = yield* namedBy(store, input, new Date(yield* Clock.currentTimeMillis))
        const { lines, shippingAmount, buyer } = yield* checkAll({
          lines: checkEach(input.lines, (line, i) => lineOf(line, i, named, currency)),
          ids: checkIds(input),
          shippingAmount: amounts(currency)("shippingAmount", input.shippingAmount),
          buyer: buyerOf(store, input)
        })
        const address = quotedAddress(input.address)
        const stated = { currency, lines, shippingAmount: shippingAmount ?? null, address, buyer }
        const priced = yield* quotes.taxes(store, stated)
        if (!isStorable(priced)) return yield* FieldRejected.at("lines", "come to more than an order can")
        return viewOf(priced, currency)
      })
    }
  })
}) {
  static readonly layer = Layer.effect(TaxQuotes, TaxQuotes.make).pipe(Layer.provide(SellableRepository.layer))
}

const idOf = ({ id }: TaxQuoteInput["lines"][number], i: number): string => id ?? `line_${i + 1}`

const checkIds = ({ lines }: TaxQuoteInput) => {
  const ids = lines.map(idOf)
  return checkEach(ids, (id, i) =>
    ids.indexOf(id) === i ? Effect.void : FieldRejected.at(`lines.${i}.id`, "repeats the id of an earlier line")
  )
}

/** Whether the line names a product and a class of the store, and not both. */
const checkNamed = (
  { productId = null, taxClassId = null }: TaxQuoteInput["lines"][number],
  i: number,
  { sellables, taxClasses }: Named
): Effect.Effect<void, FieldRejected> => {
  if (productId !== null && !sellables.has(productId))
    return FieldRejected.at(`lines.${i}.productId`, "is not a product of this store")
  if (taxClassId === null) return Effect.void
  if (productId !== null) return FieldRejected.at(`lines.${i}.taxClassId`, "name the product or the class, not both")
  return taxClasses.has(taxClassId)
    ? Effect.void
    : FieldRejected.at(`lines.${i}.taxClassId`, "is not a tax class of this store")
}

const lineOf = Effect.fnUntraced(function* (
  line: TaxQuoteInput["lines"][number],
  i: number,
  named: Named,
  currency: string
) {
  const { amount } = yield* checkAll({
    named: checkNamed(line, i, named),
    amount: amounts(currency)(`lines.${i}.amount`, line.amount)
  })
  const { productId = null, taxClassId = null, quantity = 1 } = line
  const product = productId === null ? undefined : named.sellables.get(productId)
  const stated: StatedLine = {
    id: idOf(line, i),
    productId,
    amount: amount ?? 0n,
    quantity,
    taxClassId: product === undefined ? taxClassId : product.taxClassId,
    taxable: product?.taxExempt !== true
  }
  return stated
})

/** `total` of a line is its amount with the tax that is added: the rest of its tax is contained. */
const netOf = ({ subtotal, tax, total }: PricedLine): bigint => subtotal - (tax - (total - subtotal))

const viewOf = (priced: PricingResult, currency: string): TaxQuoteView => {
  const money = (minor: bigint) => formatMoney(minor, currency)
  return {
    currency,
    lines: priced.lines.map((line) => ({
      id: line.id,
      amount: money(line.subtotal),
      net: money(netOf(line)),
      tax: money(line.tax),
      rates: line.taxes.map(({ rateId, name, rate, amount }) => ({ id: rateId, name, rate, amount: money(amount) }))
    })),
    shippingTax: money(priced.shippingTax),
    totalTax: money(priced.taxAmount),
    total: money(priced.total),
    taxBreakdown: checkoutTaxBreakdown(priced, currency)
  }
}
