/**
 * `If-Match` and `If-Unmodified-Since` (completions.md 2.0, Concurrency): which routes take them, how they are written, and what a version that has
 * passed is answered. Version of a resource is its `updatedAt`, as every answer shows it. Elsewhere the headers are ignored.
 */
import type { RowVersions, VersionedResource } from "@effect-commerce/core/database/RowVersions"
import { Effect } from "effect"
import { RequestInvalid, ResourceChanged } from "./Refusals.ts"

/** Resources by the path of their PATCH, PUT and DELETE, below /api; the path's parameters are the ids. */
const versioned: Readonly<Record<string, VersionedResource>> = {
  "/v1/store": "store",
  "/v1/sales-channels/:id": "salesChannel",
  "/v1/products/:id": "product",
  "/v1/products/:id/variants/:variantId": "variant",
  "/v1/categories/:id": "category",
  "/v1/tax/rates/:rateId": "taxRate",
  "/v1/tax/classes/:id": "taxClass",
  "/v1/shipping/classes/:id": "shippingClass",
  "/v1/shipping/zones/:zoneId": "shippingZone",
  "/v1/shipping/zones/:zoneId/rates/:rateId": "shippingRate",
  "/v1/orders/:id": "order",
  "/v1/email/settings": "emailSettings",
  "/stores/:storeId/email/settings": "emailSettings",
  "/v1/email/templates/:id": "emailTemplate",
  "/v1/api-keys/:id": "apiKey",
  "/v1/api-keys/:id/rotate": "apiKey",
  "/v1/customers/:id": "customer",
  "/v1/customers/:id/addresses/:addressId": "customerAddress",
  "/v1/webhook-subscriptions/:id": "webhookSubscription",
  "/stores/:storeId/webhook-subscriptions/:id": "webhookSubscription"
}
const writes: ReadonlySet<string> = new Set(["PATCH", "PUT", "DELETE", "POST"])

export interface Versioned {
  readonly resource: VersionedResource
  /** Names of the path's parameters, in its order. */
  readonly params: ReadonlyArray<string>
}

/** What a route's version is, or undefined where it has none. `path` with or without /api. */
export const versionedBy = (method: string, path: string): Versioned | undefined => {
  const below = path.replace(/^\/api/, "")
  const resource = writes.has(method) && Object.hasOwn(versioned, below) ? versioned[below] : undefined
  return resource === undefined ? undefined : { resource, params: [...below.matchAll(/:(\w+)/g)].map(([, name]) => name ?? "") }
}

/** How the document describes the two headers of such a route. */
export const versionHeaders = [
  {
    name: "If-Match",
    in: "header",
    required: false,
    schema: { type: "string" },
    description: 'The `updatedAt` that was read, in quotes: `"2026-01-31T12:00:00.000Z"`; `*` for any. 409 CONFLICT where it has changed since.'
  },
  {
    name: "If-Unmodified-Since",
    in: "header",
    required: false,
    schema: { type: "string" },
    description: "An HTTP date or an ISO 8601 time; 409 CONFLICT where the resource has changed later. Ignored beside If-Match."
  }
]

type Headers = Readonly<Record<string, string | undefined>>

/** Whether a version may be written over; undefined where the request does not ask. */
export const preconditionOf = (headers: Headers): Effect.Effect<((updatedAt: Date) => boolean) | undefined, RequestInvalid> => {
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
  if (Number.isNaN(at)) return refuse("If-Match", 'must be * or one updatedAt in quotes, such as "2026-01-31T12:00:00.000Z"')
  return Effect.succeed((updatedAt: Date) => updatedAt.getTime() === at)
}

const ifUnmodifiedSince = (value: string) => {
  const at = isoTime.test(value) || httpDate.test(value) ? Date.parse(value) : Number.NaN
  if (Number.isNaN(at)) return refuse("If-Unmodified-Since", "must be an HTTP date or an ISO 8601 time in UTC")
  // An HTTP date has whole seconds: what changed within its second counts as seen.
  const until = isoTime.test(value) ? at : at + 999
  return Effect.succeed((updatedAt: Date) => updatedAt.getTime() <= until)
}

/** Runs the request under its precondition, where it has one. */
export const underPrecondition = Effect.fnUntraced(function* <A, E>(
  versions: RowVersions["Service"],
  target: Versioned & { readonly storeId: string },
  request: { readonly headers: Headers; readonly params: Readonly<Record<string, string | undefined>> },
  run: Effect.Effect<A, E>
) {
  const isMet = yield* preconditionOf(request.headers)
  if (isMet === undefined) return yield* run
  const ids = target.params.map((name) => request.params[name] ?? "")
  const judge = (updatedAt: Date) => (isMet(updatedAt) ? Effect.void : Effect.fail(new ResourceChanged({ updatedAt: updatedAt.toISOString() })))
  return yield* versions.during(target.storeId, target.resource, ids, judge)(run)
})
