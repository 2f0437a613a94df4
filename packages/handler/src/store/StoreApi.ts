/** Store settings and sales channels (interface.md, Store; completions.md 2.16 and Money). */
import { listEnvelope, pageQuery } from "@effect-commerce/core/kernel/Pagination"
import { SalesChannel } from "@effect-commerce/core/store/SalesChannel"
import {
  CustomerVerification,
  LateCapture,
  ReservationStrategy,
  StackRounding,
  TaxRounding,
  TaxRoundingMode
} from "@effect-commerce/core/store/StoreContext"
import { optionalText, text } from "@effect-commerce/core/kernel/Fields"
import { CurrencyInUse, SalesChannelNotFound } from "@effect-commerce/core/store/StoreErrors"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { fails } from "../middleware/DeclaredErrors.ts"
import { adminRoute } from "../middleware/Policy.ts"
import { row } from "../middleware/Versioned.ts"

const reservation = Schema.Struct({ strategy: ReservationStrategy, minutes: Schema.Int })
const minutes = Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 1, maximum: 525_600 })))

/** Lifetimes are minutes. */
export const StoreView = Schema.Struct({
  id: Schema.String,
  accountId: Schema.String,
  connectedPlatforms: Schema.Array(Schema.String),
  name: Schema.String,
  currency: Schema.String,
  country: Schema.String,
  languages: Schema.Array(Schema.String),
  timezone: Schema.String,
  priceIncludesTax: Schema.Boolean,
  taxRounding: TaxRounding,
  taxRoundingMode: TaxRoundingMode,
  stackRounding: StackRounding,
  reservation,
  customerVerification: CustomerVerification,
  lateCapture: LateCapture,
  cartLifetimeMinutes: Schema.Int,
  checkoutLifetimeMinutes: Schema.Int,
  abandonedAfterMinutes: Schema.Int,
  recoveryAfterMinutes: Schema.Int,
  updatedAt: Schema.String
})
export type StoreView = typeof StoreView.Type

export const StorePatch = Schema.Struct({
  name: Schema.optionalKey(text(200)),
  currency: Schema.optionalKey(text(200)),
  country: Schema.optionalKey(text(200)),
  languages: Schema.optionalKey(
    Schema.Array(Schema.String.pipe(Schema.check(Schema.isPattern(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/))))
  ),
  timezone: Schema.optionalKey(text(200)),
  priceIncludesTax: Schema.optionalKey(Schema.Boolean),
  taxRounding: Schema.optionalKey(TaxRounding),
  taxRoundingMode: Schema.optionalKey(TaxRoundingMode),
  stackRounding: Schema.optionalKey(StackRounding),
  reservation: Schema.optionalKey(
    Schema.Struct({
      strategy: Schema.optionalKey(ReservationStrategy),
      minutes: Schema.optionalKey(Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 1, maximum: 10_080 }))))
    })
  ),
  customerVerification: Schema.optionalKey(CustomerVerification),
  lateCapture: Schema.optionalKey(LateCapture),
  cartLifetimeMinutes: Schema.optionalKey(minutes),
  checkoutLifetimeMinutes: Schema.optionalKey(minutes),
  abandonedAfterMinutes: Schema.optionalKey(minutes),
  recoveryAfterMinutes: Schema.optionalKey(minutes)
})

const scopes = Schema.Struct({
  storefrontRead: Schema.optionalKey(Schema.Boolean),
  cart: Schema.optionalKey(Schema.Boolean),
  customerAuth: Schema.optionalKey(Schema.Boolean),
  ordersWrite: Schema.optionalKey(Schema.Boolean)
})
const channelFields = {
  domain: optionalText(253),
  mode: Schema.optionalKey(Schema.Literals(["live", "test"])),
  scopes: Schema.optionalKey(scopes)
}

export const Success = Schema.Struct({ success: Schema.Literal(true) })
const id = { id: Schema.String }

export class StoreGroup extends apiGroup("store", {
  part: "Admin",
  title: "Store",
  description: "The settings of a store."
}).add(
  HttpApiEndpoint.get("get", "/v1/store", { success: StoreView }).pipe(adminRoute()),
  HttpApiEndpoint.patch("update", "/v1/store", {
    payload: StorePatch,
    success: StoreView,
    error: fails(FieldRejected, CurrencyInUse)
  }).pipe(adminRoute({ version: row("store") }))
) {}

export class SalesChannelsGroup extends apiGroup("salesChannels", {
  part: "Admin",
  title: "Sales channels",
  description: "The storefronts of a store: their domains, and what each lets shoppers do."
}).add(
  HttpApiEndpoint.get("list", "/v1/sales-channels", { query: pageQuery, success: listEnvelope(SalesChannel) }).pipe(
    adminRoute()
  ),
  HttpApiEndpoint.post("create", "/v1/sales-channels", {
    payload: Schema.Struct({ name: text(200), ...channelFields }),
    success: SalesChannel.pipe(HttpApiSchema.status(201)),
    error: fails(FieldRejected)
  }).pipe(adminRoute()),
  HttpApiEndpoint.get("get", "/v1/sales-channels/:id", {
    params: id,
    success: SalesChannel,
    error: fails(SalesChannelNotFound)
  }).pipe(adminRoute()),
  HttpApiEndpoint.patch("update", "/v1/sales-channels/:id", {
    params: id,
    payload: Schema.Struct({ name: Schema.optionalKey(text(200)), ...channelFields }),
    success: SalesChannel,
    error: fails(SalesChannelNotFound, FieldRejected)
  }).pipe(adminRoute({ version: row("salesChannel", "id") })),
  HttpApiEndpoint.delete("remove", "/v1/sales-channels/:id", {
    params: id,
    success: Success,
    error: fails(SalesChannelNotFound)
  }).pipe(adminRoute({ version: row("salesChannel", "id") }))
) {}

export const storeGroups = [StoreGroup, SalesChannelsGroup] as const
