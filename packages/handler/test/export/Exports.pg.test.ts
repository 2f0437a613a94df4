/** Exports: whole and exact also after a crash, bounded, and fetched by a link for a day. */
import { FaultPoint } from "@effect-commerce/core/database/FaultPoint"
import { ExportWork } from "@effect-commerce/core/export/ExportWork"
import { waitedFor } from "@effect-commerce/core/testing/LockWaits"
import { type MemoryObjectStore, memoryObjectStore } from "@effect-commerce/core/testing/MemoryObjectStore"
import { Effect, Exit } from "effect"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { addressIn, shopperOf } from "../Shopper.ts"
import { addOwner } from "../team/desk.ts"
import { defaultInFile } from "../../../core/test/defaultInFile.ts"

let shop: TestCommerce
let client: InstanceType<typeof pg.Client>
let store: MemoryObjectStore
/** Where the next worker dies, once. */
let dying: string | undefined
/** What the next worker that has stored a part waits for, once. */
let stalling: (() => Promise<void>) | undefined

defaultInFile(FaultPoint.Faults, (name: string) =>
  Effect.suspend(() => {
    if (name === "export.part-stored" && stalling !== undefined) {
      const wait = stalling
      stalling = undefined
      return Effect.promise(wait)
    }
    if (name !== dying) return Effect.void
    dying = undefined
    return Effect.interrupt
  })
)
beforeAll(async () => {
  store = memoryObjectStore()
  shop = await openTestCommerce({ role: "api", media: { store } })
  client = new pg.Client(shop.database.nodePostgres)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await shop.close()
})

const work = (pass: (work: ExportWork["Service"]) => Effect.Effect<void>) =>
  Effect.runPromiseExit(
    Effect.provideContext(ExportWork.use(pass) as Effect.Effect<void>, shop.commerce.services as never)
  )
const pass = () => work(({ pass }) => pass)
const advance = (ms: number) => shop.call("POST", "/test/clock", { body: { advanceMs: ms } })
const ask = (body: object, key?: string) =>
  shop.call("POST", "/v1/exports", key === undefined ? { body } : { body, key })
const get = async (id: string, key?: string) =>
  (await shop.call("GET", `/v1/exports/${id}`, key === undefined ? {} : { key })).body
const fetched = async (url: string, method = "GET") => {
  const response = await shop.commerce.fetch(new Request(url, { method }), { clientAddress: "127.0.0.1" })
  const bytes = Buffer.from(await response.arrayBuffer())
  const text = bytes.toString("utf8")
  const { status, headers } = response
  return {
    status,
    headers,
    text,
    body: headers.get("content-type")?.includes("/json") === true ? JSON.parse(text) : {}
  }
}
/** The lines of a finished export, without the mark and the head. */
const made = async (body: object, key?: string) => {
  const asked = await ask(body, key)
  expect(asked.status, asked.text).toBe(202)
  expect(Exit.isSuccess(await pass())).toBe(true)
  const job = await get(asked.body.id, key)
  expect(job.status, job.reason).toBe("DONE")
  const { text } = await fetched(job.url)
  return { job, text, lines: text.split("\r\n").slice(1, -1) }
}
const csv = (resource: string, filters?: object) => ({ resource, format: "csv", ...(filters && { filters }) })
const place = async (body: object, key?: string) => {
  const placed = await shop.call("POST", "/v1/orders", { body, ...(key === undefined ? {} : { key }) })
  expect(placed.status, placed.text).toBe(201)
  return placed.body
}
const lamp = { name: "Lamp", price: "10.00", quantity: 2 }
/** Many orders at once: copies of one, each with its line. */
const copies = (count: number, storeId: string) =>
  client.query(`WITH one AS (SELECT * FROM orders WHERE store_id = '${storeId}' ORDER BY id LIMIT 1),
    n AS (SELECT g, 'ord_0copy' || lpad(g::text, 8, '0') AS id FROM generate_series(1, ${count}) g),
    placed AS (INSERT INTO orders (store_id, id, order_number, status, financial_status, fulfillment_status, currency,
        subtotal, discount_amount, rule_discount_amount, shipping_amount, surcharge_amount, tax_amount, total_amount,
        tax_breakdown, status_history, created_at, updated_at)
      SELECT store_id, n.id, 100000 + n.g, status, financial_status, fulfillment_status, currency, subtotal,
        discount_amount, rule_discount_amount, shipping_amount, surcharge_amount, tax_amount, total_amount,
        tax_breakdown, status_history, created_at, updated_at FROM one, n)
    INSERT INTO order_item (store_id, order_id, id, position, name, quantity, unit_price, subtotal, discount, tax, total)
    SELECT '${storeId}', n.id, 'item_' || n.g, 0, 'Copy ' || n.g, 1, 100, 100, 0, 0, 100 FROM n`)

