/** What every room writes to the outbox is what it has defined, to the last field. */
import { commerceEvents } from "@effect-commerce/core/CommerceEvents"
import { NeglectedPayments } from "@effect-commerce/core/charge/NeglectedPayments"
import { ExportWork } from "@effect-commerce/core/export/ExportWork"
import { StockAlerts } from "@effect-commerce/core/inventory/StockAlerts"
import { OutboxRelay } from "@effect-commerce/core/outbox/OutboxRelay"
import { Stores } from "@effect-commerce/core/store/Stores"
import { WebhookDeliveries } from "@effect-commerce/core/webhook/WebhookDeliveries"
import { WebhookSubscriptions } from "@effect-commerce/core/webhook/WebhookSubscriptions"
import { Clock, Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { joinAs, ownerOf } from "../team/desk.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { lookAfterLeft } from "../abandonment/lookAfterLeft.ts"
import { rowsOf } from "../customer/SignedIn.ts"
import { chargeOf, follow } from "../settlement/looks.ts"
import { shopperOf } from "../Shopper.ts"
import { storedEvents } from "../storedEvents.ts"

let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api", outbound: { allowPrivate: true } })
  shopper = shopperOf(shop)
})
afterAll(() => shop.close())

const ask = async (...request: Parameters<TestCommerce["call"]>) => {
  const answer = await shop.call(...request)
  if (answer.status >= 300) throw new Error(`${request[0]} ${request[1]}: ${answer.text}`)
  return answer.body
}
const tell = (body: object) => ask("POST", "/test/provider-events", { body })
/** Pays for a lamp by this card of the test provider, and answers the order, if one was placed. */
const pay = async (card: string) => {
  const lamp = await shopper.product({ name: "Lamp", price: 2_500n, stock: 3 })
  const checkoutId = await shopper.checkout(await shopper.cart([lamp, 1]))
  const done = await shopper.complete(checkoutId, `pay-${checkoutId}`, {
    paymentMethod: "test",
    paymentReference: card
  })
  return done.body?.orderId as string | undefined
}

const sellProducts = async () => {
  const file = { name: "Manual.pdf", url: "https://files.example/place.pdf", size: 7, mimeType: "application/pdf" }
  const shirt = await ask("POST", "/v1/products", {
    body: {
      name: "Shirt",
      basePrice: "10.00",
      costPrice: "4.00",
      variants: [
        {
          attributes: { Size: "S" },
          costPrice: "3.00",
          inventory: { total: 5 },
          isDownloadable: true,
          downloadData: { files: [file], downloadLimit: 3 }
        },
        { attributes: { Size: "M" }, inventory: { total: 4, trackingMode: "UNTRACKED" } }
      ]
    }
  })
  await ask("PATCH", `/v1/products/${shirt.id}`, { body: { tags: ["linen"], metaDescription: "A shirt" } })
  await ask("DELETE", `/v1/products/${shirt.id}`)
}

const keepCustomers = async () => {
  const email = "ada@example.com"
  const { id } = await ask("POST", "/v1/customers", { body: { email: "grace@example.com", firstName: "Grace" } })
  await ask("PATCH", `/v1/customers/${id}`, { body: { birthMonth: 12, birthDay: 10 } })
  await ask("DELETE", `/v1/customers/${id}`)
  await ask("PATCH", "/v1/store", { body: { customerVerification: "required" } })
  await ask("POST", `${shopper.at}/customers/register`, { body: { email, password: "Corr3ct-Horse" } })
  await ask("POST", `${shopper.at}/customers/forgot-password`, { body: { email } })
  await proveMailbox(email)
}

/** A mailbox with which a guest has ordered is proved by the link of its mail. */
const proveMailbox = async (email: string) => {
  const items = [{ productId: await shopper.product({ stock: 3 }), quantity: 1 }]
  await ask("POST", "/v1/orders", { body: { customer: { email }, items } })
  await shop.run(OutboxRelay.use((relay) => relay.relayStore(shop.storeId)) as unknown as Effect.Effect<void>)
  const { data } = await ask("GET", "/v1/email/messages?limit=100")
  const { text } = data.find(({ eventType }: { readonly eventType: string }) => eventType === "EMAIL_VERIFICATION")
  await ask("POST", `${shopper.at}/customers/verify-email`, { body: { token: /token=([\w-]+)/.exec(text)?.[1] } })
}

const takeMoney = async () => {
  await pay("decline")
  const paid = await pay("approve")
  await tell({ orderId: paid, type: "refunded", amount: "5.00" })
  await ask("POST", `/v1/orders/${paid}/refunds`, { body: { amount: "20.00" } })
  const tooMuch = await pay("approve")
  const charge = await chargeOf(shop, tooMuch ?? "")
  await follow(shop, tooMuch ?? "", {
    ...charge,
    captured: charge.captured + 500n,
    disputes: [{ id: "dp_1", amount: 500n, status: "open", reason: "fraudulent", dueAt: new Date(0) }],
    refunds: [{ id: "re_1", key: null, amount: 700n, status: "succeeded" }]
  })
  const [operation] = await rowsOf(shop, "SELECT id FROM provider_operation WHERE state = 'succeeded' LIMIT 1")
  await shop.run(
    NeglectedPayments.use((neglected) =>
      neglected.now(shop.storeId, String(operation?.["id"]), "the provider says another amount")
    ) as unknown as Effect.Effect<void>
  )
}

