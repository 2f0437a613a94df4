/**
 * `If-Match` and `If-Unmodified-Since`: their format, and the error for an outdated version. A route's declaration says
 * whether it takes them (Versioned.ts); elsewhere they are ignored.
 */
import { type Judgement, Precondition } from "@effect-commerce/core/database/Precondition"
import type { RowVersions } from "@effect-commerce/core/database/RowVersions"
import type { VersionedResource } from "@effect-commerce/core/CommerceRooms"
import { Effect } from "effect"
import { RequestInvalid } from "./Refusals.ts"
import { signedIn, type Versioned } from "./Versioned.ts"

/** How the document describes the two headers of a route that declares a version. */
export const versionHeaders = [
  {
    name: "If-Match",
    in: "header",
    required: false,
    schema: { type: "string" },
    description:
      'The `updatedAt` that was read, in quotes: `"2026-01-31T12:00:00.000Z"`; `*` for any. 409 CONFLICT where it ' +
      "has changed since."
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

/** Whether a version may be overwritten; undefined if the request has no precondition. */
const preconditionOf = (headers: Headers): Effect.Effect<Judgement | undefined, RequestInvalid> => {
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
  // An HTTP date has whole seconds: a change within that second counts as seen.
  const until = isoTime.test(value) ? at : at + 999
  return Effect.succeed((updatedAt: Date) => updatedAt.getTime() <= until)
}

interface Asked {
  readonly storeId: string
  readonly headers: Headers
  readonly params: Readonly<Record<string, string | undefined>>
  /** The customer who is signed in at the storefront. */
  readonly customerId: string | undefined
  /** Resources of which this caller sees more fields than others. */
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
  const ids = versioned.ids.map((name) => (name === signedIn ? customerId : params[name]) ?? "")
  return yield* versions.during(storeId, sees?.[versioned.resource] ?? versioned.resource, ids, isMet)(run)
})
