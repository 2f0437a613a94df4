/**
 * The facts of a route, declared once beside it and read by the guard, the API document and the matrix tests: words,
 * surface, scope, version, idempotency, transaction, caps, body limit. An endpoint without one of these combinators
 * does not get a caller and does not start.
 */
import type { AppScope } from "@effect-commerce/core/app/AppScope"
import { type Resource, resourceOf, type Scope } from "@effect-commerce/core/identity/Scope"
import type { ChannelScope } from "@effect-commerce/core/store/SalesChannel"
import { areaOf, type DashboardArea } from "@effect-commerce/core/team/TeamRole"
import { Context, type Schema } from "effect"
import { type HttpApiEndpoint, HttpApiMiddleware } from "effect/http-api"
import type { CacheFacts } from "./CacheFacts.ts"
import type {
  AdminCaller,
  ChannelCaller,
  CustomerCaller,
  InstallationCaller,
  PersonCaller,
  PublicCaller,
  RawCaller,
  VisitorCaller
} from "./Callers.ts"
import { refusalSchemas } from "./DeclaredErrors.ts"
import type { Unversioned, Versioned } from "./Versioned.ts"

/** A limit on one route, per IP by default. */
export interface RouteCap {
  readonly limit: number
  readonly ms: number
}

/** Parameters such as `attr.Colour`. */
export interface OpenQuery {
  readonly name: string
  readonly description: string
  /** A description of each prefix. */
  readonly prefixes: Readonly<Record<string, string>>
  readonly example: Readonly<Record<string, string>>
}

export interface Facts {
  /** What the operation does, in a few words without a full stop: its name in the reference. */
  readonly summary?: string
  /** Sentences for the caller: what it does, when to use it, and which errors its codes do not explain. */
  readonly description?: string
  /** A real body for the reference, as JSON. A test decodes it by the schemas of the route. */
  readonly exampleRequest?: unknown
  /** `optional`: an Idempotency-Key is honoured; `required`: its absence is refused; `none`: it is ignored. */
  readonly idempotency?: "none" | "optional" | "required"
  readonly cap?: RouteCap
  /** Bytes; 1 MiB by default. */
  readonly maxBody?: number
  /**
   * The view of the resource that the body writes, if the route returns something else. A body may have its read-only
   * fields, which are ignored.
   */
  readonly reads?: Schema.Top
  /** An absent body counts as an empty object. */
  readonly optionalBody?: boolean
  /**
   * The route writes in one transaction and makes no outgoing call. Under an Idempotency-Key the response is stored in
   * that transaction: after a crash a retry gets the stored response or runs for the first time.
   */
  readonly oneTransaction?: true
  /**
   * The version that If-Match and If-Unmodified-Since are compared with. A PUT, PATCH or DELETE of something that shows
   * `updatedAt`, or a POST to it, declares one, or `unversioned` with a reason.
   */
  readonly version?: Versioned | Unversioned
  /** Of a route by which a key could give itself more: it needs every scope, not only its own. */
  readonly everyScope?: true
  /** Of a route that this server has and does not serve: it always fails, and the document shows no success. */
  readonly alwaysFails?: true
  /** Of an admin route that is no GET and writes nothing: it needs `:read`, and ignores an Idempotency-Key. */
  readonly readsOnly?: true
  /** The response shows a secret once; under an Idempotency-Key it is stored sealed. */
  readonly secretAnswer?: true
  /** Query parameters whose names the caller chooses, by their prefixes. The document shows them as one object. */
  readonly openQuery?: OpenQuery
  /**
   * For a GET that returns the same to every caller: caches may store the response, and the read replica may answer.
   * No other response is cached, and no other is read from the replica.
   */
  readonly cached?: CacheFacts
}

export interface PolicyFacts extends Facts {
  readonly surface: "admin" | "channel" | "public" | "person" | "open"
  readonly scope?: Scope
  /** Of an admin route whose content decides the scope: the guard demands one of these, the endpoint the right one. */
  readonly scopes?: ReadonlyArray<Scope>
  readonly channelScope?: ChannelScope
  /** For a channel route: whether a customer's token is optional or required. If absent, a token is ignored. */
  readonly customer?: "optional" | "required"
  /** Of an admin route: the path names the store as `:storeId`, not the key or the query. */
  readonly storeInPath?: true
  /** Of an admin route: a session of the dashboard opens it as well, if the role includes this area. */
  readonly area?: DashboardArea
  /**
   * Of an admin route below an installation: what its app token needs to open the route as well. `undefined` if no app
   * token opens it, whatever its scopes.
   */
  readonly installation?: { readonly needs: AppScope | undefined }
  /** Of a person's route: needs a session. */
  readonly session?: "required"
  /**
   * The body is taken as it is, of any media type. An open route with it counts towards the limits per address, and
   * what it rejects as a failed authentication; one of an installation counts as a receiver of events.
   */
  readonly rawBody?: true
}

