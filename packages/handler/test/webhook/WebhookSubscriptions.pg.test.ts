import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { forbiddenUrls } from "../../../core/test/outbound/forbiddenUrls.ts"
import { openTestCommerce, type TestCommerce, type TestStore } from "../../src/testing/TestCommerce.ts"

/** Endpoints are judged as in production here: https and the internet alone; names resolve by a table. */
let shop: TestCommerce
let other: TestStore
const names: Readonly<Record<string, ReadonlyArray<string>>> = {
  "hooks.example.com": ["93.184.216.34"],
  "inside.example.com": ["10.0.0.7"],
  "both.example.com": ["93.184.216.34", "127.0.0.1"]
}

beforeAll(async () => {
  shop = await openTestCommerce({ outbound: { resolver: async (host) => names[host] ?? [] } })
  other = await shop.openStore()
})
afterAll(() => shop.close())

const base = "/v1/webhook-subscriptions"
const url = "https://hooks.example.com/in"
const create = (body: object = {}, path = base) =>
  shop.call("POST", path, { body: { url, events: ["order.created"], ...body } })

describe("a webhook subscription", () => {
  it("is created with a secret that is never answered again", async () => {
    const { status, body } = await create({ events: ["order.*", "product.updated", "order.*"], description: "ERP" })
    expect(status).toBe(201)
    const { id, secret, createdAt, updatedAt, ...rest } = body
    expect(id).toMatch(/^whs_[0-9a-z]{26}$/)
    expect(secret).toMatch(/^whsec_[0-9a-f]{64}$/)
    expect(createdAt).toBe(updatedAt)
    expect(rest).toEqual({
      storeId: shop.storeId,
      url,
      events: ["order.*", "product.updated"],
      description: "ERP",
      standardHeaders: false,
      isActive: true,
      circuitOpen: false,
      circuitOpenedAt: null,
      failureCount: 0,
      lastSuccessAt: null,
      lastFailureAt: null,
      secretPrefix: secret.slice(0, 12)
    })
    const { secret: _secret, ...view } = body
    const got = await shop.call("GET", `${base}/${id}`)
    expect(got.body).toEqual(view)
    const listed = await shop.call("GET", `${base}?limit=1`)
    expect(listed.body).toEqual({ data: [view], meta: { page: 1, limit: 1, total: 1, totalPages: 1 } })
    expect(listed.text + got.text).not.toContain(secret)
  })

  it("keeps its secret sealed, and a rotated one signs from then on", async () => {
    const headers = { "idempotency-key": "with a secret" }
    const { body } = await shop.call("POST", base, { body: { url, events: ["*"] }, headers })
    expect((await shop.call("POST", base, { body: { url, events: ["*"] }, headers })).body).toEqual(body)
    const rotate = () =>
      shop.call("POST", `${base}/${body.id}/rotate-secret`, { headers: { "idempotency-key": "rotated" } })
    const rotated = await rotate()
    expect((await rotate()).body).toEqual(rotated.body)
    expect([rotated.status, Object.keys(rotated.body)]).toEqual([200, ["secret"]])
    expect(rotated.body.secret).not.toBe(body.secret)
    expect((await shop.call("GET", `${base}/${body.id}`)).body.secretPrefix).toBe(rotated.body.secret.slice(0, 12))
    const client = new pg.Client(shop.database.nodePostgres)
    await client.connect()
    const { rows } = await client.query("SELECT secret FROM webhook_subscription WHERE id = $1", [body.id])
    const answers = await client.query(
      "SELECT convert_from(body, 'UTF8') AS body FROM idempotency WHERE key IN ('with a secret', 'rotated')"
    )
    await client.end()
    expect(answers.rows.map((row) => /^[0-9a-f]{8}\.[\w-]+$/.test(String(row["body"])))).toEqual([true, true])
    const kept = String(rows[0]?.["secret"])
    expect(kept).toMatch(/^[0-9a-f]{8}\./)
    for (const secret of [body.secret, rotated.body.secret]) expect(kept).not.toContain(secret.slice(20))
  })

  it("is changed field by field, and removed once", async () => {
    const { body } = await create({ description: "before" })
    const changed = await shop.call("PATCH", `${base}/${body.id}`, {
      body: { url: "https://hooks.example.com/new", description: null }
    })
    expect([changed.status, changed.body.url, changed.body.description, changed.body.events]).toEqual([
      200,
      "https://hooks.example.com/new",
      null,
      ["order.created"]
    ])
    expect((await shop.call("PATCH", `${base}/${body.id}`, { body: { isActive: false } })).body.isActive).toBe(false)
    const removed = await shop.call("DELETE", `${base}/${body.id}`)
    expect([removed.status, removed.body]).toEqual([200, { success: true }])
    for (const method of ["GET", "DELETE"]) expect((await shop.call(method, `${base}/${body.id}`)).status).toBe(404)
  })

  it("takes only types of the catalogue, `*` and `order.*`, and says which it does not know", async () => {
    for (const events of [["*"], ["donation.*"], ["checkout.*", "inventory.updated"]])
      expect((await create({ events })).status).toBe(201)
    const unknown = ["customer.registered", "order.*.x", "internal.password_reset", "internal.*", "**", "order", ""]
    const { status, body } = await create({ events: ["order.created", ...unknown] })
    expect([status, body.code, body.details.unknown]).toEqual([400, "VALIDATION_FAILED", unknown])
    const coming = ["checkout.abandoned", "donation.created", "donation.refunded"]
    const early = await create({ events: ["order.created", ...coming] })
    expect([early.status, early.body.events]).toEqual([201, ["order.created", ...coming]])
    const { body: kept } = await create({ events: ["*"] })
    expect((await shop.call("PATCH", `${base}/${kept.id}`, { body: { events: ["checkout.abandoned"] } })).status).toBe(
      200
    )
    expect((await shop.call("GET", `${base}/${kept.id}`)).body.events).toEqual(["checkout.abandoned"])
    const none = await create({ events: [] })
    expect([none.status, Object.keys(none.body.details.errors)]).toEqual([400, ["events"]])
  })

  it("names no place that only this machine or its network can reach, when it is made and when it is changed", async () => {
    const { body } = await create()
    const refused = [
      ...forbiddenUrls,
      "http://hooks.example.com/in",
      "https://inside.example.com/",
      "https://both.example.com/",
      "ftp://hooks.example.com/",
      "hooks"
    ]
    const answers = await Promise.all(refused.map((bad) => create({ url: bad })))
    expect(
      refused.filter((_, i) => answers[i]?.status !== 400 || answers[i]?.body.details.errors.url === undefined)
    ).toEqual([])
    const changed = await Promise.all(
      refused.slice(-4).map((bad) => shop.call("PATCH", `${base}/${body.id}`, { body: { url: bad } }))
    )
    expect(changed.map(({ status }) => status)).toEqual([400, 400, 400, 400])
    expect((await shop.call("GET", `${base}/${body.id}`)).body.url).toBe(url)
  })

  it("is another store's secret: unknown by id, to the key and in the path of the dashboard", async () => {
    const { body } = await create()
    const at = `/stores/${shop.storeId}/webhook-subscriptions`
    const own = await shop.call("GET", `${at}/${body.id}`, { key: shop.apiKey })
    expect([own.status, own.body.id]).toEqual([200, body.id])
    for (const path of [`${base}/${body.id}`, `${at}/${body.id}`, at])
      expect((await shop.call("GET", path, { key: other.apiKey })).status).toBe(404)
    expect((await shop.call("GET", at, { key: null })).status).toBe(401)
  })

  it("is managed under the dashboard's path with the same answers and the scope webhooks", async () => {
    const at = `/stores/${shop.storeId}/webhook-subscriptions`
    const reader = await shop.mintKey({ scopes: ["webhooks:read"] })
    const made = await shop.call("POST", at, { key: shop.apiKey, body: { url, events: ["*"] } })
    expect(made.status).toBe(201)
    expect((await shop.call("GET", `${at}/${made.body.id}/deliveries`, { key: reader })).body).toEqual({
      data: [],
      meta: { page: 1, limit: 20, total: 0, totalPages: 0 }
    })
    const denied = await shop.call("POST", `${at}/${made.body.id}/rotate-secret`, { key: reader })
    expect([denied.status, denied.body.code, denied.body.details.required]).toEqual([
      403,
      "INSUFFICIENT_SCOPE",
      "webhooks:write"
    ])
    expect((await shop.call("GET", base, { key: await shop.mintKey({ scopes: ["orders:*"] }) })).status).toBe(403)
  })

  it("chooses from a catalogue that says what is live and what each event's data is", async () => {
    const { status, body } = await shop.call("GET", `${base}/event-catalog`)
    expect(status).toBe(200)
    expect(body.map(({ type, status: state }: { type: string; status: string }) => [type, state])).toEqual([
      ...["order.created", "order.updated", "order.paid", "order.fulfilled", "order.cancelled", "order.refunded"].map(
        (type) => [type, "live"]
      ),
      ["checkout.completed", "live"],
      ["checkout.abandoned", "live"],
      ...["customer.created", "customer.updated", "customer.deleted"].map((type) => [type, "live"]),
      ...[
        "product.created",
        "product.updated",
        "product.deleted",
        "inventory.updated",
        "payment.failed",
        "payment.refunded",
        "payment.needs_attention"
      ].map((type) => [type, "live"]),
      ["donation.created", "coming_soon"],
      ["donation.refunded", "coming_soon"]
    ])
    for (const entry of body) {
      expect(entry.description).toMatch(/\.$/)
      expect(entry.schema.type).toBe("object")
    }
    expect(
      (await shop.call("GET", `/stores/${shop.storeId}/webhook-subscriptions/event-catalog`, { key: shop.apiKey })).body
    ).toEqual(body)
  })
})
