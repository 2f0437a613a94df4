/**
 * The only function that calls addresses chosen by others (webhooks, media by URL, OIDC issuers). The URL is checked,
 * its name resolved, every resolved address checked, and the connection made only to those addresses: the name is not
 * resolved a second time, so a name server that answers differently the next time changes nothing (DNS rebinding). TLS
 * is still for the name. Redirects are returned, never followed. Kept-alive connections are shared only between calls
 * whose checked addresses are the same.
 */
import { Context, Effect, Layer, Result } from "effect"
import type { buildConnector, Pool } from "undici"
import { refuseInHostTransaction } from "../database/OwnTransaction.ts"
import { loadedOnce } from "../kernel/loadedOnce.ts"
import { outOfTurn } from "../kernel/RequestTurn.ts"
import { type AddressPolicy, mayReach, parseAddress } from "./AddressRules.ts"
import { exchange, TimedOut } from "./internal/exchange.ts"
import { OutboundBlocked, OutboundFailed } from "./OutboundErrors.ts"
import { makeResolver, type Resolver } from "./Resolver.ts"
import { hostOf, readTarget } from "./TargetUrl.ts"

export interface OutboundRequest {
  readonly method: "GET" | "POST"
  readonly url: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: Uint8Array | undefined
  /** Milliseconds for everything together: resolving, connecting, sending, reading. 10 s by default. */
  readonly timeoutMs?: number | undefined
  /** At most this much of the response body is read; 64 KiB by default. */
  readonly maxBytes?: number | undefined
  /** Also allows `http://`: what is fetched is public, and nothing secret is sent. */
  readonly plainHttp?: boolean | undefined
}

export interface OutboundResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: Uint8Array
  /** False if the body was longer than `maxBytes`, broke off, or did not end in time. */
  readonly complete: boolean
}

export interface GuardedFetchMethods {
  readonly request: (request: OutboundRequest) => Effect.Effect<OutboundResponse, OutboundBlocked | OutboundFailed>
  /**
   * Why a URL cannot be called, or undefined. Its name is resolved too, for at most a second: a name with a forbidden
   * address is rejected, a name that cannot be resolved now is not.
   */
  readonly problem: (url: string) => Effect.Effect<string | undefined>
}

export interface OutboundOptions {
  /** COMMERCE_WEBHOOK_ALLOW_PRIVATE: also http://, loopback and private addresses. For development. */
  readonly allowPrivate?: boolean | undefined
  /** Ranges that are always allowed: an operator's own network. */
  readonly allowCidrs?: ReadonlyArray<string> | undefined
  readonly resolver?: Resolver | undefined
}

const undiciOnce = loadedOnce(() => import("./internal/undici.ts"))
const loadUndici = Effect.promise(undiciOnce)
type Undici = Awaited<ReturnType<typeof undiciOnce>>

const defaultTimeoutMs = 10_000
const defaultMaxBytes = 65_536
const checkTimeoutMs = 1_000
const rememberedMillis = 5_000
const mostRemembered = 10_000
const mostPools = 1_000
/**
 * More than there are calls of deliveries (webhook/internal/InFlight), test sends and downloads (callBounds.ts) at
 * once, which their callers bound for each store: many stores may have their endpoints at one origin, and a call that
 * is not answered must not keep another store's waiting for a connection.
 */
const connectionsPerPool = 512

export class GuardedFetch extends Context.Service<GuardedFetch, GuardedFetchMethods>()(
  "@effect-commerce/core/outbound/GuardedFetch"
) {
  static readonly layer = (options: OutboundOptions = {}) => Layer.effect(GuardedFetch, make(options))
}

const make = Effect.fnUntraced(function* (options: OutboundOptions) {
  const policy: AddressPolicy = { allowPrivate: options.allowPrivate === true, allowCidrs: options.allowCidrs ?? [] }
  const resolver = options.resolver ?? makeResolver({ hostsFile: policy.allowPrivate })
  const targetOf = remembered((text: string) => Result.map(readTarget(text, policy), partsOf))
  const plainTargetOf = remembered((text: string) => Result.map(readTarget(text, policy, { plainHttp: true }), partsOf))
  const judge = remembered((addresses: string) => addresses.split(" ").every((address) => mayReach(address, policy)))
  const pools = yield* makePools

  const resolve = (
    { host, isAddress }: Target,
    timeoutMs: number
  ): Effect.Effect<ReadonlyArray<string>, OutboundFailed> =>
    isAddress
      ? Effect.succeed([host])
      : Effect.tryPromise({
          try: () => within(timeoutMs, resolver(host)),
          catch: (error) =>
            error instanceof TimedOut
              ? timedOut
              : new OutboundFailed({ kind: "dns", reason: "the name cannot be resolved" })
        })

  /** The addresses of the URL's name, space-separated, when all of them may be reached. */
  const checked = (target: Target, timeoutMs: number): Effect.Effect<string, OutboundBlocked | OutboundFailed> =>
    Effect.flatMap(resolve(target, timeoutMs), (addresses): Effect.Effect<string, OutboundBlocked | OutboundFailed> => {
      if (addresses.length === 0)
        return Effect.fail(new OutboundFailed({ kind: "dns", reason: "the name has no address" }))
      const joined = addresses.length === 1 ? (addresses[0] ?? "") : [...addresses].sort().join(" ")
      return judge(joined) ? Effect.succeed(joined) : Effect.fail(new OutboundBlocked({ reason: privateName }))
    })

  const send = (asked: OutboundRequest): Effect.Effect<OutboundResponse, OutboundBlocked | OutboundFailed> => {
    const target = asked.plainHttp === true ? plainTargetOf(asked.url) : targetOf(asked.url)
    if (Result.isFailure(target)) return Effect.fail(new OutboundBlocked({ reason: target.failure }))
    const { origin, path } = target.success
    const timeoutMs = asked.timeoutMs ?? defaultTimeoutMs
    const until = performance.now() + timeoutMs
    const ready = Effect.zip(checked(target.success, timeoutMs), loadUndici)
    return Effect.flatMap(ready, ([addresses, undici]) => {
      const sending = { method: asked.method, path, headers: asked.headers ?? {}, body: asked.body }
      const limits = { maxBytes: asked.maxBytes ?? defaultMaxBytes, millis: until - performance.now() }
      return Effect.mapError(exchange(pools.of(undici, origin, addresses), { ...sending, ...limits }), failureOf)
    })
  }
  const isFree = refuseInHostTransaction("a call to another server")
  const request = (asked: OutboundRequest) => Effect.flatMap(isFree, () => outOfTurn(send(asked)))

  const problem = (text: string): Effect.Effect<string | undefined> => {
    const target = targetOf(text)
    if (Result.isFailure(target)) return Effect.succeed(target.failure)
    return outOfTurn(checked(target.success, checkTimeoutMs)).pipe(
      Effect.as(undefined),
      Effect.catchTags({
        OutboundBlocked: (e) => Effect.succeed(e.reason),
        OutboundFailed: () => Effect.succeed(undefined)
      })
    )
  }

  return GuardedFetch.of({ request, problem })
})

