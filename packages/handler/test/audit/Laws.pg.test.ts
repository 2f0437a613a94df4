/** The auditor: silent about books that a shop has made, and loud about every law that is broken. */
import { Audit, type Audited } from "@effect-commerce/core/audit/Audit"
import { type Finding, findingsOf, type Law, mostTold, questionOf } from "@effect-commerce/core/audit/Law"
import { laws } from "@effect-commerce/core/audit/Laws"
import { Database } from "@effect-commerce/core/database/Database"
import { seedProduct } from "@effect-commerce/core/testing/Factories"
import { Effect, Layer } from "effect"
import pg, { type Client } from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"
import { type Books, plants } from "./plants.ts"

let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
let client: Client
let books: Books

const buy = async (lamp: string, quantity: number, key: string, body: object = {}) => {
  const cart = await shopper.cart([lamp, quantity])
  const checkout = await shopper.checkout(cart)
  if (key === "paid")
    await shopper.complete(checkout, "declined", { paymentMethod: "test", paymentReference: "decline" })
  const done = await shopper.complete(checkout, key, body)
  expect(done.status).toBe(200)
  return { order: done.body.orderId as string, checkout, cart }
}

const rowsOf = async (text: string, values: ReadonlyArray<unknown> = []) => (await client.query(text, values)).rows

/** Without a service, over any driver: as `npm run proof` asks too. */
const breaches = async (storeId: string, asked: ReadonlyArray<Law>): Promise<ReadonlyArray<Finding>> => {
  const found: Array<Finding> = []
  for (const law of asked) found.push(...findingsOf(law, storeId, await rowsOf(questionOf(law), [storeId])))
  return found
}

const audit = async (
  storeId?: string
): Promise<{
  readonly findings: ReadonlyArray<Finding>
  readonly done: Audited
  readonly steps: ReadonlyArray<string>
}> => {
  const findings: Array<Finding> = []
  const steps: Array<string> = []
  const run = Effect.flatMap(Audit, ({ run }) =>
    run({
      storeId,
      tell: (found) => Effect.sync(() => void findings.push(...found)),
      progress: (done, all) => void steps.push(`${done}/${all}`)
    })
  )
  const over = Audit.layer.pipe(Layer.provide(Database.layer(shop.database.connection)))
  const done = await Effect.runPromise(Effect.provide(run, over))
  return { findings, done, steps }
}

const meanwhile: { audits: number; sold: number; readonly findings: Array<Finding> } = {
  audits: 0,
  sold: 0,
  findings: []
}

/** Audits again and again until ten shoppers have bought, half of them through a provider. */
const auditWhileSelling = async (other: ReturnType<typeof shopperOf>, lamp: string) => {
  const checkouts = await Promise.all(
    Array.from({ length: 10 }, async () => other.checkout(await other.cart([lamp, 1])))
  )
  const ways = [{}, { paymentMethod: "test", paymentReference: "approve" }]
  let selling = true
  const sold = Promise.all(checkouts.map((id, i) => other.complete(id, `storm-${i}`, ways[i % 2]))).finally(() => {
    selling = false
  })
  while (selling) {
    meanwhile.findings.push(...(await audit()).findings)
    meanwhile.audits += 1
  }
  meanwhile.sold = (await sold).filter(({ status }) => status === 200).length
}