/** Stock falls below its threshold, and comes back for somebody who waits; the worker runs twice a minute. */
const runOutAndReturn = async () => {
  const inventory = { total: 3, lowStockThreshold: 1 }
  const body = { name: "Rare", basePrice: "5.00", status: "active", inventory }
  const { id } = await ask("POST", "/v1/products", { body })
  const adjust = (delta: number) =>
    ask("POST", `/v1/products/${id}/inventory/adjust`, { body: { delta, reason: "correction" } })
  await adjust(-3)
  await ask("POST", `${shopper.at}/stock-alerts`, { body: { email: "ada@example.com", productId: id } })
  await adjust(5)
  for (let i = 0; i < 14; i++) {
    await ask("POST", "/test/clock", { body: { advanceMs: 30_000 } })
    await shop.run(StockAlerts.use((alerts) => alerts.tellDue) as unknown as Effect.Effect<void>)
  }
}

/** Ten deliveries fail, and the circuit of their subscription opens. */
const openCircuit = () =>
  shop.run(
    Effect.gen(function* () {
      const store = yield* (yield* Stores).context(shop.storeId)
      const deliveries = yield* WebhookDeliveries
      const relay = yield* OutboxRelay
      yield* relay.relayStore(store.id)
      const { id } = yield* (yield* WebhookSubscriptions).create(store, {
        url: "http://127.0.0.1:9999/hook",
        events: ["*"]
      })
      yield* Effect.promise(async () => {
        for (let i = 0; i < 10; i++) await ask("POST", "/v1/products", { body: { name: `Unheard ${i}` } })
      })
      yield* relay.relayStore(store.id)
      const subscriptions = [{ subscriptionId: id, most: 10 }]
      const claimed = yield* deliveries.claim({ storeId: store.id, subscriptions }, [])
      const at = yield* Clock.currentTimeMillis
      const sent = { result: "failed" as const, statusCode: 500, error: null, at, durationMs: 1 }
      yield* deliveries.settle(
        store.id,
        claimed.map((delivery) => ({ delivery, sent }))
      )
    }) as unknown as Effect.Effect<void>
  )

/** A checkout is left for five hours: its shopper is reminded. */
const leaveCheckout = async () => {
  const lamp = await shopper.product({ name: "Lamp", price: 2_500n, stock: 3 })
  await shopper.checkout(await shopper.cart([lamp, 1]))
  for (const hours of [4, 1]) {
    await ask("POST", "/test/clock", { body: { advanceMs: hours * 3_600_000 } })
    await lookAfterLeft(shop, shop.storeId)
  }
}

/** A shopper signs up for the newsletter, and confirms it by the token of the mail. */
const signUp = async () => {
  const benefit = { isEnabled: true, type: "PERCENTAGE", value: "10", expiresInDays: 30 }
  await ask("PUT", "/v1/newsletter-benefit", { body: benefit })
  await ask("POST", `${shopper.at}/newsletter/subscribe`, { body: { email: "news@example.com" } })
  await shop.run(OutboxRelay.use((relay) => relay.relayStore(shop.storeId)) as unknown as Effect.Effect<void>)
  const { data } = await ask("GET", "/v1/email/messages?limit=100")
  const mail = data.find(({ to }: { readonly to: string }) => to === "news@example.com")
  await ask("POST", `${shopper.at}/newsletter/confirm`, { body: { token: /token=([\w-]+)/.exec(mail.text)?.[1] } })
}

const exportProducts = async () => {
  await ask("POST", "/v1/exports", { body: { resource: "products", format: "csv" } })
  await shop.run(ExportWork.use((work) => work.pass) as unknown as Effect.Effect<void>)
}

/** One order is sent, another one cancelled; the buyers are told. */
const careForOrders = async () => {
  const lamp = await shopper.product({ name: "Lamp", price: 2_500n, stock: 3 })
  const order = { items: [{ productId: lamp, quantity: 1 }], customer: { email: "ada@example.com" } }
  const sent = await ask("POST", "/v1/orders", { body: order })
  await ask("PATCH", `/v1/orders/${sent.id}/status`, { body: { status: "PROCESSING" } })
  await ask("POST", `/v1/orders/${sent.id}/fulfill`, { body: { trackingNumber: "1Z1" } })
  const cancelled = await ask("POST", "/v1/orders", { body: order })
  await ask("POST", `/v1/orders/${cancelled.id}/cancel`, { body: { reason: "customer" } })
}

