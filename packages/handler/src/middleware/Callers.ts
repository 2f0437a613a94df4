/**
 * Who is calling, per surface. An endpoint's handler can only ask for the caller of the surface its declaration names.
 */
import type { InstallationPlace } from "@effect-commerce/core/app/AppInstallation"
import type { CustomerBearer } from "@effect-commerce/core/customer/CustomerTokens"
import type { SalesChannel } from "@effect-commerce/core/store/SalesChannel"
import type { StoreContext } from "@effect-commerce/core/store/StoreContext"
import type { LoginOrigin } from "@effect-commerce/core/team/DashboardSessions"
import type { Person } from "@effect-commerce/core/team/DashboardUser"
import type { TeamRole } from "@effect-commerce/core/team/TeamRole"
import { Context, type Effect } from "effect"
import type { CrossSiteRequest } from "./Refusals.ts"

/** Mode 1: an admin key with the route's scope, or on the dashboard's routes a person; and the store it is for. */
export class AdminCaller extends Context.Service<
  AdminCaller,
  {
    readonly keyId: string
    readonly keyName: string
    readonly accountId: string
    readonly keyStoreId: string | null
    readonly scopes: ReadonlyArray<string>
    readonly store: StoreContext
    /** A person of the dashboard in place of a key, whose `keyId` and `keyName` are then the person's. */
    readonly person: TeamPerson | null
  }
>()("@effect-commerce/handler/middleware/AdminCaller") {}

/** Mode 5: the token of an installed app on its own routes, or an admin key there; and the installation in the path. */
export class InstallationCaller extends Context.Service<
  InstallationCaller,
  {
    readonly store: StoreContext
    readonly place: InstallationPlace
    /** The bytes of a body that is taken as it is; none on other routes. */
    readonly body: Uint8Array
    readonly contentType: string | undefined
  }
>()("@effect-commerce/handler/middleware/InstallationCaller") {}

/** A person of the store's team. */
export interface TeamPerson extends Person {
  readonly role: TeamRole
}

/** Whoever calls a route of /auth: from where, and how to count what they get wrong. */
export class VisitorCaller extends Context.Service<
  VisitorCaller,
  {
    readonly from: LoginOrigin
    readonly countFailure: Effect.Effect<void>
    /** Fails unless a page of this server's own origin calls: asked before a cookie is set. */
    readonly checkSameOrigin: Effect.Effect<void, CrossSiteRequest>
  }
>()("@effect-commerce/handler/middleware/VisitorCaller") {}

/** A person of the dashboard who is logged in, whatever stores they work for. */
export class PersonCaller extends Context.Service<
  PersonCaller,
  { readonly person: Person; readonly isCookie: boolean }
>()("@effect-commerce/handler/middleware/PersonCaller") {}

/** Mode 2: a browser on a registered storefront domain; also mode 4 if a valid customer token came with the request. */
export class ChannelCaller extends Context.Service<
  ChannelCaller,
  {
    readonly channel: SalesChannel
    readonly store: StoreContext
    readonly customer: CustomerBearer | null
  }
>()("@effect-commerce/handler/middleware/ChannelCaller") {}

/** Mode 4 where it is required: the signed-in customer and their token. */
export class CustomerCaller extends Context.Service<
  CustomerCaller,
  { readonly channel: SalesChannel; readonly store: StoreContext; readonly customer: CustomerBearer }
>()("@effect-commerce/handler/middleware/CustomerCaller") {}

/**
 * A company that sends what it likes: the exact bytes of the body, whatever their media type, and the headers by their
 * lower-case names. The endpoint verifies both, and counts what it rejects as a failed authentication.
 */
export class RawCaller extends Context.Service<
  RawCaller,
  {
    readonly headers: Readonly<Record<string, string | undefined>>
    readonly body: Uint8Array
    readonly countFailure: Effect.Effect<void>
  }
>()("@effect-commerce/handler/middleware/RawCaller") {}

/** Mode 3: anyone with an Origin, reading the public catalogue. */
export class PublicCaller extends Context.Service<PublicCaller, { readonly store: StoreContext }>()(
  "@effect-commerce/handler/middleware/PublicCaller"
) {}
