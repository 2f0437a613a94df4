/**
 * The rate limits in the order in which they are checked: per IP and minute, per IP and hour, failed authentication,
 * key and account or installation, route. All windows of a request are taken in one call, so that limits cost one
 * statement at most and a rejected request is not counted in later windows. If the per-IP limits are off, a request
 * without a credential costs none.
 */
import { type AppTier, appTierLimits, inboundLimit } from "@effect-commerce/core/app/AppInstallation"
import { type KeyHolder, tierLimits } from "@effect-commerce/core/identity/ApiKey"
import { RateLimits, type RateTaken, type RateWindow, type RowReader } from "@effect-commerce/core/guard/RateLimits"
import { Effect } from "effect"
import { Exchange } from "./Exchange.ts"
import type { RouteCap } from "./Policy.ts"
import { RateLimited } from "./Refusals.ts"
import { HandlerSettings } from "./Settings.ts"

const minute = 60_000
const hour = 3_600_000
const failedAuthWindow = 5 * minute
/** The account's ceiling over all its keys. */
const accountLimit = (holder: KeyHolder): number => Math.min(tierLimits[holder.accountTier] * 5, 20_000)

interface Bucket extends RateWindow {
  readonly scope: "ip" | "auth" | "key" | "account" | "installation" | "route"
  readonly tier?: string
}

/** What a request is counted for before its caller is known. */
export interface Asked {
  readonly exchange: Exchange
  /** A matched route's cap, under the route's name. */
  readonly cap?: { readonly route: string; readonly cap: RouteCap }
  /**
   * Whether too many failed authentications reject the request: `never` if no route matched, `always` if it has or
   * needs a credential, else `beside`: only if another limit needs a statement anyway.
   */
  readonly failures: "never" | "beside" | "always"
}

/** An installed app. The events that it receives are counted apart from its other requests. */
export interface LimitedApp {
  readonly installationId: string
  readonly tier: AppTier
  readonly isReceiving: boolean
}

/** Who has a limit of their own. */
export type LimitedHolder = KeyHolder | LimitedApp

/** Whom limits count the request for: a holder, or a caller with an invalid credential. */
interface Claimant {
  readonly holder?: LimitedHolder | undefined
  readonly isFailing?: boolean
}

const holderBuckets = (holder: LimitedHolder): ReadonlyArray<Bucket> => {
  if ("installationId" in holder) {
    const { installationId, tier, isReceiving } = holder
    return isReceiving
      ? [{ scope: "installation", bucket: `inbound:${installationId}`, limit: inboundLimit, ms: minute }]
      : [{ scope: "installation", bucket: `app:${installationId}`, limit: appTierLimits[tier], ms: minute, tier }]
  }
  const limit = holder.rateLimit ?? tierLimits[holder.tier]
  return [
    { scope: "key", bucket: `key:${holder.keyId}`, limit, ms: minute, tier: holder.tier },
    { scope: "account", bucket: `account:${holder.accountId}`, limit: accountLimit(holder), ms: minute }
  ]
}

const bucketsOf = (
  settings: HandlerSettings,
  asked: Asked,
  { holder, isFailing = false }: Claimant
): ReadonlyArray<Bucket> => {
  const { cap } = asked
  const { ip } = asked.exchange
  const perIp = ip === undefined ? null : settings.perIp
  const buckets: Array<Bucket> = []
  if (perIp !== null) {
    buckets.push({ scope: "ip", bucket: `ip:${ip}`, limit: perIp.perMinute, ms: minute })
    buckets.push({ scope: "ip", bucket: `ip-hour:${ip}`, limit: perIp.perHour, ms: hour })
  }
  const isJudged = asked.failures === "always" || (asked.failures === "beside" && perIp !== null)
  if ((isJudged || isFailing) && settings.failedAuth !== null && ip !== undefined) {
    buckets.push({
      scope: "auth",
      bucket: `auth:${ip}`,
      limit: settings.failedAuth,
      ms: failedAuthWindow,
      readOnly: !isFailing
    })
  }
  if (holder !== undefined) buckets.push(...holderBuckets(holder))
  if (cap === undefined) return buckets
  if (perIp !== null) {
    const { limit, ms } = cap.cap
    buckets.push({ scope: "route", bucket: `route:${cap.route}:${ip}`, limit, ms })
  }
  // A route with a limit of its own takes what can be guessed, also where the limits of addresses are off.
  return buckets.map((bucket) => ({ ...bucket, needsStore: true }))
}

const secondsLeft = (window: RateWindow, now: number): number => Math.ceil((window.ms - (now % window.ms)) / 1_000)

/** Writes the per-IP windows into the answer's headers: Reset is in seconds from now, not a time. */
const describe = (
  exchange: Exchange,
  settings: HandlerSettings,
  counts: ReadonlyArray<number>,
  refused: number,
  now: number
): void => {
  if (settings.perIp === null || exchange.ip === undefined) return
  const windows = [
    { suffix: "", limit: settings.perIp.perMinute, ms: minute },
    { suffix: "-long", limit: settings.perIp.perHour, ms: hour }
  ]
  for (const [i, { suffix, limit, ms }] of windows.entries()) {
    // The windows after a full one were not read; while the minute is full, the hour's headers stay as they were.
    const count = refused === i ? limit : counts[i]
    if (count === undefined) continue
    exchange.headers[`x-ratelimit-limit${suffix}`] = String(limit)
    exchange.headers[`x-ratelimit-remaining${suffix}`] = String(Math.max(0, limit - count))
    exchange.headers[`x-ratelimit-reset${suffix}`] = String(secondsLeft({ bucket: "", limit, ms }, now))
  }
}

