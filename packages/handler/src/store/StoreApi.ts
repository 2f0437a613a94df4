/** Store settings and sales channels. */
import { listEnvelope, pageQuery } from "@effect-commerce/core/kernel/Pagination"
import { ChannelMode, SalesChannel } from "@effect-commerce/core/store/SalesChannel"
import {
  CustomerVerification,
  LateCapture,
  ReservationStrategy,
  StackRounding,
  TaxRounding,
  TaxRoundingMode
} from "@effect-commerce/core/store/StoreContext"
import {
  arrayOf,
  boolean,
  described,
  integer,
  optional,
  string,
  text,
  timestamp
} from "@effect-commerce/core/kernel/Fields"
import { CurrencyInUse, SalesChannelNotFound } from "@effect-commerce/core/store/StoreErrors"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { adminRoute } from "../middleware/Policy.ts"
import { Success } from "../middleware/Responses.ts"
import { row } from "../middleware/Versioned.ts"
import { storeErrors } from "./storeErrors.ts"

const fails = failsBy(storeErrors)

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

/** Lifetimes are minutes. */
export const StoreView = Schema.Struct({
  id: string("Id of the store.", "store_01m80xf46ytpaesbq3tpc4sw1t"),
  accountId: string("The account that owns the store."),
  connectedPlatforms: arrayOf(Schema.String, "Codes of the platforms that installed apps connect; empty without one."),
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
export type StoreView = typeof StoreView.Type

const language = Schema.String.pipe(
  Schema.check(
    Schema.isPattern(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, { message: "must be a language tag such as de or pt-BR" })
  )
)
const minutes = Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 1, maximum: 525_600 })))

const StorePatch = Schema.Struct({
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

const Switches = Schema.Struct({
  storefrontRead: optional(Schema.Boolean, "Products, categories and shipping destinations can be read."),
  cart: optional(Schema.Boolean, "Carts and checkouts can be used."),
  customerAuth: optional(Schema.Boolean, "Customers can register, sign in and see their account."),
  ordersWrite: optional(Schema.Boolean, "Orders can be placed.")
}).annotate({
  identifier: "SalesChannelScopes",
  description: "Which parts of the storefront interface are on. An absent one stays as it is; a new channel has all on."
})
const channelName = described(text(200), "Name for the merchant.", "Web shop")
const channelFields = {
  domain: optional(
    Schema.NullOr(text(253)),
    "Host name of the storefront, without scheme, port and path; null removes it. Subdomains are included.",
    "shop.example.com"
  ),
  mode: optional(ChannelMode, "test also offers the test payment provider. live needs a domain to be reachable."),
  scopes: Schema.optionalKey(Switches)
}
const NewSalesChannel = Schema.Struct({ name: channelName, ...channelFields }).annotate({
  identifier: "NewSalesChannel",
  description: "A sales channel to create."
})
const ChangeSalesChannel = Schema.Struct({ name: Schema.optionalKey(channelName), ...channelFields }).annotate({
  identifier: "ChangeSalesChannel",
  description: "What to change. An absent field stays as it is."
})

const id = { id: string("The sales channel.", "vc_01m80xf47r2bsbq05ytyt41mhj") }

export class StoreGroup extends apiGroup("store", {
  part: "Admin",
  title: "Store",
  description: "The settings of a store."
}).add(
  HttpApiEndpoint.get("get", "/v1/store", { success: StoreView }).pipe(
    adminRoute({
      summary: "Get the store",
      description: "Returns the store that the key works for, with its settings."
    })
  ),
  HttpApiEndpoint.patch("update", "/v1/store", {
    payload: StorePatch,
    success: StoreView,
    error: fails(FieldRejected, CurrencyInUse)
  }).pipe(
    adminRoute({
      version: row("store"),
      summary: "Change the store",
      description:
        "Changes settings. They apply to the next request that prices something, in every server. The currency can " +
        "only change while nothing in the store has an amount. Carts and checkouts keep the currency that they began " +
        "in."
    })
  )
) {}

export class SalesChannelsGroup extends apiGroup("salesChannels", {
  part: "Admin",
  title: "Sales channels",
  description: "The storefronts of a store: their domains, and what each lets shoppers do."
}).add(
  HttpApiEndpoint.get("list", "/v1/sales-channels", { query: pageQuery, success: listEnvelope(SalesChannel) }).pipe(
    adminRoute({ summary: "List sales channels", description: "Returns the sales channels of the store, in pages." })
  ),
  HttpApiEndpoint.post("create", "/v1/sales-channels", {
    payload: NewSalesChannel,
    success: SalesChannel.pipe(HttpApiSchema.status(201)),
    error: fails(FieldRejected)
  }).pipe(
    adminRoute({
      summary: "Create a sales channel",
      description:
        "Creates a storefront. Its id is part of every storefront path. In live mode it accepts only requests from " +
        "its domain; in test mode without a domain it accepts any origin."
    })
  ),
  HttpApiEndpoint.get("get", "/v1/sales-channels/:id", {
    params: id,
    success: SalesChannel,
    error: fails(SalesChannelNotFound)
  }).pipe(
    adminRoute({
      summary: "Get a sales channel",
      description: "Returns one sales channel: its domain, its mode, and what its storefront may do."
    })
  ),
  HttpApiEndpoint.patch("update", "/v1/sales-channels/:id", {
    params: id,
    payload: ChangeSalesChannel,
    success: SalesChannel,
    error: fails(SalesChannelNotFound, FieldRejected)
  }).pipe(
    adminRoute({
      version: row("salesChannel", "id"),
      summary: "Change a sales channel",
      description:
        "Changes the name, domain, mode or scopes. Other servers of the same installation follow within five " +
        "seconds. A storefront call to a part that is switched off is 403 INSUFFICIENT_PERMISSION."
    })
  ),
  HttpApiEndpoint.delete("remove", "/v1/sales-channels/:id", {
    params: id,
    success: Success,
    error: fails(SalesChannelNotFound)
  }).pipe(
    adminRoute({
      version: row("salesChannel", "id"),
      summary: "Delete a sales channel",
      description: "Deletes a storefront; requests to it are 404 from then on. Its orders stay."
    })
  )
) {}
