/**
 * The whole HTTP surface as one declaration: what the router, the OpenAPI document, the typed client and the matrix
 * tests are made from.
 */
import { HttpApi } from "effect/http-api"
import { AdminCartGroup, CartGroup } from "./cart/CartApi.ts"
import { CategoriesGroup, ProductsGroup, PublicCatalogGroup, StorefrontGroup } from "./catalog/CatalogApi.ts"
import { AdminCheckoutGroup, CheckoutGroup } from "./checkout/CheckoutApi.ts"
import { AdminCustomersGroup } from "./customer/AdminCustomerApi.ts"
import { CustomersGroup } from "./customer/CustomerApi.ts"
import { DashboardEmailGroup, EmailGroup } from "./email/EmailApi.ts"
import { ApiKeysGroup } from "./identity/IdentityApi.ts"
import { InventoryGroup, StorefrontStockGroup } from "./inventory/InventoryApi.ts"
import { OrdersGroup, StorefrontOrdersGroup } from "./order/OrderApi.ts"
import { HealthGroup } from "./system/SystemApi.ts"
import { TaxClassesGroup, TaxRatesGroup } from "./tax/TaxApi.ts"
import { ShippingClassesGroup, ShippingGroup, ShippingZonesGroup } from "./shipping/ShippingApi.ts"
import { SalesChannelsGroup, StoreGroup } from "./store/StoreApi.ts"
import { EventsGroup, StoreWebhookSubscriptionsGroup, WebhookSubscriptionsGroup } from "./webhook/WebhookApi.ts"

export class Api extends HttpApi.make("commerce")
  .add(HealthGroup, StoreGroup, SalesChannelsGroup, ApiKeysGroup)
  .add(ProductsGroup, CategoriesGroup, StorefrontGroup, PublicCatalogGroup)
  .add(InventoryGroup, StorefrontStockGroup)
  .add(CartGroup, AdminCartGroup, CheckoutGroup, AdminCheckoutGroup, OrdersGroup, StorefrontOrdersGroup)
  .add(CustomersGroup, AdminCustomersGroup)
  .add(TaxRatesGroup, TaxClassesGroup, ShippingZonesGroup, ShippingClassesGroup, ShippingGroup)
  .add(WebhookSubscriptionsGroup, StoreWebhookSubscriptionsGroup, EventsGroup)
  .add(EmailGroup, DashboardEmailGroup)
  .prefix("/api")
  .annotate(HttpApi.ParseOptions, { errors: "all" })
  // Answers are ours: compiled encoders stop at the first mistake, those that list all are interpreted.
  .annotate(HttpApi.SuccessParseOptions, {}) {}