beforeAll(async () => {
  shop = await openTestCommerce()
  shopper = shopperOf(shop)
  client = new pg.Client(shop.database.nodePostgres)
  await client.connect()
  await shop.call("POST", "/v1/tax/rates", { body: { name: "California", country: "US", region: "CA", rate: 8.5 } })
  const zone = await shop.call("POST", "/v1/shipping/zones", { body: { name: "United States", countries: ["US"] } })
  const rate = { name: "Standard", type: "FLAT", rateConfig: { amount: "5.00" }, taxStatus: "none" }
  await shop.call("POST", `/v1/shipping/zones/${zone.body.id}/rates`, { body: rate })
  const other = await shop.openStore()
  const otherLamp = await shop.run(Effect.orDie(seedProduct(other.storeId, {})) as unknown as Effect.Effect<string>)

  await auditWhileSelling(shopperOf(shop, other.channelId), otherLamp)

  const lamp = await shopper.product({ name: "Lamp", price: 10_000n, stock: 20 })
  const manual = await buy(lamp, 1, "manual")
  const paid = await buy(lamp, 2, "paid", { paymentMethod: "test", paymentReference: "approve" })
  await shop.call("POST", "/test/provider-events", { body: { orderId: paid.order, type: "refunded", amount: "50.00" } })
  const made = await shop.call("POST", "/v1/orders", {
    body: { items: [{ productId: lamp, quantity: 1 }], discountAmount: "10.00" }
  })
  await client.query("UPDATE store SET reservation_strategy = 'ON_CART' WHERE id = $1", [shop.storeId])
  // Seeded products are composed by their reader, or by a worker that may not have come to them.
  for (const channel of [shop.channelId, other.channelId]) await shop.call("GET", `/vc/${channel}/products`)
  await shop.commerce.close()

  // A second instance knows the new strategy.
  const { createCommerce } = await import("../../src/createCommerce.ts")
  const again = await createCommerce({
    database: { connection: shop.database.connection },
    secret: "a secret of tests that is long enough, 32",
    rateLimit: { perMinute: "off" }
  })
  const at = `http://shop/api/vc/${shop.channelId}/cart`
  const post = async (path: string, body: object) => {
    const request = new Request(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body)
    })
    return (await (await again.fetch(request)).json()) as { readonly id: string }
  }
  const { id: heldBy } = await post(at, {})
  await post(`${at}/${heldBy}/items`, { productId: lamp, quantity: 2 })
  await again.close()

  const detail = async (order: string) => {
    const [row] = await rowsOf(
      "SELECT i.id AS item, p.id AS payment FROM order_item i JOIN payment p ON p.order_id = i.order_id WHERE i.order_id = $1",
      [order]
    )
    return { order, item: String(row?.["item"]), payment: String(row?.["payment"]) }
  }
  books = {
    store: shop.storeId,
    otherStore: other.storeId,
    otherChannel: other.channelId,
    lamp,
    otherLamp,
    manual: { ...manual, ...(await detail(manual.order)) },
    paid: { ...paid, ...(await detail(paid.order)) },
    admin: await detail(made.body.id),
    heldBy
  }
})

afterAll(async () => {
  await client.end()
  await shop.close()
})

