/**
 * `If-Match` and `If-Unmodified-Since` (completions.md 2.0, Concurrency): which routes take them, how they are written,
 * and what a version that has passed is answered. Version of a resource is its `updatedAt`, as every answer shows it.
 * Elsewhere the headers are ignored.
 */
import { type Judgement, Precondition } from "@effect-commerce/core/database/Precondition"
import type { RowVersions, VersionedResource } from "@effect-commerce/core/database/RowVersions"
import { Effect } from "effect"
import { RequestInvalid } from "./Refusals.ts"

/** How a route's version is judged. */
export type Versioned =
  /**
   * Before the endpoint runs, under the row's lock; `ids` are the path's parameters that name the row, its own last.
   */
  | { readonly by: "row"; readonly resource: VersionedResource; readonly ids: ReadonlyArray<string> }
  /** By the use case, which locks the row in its own order and knows whether the caller may see it. */
  | { readonly by: "useCase" }

const useCase: Versioned = { by: "useCase" }
const row = (resource: VersionedResource, ...ids: ReadonlyArray<string>): Versioned => ({ by: "row", resource, ids })
/** Stands for a path's parameter: whoever is signed in. */
const me = "customers/me"

const customer = "/vc/:salesChannelId/customers"
const cart = "/vc/:salesChannelId/cart/:cartId"
const checkout = "/vc/:salesChannelId/checkout/:checkoutId"

/** PATCH, PUT and DELETE, by their path below /api. */
const writes: Readonly<Record<string, Versioned>> = {
  "/v1/store": row("store"),
  "/v1/sales-channels/:id": row("salesChannel", "id"),
  "/v1/products/:id": row("product", "id"),
  "/v1/products/:id/variants/:variantId": row("variant", "id", "variantId"),
  "/v1/products/:id/inventory": useCase,
  "/v1/categories/:id": row("category", "id"),
  "/v1/tax/rates/:rateId": row("taxRate", "rateId"),
  "/v1/tax/classes/:id": row("taxClass", "id"),
  "/v1/shipping/classes/:id": row("shippingClass", "id"),
  "/v1/shipping/zones/:zoneId": row("shippingZone", "zoneId"),
  "/v1/shipping/zones/:zoneId/rates/:rateId": row("shippingRate", "zoneId", "rateId"),
  "/v1/orders/:id": row("order", "id"),
  "/v1/email/settings": row("emailSettings"),
  "/stores/:storeId/email/settings": row("emailSettings"),
  "/v1/email/templates/:id": row("emailTemplate", "id"),
  "/v1/api-keys/:id": row("apiKey", "id"),
  "/v1/customers/:id": row("customer", "id"),
  "/v1/customers/:id/addresses/:addressId": row("customerAddress", "id", "addressId"),
  [`${customer}/me`]: row("customer", me),
  [`${customer}/me/addresses/:addressId`]: row("customerAddress", me, "addressId"),
  "/v1/webhook-subscriptions/:id": row("webhookSubscription", "id"),
  "/stores/:storeId/webhook-subscriptions/:id": row("webhookSubscription", "id"),
  "/v1/cart/:id": useCase,
  "/v1/cart/:id/items/:itemId": useCase,
  "/v1/cart/:id/coupon": useCase,
  [cart]: useCase,
  [`${cart}/items/:itemId`]: useCase,
  [`${cart}/coupon`]: useCase,
  [`${cart}/bundle/:bundleItemId`]: useCase,
  [checkout]: useCase,
  [`${checkout}/customer`]: useCase,
  [`${checkout}/shipping`]: useCase,
  [`${checkout}/shipping-method`]: useCase,
  [`${checkout}/delivery`]: useCase,
  [`${checkout}/custom-fields`]: useCase,
  [`${checkout}/coupon`]: useCase,
  [`${checkout}/gift-card/:tenderId`]: useCase
}

