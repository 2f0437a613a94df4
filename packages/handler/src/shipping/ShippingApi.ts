/** Shipping zones and their rates, and what a storefront sees of them. */
import { listEnvelope, pageQuery, sortQuery } from "@effect-commerce/core/kernel/Pagination"
import { PickupLocations } from "@effect-commerce/core/shipping/PickupLocation"
import { NewShippingClass, ShippingClass, ShippingClassChanges } from "@effect-commerce/core/shipping/ShippingClass"
import {
  ShippingClassInUse,
  ShippingClassNotFound,
  ShippingClassTaken,
  ShippingRateNotFound,
  ShippingRateRejected,
  ShippingZoneNotFound,
  ShippingZoneRejected
} from "@effect-commerce/core/shipping/ShippingErrors"
import { NewShippingRate, ShippingRate, ShippingRateChanges } from "@effect-commerce/core/shipping/ShippingRate"
import {
  NewShippingZone,
  ShippingZone,
  ShippingZoneChanges,
  zoneSorts
} from "@effect-commerce/core/shipping/ShippingZone"
import { Destinations } from "@effect-commerce/core/zone/Destinations"
import { optional, string, text } from "@effect-commerce/core/kernel/Fields"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { channelPath } from "../middleware/PathParameters.ts"
import { adminRoute, channelRoute } from "../middleware/Policy.ts"
import { row, unversioned } from "../middleware/Versioned.ts"
import { Success } from "../middleware/Responses.ts"
import { shippingErrors } from "./shippingErrors.ts"

const fails = failsBy(shippingErrors)

const zoneId = { zoneId: string("The zone.") }
const zoneAndRate = { ...zoneId, rateId: string("The shipping rate.") }

export class ShippingZonesGroup extends apiGroup("shippingZones", {
  part: "Admin",
  title: "Shipping zones and rates",
  description: "Where a store ships to, and what it costs."
}).add(
  HttpApiEndpoint.get("list", "/v1/shipping/zones", {
    query: {
      ...pageQuery,
      search: optional(text(200), "Part of the name of a zone, in any case."),
      isActive: optional(Schema.Literals(["true", "false"]), "Only zones that are used, or only those that are not."),
      ...sortQuery(zoneSorts, "the order in which zones are tried")
    },
    success: listEnvelope(ShippingZone)
  }).pipe(
    adminRoute({
      summary: "List shipping zones",
      description: "Returns the zones with their rates, in pages: by default in the order in which they are tried."
    })
  ),
  HttpApiEndpoint.post("create", "/v1/shipping/zones", {
    payload: NewShippingZone,
    success: ShippingZone.pipe(HttpApiSchema.status(201)),
    error: fails(ShippingZoneRejected)
  }).pipe(
    adminRoute({
      oneTransaction: true,
      summary: "Create a shipping zone",
      description:
        "Creates a zone from countries (narrowed by regions and postal codes), from a geometry, or from both. An " +
        "address belongs to the zone if either matches. Zones are tried by priority, and the first that matches " +
        "supplies all rates. A geometry that seems to cross the antimeridian is accepted with a warning."
    })
  ),
  HttpApiEndpoint.get("get", "/v1/shipping/zones/:zoneId", {
    params: zoneId,
    success: ShippingZone,
    error: fails(ShippingZoneNotFound)
  }).pipe(adminRoute({ summary: "Get a shipping zone", description: "Returns one zone with its rates." })),
  HttpApiEndpoint.patch("update", "/v1/shipping/zones/:zoneId", {
    params: zoneId,
    payload: ShippingZoneChanges,
    success: ShippingZone,
    error: fails(ShippingZoneNotFound, ShippingZoneRejected)
  }).pipe(
    adminRoute({
      version: row("shippingZone", "zoneId"),
      summary: "Change a shipping zone",
      description: "Changes a zone. Open checkouts get its current rates from then on."
    })
  ),
  HttpApiEndpoint.delete("remove", "/v1/shipping/zones/:zoneId", {
    params: zoneId,
    success: Success,
    error: fails(ShippingZoneNotFound)
  }).pipe(
    adminRoute({
      version: row("shippingZone", "zoneId"),
      summary: "Delete a shipping zone",
      description: "Deletes a zone and its rates. Open checkouts that had chosen one of the rates must choose again."
    })
  ),
  HttpApiEndpoint.post("createRate", "/v1/shipping/zones/:zoneId/rates", {
    params: zoneId,
    payload: NewShippingRate,
    success: ShippingRate.pipe(HttpApiSchema.status(201)),
    error: fails(ShippingZoneNotFound, ShippingRateRejected)
  }).pipe(
    adminRoute({
      oneTransaction: true,
      summary: "Create a shipping rate",
      description:
        "Adds a rate to a zone. Its type says how the price is calculated: a fixed amount, free, by weight, by " +
        "value, by number of items, or a pickup in a shop.",
      version: unversioned("a rate is added, and the zone stays as it is")
    })
  ),
  HttpApiEndpoint.patch("updateRate", "/v1/shipping/zones/:zoneId/rates/:rateId", {
    params: zoneAndRate,
    payload: ShippingRateChanges,
    success: ShippingRate,
    error: fails(ShippingRateNotFound, ShippingRateRejected)
  }).pipe(
    adminRoute({
      version: row("shippingRate", "zoneId", "rateId"),
      summary: "Change a shipping rate",
      description: "Changes a rate. Orders keep what shipping cost when they were placed."
    })
  ),
  HttpApiEndpoint.delete("removeRate", "/v1/shipping/zones/:zoneId/rates/:rateId", {
    params: zoneAndRate,
    success: Success,
    error: fails(ShippingRateNotFound)
  }).pipe(
    adminRoute({
      version: row("shippingRate", "zoneId", "rateId"),
      summary: "Delete a shipping rate",
      description: "Deletes a rate. Open checkouts that had chosen it must choose again."
    })
  )
) {}