describe("an export of orders", () => {
  it("has one row for each line, with the order's amounts in the first", async () => {
    const address = addressIn("CA", "94105")
    const order = await place({
      items: [lamp, { name: 'Bulb "E27", warm', price: "3.00", quantity: 1 }],
      shippingAmount: "5.00",
      customer: { email: "ada@example.com", name: "=cmd|' /C calc'!A0" },
      notes: "+1 for the\nnote",
      shippingAddress: address
    })
    const { job, text, lines } = await made(csv("orders"))
    expect(job).toMatchObject({ resource: "orders", format: "csv", filters: {}, rows: 2, reason: null })
    expect(text.startsWith("\uFEFForderId,orderNumber,createdAt,status,")).toBe(true)
    const at = `${order.id},#1001,${order.createdAt},PENDING,pending,unfulfilled,USD`
    const who = `ada@example.com,'=cmd|' /C calc'!A0,,,,manual,,api,,false,,,"'+1 for the\nnote"`
    const to = "Ada Byron,,1 Main St,,Town,CA,94105,US,Ada Byron,,1 Main St,,Town,CA,94105,US"
    expect(lines).toEqual([
      `${at},23.00,0.00,0.00,5.00,0.00,0.00,28.00,0.00,0.00,${who},1,,,,Lamp,2,0,10.00,20.00,0.00,0.00,20.00,${to}`,
      `${at},,,,,,,,,,${who},2,,,,"Bulb ""E27"", warm",1,0,3.00,3.00,0.00,0.00,3.00,${to}`
    ])
  })

  it("is filtered as the list is, and knows nothing of what is placed afterwards", async () => {
    await shop.call("POST", "/v1/orders/none/payments")
    const paid = await place({ items: [lamp], customer: { email: "eve@example.com" } })
    await shop.call("POST", `/v1/orders/${paid.id}/payments`, { body: { amount: "20.00", method: "cash" } })
    const ids = async (filters: object) => (await made(csv("orders", filters))).lines.map((line) => line.split(",")[0])
    expect(await ids({ status: ["paid"] })).toEqual([paid.id])
    expect(await ids({ status: "PAID,CANCELLED", search: "EVE@" })).toEqual([paid.id])
    expect(await ids({ search: "nobody" })).toEqual([])
    expect(await ids({ createdTo: paid.createdAt, search: "eve" })).toEqual([])
    expect(await ids({ createdFrom: paid.createdAt, search: paid.orderNumber })).toEqual([paid.id])
    const asked = await ask(csv("orders", { search: "late@" }))
    await advance(1_000)
    await place({ items: [lamp], customer: { email: "late@example.com" } })
    await pass()
    expect(await get(asked.body.id)).toMatchObject({ status: "DONE", rows: 0 })
  })

  it("is NDJSON for programs, with nothing defused", async () => {
    const { text } = await made({ resource: "orders", format: "ndjson", filters: { search: "ada@" } })
    const rows = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    expect(rows).toHaveLength(2)
    expect(rows[0]).toMatchObject({
      customerName: "=cmd|' /C calc'!A0",
      quantity: 2,
      totalAmount: "28.00",
      isTestOrder: false
    })
    expect(rows[1]).toMatchObject({ lineNumber: 2, totalAmount: null, lineTotal: "3.00" })
  })
})