export class Policy extends Context.Service<Policy, PolicyFacts>()("@effect-commerce/handler/middleware/Policy") {}

export class AdminGuard extends HttpApiMiddleware.Service<AdminGuard, { provides: AdminCaller }>()(
  "@effect-commerce/handler/middleware/AdminGuard",
  {
    error: refusalSchemas
  }
) {}
export class InstallationGuard extends HttpApiMiddleware.Service<InstallationGuard, { provides: InstallationCaller }>()(
  "@effect-commerce/handler/middleware/InstallationGuard",
  {
    error: refusalSchemas
  }
) {}
export class ChannelGuard extends HttpApiMiddleware.Service<ChannelGuard, { provides: ChannelCaller }>()(
  "@effect-commerce/handler/middleware/ChannelGuard",
  {
    error: refusalSchemas
  }
) {}
export class CustomerGuard extends HttpApiMiddleware.Service<
  CustomerGuard,
  { provides: ChannelCaller | CustomerCaller }
>()("@effect-commerce/handler/middleware/CustomerGuard", { error: refusalSchemas }) {}
export class PublicGuard extends HttpApiMiddleware.Service<PublicGuard, { provides: PublicCaller }>()(
  "@effect-commerce/handler/middleware/PublicGuard",
  {
    error: refusalSchemas
  }
) {}
export class OpenGuard extends HttpApiMiddleware.Service<OpenGuard>()("@effect-commerce/handler/middleware/OpenGuard", {
  error: refusalSchemas
}) {}

export class VisitorGuard extends HttpApiMiddleware.Service<VisitorGuard, { provides: VisitorCaller }>()(
  "@effect-commerce/handler/middleware/VisitorGuard",
  {
    error: refusalSchemas
  }
) {}

export class PersonGuard extends HttpApiMiddleware.Service<PersonGuard, { provides: PersonCaller }>()(
  "@effect-commerce/handler/middleware/PersonGuard",
  {
    error: refusalSchemas
  }
) {}

export class RawGuard extends HttpApiMiddleware.Service<RawGuard, { provides: RawCaller }>()(
  "@effect-commerce/handler/middleware/RawGuard",
  {
    error: refusalSchemas
  }
) {}

/** The scope that a `/v1` route needs, by its path and method: what only reads needs `:read`, the rest `:write`. */
const scopeOf = ({ method, path }: HttpApiEndpoint.Top, { readsOnly }: Facts): Scope => {
  const [first = "", ...rest] = path.split("/").slice(path.startsWith("/api/") ? 3 : 2)
  const resource = first === "products" && rest.includes("inventory") ? "inventory" : resourceOf(first)
  if (resource === undefined)
    throw new Error(`${method} ${path}: ${first} is no resource of a scope; list it in core's identity/Scope.ts`)
  return `${resource}:${readsOnly === true ? "read" : actionOf(method)}`
}

const actionOf = (method: string) => (method === "GET" ? "read" : "write")

const declare =
  <Guard extends HttpApiMiddleware.AnyId>(guard: unknown, factsOf: (endpoint: HttpApiEndpoint.Top) => PolicyFacts) =>
  <E extends HttpApiEndpoint.Constraint>(endpoint: E): HttpApiEndpoint.AddMiddleware<E, Guard> => {
    const top = endpoint as unknown as HttpApiEndpoint.Top
    return top.middleware(guard as never).annotate(Policy, factsOf(top)) as unknown as HttpApiEndpoint.AddMiddleware<
      E,
      Guard
    >
  }

/** `/v1`: an admin key with the scope that the path names. Writes honour an Idempotency-Key. */
export const adminRoute = (facts: Facts = {}) =>
  declare<AdminGuard>(AdminGuard, (endpoint) => ({
    idempotency: endpoint.method === "GET" || facts.readsOnly === true ? "none" : "optional",
    ...facts,
    surface: "admin",
    scope: scopeOf(endpoint as unknown as HttpApiEndpoint.Top, facts)
  }))

