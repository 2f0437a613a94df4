/**
 * Reads a request's credential: looks it up and judges it, and returns a refusal instead of failing with it, so that
 * the limits of key and client are taken first. An invalid credential is counted in the same statement
 * (`RequestLimits`).
 */
import type { VersionedResource } from "@effect-commerce/core/CommerceRooms"
import { keyMark, type KeyHolder } from "@effect-commerce/core/identity/ApiKey"
import type { ApiKeys } from "@effect-commerce/core/identity/ApiKeys"
import { grants } from "@effect-commerce/core/identity/Scope"
import type { CustomerBearer, CustomerTokens } from "@effect-commerce/core/customer/CustomerTokens"
import {
  admitsOrigin,
  channelAllows,
  type ChannelScope,
  type SalesChannel
} from "@effect-commerce/core/store/SalesChannel"
import type { SalesChannels } from "@effect-commerce/core/store/SalesChannels"
import type { StoreContext } from "@effect-commerce/core/store/StoreContext"
import { type SalesChannelNotFound, StoreNotFound, StoreSuspended } from "@effect-commerce/core/store/StoreErrors"
import type { Stores } from "@effect-commerce/core/store/Stores"
import { Context, Effect, Result } from "effect"
import type { HttpServerRequest } from "effect/http"
import { AdminCaller, ChannelCaller, CustomerCaller, PublicCaller } from "./Callers.ts"
import type { Exchange } from "./Exchange.ts"
import type { RequestLimits } from "./Limits.ts"
import { originOf } from "./Origin.ts"
import type { PolicyFacts } from "./Policy.ts"
import {
  ChannelScopeDisabled,
  RateLimited,
  ScopeInsufficient,
  StoreIdMismatch,
  StoreIdRequired,
  Unauthorized
} from "./Refusals.ts"

