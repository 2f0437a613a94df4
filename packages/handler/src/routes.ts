/** The HTTP surface put together: endpoints, guards, ring, the OpenAPI document and its page. Needs core's services. */
import { Layer } from "effect"
import { Api } from "./Api.ts"
import { AnswerBytes } from "./middleware/AnswerBytes.ts"
import { endpointRoutes } from "./middleware/endpointRoutes.ts"
import { Envelope } from "./middleware/Envelope.ts"
import { guards } from "./middleware/Guard.ts"
import { ring } from "./middleware/Ring.ts"
import { makeRouteMap } from "./middleware/RouteMap.ts"
import { routesOf } from "./middleware/routesOf.ts"
import { endpoints, errorTable } from "./rooms.ts"
import { metricsPath, metricsRoute } from "./system/MetricsRoute.ts"
import { RequestMeter } from "./middleware/RequestMeter.ts"
import { Metrics } from "./system/Metrics.ts"
import { metricsSent } from "./system/telemetry/metricsSent.ts"
import { documentRoutePaths, documentRoutes } from "./system/DocumentRoutes.ts"
import { startPage, startPath } from "./system/StartPage.ts"
import { testPaths, testRoutes } from "./system/TestRoutes.ts"

const documents = [startPath, ...documentRoutePaths].map((path) => ({ method: "GET", path }))

/** `testClock` adds the routes that move time and test money. */
export const routes = (options: { readonly testClock: boolean; readonly basePath: string }) => {
  const extra = options.testClock ? testPaths.map((path) => ({ method: "POST", path })) : []
  const map = makeRouteMap([...routesOf(Api), ...documents, { method: "GET", path: metricsPath }, ...extra])
  return Layer.mergeAll(
    endpointRoutes(Api).pipe(Layer.provide(endpoints), Layer.provide(guards)),
    documentRoutes(Api, options.basePath),
    startPage(options.basePath),
    metricsRoute,
    metricsSent,
    options.testClock ? testRoutes : Layer.empty
  ).pipe(
    Layer.provide(ring(map)),
    Layer.provide(Metrics.layer),
    Layer.provide([RequestMeter.layer, AnswerBytes.layer, Envelope.layer(errorTable)])
  )
}
