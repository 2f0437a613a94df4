/** Coupons for admin keys: the public routes under `/v1`, and those of the dashboard with the conflicts. */
import {
  CouponInput,
  CouponPatch,
  couponSorts,
  couponStatuses,
  PublishCoupon,
  SyncCoupon
} from "@effect-commerce/core/coupon/Coupon"
import { CouponConflictView, ResolveCouponConflict } from "@effect-commerce/core/coupon/CouponConflict"
import {
  CouponConflicting,
  CouponConflictNotFound,
  CouponConflictSettled,
  CouponNotFound,
  CouponResolutionRequired,
  CouponTaken
} from "@effect-commerce/core/coupon/CouponErrors"
import { PlatformCapabilities } from "@effect-commerce/core/coupon/CouponPlatforms"
import { CouponView } from "@effect-commerce/core/coupon/CouponView"
import { ResourceChanged } from "@effect-commerce/core/database/Precondition"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { boolean, described, string } from "@effect-commerce/core/kernel/Fields"
import { listEnvelope, pageQuery, sortQuery } from "@effect-commerce/core/kernel/Pagination"
import { PlatformsRequired } from "@effect-commerce/core/taxonomy/TaxonomyErrors"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { closedList } from "../middleware/CommaList.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { adminRoute, dashboardRoute } from "../middleware/Policy.ts"
import { Success } from "../middleware/Responses.ts"
import { searchOf } from "../middleware/SearchQuery.ts"
import { row, unversioned, useCase } from "../middleware/Versioned.ts"
import { taxonomyErrors } from "../taxonomy/taxonomyErrors.ts"
import { couponErrors } from "./couponErrors.ts"

const fails = failsBy(couponErrors, taxonomyErrors)

const id = { id: string("Id of the coupon.", "coupon_01k9f3m2q7x4b8n6c5d1e0h2jk") }
const conflictId = { id: string("Id of the conflict.", "cpnconf_01k9f3m2q7x4b8n6c5d1e0h2jk") }

const Queued = Schema.Struct({
  queued: boolean("Whether something is on its way to a connected platform. Always false: none has a connector yet."),
  platforms: described(Schema.Array(Schema.String), "The platforms that it is on its way to.", ["shopify"])
}).annotate({ identifier: "CouponSync", description: "What is sent of a coupon to connected platforms." })

/** What both groups have in common. A create is not `oneTransaction`: its conflict is kept although it fails. */
const list = {
  query: {
    ...pageQuery,
    search: searchOf("code or title"),
    status: Schema.optionalKey(closedList(couponStatuses, "Shows only coupons of this status.")),
    ...sortQuery(couponSorts, "createdAt, the newest first")
  },
  success: listEnvelope(CouponView)
}
const create = {
  payload: CouponInput,
  success: CouponView.pipe(HttpApiSchema.status(201)),
  error: fails(FieldRejected, CouponTaken, CouponConflicting)
}
const facts = {
  list: {
    summary: "List coupons",
    description:
      "Lists the coupons of the store, the newest first, whatever their status. Several statuses are separated by " +
      "commas."
  },
  create: {
    exampleRequest: {
      code: "WELCOME10",
      title: "Welcome",
      type: "PERCENTAGE",
      value: "10",
      minimumOrderAmount: "50.00",
      usageLimitPerCustomer: 1
    },
    summary: "Create a coupon",
    description:
      "Creates a coupon. Its code is unique in the store, whatever the case; a taken one is 409. With `source` and " +
      "`sourceExternalId`, a code that a coupon of another source has is 409 with `details.conflictId`: the conflict " +
      "is kept, and nothing else changes until it is resolved."
  }
} as const