/** A draft order is put together, and its buyer gets the invoice. */
const invoiceDraft = async () => {
  const customer = { email: "ada@example.com", firstName: "Ada" }
  const items = [{ name: "Engraving", price: "11.00", quantity: 1 }]
  const draft = await ask("POST", "/v1/orders/draft", { body: { items, customer } })
  await ask("POST", `/v1/orders/draft/${draft.id}/send-invoice`, { body: {} })
}

/** A person is invited, gets another role, and forgets the password. */
const workInTeam = async () => {
  const owner = await ownerOf(shop, shop, "team-owner@example.com")
  const { memberId } = await joinAs(shop, shop, owner, "team-staff@example.com", "staff")
  await shop.call("PATCH", `/stores/${shop.storeId}/team/${memberId}`, { key: owner, body: { role: "admin" } })
  await ask("POST", "/auth/forgot-password", { body: { email: "team-staff@example.com" } })
}

it("every kind of event that is live is written as its room defines it, without a field more or less", async () => {
  await sellProducts()
  await keepCustomers()
  await takeMoney()
  await runOutAndReturn()
  await leaveCheckout()
  await signUp()
  await exportProducts()
  await openCircuit()
  await careForOrders()
  await invoiceDraft()
  await workInTeam()
  const { types, problems } = await storedEvents(shop)
  expect(problems).toEqual([])
  expect(types).toEqual(
    commerceEvents
      .filter(({ status }) => status === "live")
      .map(({ type }) => type)
      .toSorted()
  )
})

/** The fields of each event's data, as the contract lists them; the last ones may be absent. */
const contract: Readonly<Record<string, readonly [always: ReadonlyArray<string>, sometimes?: ReadonlyArray<string>]>> =
  {
    "order.created": [["order", "orderId"]],
    "order.updated": [["order", "orderId"]],
    "order.paid": [["order", "orderId"]],
    "order.fulfilled": [["order", "orderId"]],
    "order.cancelled": [["order", "orderId"]],
    "order.refunded": [
      ["order", "orderId", "refundType"],
      ["refundId", "source"]
    ],
    "checkout.completed": [["checkoutId", "order", "orderId"]],
    "checkout.abandoned": [["checkout", "checkoutId"]],
    "customer.created": [["customer", "customerId"]],
    "customer.updated": [["customer", "customerId"]],
    "customer.deleted": [["customerId"]],
    "product.created": [["product", "productId"]],
    "product.updated": [["product", "productId"]],
    "product.deleted": [["productId"]],
    "inventory.updated": [["inventory", "productId"]],
    "payment.failed": [["checkoutId", "error"]],
    "payment.refunded": [["payment", "paymentId"]],
    "payment.needs_attention": [["payment", "paymentId"]]
  }

/** The public events that the shop has written, as the feed shows them. */
const feed = async () => {
  const all: Array<{ readonly id: string; readonly type: string; readonly data: Record<string, unknown> }> = []
  for (let after = ""; ; ) {
    const { data, nextCursor } = await ask("GET", `/v1/events?limit=100${after === "" ? "" : `&after=${after}`}`)
    all.push(...data)
    if (nextCursor === null) return all
    after = nextCursor
  }
}

it("each event carries its id and its resource, and nothing that a snapshot may not show", async () => {
  const events = await feed()
  const live = commerceEvents.filter(({ isInternal, status }) => !isInternal && status === "live")
  expect(Object.keys(contract).toSorted()).toEqual(live.map(({ type }) => type).toSorted())
  expect([...new Set(events.map(({ type }) => type))].toSorted()).toEqual(Object.keys(contract).toSorted())
  for (const { id, type, data } of events) {
    const [always, sometimes = []] = contract[type] ?? [[]]
    const fields = Object.keys(data).filter((field) => !sometimes.includes(field))
    expect([id, type, fields.toSorted()]).toEqual([expect.stringMatching(/^evt_[0-9a-f]{32}$/), type, always])
  }
  const text = JSON.stringify(events)
  for (const secret of ["costPrice", "passwordHash", "Corr3ct-Horse", "files.example", "storageKey", "downloadUrl"])
    expect([secret, text.includes(secret)]).toEqual([secret, false])
  const refunds = events.filter(({ type }) => type === "order.refunded").map(({ data }) => data)
  expect(refunds.filter(({ source }) => source === "provider").every((data) => !("refundId" in data))).toBe(true)
  expect(refunds.filter((data) => !("source" in data)).map((data) => typeof data["refundId"])).toEqual(["string"])
  expect(refunds.map(({ refundType }) => refundType)).toEqual(expect.arrayContaining(["partial", "full"]))
  const stock = events.find(({ type }) => type === "inventory.updated")?.data["inventory"]
  expect(stock).toMatchObject({
    productId: expect.any(String),
    trackingMode: "TRACKED",
    total: expect.any(Number),
    reserved: expect.any(Number),
    available: expect.any(Number),
    lastInventorySyncAt: null
  })
})