describe("the auditor", () => {
  it("has nothing to say of what a shop has sold, held, refused, refunded and placed by hand", async () => {
    const { findings, done, steps } = await audit()
    expect(findings).toEqual([])
    expect(done).toEqual({ laws: laws.length + 1, stores: 2, findings: 0 })
    expect(steps).toEqual(["1/2", "2/2"])
  })

  it("raises no alarm about what is under way", () => {
    expect(meanwhile).toEqual({ audits: expect.any(Number), sold: 10, findings: [] })
    expect(meanwhile.audits).toBeGreaterThan(0)
  })

  it("has a planted fault for every law, and one name for each", () => {
    expect(plants.map(({ law }) => law).sort()).toEqual(laws.map(({ law }) => law).sort())
    expect(new Set(laws.map(({ law }) => law)).size).toBe(laws.length)
  })

  it.each(plants)("names the row where $law is broken", async ({ law, plant, told }) => {
    await client.query("BEGIN")
    await client.query("SET LOCAL session_replication_role = replica")
    try {
      for (const statement of plant(books)) {
        const { rowCount, command } = await client.query(statement)
        if (command !== "ALTER") expect([statement, rowCount]).not.toEqual([statement, 0])
      }
      const broken = laws.find((known) => known.law === law)!
      const expected = { law, says: broken.says, table: broken.table, storeId: books.store, ...told(books) }
      expect(await breaches(books.store, [broken])).toEqual([expected])
      expect(await breaches(books.otherStore, [broken])).toEqual([])
    } finally {
      await client.query("ROLLBACK")
    }
  })

  it.each(["provider.kept", "provider.once"])(
    "names the row where %s is broken also in a store with a notice that is set aside, which nobody will act on",
    async (law) => {
      const of = (asked: string) => plants.find((plant) => plant.law === asked)?.plant(books) ?? []
      await client.query("BEGIN")
      await client.query("SET LOCAL session_replication_role = replica")
      try {
        for (const statement of [...of("provider.notices"), ...of(law)]) await client.query(statement)
        const broken = await breaches(
          books.store,
          laws.filter((known) => known.law === law)
        )
        expect(broken.map(({ id }) => id)).toEqual([books.paid.checkout])
      } finally {
        await client.query("ROLLBACK")
      }
    }
  )

  it("has nothing to say of a refund of an order that the provider has made and nobody has written down yet", async () => {
    const [kept] = laws.filter(({ law }) => law === "provider.kept")
    await client.query("BEGIN")
    await client.query("SET LOCAL session_replication_role = replica")
    try {
      const moved = "UPDATE test_charge SET refunded = refunded + 700 WHERE checkout_id = $1 AND captured > 0"
      await client.query(moved, [books.paid.checkout])
      expect((await breaches(books.store, [kept!])).map(({ id }) => id)).toEqual([books.paid.checkout])
      await client.query(
        `INSERT INTO provider_operation (store_id, id, kind, subject_type, subject_id, charge_id, provider, provider_id,
            state, amount, currency, check_at, sent_at, open_since, created_at, updated_at)
          SELECT store_id, 'pop_refund', 'refund', 'order', $1, id, provider, provider_id, 'calling', 700, currency, now(),
            now(), now(), now(), now() FROM provider_operation WHERE subject_id = $2 AND state = 'succeeded'`,
        [books.paid.order, books.paid.checkout]
      )
      expect(await breaches(books.store, laws)).toEqual([])
    } finally {
      await client.query("ROLLBACK")
    }
  })

  it("tells a thousand breaches of one law in a store and says that there are more", async () => {
    await client.query(
      `INSERT INTO stock_movement (store_id, id, key, product_id, delta, reason, reference, created_at)
        SELECT $1, 'mov_many_' || lpad(n::text, 5, '0'), $2, $2, 0, 'sale', 'ord_' || lpad(n::text, 26, '0'), now() FROM generate_series(1, 1500) n`,
      [books.otherStore, books.otherLamp]
    )
    const { findings, done } = await audit(books.otherStore)
    const sales = findings.filter(({ law }) => law === "stock.sale")
    expect([done.stores, sales.length, done.findings]).toEqual([1, mostTold + 1, findings.length])
    expect(sales[0]?.id).toBe("mov_many_00001")
    expect(sales.at(-1)).toMatchObject({ id: null, found: "more than 1000 rows", storeId: books.otherStore })
    expect((await audit(books.store)).findings).toEqual([])
    await client.query("DELETE FROM stock_movement WHERE id LIKE 'mov_many_%'")
  })

  it("refuses a store that is not there, and writes nothing", async () => {
    await expect(audit("store_unknown")).rejects.toMatchObject({ _tag: "StoreNotFound", id: "store_unknown" })
    const over = Audit.layer.pipe(Layer.provideMerge(Database.layer(shop.database.connection)))
    const writing = Effect.flatMap(Audit, ({ run }) =>
      Effect.flatMap(Database, ({ sql }) =>
        run({ tell: () => Effect.orDie(Effect.asVoid(sql`DELETE FROM rate_window`)), storeId: books.store })
      )
    )
    await client.query("UPDATE stock SET total = total + 1 WHERE key = $1", [books.lamp])
    await expect(Effect.runPromise(Effect.provide(writing, over))).rejects.toMatchObject({ _tag: "SqlError" })
    await client.query("UPDATE stock SET total = total - 1 WHERE key = $1", [books.lamp])
  })
})
