/** Quotes apart from a checkout: what is asked, and what taxes or ways of shipping come to. */
import { Schema } from "effect"
import { AddressInput, type Address, toAddress } from "../kernel/Address.ts"
import {
  arrayOf,
  boolean,
  clearable,
  Decimal,
  described,
  money,
  nullable,
  optional,
  Reference,
  string,
  text
} from "../kernel/Fields.ts"
import { CheckoutTaxBreakdown } from "../pricing/TaxBreakdown.ts"
import { maxLineQuantity } from "../pricing/Quote.ts"
import { ShippingMethodView } from "../checkout/CheckoutView.ts"

const mostLines = 500
const listOf = <S extends Schema.Top>(item: S) =>
  Schema.Array(item).pipe(Schema.check(Schema.isMinLength(1), Schema.isMaxLength(mostLines)))

const quantity = Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 1, maximum: maxLineQuantity })))

/** Of an address only the country is needed; a postal code or a region decides more. */
const QuoteAddress = Schema.Struct({
  ...AddressInput.fields,
  line1: clearable(text(300), "Street and house number.", "12 Market Street"),
  city: clearable(text(200), "City or town.", "San Francisco")
}).annotate({
  identifier: "QuoteAddress",
  description: "Where a sale goes: the country, and what else is known. An address of a checkout can be sent as it is."
})

export const quotedAddress = ({ line1, city, ...address }: typeof QuoteAddress.Type): Address =>
  toAddress({ ...address, line1: line1 ?? "", city: city ?? "" })

export const TaxQuoteInput = Schema.Struct({
  address: QuoteAddress,
  lines: described(
    listOf(
      Schema.Struct({
        id: optional(text(200), "What the response calls the line; `line_1` and so on where it is left out.", "lamp"),
        productId: clearable(Reference, "The product that is sold: its class, or its exemption, decides."),
        taxClassId: clearable(Reference, "In place of a product: a tax class. Without either, the Standard class."),
        amount: described(
          Decimal,
          "What all units of the line cost after discounts, with the tax where the store's rates are inclusive.",
          "39.98"
        ),
        quantity: optional(quantity, "How many units that is: it decides where tax is rounded by unit. 1 by default.")
      }).annotate({ identifier: "TaxQuoteLineInput", description: "An amount to be taxed." })
    ),
    "What is sold."
  ),
  shippingAmount: clearable(Decimal, "What shipping costs: it is taxed as the Standard class.", "5.00"),
  customerId: clearable(Reference, "The customer who buys, for a tax calculator that knows customers.")
}).annotate({ identifier: "QuoteTaxes", description: "Amounts to be taxed at an address." })
export type TaxQuoteInput = typeof TaxQuoteInput.Type

export const TaxQuoteView = Schema.Struct({
  currency: string("ISO 4217 currency of all amounts: the store's.", "USD"),
  lines: arrayOf(
    Schema.Struct({
      id: string("Id of the line, as it was sent.", "lamp"),
      amount: money("The amount that was sent.", "39.98"),
      net: money("The amount without the tax that it contains.", "39.98"),
      tax: money("All tax of the line, contained in the amount or added to it.", "3.55"),
      rates: arrayOf(
        Schema.Struct({
          id: string("Id of the tax rate."),
          name: string("Name of the tax rate.", "Sales tax"),
          rate: string("The percentage as a decimal string.", "8.875"),
          amount: money("Tax of the line by this rate.", "3.55")
        }).annotate({ identifier: "TaxQuoteRate", description: "Tax of one line by one rate." }),
        "The rates that apply, also those of 0 %."
      )
    }).annotate({ identifier: "TaxQuoteLine", description: "The taxes of one line." }),
    "The lines, in the order in which they were sent."
  ),
  shippingTax: money("The part of the tax that is on shipping.", "0.44"),
  totalTax: money("All tax.", "3.99"),
  total: money("The amounts, shipping, and the tax that is added to them.", "48.97"),
  taxBreakdown: CheckoutTaxBreakdown
}).annotate({ identifier: "TaxQuote", description: "The taxes of amounts at an address." })
export type TaxQuoteView = typeof TaxQuoteView.Type

export const ShippingQuoteInput = Schema.Struct({
  address: QuoteAddress,
  items: described(
    listOf(
      Schema.Struct({
        productId: described(Reference, "The product to ship."),
        variantId: clearable(Reference, "The variant, of a product that is sold by its variants."),
        quantity: described(quantity, "How many units.", 2)
      }).annotate({ identifier: "ShippingQuoteItem", description: "A product to ship." })
    ),
    "What is shipped. Downloads weigh nothing and need no shipping."
  ),
  subtotal: clearable(
    Decimal,
    "What rates compare with their minimum and their price tiers. The sum of today's prices by default.",
    "39.98"
  )
}).annotate({ identifier: "QuoteShipping", description: "What to ship, and where." })
export type ShippingQuoteInput = typeof ShippingQuoteInput.Type

export const ShippingQuoteView = Schema.Struct({
  zone: nullable(
    Schema.Struct({
      id: string("Id of the shipping zone."),
      name: string("Name of the shipping zone.", "United States")
    }).annotate({ identifier: "QuotedZone", description: "The shipping zone that serves an address." }),
    "The shipping zone that serves the address; null where none does, or nothing is to be shipped."
  ),
  unserved: boolean("Whether the store ships somewhere, and not to this address."),
  rates: arrayOf(
    ShippingMethodView,
    "What a checkout of these items offers as `availableShippingRates`: the cheapest first, of equal prices the " +
      "fastest."
  )
}).annotate({ identifier: "ShippingQuote", description: "The ways to ship items to an address." })
export type ShippingQuoteView = typeof ShippingQuoteView.Type
