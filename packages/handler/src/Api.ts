/**
 * The whole HTTP surface as one declaration: what the router, the OpenAPI document, the typed client and the matrix
 * tests are made from.
 */
import { Context } from "effect"
import { HttpApi, OpenApi } from "effect/http-api"
import { cartGroups } from "./cart/CartApi.ts"
import { catalogGroups } from "./catalog/StorefrontCatalogApi.ts"
import { checkoutGroups } from "./checkout/CheckoutApi.ts"
import { customerGroups } from "./customer/AdminCustomerApi.ts"
import { emailGroups } from "./email/EmailApi.ts"
import { identityGroups } from "./identity/IdentityApi.ts"
import { inventoryGroups } from "./inventory/InventoryApi.ts"
import { orderGroups } from "./order/OrderApi.ts"
import { shippingGroups } from "./shipping/ShippingApi.ts"
import { storeGroups } from "./store/StoreApi.ts"
import { systemGroups } from "./system/SystemApi.ts"
import { taxGroups } from "./tax/TaxApi.ts"
import { webhookGroups } from "./webhook/WebhookApi.ts"

const securitySchemes = {
  apiKey: { type: "apiKey", in: "header", name: "X-API-Key", description: "An admin API key: svc_…" },
  bearer: { type: "http", scheme: "bearer", description: "The same key as Authorization: Bearer svc_…" },
  salesChannel: {
    type: "apiKey",
    in: "header",
    name: "Origin",
    description: "The sales channel in the path, from its registered domain"
  },
  customer: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "A customer's token from login or registration, good on its channel"
  },
  origin: { type: "apiKey", in: "header", name: "Origin", description: "Any Origin" }
}

export class Api extends HttpApi.make("commerce")
  .add(...systemGroups, ...storeGroups, ...identityGroups)
  .add(...catalogGroups, ...inventoryGroups)
  .add(...cartGroups, ...checkoutGroups, ...orderGroups, ...customerGroups)
  .add(...taxGroups, ...shippingGroups)
  .add(...webhookGroups, ...emailGroups)
  .prefix("/api")
  .annotate(HttpApi.ParseOptions, { errors: "all" })
  // Answers are ours: compiled encoders stop at the first mistake, those that list all are interpreted.
  .annotate(HttpApi.SuccessParseOptions, {})
  .annotate(OpenApi.Title, "Commerce API")
  .annotate(OpenApi.Version, "1")
  .annotate(OpenApi.Transform, (document) => ({
    ...document,
    components: { ...(document["components"] as object), securitySchemes }
  })) {}

/** The same, whose document shows each path below another base path than `/api`. */
export const documentedAt = (basePath: string) => {
  if (basePath === "/api") return Api
  const declared = Context.get(Api.annotations as Context.Context<OpenApi.Transform>, OpenApi.Transform)
  return Api.annotate(OpenApi.Transform, (document) => {
    const { paths, ...rest } = declared(document)
    const moved = Object.entries(paths as Record<string, unknown>).map(([path, operations]) => [
      path.replace(/^\/api/, basePath),
      operations
    ])
    return { ...rest, paths: Object.fromEntries(moved) }
  })
}
