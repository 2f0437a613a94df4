/** GET /api/metrics: for a scraper on the same machine, or anyone with an admin key that has `metrics:read`. */
import { CustomerTokens } from "@effect-commerce/core/customer/CustomerTokens"
import { AppInstallations } from "@effect-commerce/core/app/AppInstallations"
import { RateLimits, type RateStoreState } from "@effect-commerce/core/guard/RateLimits"
import { ReadReplica, type ReplicaState } from "@effect-commerce/core/replica/ReadReplica"
import { ApiKeys } from "@effect-commerce/core/identity/ApiKeys"
import { SalesChannels } from "@effect-commerce/core/store/SalesChannels"
import { Stores } from "@effect-commerce/core/store/Stores"
import { DashboardSessions } from "@effect-commerce/core/team/DashboardSessions"
import { Teams } from "@effect-commerce/core/team/Teams"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { authenticate } from "../middleware/Credential.ts"
import type { CredentialLookups } from "../middleware/Presented.ts"
import { isLocal } from "../middleware/ClientAddress.ts"
import { Exchange } from "../middleware/Exchange.ts"
import { makeRequestLimits } from "../middleware/Limits.ts"
import { HandlerSettings } from "../middleware/Settings.ts"
import { AnswerBytes } from "../middleware/AnswerBytes.ts"
import { gauge, type Metric, RequestMeter } from "../middleware/RequestMeter.ts"

export const metricsPath = "/api/metrics"
const contentType = "text/plain; version=0.0.4; charset=utf-8"

export const metricsRoute = Layer.unwrap(
  Effect.gen(function* () {
    const meter = yield* RequestMeter
    const bytes = yield* AnswerBytes
    const limits = yield* RateLimits
    const settings = yield* HandlerSettings
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
    const text = () => {
      const unread = gauge(
        "commerce_http_answer_bytes",
        "Bytes of responses that clients have not read yet.",
        bytes.underWay()
      )
      return HttpServerResponse.text(
        meter.text([unread, ...limitMetrics(limits.state()), ...replicaMetrics(replica.state())]),
        { contentType }
      )
    }
    return HttpRouter.add(
      "GET",
      metricsPath,
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const exchange = yield* Exchange
        const requestLimits = makeRequestLimits(limits, settings, { exchange, failures: "always" })
        if (isLocal(exchange.ip, request.headers)) {
          yield* requestLimits.take(undefined)
          return text()
        }
        const credential = yield* authenticate(lookups, {
          policy: { surface: "admin", scope: "metrics:read" },
          request,
          params: {},
          exchange,
          requestLimits
        })
        yield* requestLimits.take(credential.holder)
        yield* Effect.fromResult(credential.admitted)
        return text()
      })
    )
  })
)

/** Of the reads that a replica may answer. */
const replicaMetrics = (state: ReplicaState | undefined): ReadonlyArray<Metric> => {
  if (state === undefined) return []
  const [reads, again] = ["commerce_storefront_reads_total", "commerce_replica_reads_asked_again_total"]
  const lag = state.lagMillis === undefined ? "NaN" : (state.lagMillis / 1_000).toFixed(3)
  return [
    gauge("commerce_replica_up", "Whether storefronts read from the replica.", state.isServing ? 1 : 0),
    {
      name: "commerce_replica_lag_seconds",
      type: "gauge",
      help: "How long the replica took to come as far as the primary was; NaN while it cannot be asked.",
      samples: [`commerce_replica_lag_seconds ${lag}`]
    },
    {
      name: reads,
      type: "counter",
      help: "Statements of storefront reads, by the server that answered.",
      samples: [`${reads}{server="replica"} ${state.byReplica}`, `${reads}{server="primary"} ${state.byPrimary}`]
    },
    {
      name: again,
      type: "counter",
      help: "Statements that failed on the replica and were asked of the primary.",
      samples: [`${again} ${state.askedAgain}`]
    }
  ]
}

/** Of a store that may be away while everything else goes on. */
const limitMetrics = ({ store, isReached, countedAlone, refused }: RateStoreState): ReadonlyArray<Metric> => {
  if (store !== "redis") return []
  const failures = "commerce_rate_limit_store_failures_total"
  return [
    gauge("commerce_rate_limit_store_up", "Whether the Redis that counts rate limits answers.", isReached ? 1 : 0),
    {
      name: failures,
      type: "counter",
      help: "Calls that the Redis of rate limits did not answer, by what became of the request.",
      samples: [`${failures}{outcome="counted_alone"} ${countedAlone}`, `${failures}{outcome="refused"} ${refused}`]
    }
  ]
}