/** Fails if a window is full. */
const judge = (
  exchange: Exchange,
  settings: HandlerSettings,
  buckets: ReadonlyArray<Bucket>,
  taken: RateTaken
): Effect.Effect<void, RateLimited> => {
  const { counts, refused, now } = taken
  describe(exchange, settings, counts, refused, now)
  const bucket = buckets[refused]
  if (bucket === undefined) return Effect.void
  const { limit, ms, scope, tier } = bucket
  return Effect.fail(
    new RateLimited({
      limit,
      ttlMs: ms,
      retryAfterSeconds: secondsLeft(bucket, now),
      scope,
      ...(tier === undefined ? {} : { tier })
    })
  )
}

const takeLimits = Effect.fnUntraced(function* (
  limits: RateLimits["Service"],
  settings: HandlerSettings,
  asked: Asked,
  claimant: Claimant = {}
) {
  const buckets = bucketsOf(settings, asked, claimant)
  if (buckets.length > 0) yield* judge(asked.exchange, settings, buckets, yield* limits.take(buckets))
})

/**
 * The limits of one request, counted once and in one statement. If the credential has to be looked up in the database,
 * the same statement counts the request of an unknown caller, so that an error costs no other statement. For a known
 * caller it only reads whether a limit is reached; `take` counts later, when the limits of the key are known too.
 */
export interface RequestLimits {
  /** Looks up the credential; `isFailing`: whether an unknown one is a failed authentication. */
  readonly reading: (isFailing: boolean) => RowReader<RateLimited>
  /** The credential is invalid: `take` counts a failed authentication too. */
  readonly markFailed: Effect.Effect<void>
  /** Counts the request in every window, unless the look-up has done so. */
  readonly take: (holder: LimitedHolder | undefined) => Effect.Effect<void, RateLimited>
}

export const makeRequestLimits = (
  limits: RateLimits["Service"],
  settings: HandlerSettings,
  asked: Asked
): RequestLimits => {
  let isTaken = false
  let isFailing = false
  const reading =
    (whenMissing: boolean): RowReader<RateLimited> =>
    <A extends object>(select: Parameters<RowReader<RateLimited>>[0]) =>
      Effect.gen(function* () {
        const missing = bucketsOf(settings, asked, { isFailing: whenMissing })
        const found = missing.map((bucket) => ({ ...bucket, readOnly: true }))
        const { row, taken } = yield* limits.takeReading<A>(select, { missing, found })
        yield* judge(asked.exchange, settings, missing, taken)
        isTaken = row === undefined
        return row
      })
  return {
    reading,
    markFailed: Effect.sync(() => {
      isFailing = true
    }),
    take: (holder) =>
      Effect.suspend(() => (isTaken ? Effect.void : takeLimits(limits, settings, asked, { holder, isFailing })))
  }
}

/** For requests without a guard: documents, and requests without a route. They count for their address only. */
export const makeCounted = Effect.gen(function* () {
  const limits = yield* RateLimits
  const settings = yield* HandlerSettings
  return <A, E, R>(answer: Effect.Effect<A, E, R>) =>
    Effect.flatMap(Exchange, (exchange) =>
      Effect.andThen(takeLimits(limits, settings, { exchange, failures: "never" }), answer)
    )
})

/**
 * A limit per key on one use of a route that only the endpoint recognises. Like every limit of a route it does not
 * apply if the limits per address are off.
 */
export const takeKeyCap = (
  limits: RateLimits["Service"],
  settings: HandlerSettings,
  { keyId, route, limit, ms }: RouteCap & { readonly keyId: string; readonly route: string }
): Effect.Effect<void, RateLimited> => {
  if (settings.perIp === null) return Effect.void
  const buckets: ReadonlyArray<Bucket> = [
    { scope: "route", bucket: `route:${route}:key:${keyId}`, limit, ms, needsStore: true }
  ]
  return Effect.flatMap(limits.take(buckets), ({ refused, now }) =>
    refused < 0
      ? Effect.void
      : Effect.fail(
          new RateLimited({
            limit,
            ttlMs: ms,
            retryAfterSeconds: secondsLeft({ bucket: "", limit, ms }, now),
            scope: "route"
          })
        )
  )
}

/** Counts one failed authentication that an endpoint has found: a wrong password or an invalid token. */
export const countFailedAuth = (
  limits: RateLimits["Service"],
  settings: HandlerSettings,
  exchange: Exchange
): Effect.Effect<void> =>
  settings.failedAuth === null || exchange.ip === undefined
    ? Effect.void
    : Effect.asVoid(limits.take([{ bucket: `auth:${exchange.ip}`, limit: 1_000_000, ms: failedAuthWindow }]))