describe("exports of what else a store has", () => {
  it("have the rows that are not deleted", async () => {
    const ada = await shop.call("POST", "/v1/customers", {
      body: { email: "buyer@example.com", firstName: "-Ada", phone: "+14155550100" }
    })
    const customers = await made(csv("customers", { search: "BUYER" }))
    expect(customers.lines).toEqual([
      `${ada.body.id},buyer@example.com,'-Ada,,'+14155550100,false,false,false,,,0,,${ada.body.createdAt},${ada.body.updatedAt}`
    ])
    const input = { name: "Mug", basePrice: "12.50", costPrice: "4.00", sku: "MUG", status: "active", tags: ["a", "b"] }
    const mug = await shop.call("POST", "/v1/products", { body: { ...input, inventory: { total: 7 } } })
    const gone = await shop.call("POST", "/v1/products", {
      body: { name: "Mug gone", basePrice: "1.00", status: "active" }
    })
    await shop.call("DELETE", `/v1/products/${gone.body.id}`)
    const { lines } = await made(csv("products", { search: "mug", status: ["ACTIVE"] }))
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(
      new RegExp(`^${mug.body.id},,SIMPLE,active,Mug,,mug,MUG,,,USD,12\\.50,,4\\.00,7,0,7,,,"a; b",false,,`)
    )
    const book = { name: "Book", basePrice: "5.00", status: "active", type: "VARIABLE", isDownloadable: true }
    const variants = [{ attributes: { Format: "PDF" } }]
    expect((await shop.call("POST", "/v1/products", { body: { ...book, variants } })).status).toBe(201)
    expect((await made({ resource: "products", format: "ndjson", filters: { search: "book" } })).text).toMatch(
      /"variantName":"PDF".*"isDownloadable":true/
    )
    const stock = await made(csv("inventory", { search: "mug" }))
    expect(stock.lines).toHaveLength(1)
    expect(stock.lines[0]).toMatch(new RegExp(`^${mug.body.id},,MUG,Mug,,TRACKED,DENY,,7,0,7,,\\d{4}-`))
  })
})

describe("an export of many parts", () => {
  let other: Awaited<ReturnType<TestCommerce["openStore"]>>
  const count = 4_500
  const expected = Array.from({ length: count }, (_, i) => `ord_0copy${String(i + 1).padStart(8, "0")}`)
  beforeAll(async () => {
    other = await shop.openStore()
    await place({ items: [lamp] }, other.apiKey)
    await copies(count, other.storeId)
    // Not the order that was copied.
    await client.query("UPDATE orders SET status = 'DELIVERED' WHERE store_id = $1 AND id NOT LIKE 'ord_0copy%'", [
      other.storeId
    ])
  })
  const asked = async () => (await ask(csv("orders", { status: ["PENDING"] }), other.apiKey)).body.id as string
  const whole = async (id: string) => {
    const job = await get(id, other.apiKey)
    expect(job).toMatchObject({ status: "DONE", rows: count })
    const { text, headers } = await fetched(job.url)
    expect(headers.get("content-length")).toBe(String(Buffer.byteLength(text)))
    expect(
      text
        .split("\r\n")
        .slice(1, -1)
        .map((line) => line.split(",")[0])
    ).toEqual(expected)
  }

  it("is whole and in order", async () => {
    const id = await asked()
    await pass()
    await whole(id)
    const { rows } = await client.query("SELECT rows FROM export_part WHERE export_id = $1 ORDER BY position", [id])
    expect(rows.length).toBeGreaterThan(2)
  })

  for (const point of ["export.part-begun", "export.part-stored", "export.part-recorded"])
    it(`is whole after a worker has died at ${point}, without a row twice`, async () => {
      const id = await asked()
      dying = point
      await pass()
      expect(dying).toBeUndefined()
      const left = await get(id, other.apiKey)
      expect([left.status, left.url]).toEqual(["RUNNING", null])
      // Nobody takes it up while the lease of the dead lasts.
      await pass()
      if (point !== "export.part-recorded") expect((await get(id, other.apiKey)).rows).toBe(left.rows)
      await advance(121_000)
      await pass()
      await whole(id)
      const { rows } = await client.query("SELECT key, ready FROM export_part WHERE export_id = $1 ORDER BY key", [id])
      expect(rows).toEqual(
        [...store.objects.keys()]
          .filter((key) => key.includes(id))
          .toSorted()
          .map((key) => ({ key, ready: true }))
      )
    })

  /** The next worker that has stored a part waits until it may go on. */
  const stalledWorker = async () => {
    let goOn: () => void = () => undefined
    const waiting = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const begun = new Promise<void>((resolve) => {
      stalling = () => {
        resolve()
        return waiting
      }
    })
    const ended = pass()
    await begun
    return { ended, goOn: () => goOn() }
  }

  it("is whole where a worker that lost its lease comes back while another one has it", async () => {
    const id = await asked()
    const first = await stalledWorker()
    await advance(121_000)
    const second = await stalledWorker()
    first.goOn()
    await first.ended
    expect(await get(id, other.apiKey)).toMatchObject({ status: "RUNNING", rows: 0 })
    second.goOn()
    await second.ended
    await whole(id)
    const named = (
      await client.query("SELECT count(*)::int AS n FROM export_part WHERE export_id = $1 AND NOT ready", [id])
    ).rows
    expect(named).toEqual([{ n: 0 }])
  })

  it("holds no other store up, also where its storage is slow: each gets a part in turn", async () => {
    // Stores have their turns in the order of their ids.
    const { apiKey } = await shop.openStore()
    const [large, small] = [await asked(), (await ask(csv("orders"), apiKey)).body.id]
    const real = store.put
    const stored: Array<string> = []
    const isLarge = (key: string) => key.includes(large)
    let next = ""
    const whileItIsSlow = async () => {
      await expect.poll(async () => (await get(small, apiKey)).status, { timeout: 10_000 }).toBe("DONE")
      next = (await ask(csv("orders"), apiKey)).body.id
    }
    const put: MemoryObjectStore["put"] = (object) =>
      Effect.gen(function* () {
        if (isLarge(object.key) && !stored.some(isLarge)) yield* Effect.promise(whileItIsSlow)
        yield* real(object)
        stored.push(object.key)
      })
    Object.assign(store, { put })
    await pass()
    Object.assign(store, { put: real })
    const order = stored.map((key) => (isLarge(key) ? "large" : "small"))
    // One of each store; then again; then the rest of the large one.
    expect([order.slice(0, 2), order.slice(2, 4).toSorted()]).toEqual([
      ["small", "large"],
      ["large", "small"]
    ])
    expect([new Set(order.slice(4)), (await get(next, apiKey)).status]).toEqual([new Set(["large"]), "DONE"])
    await whole(large)
  })
})

