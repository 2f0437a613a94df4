/**
 * For each error code that something answers, one way to get it through `fetch`, as a client would.
 * Codes.pg.test.ts insists on one for each.
 */
import { ApiKeys } from "@effect-commerce/core/identity/ApiKeys"
import { Stores } from "@effect-commerce/core/store/Stores"
import { noStorageLimit } from "@effect-commerce/core/media/MediaLimits"
import { StoragePlan } from "@effect-commerce/core/media/StoragePlan"
import { png } from "@effect-commerce/core/testing/TestImages"
import { Effect } from "effect"
import pg from "pg"
import type { Code } from "../../src/middleware/Codes.ts"
import { type Called, type CallOptions, openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { formOf } from "../media/sendForm.ts"
import { company } from "../payment/CardCompany.ts"
import { quotasOf } from "../quota/quotas.ts"
import { shopperOf } from "../Shopper.ts"
import { ownerOf } from "../team/desk.ts"

export interface Stage {
  readonly shop: TestCommerce
  readonly ask: (method: string, path: string, options?: CallOptions) => Promise<Called>
  /** A SIMPLE product with ten units. */
  readonly lamp: string
}

const run = <A>(shop: TestCommerce, effect: Effect.Effect<A, unknown, unknown>): Promise<A> =>
  shop.run(effect as Effect.Effect<A>)
const rate = { name: "Provoked", country: "US", rate: 5 }

/** One statement as the owner of the tables, taken back afterwards. */
const broken = async <A>({ shop }: Stage, take: string, give: string, body: () => Promise<A>): Promise<A> => {
  const owner = new pg.Client(shop.database.nodePostgres)
  await owner.connect()
  try {
    await owner.query(take)
    return await body().finally(() => owner.query(give))
  } finally {
    await owner.end()
  }
}
const readyCheckout = async ({ shop, lamp }: Stage): Promise<string> => {
  const shopper = shopperOf(shop)
  return shopper.checkout(await shopper.cart([lamp, 1]))
}
const complete = (
  { shop, ask }: Stage,
  id: string,
  body: object = {},
  headers: Record<string, string> = { "idempotency-key": `provoke-${id}` }
) => ask("POST", `/vc/${shop.channelId}/checkout/${id}/complete`, { body, headers })
const addToCart = async ({ shop, ask }: Stage, body: object): Promise<Called> => {
  const cart = await shop.call("POST", `/vc/${shop.channelId}/cart`)
  return ask("POST", `/vc/${shop.channelId}/cart/${cart.body.id}/items`, { body })
}
const paidOrder = async (stage: Stage): Promise<string> => {
  const paid = await complete(stage, await readyCheckout(stage), { paymentMethod: "test", paymentReference: "approve" })
  return paid.body.orderId
}
const refundedOrder = async (stage: Stage): Promise<string> => {
  const orderId = await paidOrder(stage)
  await stage.shop.call("POST", "/test/provider-events", { body: { orderId, type: "refunded" } })
  return orderId
}
const payOrder = ({ ask }: Stage, id: string) =>
  ask("POST", `/v1/orders/${id}/payments`, { body: { amount: "1.00", method: "cash" } })
/** An order with a coupon that takes off a tenth. */
const orderWith = async (
  { shop, ask, lamp }: Stage,
  coupon: Readonly<Record<string, string | number>> & { readonly code: string }
) => {
  await shop.call("POST", "/v1/coupons", { body: { type: "PERCENTAGE", value: 10, ...coupon } })
  return ask("POST", "/v1/orders", { body: { couponCode: coupon.code, items: [{ productId: lamp, quantity: 1 }] } })
}
const wideKey = ({ shop }: Stage) => shop.mintKey({ scopes: ["store:read"], storeId: null })

export const provocations: Partial<Record<Code, (stage: Stage) => Promise<Called>>> = {
  BAD_REQUEST: ({ shop, ask }) =>
    ask("POST", `/vc/${shop.channelId}/reservation/extend`, { body: { cartId: "cart_none" } }),
  VALIDATION_FAILED: ({ ask }) => ask("POST", "/v1/tax/rates?why=query", { body: { name: 5 } }),
  MISSING_REQUIRED_FIELDS: async (stage) => complete(stage, await readyCheckout(stage), {}, {}),
  STORE_ID_REQUIRED: async (stage) => stage.ask("GET", "/v1/store", { key: await wideKey(stage) }),
  STORE_ID_MISMATCH: async ({ shop, ask }) => ask("GET", `/v1/store?storeId=${(await shop.openStore()).storeId}`),
  INVALID_STOCK_VALUE: ({ ask, lamp }) => ask("PUT", `/v1/products/${lamp}/inventory`, { body: { total: -1 } }),
  IDEMPOTENCY_KEY_NOT_SUPPORTED: ({ ask }) => ask("GET", "/v1/store", { headers: { "idempotency-key": "x" } }),
  CART_LINE_LIMIT_REACHED: async ({ shop, ask }) => {
    const shopper = shopperOf(shop)
    const goods = await Promise.all(Array.from({ length: 50 }, () => shopper.product()))
    const cartId = await shopper.cart(...goods.map((id) => [id, 1] as const))
    return ask("POST", `${shopper.at}/cart/${cartId}/items`, {
      body: { productId: await shopper.product(), quantity: 1 }
    })
  },
  PLAN_ORDERS_EXHAUSTED: async ({ shop, ask, lamp }) => {
    await quotasOf(shop).set({ maxOrdersPerMonth: 0 })
    const answer = await ask("POST", "/v1/orders", { body: { items: [{ productId: lamp, quantity: 1 }] } })
    await quotasOf(shop).set({ maxOrdersPerMonth: null })
    return answer
  },
  PLAN_LIMIT_REACHED: async ({ shop, ask }) => {
    const limit = (bytes: bigint) =>
      run(
        shop,
        StoragePlan.use((plan) => plan.setLimit(shop.storeId, bytes))
      )
    await limit(0n)
    try {
      return await ask("POST", "/v1/media?why=full", { raw: formOf({ bytes: png(2, 2) }) })
    } finally {
      await limit(noStorageLimit)
    }
  },
  MEDIA_UPLOAD_FAILED: async () => {
    const without = await openTestCommerce({ media: {}, role: "api" })
    try {
      return await without.call("POST", "/v1/media", { raw: formOf({ bytes: png(2, 2) }) })
    } finally {
      await without.close()
    }
  },
  INSUFFICIENT_STOCK: (stage) => addToCart(stage, { productId: stage.lamp, quantity: 11 }),
  PRODUCT_UNAVAILABLE: async (stage) =>
    addToCart(stage, { productId: await shopperOf(stage.shop).product({ status: "draft" }), quantity: 1 }),
  PRICE_DRIFT: async (stage) => {
    const id = await readyCheckout(stage)
    await stage.shop.call("PATCH", `/v1/products/${stage.lamp}`, { body: { basePrice: "10.01" } })
    const answer = await complete(stage, id)
    await stage.shop.call("PATCH", `/v1/products/${stage.lamp}`, { body: { basePrice: "10.00" } })
    return answer
  },
  MODIFIER_VALIDATION_FAILED: (stage) =>
    addToCart(stage, {
      productId: stage.lamp,
      quantity: 1,
      modifiers: [{ modifierGroupId: "mg_none", modifierId: "m_none" }]
    }),
  UNAUTHORIZED: ({ ask }) => ask("GET", "/v1/store", { key: null }),
  INSUFFICIENT_SCOPE: async ({ shop, ask }) =>
    ask("GET", "/v1/orders", { key: await shop.mintKey({ scopes: ["tax:read"] }) }),
  INSUFFICIENT_PERMISSION: async ({ shop, ask }) => {
    const off = await shop.call("POST", "/v1/sales-channels", { body: { name: "off", scopes: { cart: false } } })
    return ask("POST", `/vc/${off.body.id}/cart`)
  },
  STORE_SUSPENDED: async ({ shop, ask }) => {
    const other = await shop.openStore()
    await run(
      shop,
      Effect.flatMap(Stores, (stores) => stores.suspend(other.storeId))
    )
    return ask("GET", "/v1/store", { key: other.apiKey })
  },
  RESOURCE_NOT_FOUND: ({ ask }) => ask("GET", "/nowhere?at=all"),
  PRODUCT_NOT_FOUND: ({ ask }) => ask("GET", "/v1/products/prod_none"),
  ORDER_NOT_FOUND: ({ ask }) => ask("GET", "/v1/orders/ord_none"),
  CUSTOMER_NOT_FOUND: ({ ask, lamp }) =>
    ask("POST", "/v1/orders", { body: { customerId: "cust_none", items: [{ productId: lamp, quantity: 1 }] } }),
  COUPON_NOT_FOUND: ({ ask, lamp }) =>
    ask("POST", "/v1/orders", { body: { couponCode: "NONE", items: [{ productId: lamp, quantity: 1 }] } }),
  COUPON_NOT_ACTIVE: (stage) => orderWith(stage, { code: "PROVOKE1", status: "DISABLED" }),
  COUPON_EXPIRED: (stage) => orderWith(stage, { code: "PROVOKE2", endsAt: "2020-01-01T00:00:00.000Z" }),
  COUPON_USAGE_LIMIT_REACHED: async (stage) => {
    const coupon = { code: "PROVOKE3", usageLimit: 1 }
    await orderWith(stage, coupon)
    return orderWith(stage, coupon)
  },
  COUPON_PER_CUSTOMER_LIMIT_REACHED: (stage) => orderWith(stage, { code: "PROVOKE4", usageLimitPerCustomer: 1 }),
  CHECKOUT_NOT_FOUND: ({ shop, ask }) => ask("GET", `/vc/${shop.channelId}/checkout/chk_none`),
  METHOD_NOT_ALLOWED: ({ ask }) => ask("PUT", "/v1/orders"),
  CONFLICT: async ({ shop, ask }) => {
    await shop.call("POST", "/v1/products", { body: { name: "One", slug: "only-one" } })
    return ask("POST", "/v1/products", { body: { name: "Two", slug: "only-one" } })
  },
  IDEMPOTENCY_KEY_REUSED: async ({ shop, ask }) => {
    await shop.call("POST", "/v1/tax/rates", { body: rate, headers: { "idempotency-key": "provoke" } })
    return ask("POST", "/v1/tax/rates", { body: { ...rate, rate: 6 }, headers: { "idempotency-key": "provoke" } })
  },
  OUT_OF_STOCK: async ({ shop, ask }) => {
    const gone = await shopperOf(shop).product({ stock: 0 })
    return ask("POST", "/v1/orders", { body: { items: [{ productId: gone, quantity: 1 }] } })
  },
  RESERVATION_EXPIRED: async (stage) => {
    const id = await readyCheckout(stage)
    await stage.shop.call("POST", "/test/clock", { body: { advanceMs: 25 * 3_600_000 } })
    return complete(stage, id)
  },
  ORDER_INVALID_STATE: async (stage) => payOrder(stage, await refundedOrder(stage)),
  PAYMENT_ALREADY_CAPTURED: async (stage) => payOrder(stage, await paidOrder(stage)),
  CARD_DECLINED: async (stage) =>
    complete(stage, await readyCheckout(stage), { paymentMethod: "test", paymentReference: "decline" }),
  PAYMENT_PROCESSING_ERROR: async (stage) =>
    complete(stage, await readyCheckout(stage), { paymentMethod: "test", paymentReference: "error" }),
  BUSINESS_RULE_VIOLATION: async ({ shop, ask }) => {
    const { body: customer } = await shop.call("POST", "/v1/customers", { body: { email: "settled@example.com" } })
    const at = `/v1/customers/${customer.id}/addresses`
    const body = { line1: "1 Main St", city: "Town", country: "US" }
    await Promise.all(Array.from({ length: 100 }, () => shop.call("POST", at, { body })))
    return ask("POST", at, { body })
  },
  PAYLOAD_TOO_LARGE: ({ ask }) => ask("POST", "/v1/tax/rates", { body: { name: "x".repeat(1_048_576) } }),
  UNSUPPORTED_MEDIA_TYPE: ({ ask }) =>
    ask("POST", "/v1/tax/rates", { raw: "name=x", headers: { "content-type": "application/x-www-form-urlencoded" } }),
  PLATFORMS_REQUIRED: ({ ask, lamp }) => ask("POST", `/v1/products/${lamp}/publish`, { body: {} }),
  RESOLUTION_REQUIRED: async ({ shop, ask, lamp }) => {
    await shop.call("POST", "/v1/metafield-definitions", { body: { name: "Care", key: "care", type: "TEXT" } })
    const put = (body: object) => shop.call("PUT", `/v1/products/${lamp}/metafields`, { body })
    await put({ values: { care: "wool" } })
    const { body } = await put({ values: { care: "silk" }, source: "shopify" })
    return ask("POST", `/v1/metafield-conflicts/${body.conflicts[0].conflictId}/resolve`, { body: {} })
  },
  RATE_LIMITED: async ({ shop, ask }) => {
    const mint = Effect.flatMap(ApiKeys, (keys) =>
      keys.mint({
        accountId: shop.accountId,
        storeId: shop.storeId,
        name: "one a minute",
        scopes: ["store:read"],
        rateLimit: 1
      })
    )
    const { key } = await run(shop, mint)
    const first = await ask("GET", "/v1/store", { key })
    const second = await ask("GET", "/v1/store", { key })
    // A window may have turned between the two, not twice.
    return first.status === 200 && second.status === 200 ? ask("GET", "/v1/store", { key }) : second
  },
  INTERNAL_SERVER_ERROR: (stage) =>
    broken(stage, "ALTER TABLE tax_rate RENAME TO tax_rate_away", "ALTER TABLE tax_rate_away RENAME TO tax_rate", () =>
      stage.ask("POST", "/v1/tax/rates", { body: rate })
    ),
  PROVIDER_NOT_CONFIGURED: async (stage) => complete(stage, await readyCheckout(stage), { paymentMethod: "provider" }),
  PROVIDER_NOT_READY: async ({ ask }) => {
    company.isSilent = true
    const credentials = { secretKey: "key_live_1", webhookSecret: "whsec_1" }
    const answer = await ask("POST", "/v1/payment-providers", { body: { type: "card", credentials } })
    company.isSilent = false
    return answer
  },
  SERVICE_TEMPORARILY_UNAVAILABLE: (stage) =>
    broken(stage, "REVOKE INSERT ON idempotency FROM commerce_app", "GRANT INSERT ON idempotency TO commerce_app", () =>
      stage.ask("POST", "/v1/tax/rates", { body: rate, headers: { "idempotency-key": "unclaimed" } })
    ),
  IDEMPOTENCY_LOCK_UNAVAILABLE: async (stage) => {
    const id = await readyCheckout(stage)
    return broken(
      stage,
      "REVOKE INSERT ON idempotency FROM commerce_app",
      "GRANT INSERT ON idempotency TO commerce_app",
      () => complete(stage, id)
    )
  },
  SESSION_EXPIRED: async (stage) => {
    const { shop, ask } = stage
    const token = await ownerOf(shop, shop, "expired@example.com")
    const over = "UPDATE dashboard_session SET created_at = '2020-01-01', expires_at = '2020-01-31'"
    return broken(stage, over, "SELECT 1", () => ask("GET", "/auth/me", { key: token }))
  },
  REFUND_PROCESSING_ERROR: async (stage) => {
    const payment = { paymentMethod: "test", paymentReference: "refund_refused" }
    const { body } = await complete(stage, await readyCheckout(stage), payment)
    return stage.ask("POST", `/v1/orders/${body.orderId}/refunds`, { body: { amount: "1.00" } })
  },
  // The shop's name server does not listen (Codes.pg.test.ts).
  DOMAIN_VERIFICATION_FAILED: async ({ shop, ask }) => {
    const { body } = await shop.call("POST", "/v1/email/domains", { body: { domain: "shop.example.com" } })
    return ask("POST", `/v1/email/domains/${body.id}/verify`)
  },
  ALREADY_INSTALLED: async ({ shop, ask }) => {
    const body = { name: "Twice", scopes: ["mappings:read"] }
    await shop.call("POST", "/v1/installations", { body })
    return ask("POST", "/v1/installations", { body })
  },
  NOT_IMPLEMENTED: ({ shop, ask }) => ask("POST", `/vc/${shop.channelId}/bot/summarize`)
}
