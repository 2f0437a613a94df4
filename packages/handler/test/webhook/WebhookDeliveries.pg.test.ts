import { Ajv2020 } from "ajv/dist/2020.js"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { isGenuine, openSink, type Sink } from "../../../core/test/webhook/sink.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"

let shop: TestCommerce
let sink: Sink

beforeAll(async () => {
  sink = await openSink()
  shop = await openTestCommerce({ outbound: { allowPrivate: true } })
})
afterAll(async () => {
  await shop.close()
  await sink.close()
})

const base = "/v1/webhook-subscriptions"
const subscribe = async (path: string, events: ReadonlyArray<string> = ["*"]) => {
  const { status, body } = await shop.call("POST", base, { body: { url: sink.url(path), events } })
  expect(status).toBe(201)
  return body as { readonly id: string; readonly secret: string }
}
const now = async (): Promise<number> =>
  Date.parse((await shop.call("POST", "/test/clock", { body: { advanceMs: 0 } })).body.now)
const feed = (query = "") => shop.call("GET", `/v1/events${query}`)

describe("a sale", () => {
  it("reaches the subscriber as signed events whose data are what the catalogue promises, without a cost price", async () => {
    const { id, secret } = await subscribe("/sale")
    const product = await shop.call("POST", "/v1/products", {
      body: { name: "Lamp", basePrice: "10.00", costPrice: "4.00", status: "active" }
    })
    expect(product.status).toBe(201)
    await shop.call("PUT", `/v1/products/${product.body.id}/inventory`, { body: { total: 5 } })
    const shopper = shopperOf(shop)
    const done = await shopper.complete(await shopper.checkout(await shopper.cart([product.body.id, 1])), "sale")
    expect(done.status).toBe(200)
    await shop.call("DELETE", `/v1/products/${product.body.id}`)
    const hits = await sink.until("/sale", 6)
    expect(hits.map(({ type }) => type).toSorted()).toEqual([
      "checkout.completed",
      "inventory.updated",
      "inventory.updated",
      "order.created",
      "product.created",
      "product.deleted"
    ])
    const at = await now()
    const { body: catalog } = await shop.call("GET", `${base}/event-catalog`)
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    const schemas = new Map(
      catalog.map((entry: { type: string; schema: object }) => [entry.type, ajv.compile(entry.schema)] as const)
    )
    for (const hit of hits) {
      expect(isGenuine(secret, hit, at)).toBe(true)
      const { data } = JSON.parse(hit.raw.toString())
      const matches = schemas.get(hit.type) as ReturnType<typeof ajv.compile>
      expect([hit.type, matches(data), matches.errors]).toEqual([hit.type, true, null])
      expect(hit.raw.toString()).not.toMatch(/costPrice|passwordHash/)
    }
    const created = hits.find(({ type }) => type === "order.created")
    const { data } = JSON.parse(created?.raw.toString() ?? "{}")
    expect([data.orderId, data.order.id, data.order.orderNumber]).toEqual([
      done.body.orderId,
      done.body.orderId,
      done.body.orderNumber
    ])
    const log = await shop.call("GET", `${base}/${id}/deliveries?limit=2`)
    expect(log.body.meta).toEqual({ page: 1, limit: 2, total: 6, totalPages: 3 })
    expect(log.body.data.map(({ subscriptionId }: { subscriptionId: string }) => subscriptionId)).toEqual([id, id])
  })

  it("leaves within 150 ms of its commit when nothing else happens", async () => {
    await subscribe("/idle", ["product.updated"])
    const { body } = await shop.call("POST", "/v1/products", { body: { name: "Quick" } })
    const shares: Array<number> = []
    for (let i = 1; i <= 15; i++) {
      const asked = performance.now()
      await shop.call("PATCH", `/v1/products/${body.id}`, { body: { description: `changed ${i}` } })
      const committed = performance.now()
      const left = ((await sink.until("/idle", i)).at(-1)?.at ?? Number.NaN) - committed
      // Where the machine is busy the write itself says how much: what leaves takes three like it.
      shares.push(left / Math.max(150, 3 * (committed - asked)))
    }
    // Each write follows a delivery, and so a look for deliveries: one that nobody woke would come half a second later.
    expect(shares.toSorted((x, y) => x - y)[7]).toBeLessThan(1)
  })
})

