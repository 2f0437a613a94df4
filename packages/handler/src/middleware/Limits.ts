/**
 * The rate limits in the order in which they are checked: per IP and minute, per IP and hour, failed authentication,
 * key, account, route. All windows of a request are taken in one call, so that a limit costs one statement at most and
 * a refused request is counted in no later window. Where the per-IP windows are off, a request that presents no
 * credential costs none.
 */
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
  readonly scope: "ip" | "auth" | "key" | "account" | "route"
  readonly tier?: string
}

/** What a request is counted for, whoever it turns out to come from. */
export interface Asked {
  readonly exchange: Exchange
  /** A matched route's cap, under the route's name. */
  readonly cap?: { readonly route: string; readonly cap: RouteCap }
  /**
   * Whether the failed authentications of the client may refuse it: `never` where no route matched, `always` where a
   * credential is demanded or tried, and `beside` others where none is: no statement is made for them alone.
   */
  readonly failures: "never" | "beside" | "always"
}

/** Whose request it is, as far as limits go: the holder of a key, or somebody whose credential is no good. */
interface Claimant {
  readonly holder?: KeyHolder | undefined
  readonly isFailing?: boolean
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
    // The windows after a refusing one were not read; a refused minute says nothing new of the hour.
    const count = refused === i ? limit : counts[i]
    if (count === undefined) continue
    exchange.headers[`x-ratelimit-limit${suffix}`] = String(limit)
    exchange.headers[`x-ratelimit-remaining${suffix}`] = String(Math.max(0, limit - count))
    exchange.headers[`x-ratelimit-reset${suffix}`] = String(secondsLeft({ bucket: "", limit, ms }, now))
  }
}

/** Refuses where a window was full. */
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
 * The limits of one request, which are taken once and in one statement. Where the credential's look-up has to ask the
 * database, that statement also takes the windows of a caller who is not found, so that a refusal costs no other. For a
 * caller who is found it only reads whether a window is full; `take` takes later, when the key's windows are known too.
 */
export interface RequestLimits {
  /** Reads what names the caller; `isFailing`, whether to find nothing is a failed authentication. */
  readonly reading: (isFailing: boolean) => RowReader<RateLimited>
  /** The credential is no good: `take` counts a failed authentication too. */
  readonly markFailed: Effect.Effect<void>
  /** Takes from every window of the request, unless that was done while reading. */
  readonly take: (holder: KeyHolder | undefined) => Effect.Effect<void, RateLimited>
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

/**
 * For what no guard stands before: documents, and requests that no route is found for. They count for their address
 * alone.
 */
export const makeCounted = Effect.gen(function* () {
  const limits = yield* RateLimits
  const settings = yield* HandlerSettings
  return <A, E, R>(answer: Effect.Effect<A, E, R>) =>
    Effect.flatMap(Exchange, (exchange) =>
      Effect.andThen(takeLimits(limits, settings, { exchange, failures: "never" }), answer)
    )
})

/**
 * A cap of one key on a part of a route that only its endpoint can tell. Like every cap of a route it is not in force
 * where the windows of addresses are off.
 */
export const takeKeyCap = (
  limits: RateLimits["Service"],
  settings: HandlerSettings,
  { keyId, route, limit, ms }: RouteCap & { readonly keyId: string; readonly route: string }
): Effect.Effect<void, RateLimited> => {
  if (settings.perIp === null) return Effect.void
  const buckets: ReadonlyArray<Bucket> = [{ scope: "route", bucket: `route:${route}:key:${keyId}`, limit, ms }]
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

/**
 * Counts one failed authentication of the client that its endpoint found out: a wrong password, a token that is no
 * good.
 */
export const countFailedAuth = (
  limits: RateLimits["Service"],
  settings: HandlerSettings,
  exchange: Exchange
): Effect.Effect<void> =>
  settings.failedAuth === null || exchange.ip === undefined
    ? Effect.void
    : Effect.asVoid(limits.take([{ bucket: `auth:${exchange.ip}`, limit: 1_000_000, ms: failedAuthWindow }]))