describe("the file of an export", () => {
  it("is fetched without a credential for a day, then deleted, and its row a month later", async () => {
    const { job, text } = await made(csv("customers"))
    expect(job.expiresAt).toBe(new Date(Date.parse(job.expiresAt)).toISOString())
    const { headers } = await fetched(job.url, "HEAD")
    expect(["content-type", "cache-control", "x-content-type-options"].map((name) => headers.get(name))).toEqual([
      "text/csv; charset=utf-8",
      "private, no-store",
      "nosniff"
    ])
    expect(headers.get("content-disposition")).toMatch(/^attachment; filename="customers-\d{4}-\d\d-\d\d\.csv"/)
    await advance(86_400_000 - 10_000)
    expect((await fetched(job.url)).text).toBe(text)
    await advance(11_000)
    const late = await fetched(job.url)
    expect([late.status, late.body.code]).toEqual([404, "RESOURCE_NOT_FOUND"])
    await work(({ sweep }) => sweep)
    expect([...store.objects.keys()].filter((key) => key.includes(job.id))).toEqual([])
    expect(await get(job.id)).toMatchObject({ status: "DONE", url: null, expiresAt: job.expiresAt, rows: job.rows })
    await advance(30 * 86_400_000)
    await work(({ sweep }) => sweep)
    expect((await get(job.id)).code).toBe("RESOURCE_NOT_FOUND")
  })

  it("opens by no link that was changed", async () => {
    const [one, two] = [(await made(csv("customers"))).job, (await made(csv("customers"))).job]
    for (const url of [one.url.replace(one.id, two.id), `${one.url}0`, one.url.slice(0, -1)])
      expect((await fetched(url)).status).toBe(404)
  })
})

