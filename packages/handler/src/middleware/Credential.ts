/**
 * Reads a request's credential: looks it up and judges it, and returns a refusal instead of failing with it, so that
 * the limits of key and client are taken first. An invalid credential is counted in the same statement
 * (`RequestLimits`).
 */
import type { CustomerBearer } from "@effect-commerce/core/customer/CustomerTokens"
import {
  admitsOrigin,
  channelAllows,
  type ChannelScope,
  type SalesChannel
} from "@effect-commerce/core/store/SalesChannel"
import { Context, Effect, Result } from "effect"
import { authenticateAdmin } from "./AdminCredential.ts"
import { ChannelCaller, CustomerCaller, PublicCaller } from "./Callers.ts"
import type { Exchange } from "./Exchange.ts"
import { originOf } from "./Origin.ts"
import {
  type Admitted,
  type Authenticated,
  type CredentialLookups,
  keepPrivate,
  type Params,
  type Presented,
  type Refused,
  refuseSuspended
} from "./Presented.ts"
import { ChannelScopeDisabled, RateLimited, Unauthorized } from "./Refusals.ts"
import { bearerOf } from "./SessionCredential.ts"

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
      return authenticateAdmin(lookups, presented)
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

const allowOrigin = (exchange: Exchange, origin: string | undefined): void => {
  if (origin === undefined) return
  exchange.headers["access-control-allow-origin"] = origin
  exchange.headers["vary"] = "Origin"
}
