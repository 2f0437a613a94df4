/** A store and its settings as the API returns them, and the body that changes them. */
import { Schema } from "effect"
import { arrayOf, boolean, described, integer, optional, string, text, timestamp } from "../kernel/Fields.ts"

const TaxRounding = Schema.Literals(["line", "unit", "order"])
const TaxRoundingMode = Schema.Literals(["half_up", "half_even", "half_down"])
const StackRounding = Schema.Literals(["combined", "each"])
export const ReservationStrategy = Schema.Literals(["ON_PAYMENT", "ON_CART"])
const CustomerVerification = Schema.Literals(["off", "required"])
const LateCapture = Schema.Literals(["create_order", "refund"])

const strategy = described(
  ReservationStrategy,
  "When stock is held. ON_PAYMENT: when a checkout completes. ON_CART: as soon as a line is in a cart."
)
const settings = {
  taxRounding: described(TaxRounding, "Where tax is rounded: for each line, for each unit, or once for the order."),
  taxRoundingMode: described(TaxRoundingMode, "How half of the smallest unit is rounded."),
  stackRounding: described(
    StackRounding,
    "How several tax rates on one line are rounded: combined and then split, or each by itself."
  ),
  customerVerification: described(
    CustomerVerification,
    "Whether customers must confirm their e-mail address before they can sign in."
  ),
  lateCapture: described(
    LateCapture,
    "What happens to money that arrives after its checkout has ended: an order is created, or it is refunded."
  )
}
const sentences = {
  name: "Name of the store.",
  currency: "Currency of all prices: ISO 4217.",
  country: "Country of the store: ISO 3166-1 alpha-2.",
  languages: "Languages of the store: BCP 47. The first is the default.",
  timezone: "Time zone of the store: IANA.",
  priceIncludesTax: "Whether new tax rates are contained in prices, unless they say otherwise.",
  cartLifetimeMinutes: "Minutes until an unused cart expires.",
  checkoutLifetimeMinutes: "Minutes until a checkout that is not completed expires.",
  abandonedAfterMinutes: "Minutes without a change until a cart counts as abandoned.",
  recoveryAfterMinutes: "Minutes after that until a mail reminds the shopper."
}

const Reservation = Schema.Struct({
  strategy,
  minutes: integer("For how many minutes stock is held.", 15)
}).annotate({ identifier: "ReservationSettings", description: "When and for how long stock is held for a shopper." })

/** On the wire. Lifetimes are minutes. */
export const Store = Schema.Struct({
  id: string("Id of the store.", "store_01m80xf46ytpaesbq3tpc4sw1t"),
  accountId: string("The account that owns the store."),
  connectedPlatforms: arrayOf(
    Schema.String,
    "Codes of the platforms that installed apps have mappings for, at most 100 of them; empty without one."
  ),
  name: string(sentences.name, "Demo store"),
  currency: string(sentences.currency, "USD"),
  country: string(sentences.country, "US"),
  languages: arrayOf(Schema.String, sentences.languages),
  timezone: string(sentences.timezone, "Europe/Berlin"),
  priceIncludesTax: boolean(sentences.priceIncludesTax),
  ...settings,
  reservation: Reservation,
  cartLifetimeMinutes: integer(sentences.cartLifetimeMinutes, 43_200),
  checkoutLifetimeMinutes: integer(sentences.checkoutLifetimeMinutes, 1_440),
  abandonedAfterMinutes: integer(sentences.abandonedAfterMinutes, 240),
  recoveryAfterMinutes: integer(sentences.recoveryAfterMinutes, 60),
  updatedAt: timestamp("When the settings last changed. It is the version that If-Match names.")
}).annotate({ identifier: "Store", description: "A store and its settings." })
export type Store = typeof Store.Type

const language = Schema.String.pipe(
  Schema.check(
    Schema.isPattern(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, { message: "must be a language tag such as de or pt-BR" })
  )
)
const minutes = Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 1, maximum: 525_600 })))

export const StorePatch = Schema.Struct({
  name: optional(text(200), sentences.name),
  currency: optional(
    text(200),
    sentences.currency + " 409 CONFLICT while the store has products, rates or other things with amounts.",
    "USD"
  ),
  country: optional(text(200), sentences.country, "US"),
  languages: optional(Schema.Array(language), sentences.languages, ["en", "de"]),
  timezone: optional(text(200), sentences.timezone, "Europe/Berlin"),
  priceIncludesTax: optional(Schema.Boolean, sentences.priceIncludesTax),
  taxRounding: Schema.optionalKey(settings.taxRounding),
  taxRoundingMode: Schema.optionalKey(settings.taxRoundingMode),
  stackRounding: Schema.optionalKey(settings.stackRounding),
  reservation: Schema.optionalKey(
    Schema.Struct({
      strategy: Schema.optionalKey(strategy),
      minutes: optional(
        Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 1, maximum: 10_080 }))),
        "For how many minutes stock is held, a week at most.",
        15
      )
    }).annotate({ identifier: "ChangeReservationSettings", description: "An absent field stays as it is." })
  ),
  customerVerification: Schema.optionalKey(settings.customerVerification),
  lateCapture: Schema.optionalKey(settings.lateCapture),
  cartLifetimeMinutes: optional(minutes, sentences.cartLifetimeMinutes, 43_200),
  checkoutLifetimeMinutes: optional(minutes, sentences.checkoutLifetimeMinutes, 1_440),
  abandonedAfterMinutes: optional(minutes, sentences.abandonedAfterMinutes, 240),
  recoveryAfterMinutes: optional(minutes, sentences.recoveryAfterMinutes, 60)
}).annotate({ identifier: "ChangeStore", description: "Settings to change. An absent field stays as it is." })
export type StorePatch = typeof StorePatch.Type
