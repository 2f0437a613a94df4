/**
 * The guard: one function per endpoint, built from its declaration. `steps` reads from top to bottom: look the
 * credential up -> take the limits -> refuse the credential or its scope -> bounded body (413) -> store of an admin key
 * -> claim of the Idempotency-Key -> media type (415) -> If-Match -> decode -> handler. Whatever fails leaves through
 * the envelope.
 */
import { uniqueName } from "@effect-commerce/core/crypto/Hashing"
import { RootSecret } from "@effect-commerce/core/crypto/RootSecret"
import { Database } from "@effect-commerce/core/database/Database"
import { type IdempotencyKey, IdempotencyRecords } from "@effect-commerce/core/guard/IdempotencyRecords"
import { RequestKey } from "@effect-commerce/core/guard/RequestKey"
import { RateLimits } from "@effect-commerce/core/guard/RateLimits"
import { fromReplica } from "@effect-commerce/core/replica/ReplicaReads"
import { ReadReplica } from "@effect-commerce/core/replica/ReadReplica"
import { RowVersions } from "@effect-commerce/core/database/RowVersions"
import { sealedAnswers } from "@effect-commerce/core/guard/SealedAnswers"
import { AppInstallations } from "@effect-commerce/core/app/AppInstallations"
import { CustomerTokens } from "@effect-commerce/core/customer/CustomerTokens"
import { ApiKeys } from "@effect-commerce/core/identity/ApiKeys"
import type { Resource, Scope } from "@effect-commerce/core/identity/Scope"
import { SalesChannels } from "@effect-commerce/core/store/SalesChannels"
import { Stores } from "@effect-commerce/core/store/Stores"
import { DashboardSessions } from "@effect-commerce/core/team/DashboardSessions"
import { Teams } from "@effect-commerce/core/team/Teams"
import { Cause, Clock, Context, Effect, Exit, Layer, Option } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { checkBody, defaultMaxBody, exactBytes, hasBody, readBytes } from "./Body.ts"
import { makeBodyBytes } from "./BodyBytes.ts"
import { makeBodyFields } from "./BodyFields.ts"
import { underCache } from "./Cached.ts"
import { CustomerCaller, RawCaller } from "./Callers.ts"
import { authenticate } from "./Credential.ts"
import { fittingPage, listName } from "./FittingPages.ts"
import { Envelope } from "./Envelope.ts"
import { Exchange } from "./Exchange.ts"
import { countFailedAuth, makeRequestLimits } from "./Limits.ts"
import { fingerprint, type Keep, maxKeyLength, once, requestKeyOf } from "./Once.ts"
import {
  AdminGuard,
  ChannelGuard,
  CustomerGuard,
  InstallationGuard,
  OpenGuard,
  PersonGuard,
  Policy,
  type PolicyFacts,
  PublicGuard,
  RawGuard,
  VisitorGuard
} from "./Policy.ts"
import { personSteps } from "./PersonSteps.ts"
import type { CredentialLookups, Identified } from "./Presented.ts"
import { underPrecondition } from "./Preconditions.ts"
import {
  IdempotencyKeyMissing,
  IdempotencyKeyOnGet,
  IdempotencyLockUnavailable,
  NotReady,
  RequestInvalid
} from "./Refusals.ts"
import { allAtOnce, makeRequestTurns } from "./RequestTurns.ts"
import { HandlerSettings } from "./Settings.ts"
import { versionOf } from "./Versioned.ts"

type Response = HttpServerResponse.HttpServerResponse

const policyOf = (endpoint: HttpApiEndpoint.Top): PolicyFacts => {
  const policy = endpoint.annotations.mapUnsafe.get(Policy.key) as PolicyFacts | undefined
  if (policy === undefined) throw new Error(`${endpoint.method} ${endpoint.path} declares no policy`)
  return policy
}

/**
 * The error that the Idempotency-Key could not be claimed, so that nothing ran. Routes that require a key have a code
 * of their own, which also promises that the same key may be sent again.
 */
const unclaimed = (policy: PolicyFacts, cause: unknown) =>
  Effect.andThen(
    Effect.logError("An Idempotency-Key could not be claimed", cause),
    Effect.fail(policy.idempotency === "required" ? new IdempotencyLockUnavailable() : new NotReady())
  )

/** Whether the route needs a key, a token or a password, which somebody may try to guess. */
const demandsSecret = ({ surface, customer, channelScope }: PolicyFacts): boolean =>
  surface === "admin" || customer === "required" || channelScope === "customerAuth"