/** The services that a credential, and the store that it is for, are looked up in. */
export interface CredentialLookups {
  readonly keys: ApiKeys["Service"]
  readonly channels: SalesChannels["Service"]
  readonly stores: Stores["Service"]
  readonly customerTokens: CustomerTokens["Service"]
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

type Refused =
  | Unauthorized
  | ScopeInsufficient
  | ChannelScopeDisabled
  | StoreIdRequired
  | StoreIdMismatch
  | StoreNotFound
  | StoreSuspended
  | SalesChannelNotFound

interface Admitted {
  readonly identify: (body: Uint8Array) => Effect.Effect<Identified, Refused>
}

export interface Authenticated {
  readonly holder: KeyHolder | undefined
  /** The caller, or the error to return once the limits have let the request pass. */
  readonly admitted: Result.Result<Admitted, Refused>
}

type Params = Readonly<Record<string, string | undefined>>
type Request = HttpServerRequest.HttpServerRequest

export const authenticate = (
  lookups: CredentialLookups,
  presented: Presented
): Effect.Effect<Authenticated, RateLimited> => {
  switch (presented.policy.surface) {
    case "channel":
      return judged(admitChannel(lookups, presented))
    case "public":
      return judged(admitPublic(lookups, presented))
    default:
      return authenticateKey(lookups, presented)
  }
}

/** Returns an error as a value, to be reported later; fails with the error of a limit at once. */
const judged = (admit: Effect.Effect<Admitted, Refused | RateLimited>): Effect.Effect<Authenticated, RateLimited> =>
  Effect.flatMap(Effect.result(admit), (result): Effect.Effect<Authenticated, RateLimited> => {
    if (Result.isSuccess(result)) return Effect.succeed({ holder: undefined, admitted: Result.succeed(result.success) })
    return result.failure instanceof RateLimited
      ? Effect.fail(result.failure)
      : Effect.succeed({ holder: undefined, admitted: Result.fail(result.failure) })
  })

const bearerOf = (request: Request): string | undefined => {
  const value = request.headers["authorization"]
  return value === undefined ? undefined : (/^bearer (.*)$/i.exec(value)?.[1]?.trim() ?? "")
}

const authenticateKey = Effect.fnUntraced(function* (
  lookups: CredentialLookups,
  { policy, request, params, exchange, requestLimits }: Presented
) {
  const header = request.headers["x-api-key"]
  const bearer = bearerOf(request)
  const doubled = header !== undefined && bearer !== undefined && header !== bearer
  const given = header ?? bearer
  keepPrivate(exchange)
  const holder =
    doubled || given === undefined || !given.startsWith(keyMark)
      ? undefined
      : yield* lookups.keys.recognise(given, requestLimits.reading(true))
  if (holder === undefined) {
    if (given === undefined) return refusedKey("An admin API key is required: Authorization: Bearer svc_… or X-API-Key")
    yield* requestLimits.markFailed
    return refusedKey(doubled ? "Send one credential, not two" : "This API key is not valid")
  }
  const needed = neededScopes(policy)
  if (!needed.some((scope) => grants(holder.scopes, scope)))
    return { holder, admitted: Result.fail(new ScopeInsufficient({ required: needed.join(" or ") })) }
  const identify =
    policy.storeInPath === true
      ? () => identifyKeyFor(lookups, holder, params["storeId"] ?? "")
      : (body: Uint8Array) => identifyKey(lookups, holder, request, body)
  return { holder, admitted: Result.succeed({ identify }) }
})

/** The scopes of which a key needs one. */
const neededScopes = ({ scope, scopes }: PolicyFacts): ReadonlyArray<string> => scopes ?? [scope ?? ""]

const refusedKey = (reason: string) => ({ holder: undefined, admitted: Result.fail(new Unauthorized({ reason })) })

const identifyKey = Effect.fnUntraced(function* (
  lookups: CredentialLookups,
  holder: KeyHolder,
  request: Request,
  body: Uint8Array
) {
  const [inQuery, inBody] = [queryOf(request, "storeId"), storeIdOf(body)]
  if (inQuery !== undefined && inBody !== undefined && inQuery !== inBody) return yield* new StoreIdMismatch()
  const asked = inQuery ?? inBody
  if (holder.storeId === null && asked === undefined) return yield* new StoreIdRequired()
  if (holder.storeId !== null && asked !== undefined && asked !== holder.storeId) return yield* new StoreIdMismatch()
  return yield* identifyKeyFor(lookups, holder, holder.storeId ?? asked ?? "")
})

/**
 * The key acting for one store: a store of its account, or its own store if it is bound to one. Any other store is
 * unknown to it.
 */
const identifyKeyFor = Effect.fnUntraced(function* (lookups: CredentialLookups, holder: KeyHolder, storeId: string) {
  if (holder.storeId !== null && storeId !== holder.storeId) return yield* new StoreNotFound({ id: storeId })
  const store = yield* lookups.stores.context(storeId)
  if (store.accountId !== holder.accountId) return yield* new StoreNotFound({ id: store.id })
  yield* refuseSuspended(store)
  const { keyId, name: keyName, accountId, storeId: keyStoreId, scopes } = holder
  const introduce = Context.add(AdminCaller, { keyId, keyName, accountId, keyStoreId, scopes, store })
  return {
    storeId: store.id,
    store,
    credential: `key:${keyId}`,
    introduce,
    ...(keyStoreId === null ? { sees: { apiKey: "accountApiKey" as const } } : {})
  }
})

const admitChannel = Effect.fnUntraced(function* (lookups: CredentialLookups, presented: Presented) {
  const { policy, request, params, exchange, requestLimits } = presented
  const channel = yield* lookups.channels.resolve(params["salesChannelId"] ?? "", requestLimits.reading(false))
  const origin = originOf(request)
  if (!admitsOrigin(channel, origin))
    return yield* new Unauthorized({ reason: "The Origin is not a domain of this sales channel" })
  allowOrigin(exchange, origin)
  if (policy.channelScope !== "storefrontRead" || bearerOf(request) !== undefined) keepPrivate(exchange)
  const store = yield* lookups.stores.context(channel.storeId)
  yield* refuseSuspended(store)
  const needed: ReadonlyArray<ChannelScope> = [
    ...(policy.channelScope === undefined ? [] : [policy.channelScope]),
    ...(policy.customer === "required" ? (["customerAuth"] as const) : [])
  ]
  const off = needed.find((scope) => !channelAllows(channel, scope))
  if (off !== undefined) return yield* new ChannelScopeDisabled({ scope: off })
  const customer = yield* admitCustomer(lookups, channel, presented)
  const asShopper = Context.add(ChannelCaller, { channel, store, customer: customer ?? null })
  const introduce =
    customer === undefined
      ? asShopper
      : (context: Context.Context<never>) =>
          Context.add(asShopper(context), CustomerCaller, { channel, store, customer })
  const credential = customer === undefined ? guestOf(channel, params) : `customer:${customer.id}`
  return { identify: () => Effect.succeed({ storeId: store.id, store, credential, introduce }) }
})

/**
 * The customer whose token the request has. Where a token is optional, an invalid one counts as none. Where it is
 * required, an invalid or absent one is 401, and an invalid one also counts as a failed authentication. Two credentials
 * are an error either way. A channel with customer accounts switched off has no customers.
 */
const admitCustomer = Effect.fnUntraced(function* (
  lookups: CredentialLookups,
  channel: SalesChannel,
  { policy, request, requestLimits }: Presented
) {
  const bearer = bearerOf(request)
  if (policy.customer === undefined || !channelAllows(channel, "customerAuth")) return undefined
  const isDoubled = bearer !== undefined && request.headers["x-api-key"] !== undefined
  const customer: CustomerBearer | undefined =
    bearer === undefined || isDoubled
      ? undefined
      : yield* lookups.customerTokens.recognise(channel.storeId, channel.id, bearer)
  if (customer !== undefined || (policy.customer === "optional" && !isDoubled)) return customer
  if (bearer === undefined)
    return yield* new Unauthorized({ reason: "A customer's token is required: Authorization: Bearer …" })
  yield* requestLimits.markFailed
  return yield* new Unauthorized({
    reason: isDoubled ? "Send one credential, not two" : "This token is not valid; sign in again"
  })
})

/** A guest's key is scoped to channel and cart or checkout, never to the channel alone. */
const guestOf = (channel: SalesChannel, params: Params): string =>
  `guest:${channel.id}:${params["checkoutId"] ?? params["cartId"] ?? ""}`

const admitPublic = Effect.fnUntraced(function* (
  lookups: CredentialLookups,
  { request, params, exchange, requestLimits }: Presented
) {
  const store = yield* lookups.stores.context(params["storeId"] ?? "", requestLimits.reading(false))
  const origin = originOf(request)
  if (origin === undefined) return yield* new Unauthorized({ reason: "An Origin header is required" })
  allowOrigin(exchange, origin)
  yield* refuseSuspended(store)
  const introduce = Context.add(PublicCaller, { store })
  return { identify: () => Effect.succeed({ storeId: store.id, store, credential: "public", introduce }) }
})

const refuseSuspended = (store: StoreContext): Effect.Effect<void, StoreSuspended> =>
  store.suspended ? Effect.fail(new StoreSuspended({ id: store.id })) : Effect.void

/**
 * Responses for merchants, customers and carts are private: no cache may store them. By default caches only leave out
 * responses to requests with Authorization (RFC 9111, 3.5), not with X-API-Key, nor those whose path is the secret.
 * What every shopper may see can be cached.
 */
const keepPrivate = (exchange: Exchange): void => {
  exchange.headers["cache-control"] = "no-store"
}

const allowOrigin = (exchange: Exchange, origin: string | undefined): void => {
  if (origin === undefined) return
  exchange.headers["access-control-allow-origin"] = origin
  exchange.headers["vary"] = "Origin"
}

const queryOf = (request: Request, name: string): string | undefined => {
  const at = request.url.indexOf("?")
  return at < 0 ? undefined : (new URLSearchParams(request.url.slice(at + 1)).get(name) ?? undefined)
}

/** The body's `storeId`, read leniently: the route's own schema reports errors of the body later. */
const storeIdOf = (body: Uint8Array): string | undefined => {
  if (body.length === 0 || !Buffer.from(body.buffer, body.byteOffset, body.length).includes('"storeId"'))
    return undefined
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body))
    return typeof value === "object" && value !== null && "storeId" in value && typeof value.storeId === "string"
      ? value.storeId
      : undefined
  } catch {
    return undefined
  }
}