export class CouponsGroup extends apiGroup("coupons", {
  part: "Admin",
  title: "Coupons",
  description: "Discounts that shoppers get by entering a code, with limits, periods, regions and products."
}).add(
  HttpApiEndpoint.get("list", "/v1/coupons", list).pipe(adminRoute(facts.list)),
  HttpApiEndpoint.post("create", "/v1/coupons", create).pipe(adminRoute(facts.create)),
  HttpApiEndpoint.get("platformCapabilities", "/v1/coupons/platform-capabilities", {
    success: Schema.Record(Schema.String, PlatformCapabilities).annotate({
      identifier: "CouponPlatforms",
      description: "What coupons of each platform can hold, by the platform's code."
    })
  }).pipe(
    adminRoute({
      summary: "List platform capabilities",
      description:
        "Returns what coupons of other commerce systems can hold, by the platform's code; `internal` is this store. " +
        "`validationWarnings` of a created coupon say what a platform would not take of it."
    })
  ),
  HttpApiEndpoint.get("get", "/v1/coupons/:id", {
    params: id,
    success: CouponView,
    error: fails(CouponNotFound)
  }).pipe(
    adminRoute({ summary: "Get a coupon", description: "Returns one coupon, with how often orders have used it." })
  ),
  HttpApiEndpoint.patch("update", "/v1/coupons/:id", {
    params: id,
    payload: CouponPatch,
    success: CouponView,
    error: fails(FieldRejected, CouponTaken, CouponNotFound)
  }).pipe(
    adminRoute({
      exampleRequest: { status: "DISABLED" },
      summary: "Update a coupon",
      description:
        "Changes the fields in the body and leaves the others; null clears a field. The next quote of every cart " +
        "that has the code goes by it; orders keep what they used. With another `type`, state `value` again.",
      version: row("coupon", "id")
    })
  ),
  HttpApiEndpoint.delete("remove", "/v1/coupons/:id", {
    params: id,
    success: Success,
    error: fails(CouponNotFound)
  }).pipe(
    adminRoute({
      summary: "Delete a coupon",
      description:
        "Deletes the coupon. Carts that have its code get nothing off, and its code can be used again. Orders keep " +
        "what they used. A second delete is 404.",
      version: row("coupon", "id")
    })
  ),
  HttpApiEndpoint.post("sync", "/v1/coupons/:id/sync", {
    params: id,
    payload: SyncCoupon,
    success: Queued,
    error: fails(CouponNotFound, FieldRejected)
  }).pipe(
    adminRoute({
      summary: "Bring connected platforms into step",
      description: "Sends the coupon to connected platforms. None has a connector yet: nothing is sent.",
      version: unversioned("nothing is changed"),
      optionalBody: true
    })
  ),
  HttpApiEndpoint.post("publish", "/v1/coupons/:id/publish", {
    params: id,
    payload: PublishCoupon,
    success: Queued,
    error: fails(CouponNotFound, PlatformsRequired, FieldRejected)
  }).pipe(
    adminRoute({
      summary: "Publish a coupon",
      description:
        "Adds sales channels to those that the coupon is published to. Without `platforms` it is 400. Codes of " +
        "connected platforms are taken, and nothing is sent to them: none has a connector yet.",
      optionalBody: true,
      version: row("coupon", "id")
    })
  )
) {}

const fewQuery = { ...pageQuery }

export class DashboardCouponsGroup extends apiGroup("dashboardCoupons", {
  part: "Dashboard",
  title: "Coupons of the dashboard",
  description: "Coupons as the dashboard lists and creates them, and conflicts with coupons of other systems."
}).add(
  HttpApiEndpoint.get("list", "/coupons", list).pipe(dashboardRoute("coupons", facts.list)),
  HttpApiEndpoint.post("create", "/coupons", create).pipe(dashboardRoute("coupons", facts.create)),
  HttpApiEndpoint.get("available", "/coupons/available", {
    query: fewQuery,
    success: Schema.Array(CouponView).annotate({
      identifier: "AvailableCoupons",
      description: "Coupons that can be used now, the newest first."
    })
  }).pipe(
    dashboardRoute("coupons", {
      summary: "List coupons that can be used now",
      description:
        "Returns the ACTIVE coupons that have not been used as often as they may be, the newest first, as an array " +
        "of at most 100. With `page` or `limit` it returns a page."
    })
  ),
  HttpApiEndpoint.get("conflicts", "/coupons/conflicts", {
    query: fewQuery,
    success: Schema.Array(CouponConflictView).annotate({
      identifier: "CouponConflictList",
      description: "Open conflicts, the newest first."
    })
  }).pipe(
    dashboardRoute("coupons", {
      summary: "List coupon conflicts",
      description:
        "Returns the open conflicts, the newest first, as an array of at most 100. With `page` or `limit` it returns " +
        "a page."
    })
  ),
  HttpApiEndpoint.post("resolve", "/coupons/conflicts/:id/resolve", {
    params: conflictId,
    payload: ResolveCouponConflict,
    success: CouponConflictView,
    error: fails(
      CouponConflictNotFound,
      CouponConflictSettled,
      CouponResolutionRequired,
      CouponTaken,
      FieldRejected,
      ResourceChanged
    )
  }).pipe(
    dashboardRoute("coupons", {
      exampleRequest: { resolution: "rename", code: "WELCOME10-2" },
      summary: "Resolve a coupon conflict",
      description:
        "Decides which of two coupons with one code is kept. If the other system's coupon cannot be stored any more, " +
        "the response is an error and the conflict stays open. A conflict is resolved once.",
      optionalBody: true,
      version: useCase,
      oneTransaction: true
    })
  ),
  HttpApiEndpoint.post("ignore", "/coupons/conflicts/:id/ignore", {
    params: conflictId,
    success: CouponConflictView,
    error: fails(CouponConflictNotFound, CouponConflictSettled, ResourceChanged)
  }).pipe(
    dashboardRoute("coupons", {
      summary: "Ignore a coupon conflict",
      description:
        "Leaves the store's coupon as it is and takes the conflict off the list. The same coupon from that system " +
        "opens no further conflict.",
      version: useCase,
      oneTransaction: true
    })
  )
) {}

export const couponGroups = [CouponsGroup, DashboardCouponsGroup] as const
