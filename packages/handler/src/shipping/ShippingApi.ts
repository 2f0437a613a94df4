/**
 * Shipping zones and their rates, and what a storefront sees of them (interface.md, Shipping zone and rate;
 * completions.md 2.14 and Money).
 */
import { listEnvelope, pageQuery } from "@effect-commerce/core/kernel/Pagination"
import { PickupLocation } from "@effect-commerce/core/shipping/PickupLocation"
import { ShippingClass } from "@effect-commerce/core/shipping/ShippingClass"
import {
  ShippingClassInUse,
  ShippingClassNotFound,
  ShippingClassTaken,
  ShippingRateNotFound,
  ShippingRateRejected,
  ShippingZoneNotFound,
  ShippingZoneRejected
} from "@effect-commerce/core/shipping/ShippingErrors"
import {
  ShippingClassCalculation,
  ShippingRate,
  ShippingRateType,
  ShippingTaxStatus
} from "@effect-commerce/core/shipping/ShippingRate"
import { ShippingZone } from "@effect-commerce/core/shipping/ShippingZone"
import { text } from "@effect-commerce/core/kernel/Fields"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { fails } from "../middleware/DeclaredErrors.ts"
import { adminRoute, channelRoute } from "../middleware/Policy.ts"
import { row } from "../middleware/Versioned.ts"
import { Success } from "../store/StoreApi.ts"

const optional = Schema.optionalKey
const nullable = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

const texts = Schema.Array(Schema.String)
const listsByCountry = Schema.Record(Schema.String, texts)
/** A number or a decimal string, in major units. */
const money = Schema.Union([Schema.Finite, Schema.String])

const zoneFields = {
  regions: nullable(listsByCountry),
  postalCodes: nullable(listsByCountry),
  geometry: nullable(Schema.Json),
  geometryLabels: nullable(texts),
  regionIds: nullable(texts),
  salesChannelIds: nullable(texts),
  priority: optional(Schema.Int),
  isActive: optional(Schema.Boolean)
}

const rateFields = {
  description: nullable(Schema.String),
  rateConfig: optional(Schema.Json),
  minDeliveryDays: nullable(Schema.Int),
  maxDeliveryDays: nullable(Schema.Int),
  handlingTime: nullable(Schema.Int),
  taxStatus: optional(ShippingTaxStatus),
  minOrderAmount: nullable(money),
  maxCost: nullable(money),
  classCosts: nullable(Schema.Record(Schema.String, money)),
  classCalculationType: optional(ShippingClassCalculation),
  isActive: optional(Schema.Boolean)
}

const zoneId = { zoneId: Schema.String }
const zoneAndRate = { ...zoneId, rateId: Schema.String }
const channelId = { salesChannelId: Schema.String }

export class ShippingZonesGroup extends apiGroup("shippingZones", {
  part: "Admin",
  title: "Shipping zones",
  description: "Where a store delivers, and at which rates."
}).add(
  HttpApiEndpoint.get("list", "/v1/shipping/zones", {
    query: {
      ...pageQuery,
      search: optional(text(200)),
      isActive: optional(Schema.Literals(["true", "false"])),
      sortBy: optional(Schema.String),
      sortOrder: optional(Schema.String)
    },
    success: listEnvelope(ShippingZone)
  }).pipe(adminRoute()),
  HttpApiEndpoint.post("create", "/v1/shipping/zones", {
    payload: Schema.Struct({ name: Schema.String, countries: texts, ...zoneFields }),
    success: ShippingZone.pipe(HttpApiSchema.status(201)),
    error: fails(ShippingZoneRejected)
  }).pipe(adminRoute({ oneTransaction: true })),
  HttpApiEndpoint.get("get", "/v1/shipping/zones/:zoneId", {
    params: zoneId,
    success: ShippingZone,
    error: fails(ShippingZoneNotFound)
  }).pipe(adminRoute()),
  HttpApiEndpoint.patch("update", "/v1/shipping/zones/:zoneId", {
    params: zoneId,
    payload: Schema.Struct({ name: optional(Schema.String), countries: optional(texts), ...zoneFields }),
    success: ShippingZone,
    error: fails(ShippingZoneNotFound, ShippingZoneRejected)
  }).pipe(adminRoute({ version: row("shippingZone", "zoneId") })),
  HttpApiEndpoint.delete("remove", "/v1/shipping/zones/:zoneId", {
    params: zoneId,
    success: Success,
    error: fails(ShippingZoneNotFound)
  }).pipe(adminRoute({ version: row("shippingZone", "zoneId") })),
  HttpApiEndpoint.post("createRate", "/v1/shipping/zones/:zoneId/rates", {
    params: zoneId,
    payload: Schema.Struct({ name: Schema.String, type: ShippingRateType, ...rateFields }),
    success: ShippingRate.pipe(HttpApiSchema.status(201)),
    error: fails(ShippingZoneNotFound, ShippingRateRejected)
  }).pipe(adminRoute({ oneTransaction: true })),
  HttpApiEndpoint.patch("updateRate", "/v1/shipping/zones/:zoneId/rates/:rateId", {
    params: zoneAndRate,
    payload: Schema.Struct({ name: optional(Schema.String), type: optional(ShippingRateType), ...rateFields }),
    success: ShippingRate,
    error: fails(ShippingRateNotFound, ShippingRateRejected)
  }).pipe(adminRoute({ version: row("shippingRate", "zoneId", "rateId") })),
  HttpApiEndpoint.delete("removeRate", "/v1/shipping/zones/:zoneId/rates/:rateId", {
    params: zoneAndRate,
    success: Success,
    error: fails(ShippingRateNotFound)
  }).pipe(adminRoute({ version: row("shippingRate", "zoneId", "rateId") }))
) {}