/**
 * What the routes that the replica answers show. Stock is not among them, although products show it: it changes as
 * often as shoppers buy and warehouses count, and no cart reads it from the replica.
 */
const shownToReaders: ReadonlySet<Resource> = new Set<Resource>([
  ...(["store", "sales-channels", "products", "categories", "brands", "attributes", "metafields", "media"] as const),
  "reviews"
])

const changesShown = (scope: Scope): boolean =>
  scope.endsWith(":write") && shownToReaders.has(scope.slice(0, scope.indexOf(":")) as Resource)

/** Whether it is a write of the merchant's, which storefronts show afterwards. */
const writesForReaders = ({ surface, readsOnly, scope, scopes = [] }: PolicyFacts, method: string): boolean => {
  const named = scope === undefined ? scopes : [scope]
  return surface === "admin" && method !== "GET" && readsOnly !== true && named.some(changesShown)
}

/** Whether it has changed nothing: it was refused. */
const isRefused = (exit: Exit.Exit<Response, unknown>): boolean =>
  Exit.isSuccess(exit)
    ? exit.value.status >= 400 && exit.value.status < 500
    : exit.cause.reasons.every(Cause.isFailReason)

/** Whether the response shows a new secret: a key, or the token of a customer. */
const showsSecret = ({ secretAnswer, channelScope }: PolicyFacts): boolean =>
  secretAnswer === true || channelScope === "customerAuth"