describe("an export that cannot be written", () => {
  it("is tried five times, then FAILED with a reason, and others go on", async () => {
    const real = store.put
    const asked = await ask(csv("customers"))
    Object.assign(store, { put: () => Effect.die(new Error("the disk is broken")) })
    for (let i = 0; i < 5; i++) {
      expect(await get(asked.body.id)).toMatchObject({ reason: null, url: null })
      await pass()
      await advance(80_000)
    }
    Object.assign(store, { put: real })
    expect(await get(asked.body.id)).toMatchObject({
      status: "FAILED",
      reason: "The file could not be written; nothing of it is kept",
      url: null
    })
    expect((await made(csv("customers"))).job.status).toBe("DONE")
  })

  it("is FAILED where five workers have died of it, and no sixth is tried on it", async () => {
    const asked = await ask(csv("customers"))
    const left = () => [...store.objects.keys()].filter((key) => key.includes(asked.body.id)).length
    for (let i = 0; i < 5; i++) {
      dying = "export.part-stored"
      await pass()
      expect([dying, (await get(asked.body.id)).status]).toEqual([undefined, "RUNNING"])
      await advance(121_000)
    }
    dying = "export.part-stored"
    await pass()
    expect([dying, await get(asked.body.id)]).toMatchObject(["export.part-stored", { status: "FAILED", url: null }])
    dying = undefined
    expect(left()).toBe(1)
    await work(({ sweep }) => sweep)
    expect(left()).toBe(0)
    expect((await made(csv("customers"))).job.status).toBe("DONE")
  })

  it("is FAILED where the files of the store would be more than 8 GiB, and written when there is room", async () => {
    const { job } = await made(csv("customers"))
    const bytes = (text: string) => client.query(`UPDATE export_job SET bytes = bytes ${text} WHERE id = $1`, [job.id])
    const kept = (await client.query("SELECT sum(bytes)::text AS n FROM export_job WHERE NOT files_removed")).rows[0]
    await bytes(`+ 8589934592 - ${kept?.["n"]}`)
    const asked = await ask(csv("customers"))
    await pass()
    expect(await get(asked.body.id)).toMatchObject({
      status: "FAILED",
      rows: 0,
      reason:
        "All files of the store's exports would be larger than 8 GiB: export again when older ones are deleted, a day later"
    })
    const other = await shop.openStore()
    expect((await made(csv("customers"), other.apiKey)).job.status).toBe("DONE")
    await bytes(`- 8589934592 + ${kept?.["n"]}`)
    expect((await made(csv("customers"))).job.status).toBe("DONE")
  })

  it("is FAILED by nobody who has lost its lease", async () => {
    const { body } = await ask(csv("customers"))
    await client.query("UPDATE export_job SET bytes = 4294967296 WHERE id = $1", [body.id])
    const reader = new pg.Client(shop.database.nodePostgres)
    await reader.connect()
    await reader.query("BEGIN")
    await reader.query("LOCK TABLE customer")
    const late = pass()
    await waitedFor(reader)
    await client.query("UPDATE export_job SET bytes = 0, lease = 'lease_other' WHERE id = $1", [body.id])
    await reader.query("COMMIT")
    await reader.end()
    await late
    expect((await get(body.id)).status).toBe("RUNNING")
    await advance(121_000)
    await pass()
    expect((await get(body.id)).status).toBe("DONE")
  })

  it("is taken up again where the storage failed for a moment", async () => {
    const real = store.put
    const asked = await ask(csv("customers"))
    Object.assign(store, { put: () => Effect.die(new Error("busy")) })
    await pass()
    Object.assign(store, { put: real })
    await advance(16_000)
    await pass()
    expect((await get(asked.body.id)).status).toBe("DONE")
    const { rows } = await client.query("SELECT ready FROM export_part WHERE export_id = $1", [asked.body.id])
    expect(rows).toEqual([{ ready: true }])
  })
})