/** The parts of a URL that a call needs. */
interface Target {
  readonly origin: string
  readonly host: string
  /** The host is an address, not a name. */
  readonly isAddress: boolean
  readonly path: string
}

const partsOf = (url: URL): Target => {
  const host = hostOf(url)
  return { origin: url.origin, host, isAddress: parseAddress(host) !== undefined, path: `${url.pathname}${url.search}` }
}

/** Caches for a few seconds: this machine's own addresses, which are forbidden too, may change. */
const remembered = <A>(answerOf: (question: string) => A): ((question: string) => A) => {
  const known = new Map<string, A>()
  let until = 0
  return (question) => {
    const now = performance.now()
    if (now >= until || known.size >= mostRemembered) {
      known.clear()
      until = now + rememberedMillis
    }
    const given = known.get(question)
    if (given !== undefined) return given
    const answer = answerOf(question)
    known.set(question, answer)
    return answer
  }
}

const privateName = "must be reachable from the internet: this name has a private, local or reserved address"

const timedOut = new OutboundFailed({ kind: "timeout", reason: "no answer in time" })

/** Fails after this much real time, whatever the instance's clock reads. */
const within = <A>(millis: number, work: Promise<A>): Promise<A> => {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new TimedOut()), Math.max(0, millis))
  })
  return Promise.race([work, limit]).finally(() => clearTimeout(timer))
}

const kinds: ReadonlyArray<readonly [pattern: RegExp, kind: OutboundFailed["kind"]]> = [
  [/TIMEOUT/, "timeout"],
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EACCES|EPERM)$/, "connect"],
  [/CERT|TLS|SSL|EPROTO/, "tls"]
]

/** The message names only the kind of failure and repeats no text from the other side. */
const failureOf = (error: unknown): OutboundFailed => {
  if (error instanceof TimedOut) return timedOut
  const code =
    typeof error === "object" && error !== null && "code" in error && typeof error.code === "string" ? error.code : ""
  const kind = kinds.find(([pattern]) => pattern.test(code))?.[1] ?? "broken"
  return new OutboundFailed({ kind, reason: code === "" ? "the connection broke" : `the connection failed (${code})` })
}

/** One pool for each origin and set of checked addresses; the ones unused for longest are closed first. */
const makePools = Effect.gen(function* () {
  const kept = new Map<string, Pool>()
  yield* Effect.addFinalizer(() =>
    Effect.promise(() => Promise.allSettled([...kept.values()].map((pool) => pool.destroy())))
  )
  const of = (undici: Undici, origin: string, addresses: string): Pool => {
    const key = `${origin} ${addresses}`
    const pool = kept.get(key) ?? makePool(undici, origin, addresses.split(" "))
    kept.delete(key)
    kept.set(key, pool)
    const [oldest] = kept
    if (kept.size > mostPools && oldest !== undefined) {
      kept.delete(oldest[0])
      // Requests under way in it end first.
      void oldest[1].close()
    }
    return pool
  }
  return { of }
})

const makePool = (undici: Undici, origin: string, addresses: ReadonlyArray<string>): Pool => {
  const answers = addresses.flatMap((text) => {
    const address = parseAddress(text)
    return address === undefined ? [] : [{ address: address.toString(), family: address.kind() === "ipv4" ? 4 : 6 }]
  })
  const [first] = answers
  const lookup = (
    _host: string,
    options: { readonly all?: boolean | undefined },
    done: (...answer: ReadonlyArray<unknown>) => void
  ): void => (options.all === true ? done(null, answers) : done(null, first?.address, first?.family))
  const connect = undici.buildConnector({
    allowH2: false,
    timeout: defaultTimeoutMs,
    lookup,
    autoSelectFamily: answers.length > 1
  } as buildConnector.BuildOptions)
  const allowed = new Set(answers.map(({ address }) => address))
  return new undici.Pool(origin, {
    connections: connectionsPerPool,
    pipelining: 1,
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 30_000,
    connect: (options, done) =>
      connect(options, (error, socket) => {
        if (error !== null) return done(error, null)
        const peer = parseAddress(socket.remoteAddress ?? "")?.toString() ?? ""
        if (allowed.has(peer)) return done(null, socket)
        socket.destroy()
        done(new Error("connected to an address that was not checked"), null)
      })
  })
}
