/** GET /api/metrics: for a scraper on the same machine, or anyone with an admin key that has `metrics:read`. */
import { CustomerTokens } from "@effect-commerce/core/customer/CustomerTokens"
import { AppInstallations } from "@effect-commerce/core/app/AppInstallations"
import { RateLimits } from "@effect-commerce/core/guard/RateLimits"
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
import { metricsText } from "../middleware/Metric.ts"
import { Metrics } from "./Metrics.ts"

export const metricsPath = "/api/metrics"
const contentType = "text/plain; version=0.0.4; charset=utf-8"

export const metricsRoute = Layer.unwrap(
  Effect.gen(function* () {
    const metrics = yield* Metrics
    const limits = yield* RateLimits
    const settings = yield* HandlerSettings
    const lookups: CredentialLookups = {
      keys: yield* ApiKeys,
      apps: yield* AppInstallations,
      channels: yield* SalesChannels,
      stores: yield* Stores,
      customerTokens: yield* CustomerTokens,
      sessions: yield* DashboardSessions,
      teams: yield* Teams
    }
    const text = Effect.map(metrics.gather, (all) => HttpServerResponse.text(metricsText(all), { contentType }))
    return HttpRouter.add(
      "GET",
      metricsPath,
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const exchange = yield* Exchange
        const requestLimits = makeRequestLimits(limits, settings, { exchange, failures: "always" })
        if (isLocal(exchange.ip, request.headers)) {
          yield* requestLimits.take(undefined)
          return yield* text
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
        return yield* text
      })
    )
  })
)