const makeGuard = Effect.gen(function* () {
  const limits = yield* RateLimits
  const records = yield* IdempotencyRecords
  const sealedRecords = sealedAnswers(records, yield* RootSecret)
  const versions = yield* RowVersions
  const settings = yield* HandlerSettings
  const { enveloped } = yield* Envelope
  const receiving = makeBodyBytes()
  const clock = yield* Clock.Clock
  const inTurn = settings.storeTurns ? makeRequestTurns(() => clock.currentTimeMillisUnsafe()) : allAtOnce
  const database = yield* Database
  const replica = yield* ReadReplica
  const lookups: CredentialLookups = {
    keys: yield* ApiKeys,
    apps: yield* AppInstallations,
    channels: yield* SalesChannels,
    stores: yield* Stores,
    customerTokens: yield* CustomerTokens,
    sessions: yield* DashboardSessions,
    teams: yield* Teams
  }

  /** The key to run under, or undefined where the route or the request has none. */
  const keyOf = (
    policy: PolicyFacts,
    request: HttpServerRequest.HttpServerRequest,
    who: Identified
  ): Effect.Effect<IdempotencyKey | undefined, RequestInvalid | IdempotencyKeyMissing | IdempotencyKeyOnGet> => {
    const key = request.headers["idempotency-key"]
    if (request.method === "GET") return key === undefined ? Effect.undefined : Effect.fail(new IdempotencyKeyOnGet())
    if (policy.idempotency === undefined || policy.idempotency === "none") return Effect.undefined
    if (key === undefined || key === "")
      return policy.idempotency === "required" ? Effect.fail(new IdempotencyKeyMissing()) : Effect.undefined
    if (key.length > maxKeyLength)
      return Effect.fail(
        new RequestInvalid({ errors: { "Idempotency-Key": `must be at most ${maxKeyLength} characters` } })
      )
    return Effect.succeed({ storeId: who.storeId, credential: who.credential, key })
  }

  return (next: Effect.Effect<Response, unknown, never>, { endpoint }: { readonly endpoint: HttpApiEndpoint.Top }) => {
    const policy = policyOf(endpoint)
    const route = `${endpoint.method} ${endpoint.path}`
    const maxBody = policy.maxBody ?? defaultMaxBody
    const bodyFacts = {
      endpoint,
      optional: policy.optionalBody === true,
      fieldsOf: makeBodyFields(endpoint, policy)
    }
    const versioned = versionOf(policy)
    const list = listName(endpoint)
    const failures = demandsSecret(policy) ? "always" : "beside"
    const capped = policy.cap === undefined ? {} : { cap: { route, cap: policy.cap } }
    if (policy.surface === "open" && policy.rawBody === undefined)
      return Effect.flatMap(Exchange, (exchange) => enveloped(exchange.path)(next))

    /** Limits and the size of the body; the endpoint verifies who has sent it. */
    const rawSteps = Effect.fnUntraced(function* (exchange: Exchange) {
      const request = yield* HttpServerRequest.HttpServerRequest
      yield* makeRequestLimits(limits, settings, { exchange, failures: "always", ...capped }).take(undefined)
      yield* receiving(request, exchange, maxBody)
      const body = yield* exactBytes(request, maxBody)
      const countFailure = countFailedAuth(limits, settings, exchange)
      return yield* Effect.updateContext(next, (context: Context.Context<never>) =>
        Context.add(context, RawCaller, { headers: request.headers, body, countFailure })
      )
    })
    if (policy.surface === "open")
      return Effect.flatMap(Exchange, (exchange) => enveloped(exchange.path)(rawSteps(exchange)))

    if (policy.surface === "person") {
      const services = { limits, settings, sessions: lookups.sessions, receiving }
      const stepsOf = personSteps(services, { endpoint, policy, maxBody, bodyFacts, cap: capped })(next)
      return Effect.flatMap(Exchange, (exchange) => enveloped(exchange.path)(stepsOf(exchange)))
    }

    const steps = Effect.fnUntraced(function* (exchange: Exchange) {
      const request = yield* HttpServerRequest.HttpServerRequest
      if (showsSecret(policy)) exchange.showsSecret = true
      const { params } = yield* HttpRouter.RouteContext
      const requestLimits = makeRequestLimits(limits, settings, { exchange, failures, ...capped })
      const credential = yield* authenticate(lookups, { policy, request, params, exchange, requestLimits })
      yield* requestLimits.take(credential.holder)
      const admitted = yield* Effect.fromResult(credential.admitted)
      yield* receiving(request, exchange, maxBody)
      const bytes = yield* (policy.rawBody === true ? exactBytes : readBytes)(request, maxBody)
      const who = yield* admitted.identify(bytes)
      exchange.storeId = who.storeId
      const key = yield* keyOf(policy, request, who)
      const print = key === undefined ? "" : fingerprint(request.method, exchange.path, bytes)
      const handle = (checked: HttpServerRequest.HttpServerRequest) => {
        const whole = Effect.updateContext(next, (context: Context.Context<never>) =>
          Context.add(who.introduce(context), HttpServerRequest.HttpServerRequest, checked).pipe(
            Context.add(RequestKey, key === undefined ? null : requestKeyOf(key, print))
          )
        )
        const answered = list === undefined ? whole : fittingPage(lookups.stores, who.store, list)(whole)
        const handled =
          policy.cached === undefined
            ? answered
            : underCache(policy.cached, request)(fromReplica(who.storeId)(answered))
        if (versioned === undefined) return handled
        const customerId = Option.getOrUndefined(Context.getOption(who.introduce(Context.empty()), CustomerCaller))
          ?.customer.id
        return underPrecondition(
          versions,
          versioned,
          { storeId: who.storeId, headers: request.headers, params, customerId, sees: who.sees },
          handled
        )
      }
      const isChecked = policy.rawBody !== true && hasBody(endpoint, bytes)
      const run = isChecked ? Effect.flatMap(checkBody(request, bytes, bodyFacts), handle) : handle(request)
      if (key === undefined) return yield* inTurn(exchange, who.storeId)(run)
      // The owner of the claim gets a new name: the request id may come from the caller and repeat.
      const runAndKeep = (keep: Keep) =>
        enveloped(exchange.path)(
          policy.oneTransaction === true ? database.write(who.storeId)(Effect.tap(run, keep)) : run
        )
      const keptIn = policy.secretAnswer === true ? sealedRecords : records
      return yield* inTurn(
        exchange,
        who.storeId
      )(once(keptIn, key, print, uniqueName("run_"), runAndKeep)).pipe(
        Effect.catchTag("ClaimUnavailable", ({ cause }) => unclaimed(policy, cause))
      )
    })

    if (!writesForReaders(policy, endpoint.method))
      return Effect.flatMap(Exchange, (exchange) => enveloped(exchange.path)(steps(exchange)))
    const written = ({ storeId }: Exchange, exit: Exit.Exit<Response, unknown>) =>
      Effect.sync(() => (storeId === undefined || isRefused(exit) ? undefined : replica.wrote(storeId)))
    return Effect.flatMap(Exchange, (exchange) =>
      enveloped(exchange.path)(Effect.onExit(steps(exchange), (exit) => written(exchange, exit)))
    )
  }
})

/** Every guard: one implementation with shared counters. */
export const guards = Layer.effectContext(
  Effect.map(makeGuard, (guard) => {
    const of = <I, S>(key: Context.Key<I, S>) => Context.make(key, guard as S)
    return Context.mergeAll(
      of(AdminGuard),
      of(ChannelGuard),
      of(CustomerGuard),
      of(InstallationGuard),
      of(PublicGuard),
      of(OpenGuard),
      of(RawGuard),
      of(VisitorGuard),
      of(PersonGuard)
    )
  })
)