const id = { id: string("The shipping class.") }
export class ShippingClassesGroup extends apiGroup("shippingClasses", {
  part: "Admin",
  title: "Shipping classes",
  description: "Kinds of goods that cost extra to send, such as bulky ones."
}).add(
  HttpApiEndpoint.get("list", "/v1/shipping/classes", { query: pageQuery, success: listEnvelope(ShippingClass) }).pipe(
    adminRoute({ summary: "List shipping classes", description: "Returns the shipping classes, in pages." })
  ),
  HttpApiEndpoint.post("create", "/v1/shipping/classes", {
    payload: NewShippingClass,
    success: ShippingClass.pipe(HttpApiSchema.status(201)),
    error: fails(ShippingClassTaken, FieldRejected)
  }).pipe(
    adminRoute({
      oneTransaction: true,
      summary: "Create a shipping class",
      description:
        "Creates a class for goods that cost extra to send. Products name the class, and shipping rates say in " +
        "classCosts what it costs. A slug that is taken is 409 CONFLICT."
    })
  ),
  HttpApiEndpoint.get("get", "/v1/shipping/classes/:id", {
    params: id,
    success: ShippingClass,
    error: fails(ShippingClassNotFound)
  }).pipe(
    adminRoute({
      summary: "Get a shipping class",
      description: "Returns the name and slug of one shipping class. Its costs are in `classCosts` of the rates."
    })
  ),
  HttpApiEndpoint.patch("update", "/v1/shipping/classes/:id", {
    params: id,
    payload: ShippingClassChanges,
    success: ShippingClass,
    error: fails(ShippingClassNotFound, ShippingClassTaken, FieldRejected)
  }).pipe(
    adminRoute({
      version: row("shippingClass", "id"),
      summary: "Change a shipping class",
      description: "Changes the name or the slug of a class. A slug that is taken is 409 CONFLICT."
    })
  ),
  HttpApiEndpoint.delete("remove", "/v1/shipping/classes/:id", {
    params: id,
    success: Success,
    error: fails(ShippingClassNotFound, ShippingClassInUse)
  }).pipe(
    adminRoute({
      version: row("shippingClass", "id"),
      summary: "Delete a shipping class",
      description: "Deletes a shipping class. While products or rates use it, it is 409 CONFLICT."
    })
  )
) {}

export class ShippingGroup extends apiGroup("shipping", {
  part: "Storefront",
  title: "Shipping",
  description: "Where the storefront ships to, and where shoppers can pick up their orders."
}).add(
  HttpApiEndpoint.get("destinations", "/vc/:salesChannelId/shipping/destinations", {
    params: channelPath,
    success: Destinations
  }).pipe(
    channelRoute("storefrontRead", {
      summary: "List shipping destinations",
      description:
        "Returns the countries and subdivisions that the sales channel ships to, for the fields of an address form. " +
        "Postal codes and geometries are checked at checkout only."
    })
  ),
  HttpApiEndpoint.get("pickupLocations", "/vc/:salesChannelId/pickup-locations", {
    params: channelPath,
    success: PickupLocations
  }).pipe(
    channelRoute("storefrontRead", {
      summary: "List pickup locations",
      description:
        "Returns the places where an order can be picked up, with their price. Choose one with the delivery of a " +
        "checkout."
    })
  )
) {}

export const shippingGroups = [ShippingZonesGroup, ShippingClassesGroup, ShippingGroup] as const