describe("asking for an export", () => {
  const count = async () => (await client.query("SELECT count(*)::int AS n FROM export_job")).rows[0]?.["n"]

  it("refuses what it does not know, and writes nothing", async () => {
    const before = await count()
    for (const [body, fields] of [
      [{ resource: "carts", format: "csv" }, ["resource"]],
      [{ resource: "orders", format: "xlsx" }, ["format"]],
      [csv("orders", { colour: "red" }), ["filters.colour"]],
      [csv("orders", { status: ["LOST"], createdFrom: "soon" }), ["filters.status", "filters.createdFrom"]],
      [csv("customers", { status: ["active"] }), ["filters.status"]],
      [csv("products", { status: "archived" }), ["filters.status"]],
      [csv("inventory", { createdTo: "2026-01-01" }), ["filters.createdTo"]]
    ] as const) {
      const { status, body: answer } = await ask(body)
      expect([status, answer.code, Object.keys(answer.details?.errors ?? {})]).toEqual([
        400,
        "VALIDATION_FAILED",
        fields
      ])
    }
    expect(await count()).toBe(before)
  })

  it("needs the scope of what is exported, also to see how far it is", async () => {
    const orders = await shop.mintKey({ scopes: ["orders:read"] })
    const customers = await shop.mintKey({ scopes: ["customers:read", "orders:write"] })
    const before = await count()
    const refused = await ask(csv("customers"), orders)
    expect([refused.status, refused.body.code, refused.body.details]).toEqual([
      403,
      "INSUFFICIENT_SCOPE",
      { required: "customers:read" }
    ])
    expect(await count()).toBe(before)
    const { body, status } = await ask(csv("customers"), customers)
    expect(status).toBe(202)
    expect(body).toMatchObject({ status: "QUEUED", rows: 0, url: null, expiresAt: null })
    const peek = await shop.call("GET", `/v1/exports/${body.id}`, { key: orders })
    expect([peek.status, peek.body.details]).toEqual([403, { required: "customers:read" }])
    expect((await shop.call("GET", `/v1/exports/${body.id}`, { key: customers })).status).toBe(200)
    await pass()
  })

  it("is refused while five are under way, two at once included, and another store's are not counted", async () => {
    const answers = await Promise.all(Array.from({ length: 7 }, () => ask(csv("customers"))))
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 202, 202, 202, 202, 400, 400])
    const full = answers.find(({ status }) => status === 400)
    expect(full?.body.details.errors).toEqual({ exports: "there are 5 exports under way, which is the most" })
    const other = await shop.openStore()
    const id = answers.find(({ status }) => status === 202)?.body.id
    expect((await ask(csv("customers"), other.apiKey)).status).toBe(202)
    expect((await get(id, other.apiKey)).code).toBe("RESOURCE_NOT_FOUND")
    await pass()
  })

  it("is once for one Idempotency-Key", async () => {
    const options = { body: csv("customers"), headers: { "idempotency-key": "once" } }
    const [first, second] = [
      await shop.call("POST", "/v1/exports", options),
      await shop.call("POST", "/v1/exports", options)
    ]
    expect(second.body).toEqual(first.body)
    await pass()
  })
})

it("the event of a finished export carries its token sealed", async () => {
  const { job } = await made(csv("customers"))
  const { rows } = await client.query(
    "SELECT data FROM event WHERE type = 'internal.export_complete' AND data ->> 'exportId' = $1",
    [job.id]
  )
  const data = { resource: "customers", rows: job.rows, expiresAt: job.expiresAt }
  expect(rows).toMatchObject([{ data }])
  expect(JSON.stringify(rows)).not.toContain(job.url.split(".").at(-1))
})

it("the owner is mailed the link", async () => {
  const live = await openTestCommerce({ mail: { publicUrl: "https://api.shop.example" } })
  await addOwner(live, live, "owner@example.com")
  await shopperOf(live).product()
  const { body } = await live.call("POST", "/v1/exports", { body: csv("products") })
  const mail = async () =>
    (await live.call("GET", "/v1/email/messages")).body.data.find(
      ({ eventType }: { eventType: string }) => eventType === "EXPORT_COMPLETE"
    )
  await expect.poll(mail, { timeout: 30_000, interval: 100 }).toBeDefined()
  const { to, subject, text } = await mail()
  expect([to, subject]).toEqual(["owner@example.com", "Your export of products is ready"])
  const { url } = (await live.call("GET", `/v1/exports/${body.id}`)).body
  expect(url).toMatch(/^https:\/\/api\.shop\.example\/api\/exports\//)
  expect(text).toContain("Rows: 1")
  expect(text).toContain(url)
  await live.close()
})