/** POST actions that change what is there already. */
const actions: Readonly<Record<string, Versioned>> = {
  "/v1/products/:id/inventory/adjust": useCase,
  "/v1/orders/:id/payments": useCase,
  "/v1/api-keys/:id/rotate": row("apiKey", "id"),
  "/v1/webhook-subscriptions/:id/rotate-secret": row("webhookSubscription", "id"),
  "/stores/:storeId/webhook-subscriptions/:id/rotate-secret": row("webhookSubscription", "id"),
  "/v1/customers/:id/addresses": row("customer", "id"),
  [`${customer}/change-password`]: row("customer", me),
  [`${customer}/me/addresses`]: row("customer", me),
  [`${customer}/me/addresses/:addressId/default`]: row("customerAddress", me, "addressId"),
  "/v1/cart/:id/items": useCase,
  "/v1/cart/:id/coupon": useCase,
  [`${cart}/items`]: useCase,
  [`${cart}/refresh-snapshots`]: useCase,
  [`${cart}/coupon`]: useCase,
  [`${cart}/bundle`]: useCase,
  [`${cart}/upgrade`]: useCase,
  [`${cart}/order-bump`]: useCase,
  [`${checkout}/coupon`]: useCase,
  [`${checkout}/gift-card`]: useCase,
  [`${checkout}/complete`]: useCase,
  "/v1/checkout/:checkoutId/complete": useCase
}
const tables: Readonly<Record<string, Readonly<Record<string, Versioned>>>> = {
  PATCH: writes,
  PUT: writes,
  DELETE: writes,
  POST: actions
}

/** Every path that is named above, for the test that each is a route. */
export const versionedPaths: ReadonlyArray<string> = [...Object.keys(writes), ...Object.keys(actions)]

/** How a route's version is judged, or undefined where it has none. `path` with or without /api. */
export const versionedBy = (method: string, path: string): Versioned | undefined => {
  const below = path.replace(/^\/api(?=\/)/, "")
  const table = tables[method]
  return table !== undefined && Object.hasOwn(table, below) ? table[below] : undefined
}

/** How the document describes the two headers of such a route. */
export const versionHeaders = [
  {
    name: "If-Match",
    in: "header",
    required: false,
    schema: { type: "string" },
    description:
      'The `updatedAt` that was read, in quotes: `"2026-01-31T12:00:00.000Z"`; `*` for any. 409 CONFLICT where it has changed since.'
  },
  {
    name: "If-Unmodified-Since",
    in: "header",
    required: false,
    schema: { type: "string" },
    description:
      "An HTTP date or an ISO 8601 time; 409 CONFLICT where the resource has changed later. Ignored beside If-Match."
  }
]

type Headers = Readonly<Record<string, string | undefined>>

/** Whether a version may be written over; undefined where the request does not ask. */
export const preconditionOf = (headers: Headers): Effect.Effect<Judgement | undefined, RequestInvalid> => {
  const match = headers["if-match"]
  if (match !== undefined) return ifMatch(match.trim())
  const since = headers["if-unmodified-since"]
  return since === undefined ? Effect.undefined : ifUnmodifiedSince(since.trim())
}

const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/
const httpDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/
const refuse = (header: string, reason: string) => Effect.fail(new RequestInvalid({ errors: { [header]: reason } }))

const ifMatch = (value: string) => {
  if (value === "*") return Effect.succeed(() => true)
  const quoted = /^"([^"]*)"$/.exec(value)?.[1]
  const at = quoted !== undefined && isoTime.test(quoted) ? Date.parse(quoted) : Number.NaN
  if (Number.isNaN(at))
    return refuse("If-Match", 'must be * or one updatedAt in quotes, such as "2026-01-31T12:00:00.000Z"')
  return Effect.succeed((updatedAt: Date) => updatedAt.getTime() === at)
}

const ifUnmodifiedSince = (value: string) => {
  const at = isoTime.test(value) || httpDate.test(value) ? Date.parse(value) : Number.NaN
  if (Number.isNaN(at)) return refuse("If-Unmodified-Since", "must be an HTTP date or an ISO 8601 time in UTC")
  // An HTTP date has whole seconds: what changed within its second counts as seen.
  const until = isoTime.test(value) ? at : at + 999
  return Effect.succeed((updatedAt: Date) => updatedAt.getTime() <= until)
}

interface Asked {
  readonly storeId: string
  readonly headers: Headers
  readonly params: Readonly<Record<string, string | undefined>>
  /** Whoever is signed in at the storefront. */
  readonly customerId: string | undefined
  /** Resources that the caller sees more of than others do. */
  readonly sees: Partial<Record<VersionedResource, VersionedResource>> | undefined
}

/** Runs the request under its precondition, where it has one. */
export const underPrecondition = Effect.fnUntraced(function* <A, E>(
  versions: RowVersions["Service"],
  versioned: Versioned,
  { storeId, headers, params, customerId, sees }: Asked,
  run: Effect.Effect<A, E>
) {
  const isMet = yield* preconditionOf(headers)
  if (isMet === undefined) return yield* run
  if (versioned.by === "useCase") return yield* Effect.provideService(run, Precondition, isMet)
  const ids = versioned.ids.map((name) => (name === me ? customerId : params[name]) ?? "")
  return yield* versions.during(storeId, sees?.[versioned.resource] ?? versioned.resource, ids, isMet)(run)
})