describe("trying a subscription", () => {
  it("sends one event now and tells what came of it, and the circuit does not hear of it", async () => {
    const { id, secret } = await subscribe("/tried")
    const { status, body } = await shop.call("POST", `${base}/${id}/test`, { body: { type: "order.paid" } })
    expect([status, body.delivered, body.statusCode, body.error]).toEqual([200, true, 200, null])
    expect(body.durationMs).toBeGreaterThanOrEqual(0)
    const [hit] = await sink.until("/tried", 1)
    expect([hit?.type, hit !== undefined && isGenuine(secret, hit, await now())]).toEqual(["order.paid", true])
    sink.behave("/tried", () => 418)
    const failed = await shop.call("POST", `${base}/${id}/test`)
    expect([failed.body.delivered, failed.body.statusCode]).toEqual([false, 418])
    expect((await shop.call("GET", `${base}/${id}`)).body).toMatchObject({ failureCount: 0, lastFailureAt: null })
    const unknown = await shop.call("POST", `${base}/${id}/test`, { body: { type: "order.eaten" } })
    expect([unknown.status, unknown.body.details]).toEqual([
      400,
      { errors: { type: "no such event type: order.eaten" }, unknown: ["order.eaten"] }
    ])
  })

  it("uses the new secret at once after a rotation", async () => {
    const { id, secret } = await subscribe("/rotated", ["product.updated"])
    const { body } = await shop.call("POST", `${base}/${id}/rotate-secret`)
    await shop.call("POST", `${base}/${id}/test`)
    const [hit] = await sink.until("/rotated", 1)
    if (hit === undefined) throw new Error("nothing arrived")
    const at = await now()
    expect([isGenuine(body.secret, hit, at), isGenuine(secret, hit, at)]).toEqual([true, false])
  })
})

describe("the feed", () => {
  it("gives a store's events oldest first, page after page, by type, also those no subscription had", async () => {
    const other = await shop.openStore()
    const make = (name: string) => shop.call("POST", "/v1/products", { key: other.apiKey, body: { name } })
    const theirs = (query: string) => shop.call("GET", `/v1/events${query}`, { key: other.apiKey })
    const made = [await make("One"), await make("Two"), await make("Three")]
    await shop.call("DELETE", `/v1/products/${made[0]?.body.id}`, { key: other.apiKey })
    const all = await theirs("?limit=100")
    const types = (body: { data: ReadonlyArray<{ type: string }> }) => body.data.map(({ type }) => type)
    expect(types(all.body)).toEqual(["product.created", "product.created", "product.created", "product.deleted"])
    expect(Object.keys(all.body.data[0])).toEqual(["id", "type", "createdAt", "sequence", "data"])
    const first = await theirs("?limit=3")
    expect(first.body.nextCursor).toBe(first.body.data[2].id)
    const second = await theirs(`?limit=3&after=${first.body.nextCursor}`)
    expect([...first.body.data, ...second.body.data]).toEqual(all.body.data)
    expect((await theirs(`?after=${second.body.nextCursor}`)).body).toEqual({ data: [], nextCursor: null })
    expect(types((await theirs("?types=product.deleted,order.*")).body)).toEqual(["product.deleted"])
  })

  it("knows no event of another store, no internal one, no type that is none, and needs events:read", async () => {
    const { body } = await feed("?limit=1")
    const other = await shop.openStore()
    for (const [query, key, field] of [
      [`?after=${body.data[0].id}`, other.apiKey, "after"],
      ["?after=evt_00000000000000000000000000000000", shop.apiKey, "after"],
      ["?types=customer.registered", shop.apiKey, "types"],
      ["?types=internal.*", shop.apiKey, "types"]
    ] as const) {
      const answer = await shop.call("GET", `/v1/events${query}`, { key })
      expect([query, answer.status, Object.keys(answer.body.details.errors)]).toEqual([query, 400, [field]])
    }
    const denied = await shop.call("GET", "/v1/events", { key: await shop.mintKey({ scopes: ["webhooks:*"] }) })
    expect([denied.status, denied.body.details.required]).toEqual([403, "events:read"])
    const channel = shop.channelId
    await shop.call("POST", `/vc/${channel}/customers/register`, {
      body: { email: "feed@example.com", password: "Secret-123" }
    })
    await shop.call("POST", `/vc/${channel}/customers/forgot-password`, { body: { email: "feed@example.com" } })
    const texts = (await feed("?limit=100")).text
    expect(texts).toContain("feed@example.com")
    expect(texts).not.toContain("internal.")
  })

  it("reaches back thirty days", async () => {
    const before = (await feed("?limit=1")).body.data[0]
    await shop.call("POST", "/test/clock", { body: { advanceMs: 31 * 86_400_000 } })
    await shop.call("POST", "/v1/products", { body: { name: "Later" } })
    const { body } = await feed()
    expect(body.data.map(({ type }: { type: string }) => type)).toEqual(["product.created"])
    expect((await feed(`?after=${before.id}`)).status).toBe(400)
  })
})
