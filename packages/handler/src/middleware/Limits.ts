/**
 * The rate limits of interface.md in their order: per IP and minute, per IP and hour, failed authentication, key, account, route. All windows
 * of a request are taken in one call, so that a limit costs one statement at most and a refused request is counted in no later window.
 */
import { type KeyHolder, tierLimits } from "@effect-commerce/core/identity/ApiKey"
import { RateLimits, type RateWindow } from "@effect-commerce/core/database/RateLimits"
import { Effect } from "effect"
import { Exchange } from "./Exchange.ts"
import type { RouteCap } from "./Policy.ts"
import { RateLimited } from "./Refusals.ts"
import { HandlerSettings } from "./Settings.ts"

const minute = 60_000
const hour = 3_600_000
const failedAuthWindow = 5 * minute
/** The account's ceiling over all its keys (interface.md, Rate limits 3). */
const accountLimit = (holder: KeyHolder): number => Math.min(tierLimits[holder.accountTier] * 5, 20_000)

interface Bucket extends RateWindow {
  readonly scope: "ip" | "auth" | "key" | "account" | "route"
  readonly tier?: string
}

export interface Asked {
  readonly exchange: Exchange
  readonly holder: KeyHolder | undefined
  /** A matched route's cap, under the route's name. */
  readonly cap?: { readonly route: string; readonly cap: RouteCap }
  /** False where no route matched: no credential is looked at. */
  readonly authenticates: boolean
}

const bucketsOf = (settings: HandlerSettings, asked: Asked): ReadonlyArray<Bucket> => {
  const { holder, cap } = asked
  const { ip } = asked.exchange
  const perIp = ip === undefined ? null : settings.perIp
  const buckets: Array<Bucket> = []
  if (perIp !== null) {
    buckets.push({ scope: "ip", bucket: `ip:${ip}`, limit: perIp.perMinute, ms: minute })
    buckets.push({ scope: "ip", bucket: `ip-hour:${ip}`, limit: perIp.perHour, ms: hour })
  }
  if (asked.authenticates && settings.failedAuth !== null && ip !== undefined) {
    buckets.push({ scope: "auth", bucket: `auth:${ip}`, limit: settings.failedAuth, ms: failedAuthWindow, readOnly: true })
  }
  if (holder !== undefined) {
    const limit = holder.rateLimit ?? tierLimits[holder.tier]
    buckets.push({ scope: "key", bucket: `key:${holder.keyId}`, limit, ms: minute, tier: holder.tier })
    buckets.push({ scope: "account", bucket: `account:${holder.accountId}`, limit: accountLimit(holder), ms: minute })
  }
  if (cap !== undefined && perIp !== null) {
    buckets.push({ scope: "route", bucket: `route:${cap.route}:${ip}`, limit: cap.cap.limit, ms: cap.cap.ms })
  }
  return buckets
}

const secondsLeft = (window: RateWindow, now: number): number => Math.ceil((window.ms - (now % window.ms)) / 1_000)

/** Writes the per-IP windows into the answer's headers: Reset is in seconds from now, not a time. */
const describe = (exchange: Exchange, settings: HandlerSettings, counts: ReadonlyArray<number>, refused: number, now: number): void => {
  if (settings.perIp === null || exchange.ip === undefined) return
  const windows = [
    { suffix: "", limit: settings.perIp.perMinute, ms: minute },
    { suffix: "-long", limit: settings.perIp.perHour, ms: hour }
  ]
  for (const [i, { suffix, limit, ms }] of windows.entries()) {
    // The windows after a refusing one were not read; a refused minute says nothing new of the hour.
    const count = refused === i ? limit : counts[i]
    if (count === undefined) continue
    exchange.headers[`x-ratelimit-limit${suffix}`] = String(limit)
    exchange.headers[`x-ratelimit-remaining${suffix}`] = String(Math.max(0, limit - count))
    exchange.headers[`x-ratelimit-reset${suffix}`] = String(secondsLeft({ bucket: "", limit, ms }, now))
  }
}

export const takeLimits = Effect.fnUntraced(function* (limits: RateLimits["Service"], settings: HandlerSettings, asked: Asked) {
  const buckets = bucketsOf(settings, asked)
  if (buckets.length === 0) return
  const { counts, refused, now } = yield* limits.take(buckets)
  describe(asked.exchange, settings, counts, refused, now)
  const bucket = buckets[refused]
  if (bucket === undefined) return
  const { limit, ms, scope, tier } = bucket
  return yield* new RateLimited({ limit, ttlMs: ms, retryAfterSeconds: secondsLeft(bucket, now), scope, ...(tier === undefined ? {} : { tier }) })
})

/** For what no guard stands before: documents, and requests that no route is found for. They count for their address alone. */
export const makeCounted = Effect.gen(function* () {
  const limits = yield* RateLimits
  const settings = yield* HandlerSettings
  return <A, E, R>(answer: Effect.Effect<A, E, R>) =>
    Effect.flatMap(Exchange, (exchange) => Effect.andThen(takeLimits(limits, settings, { exchange, holder: undefined, authenticates: false }), answer))
})

/** Counts one failed authentication of the client. */
export const countFailedAuth = (limits: RateLimits["Service"], settings: HandlerSettings, exchange: Exchange): Effect.Effect<void> =>
  settings.failedAuth === null || exchange.ip === undefined
    ? Effect.void
    : Effect.asVoid(limits.take([{ bucket: `auth:${exchange.ip}`, limit: 1_000_000, ms: failedAuthWindow }]))