/**
 * `/v1/installations/{installationId}/…`: the token of that installation with the scope `needs`, or an admin key with
 * the scope that the path names. `undefined`: only an admin key. `rawBody` receives events as they come.
 */
export const installationRoute = (needs: AppScope | undefined, facts: Facts & Pick<PolicyFacts, "rawBody"> = {}) =>
  declare<InstallationGuard>(InstallationGuard, (endpoint) => ({
    idempotency: endpoint.method === "GET" ? "none" : "optional",
    ...facts,
    surface: "admin",
    scope: scopeOf(endpoint as unknown as HttpApiEndpoint.Top, facts),
    installation: { needs }
  }))

/**
 * `/v1` where what the request names decides which of these scopes it needs. The guard lets a key with any of them in;
 * the endpoint demands the one with `requireScope`.
 */
export const adminRouteByContent = (scopes: ReadonlyArray<Scope>, facts: Facts = {}) =>
  declare<AdminGuard>(AdminGuard, ({ method }) => ({
    idempotency: method === "GET" ? "none" : "optional",
    ...facts,
    surface: "admin",
    scopes
  }))

/**
 * `/stores/{storeId}`, the dashboard's side: a session whose role includes the area of the path, or an admin key with
 * the scope of `resource`; both valid for the store in the path, any other store is unknown to them.
 */
export const storeAdminRoute = (resource: Resource, facts: Facts = {}) =>
  declare<AdminGuard>(AdminGuard, ({ method, path }) => ({
    idempotency: method === "GET" ? "none" : "optional",
    ...facts,
    surface: "admin",
    scope: `${resource}:${actionOf(method)}`,
    area: areaOf(path),
    storeInPath: true
  }))

/**
 * `/coupons` and the like, the dashboard's side without a store in its path: a session, or an admin key with the scope
 * of `resource`. As under `/v1`, the key, the query or the body names the store; a session of somebody who works for
 * one store alone is of that store.
 */
export const dashboardRoute = (resource: Resource, facts: Facts = {}) =>
  declare<AdminGuard>(AdminGuard, ({ method, path }) => ({
    idempotency: method === "GET" ? "none" : "optional",
    ...facts,
    surface: "admin",
    scope: `${resource}:${actionOf(method)}`,
    area: areaOf(path)
  }))

/** `/auth`: no credential, for people who want one. */
export const visitorRoute = (facts: Facts = {}) =>
  declare<VisitorGuard>(VisitorGuard, () => ({ ...facts, surface: "person" }))

/** `/auth` with a session of the dashboard. */
export const personRoute = (facts: Facts = {}) =>
  declare<PersonGuard>(PersonGuard, () => ({ ...facts, surface: "person", session: "required" }))

/** Whether a route may have a customer's token, by the part of the channel it belongs to. */
const customersToo: Record<ChannelScope, Pick<PolicyFacts, "customer">> = {
  storefrontRead: {},
  cart: { customer: "optional" },
  ordersWrite: { customer: "optional" },
  customerAuth: {}
}

/**
 * `/vc/{salesChannelId}`: the channel's origin, and the channel's switch for this part of its surface. `customer` says
 * that a customer's token is welcome where the part has none by itself.
 */
export const channelRoute = (channelScope: ChannelScope, facts: Facts & { readonly customer?: "optional" } = {}) =>
  declare<ChannelGuard>(ChannelGuard, () => ({
    ...customersToo[channelScope],
    ...facts,
    surface: "channel",
    channelScope
  }))

/**
 * `/vc/{salesChannelId}` with a customer's token, without which it is 401. Needs the channel's switch for customers,
 * and the named one.
 */
export const customerRoute = (facts: Facts = {}, channelScope: ChannelScope = "customerAuth") =>
  declare<CustomerGuard>(CustomerGuard, () => ({ ...facts, surface: "channel", channelScope, customer: "required" }))

/** `/stores/{storeId}`: read-only, any origin, but one must be named. */
export const publicRoute = (facts: Facts = {}) =>
  declare<PublicGuard>(PublicGuard, () => ({ ...facts, surface: "public" }))

/** No credential and no limit: health and the like. */
export const openRoute = (facts: Facts = {}) => declare<OpenGuard>(OpenGuard, () => ({ ...facts, surface: "open" }))

/** No credential: what another company sends and signs, at most `maxBody` bytes of any media type. */
export const rawRoute = (facts: Facts & { readonly maxBody: number }) =>
  declare<RawGuard>(RawGuard, () => ({ ...facts, surface: "open", rawBody: true }))