const id = { id: Schema.String }
const slug = nullable(Schema.String.pipe(Schema.check(Schema.isMaxLength(190))))
const className = Schema.String.pipe(Schema.check(Schema.isMaxLength(200)))

export class ShippingClassesGroup extends apiGroup("shippingClasses", {
  part: "Admin",
  title: "Shipping classes",
  description: "Kinds of products that cost the same to deliver."
}).add(
  HttpApiEndpoint.get("list", "/v1/shipping/classes", { query: pageQuery, success: listEnvelope(ShippingClass) }).pipe(
    adminRoute()
  ),
  HttpApiEndpoint.post("create", "/v1/shipping/classes", {
    payload: Schema.Struct({ name: className, slug }),
    success: ShippingClass.pipe(HttpApiSchema.status(201)),
    error: fails(ShippingClassTaken, FieldRejected)
  }).pipe(adminRoute({ oneTransaction: true })),
  HttpApiEndpoint.get("get", "/v1/shipping/classes/:id", {
    params: id,
    success: ShippingClass,
    error: fails(ShippingClassNotFound)
  }).pipe(adminRoute()),
  HttpApiEndpoint.patch("update", "/v1/shipping/classes/:id", {
    params: id,
    payload: Schema.Struct({ name: optional(className), slug }),
    success: ShippingClass,
    error: fails(ShippingClassNotFound, ShippingClassTaken, FieldRejected)
  }).pipe(adminRoute({ version: row("shippingClass", "id") })),
  HttpApiEndpoint.delete("remove", "/v1/shipping/classes/:id", {
    params: id,
    success: Success,
    error: fails(ShippingClassNotFound, ShippingClassInUse)
  }).pipe(adminRoute({ version: row("shippingClass", "id") }))
) {}

const place = Schema.Struct({ code: Schema.String, name: Schema.String })

export class ShippingGroup extends apiGroup("shipping", {
  part: "Admin",
  title: "Shipping quotes",
  description: "What delivery to an address would cost."
}).add(
  HttpApiEndpoint.get("destinations", "/vc/:salesChannelId/shipping/destinations", {
    params: channelId,
    success: Schema.Struct({
      worldwide: Schema.Boolean,
      countries: Schema.Array(place),
      regions: Schema.Record(Schema.String, Schema.Array(place))
    })
  }).pipe(channelRoute("storefrontRead")),
  HttpApiEndpoint.get("pickupLocations", "/vc/:salesChannelId/pickup-locations", {
    params: channelId,
    success: Schema.Struct({ pickupLocations: Schema.Array(PickupLocation) })
  }).pipe(channelRoute("storefrontRead"))
) {}

export const shippingGroups = [ShippingZonesGroup, ShippingClassesGroup, ShippingGroup] as const
