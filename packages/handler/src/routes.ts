/** The HTTP surface put together: endpoints, guards, ring, the OpenAPI document and its page. Needs core's services. */
import { Layer } from "effect"
import { Api } from "./Api.ts"
import { cartEndpoints } from "./cart/CartEndpoints.ts"
import { catalogEndpoints } from "./catalog/CatalogEndpoints.ts"
import { checkoutEndpoints } from "./checkout/CheckoutEndpoints.ts"
import { customerEndpoints } from "./customer/CustomerEndpoints.ts"
import { emailEndpoints } from "./email/EmailEndpoints.ts"
import { identityEndpoints } from "./identity/IdentityEndpoints.ts"
import { inventoryEndpoints } from "./inventory/InventoryEndpoints.ts"
import { endpointRoutes } from "./middleware/endpointRoutes.ts"
import { guards } from "./middleware/Guard.ts"
import { ring } from "./middleware/Ring.ts"
import { makeRouteMap } from "./middleware/RouteMap.ts"
import { routesOf } from "./middleware/routesOf.ts"
import { orderEndpoints } from "./order/OrderEndpoints.ts"
import { shippingEndpoints } from "./shipping/ShippingEndpoints.ts"
import { storeEndpoints } from "./store/StoreEndpoints.ts"
import { metricsPath, metricsRoute } from "./system/MetricsRoute.ts"
import { RequestMeter } from "./system/RequestMeter.ts"
import { documentRoutePaths, documentRoutes } from "./system/DocumentRoutes.ts"
import { healthEndpoints } from "./system/SystemEndpoints.ts"
import { taxEndpoints } from "./tax/TaxEndpoints.ts"
import { testPaths, testRoutes } from "./system/TestRoutes.ts"
import { webhookEndpoints } from "./webhook/WebhookEndpoints.ts"

const endpoints = Layer.mergeAll(
  healthEndpoints,
  storeEndpoints,
  identityEndpoints,
  catalogEndpoints,
  inventoryEndpoints,
  cartEndpoints,
  checkoutEndpoints,
  orderEndpoints,
  customerEndpoints,
  emailEndpoints,
  taxEndpoints,
  shippingEndpoints,
  webhookEndpoints
)

const documents = documentRoutePaths.map((path) => ({ method: "GET", path }))

/** `testClock` adds the routes that move time and test money. */
export const routes = (options: { readonly testClock: boolean; readonly basePath: string }) => {
  const extra = options.testClock ? testPaths.map((path) => ({ method: "POST", path })) : []
  const map = makeRouteMap([...routesOf(Api), ...documents, { method: "GET", path: metricsPath }, ...extra])
  return Layer.mergeAll(
    endpointRoutes(Api).pipe(Layer.provide(endpoints), Layer.provide(guards)),
    documentRoutes(Api, options.basePath),
    metricsRoute,
    options.testClock ? testRoutes : Layer.empty
  ).pipe(Layer.provide(ring(map)), Layer.provide(RequestMeter.layer))
}
