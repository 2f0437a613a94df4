/** What a request presents of credentials, and what is made of it: the types that every way of identifying shares. */
import type { VersionedResource } from "@effect-commerce/core/CommerceRooms"
import type { CustomerTokens } from "@effect-commerce/core/customer/CustomerTokens"
import type { AppInstallations } from "@effect-commerce/core/app/AppInstallations"
import type { ApiKeys } from "@effect-commerce/core/identity/ApiKeys"
import type { SalesChannels } from "@effect-commerce/core/store/SalesChannels"
import type { StoreContext } from "@effect-commerce/core/store/StoreContext"
import { type SalesChannelNotFound, type StoreNotFound, StoreSuspended } from "@effect-commerce/core/store/StoreErrors"
import type { Stores } from "@effect-commerce/core/store/Stores"
import type { DashboardSessions } from "@effect-commerce/core/team/DashboardSessions"
import type { RoleInsufficient } from "@effect-commerce/core/team/TeamErrors"
import type { Teams } from "@effect-commerce/core/team/Teams"
import { type Context, Effect, type Result } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { Exchange } from "./Exchange.ts"
import type { LimitedHolder, RequestLimits } from "./Limits.ts"
import type { PolicyFacts } from "./Policy.ts"
import type {
  ChannelScopeDisabled,
  InstallationMismatch,
  MediaTypeUnsupported,
  ScopeInsufficient,
  StoreIdMismatch,
  StoreIdRequired,
  Unauthorized
} from "./Refusals.ts"
import type { SessionRefused } from "./SessionCredential.ts"

/** The services that a credential, and the store that it is for, are looked up in. */
export interface CredentialLookups {
  readonly keys: ApiKeys["Service"]
  readonly apps: AppInstallations["Service"]
  readonly channels: SalesChannels["Service"]
  readonly stores: Stores["Service"]
  readonly customerTokens: CustomerTokens["Service"]
  readonly sessions: DashboardSessions["Service"]
  readonly teams: Teams["Service"]
}

/** A request and what its route declares of credentials. */
export interface Presented {
  readonly policy: PolicyFacts
  readonly request: Request
  readonly params: Params
  readonly exchange: Exchange
  readonly requestLimits: RequestLimits
}

/** The caller, ready to be added to the endpoint's context, and what an Idempotency-Key is scoped to. */
export interface Identified {
  readonly storeId: string
  readonly store: StoreContext
  readonly credential: string
  /** Resources of which this caller sees more fields than others. */
  readonly sees?: Partial<Record<VersionedResource, VersionedResource>>
  /** Adds the caller to what the endpoint finds. */
  readonly introduce: (context: Context.Context<never>) => Context.Context<never>
}

export type Refused =
  | Unauthorized
  | SessionRefused
  | RoleInsufficient
  | ScopeInsufficient
  | InstallationMismatch
  | ChannelScopeDisabled
  | MediaTypeUnsupported
  | StoreIdRequired
  | StoreIdMismatch
  | StoreNotFound
  | StoreSuspended
  | SalesChannelNotFound

export interface Admitted {
  readonly identify: (body: Uint8Array) => Effect.Effect<Identified, Refused>
}

export interface Authenticated {
  readonly holder: LimitedHolder | undefined
  /** The caller, or the error to return once the limits have let the request pass. */
  readonly admitted: Result.Result<Admitted, Refused>
}

export type Params = Readonly<Record<string, string | undefined>>
export type Request = HttpServerRequest.HttpServerRequest

export const refuseSuspended = (store: StoreContext): Effect.Effect<void, StoreSuspended> =>
  store.suspended ? Effect.fail(new StoreSuspended({ id: store.id })) : Effect.void

/**
 * Responses for merchants, customers and carts are private: no cache may store them. By default caches only leave out
 * responses to requests with Authorization (RFC 9111, 3.5), not with X-API-Key, nor those whose path is the secret.
 * What every shopper may see can be cached.
 */
export const keepPrivate = (exchange: Exchange): void => {
  exchange.headers["cache-control"] = "no-store"
}
