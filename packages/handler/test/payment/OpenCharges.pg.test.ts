/** Charges that were taken in open, of which the provider's notice is lost: they are asked for until they are final. */
import { Audit } from "@effect-commerce/core/audit/Audit"
import type { Finding } from "@effect-commerce/core/audit/Law"
import { Database } from "@effect-commerce/core/database/Database"
import { OpenCharges } from "@effect-commerce/core/payment/OpenCharges"
import { testSecret } from "@effect-commerce/core/testing/TestDatabase"
import { Effect, Layer } from "effect"
import pg from "pg"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { createCommerce } from "../../src/createCommerce.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"
import { addScriptedProvider, asked, charges, found } from "./ScriptedProvider.ts"

let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
/** A session of its own, as the owner of the tables. */
let outside: InstanceType<typeof pg.Client>

beforeAll(async () => {
  addScriptedProvider()
  // Without workers: every pass is one of the test's own.
  shop = await openTestCommerce({ role: "api" })
  shopper = shopperOf(shop)
  outside = new pg.Client(shop.database.nodePostgres)
  await outside.connect()
})
beforeEach(() => void asked.splice(0))
afterEach(() => outside.query("DROP TRIGGER IF EXISTS broken ON provider_event"))
afterAll(async () => {
  await outside.end()
  await shop.close()
})

const minute = 60_000
const day = 1_440 * minute
const advance = (ms: number) => shop.call("POST", "/test/clock", { body: { advanceMs: ms } })
const pass = () => shop.run(OpenCharges.use((open) => open.pass) as unknown as Effect.Effect<void>)
const orderOf = async (id: string) => (await shop.call("GET", `/v1/orders/${id}`)).body
const rows = async (sql: string, values: ReadonlyArray<unknown> = []) => (await outside.query(sql, [...values])).rows

let keys = 0
/** An order whose charge is open, and the key of that charge. */
const open = async (body: object = { paymentMethod: "provider", providerId: "scripted", paymentReference: "open" }) => {
  const lamp = await shopper.product({ name: "Lamp", price: 2_500n, stock: 1 })
  const checkoutId = await shopper.checkout(await shopper.cart([lamp, 1]))
  const done = await shopper.complete(checkoutId, `open-${keys++}`, body)
  expect([done.status, done.body.status]).toEqual([200, "PENDING"])
  return { checkoutId, orderId: done.body.orderId as string, key: `complete:${checkoutId}:1` }
}
const audited = async (): Promise<ReadonlyArray<Finding>> => {
  const findings: Array<Finding> = []
  const run = Audit.use((audit) =>
    audit.run({
      storeId: undefined,
      tell: (told) => Effect.sync(() => void findings.push(...told)),
      progress: () => undefined
    })
  )
  const over = Audit.layer.pipe(Layer.provide(Database.layer(shop.database.connection)))
  await Effect.runPromise(Effect.provide(run, over))
  return findings
}
/** The minutes, of so many, in which the charge was asked for. */
const askedAt = async (key: string, minutes: number): Promise<ReadonlyArray<number>> => {
  const at: Array<number> = []
  for (let now = 1; now <= minutes; now++) {
    await advance(minute)
    await pass()
    const count = asked.splice(0).filter((what) => what === `lookup ${key}`).length
    at.push(...Array.from({ length: count }, () => now))
  }
  return at
}

describe("a notice that cannot be stored", () => {
  it("is 503 so that it is sent again; where it is not, the charge is asked for and the books agree", async () => {
    const { orderId } = await open({ paymentMethod: "test", paymentReference: "pending" })
    await outside.query(`CREATE OR REPLACE FUNCTION break_it() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'going down' USING ERRCODE = '57P01'; END $$;
      CREATE TRIGGER broken BEFORE INSERT ON provider_event FOR EACH ROW EXECUTE FUNCTION break_it()`)
    const lost = await shop.call("POST", "/test/provider-events", { body: { orderId, type: "captured" } })
    expect([lost.status, lost.body.code]).toEqual([503, "SERVICE_TEMPORARILY_UNAVAILABLE"])
    expect(await rows("SELECT 1 FROM provider_event")).toEqual([])
    expect(await rows("SELECT captured::int FROM test_charge")).toEqual([{ captured: 2_500 }])
    expect(await orderOf(orderId)).toMatchObject({ status: "PENDING", financialStatus: "pending" })
    expect(await audited()).toEqual([])
    await advance(minute)
    await pass()
    expect(await orderOf(orderId)).toMatchObject({ status: "PAID", financialStatus: "paid", paymentAmount: "25.00" })
    expect(await rows("SELECT final_at IS NOT NULL AS final FROM provider_operation")).toEqual([{ final: true }])
    expect(await audited()).toEqual([])
  })

  it("changes nothing that was told when it is sent again", async () => {
    const { orderId } = await open({ paymentMethod: "test", paymentReference: "pending" })
    const event = { body: { orderId, type: "captured" } }
    expect((await shop.call("POST", "/test/provider-events", event)).body).toEqual({ applied: true, orderId })
    await advance(minute)
    await pass()
    const { status, statusHistory } = await orderOf(orderId)
    expect([status, statusHistory.length]).toEqual(["PAID", 2])
    const paid = await rows("SELECT 1 FROM event WHERE type = 'order.paid' AND data ->> 'orderId' = $1", [orderId])
    expect(paid.length).toBe(1)
  })
})

describe("a charge that is open", () => {
  it("is asked for after a minute, then after twice as long each time", async () => {
    const { key } = await open()
    expect(await askedAt(key, 35)).toEqual([1, 2, 4, 8, 16, 32])
  })

  it("is asked for once a day in the end, and once more when its money has come", async () => {
    const { key, orderId } = await open()
    for (let days = 0; days < 20; days++) {
      await advance(day)
      await pass()
    }
    expect((await rows("SELECT asks FROM provider_operation WHERE charge_key = $1", [key]))[0]).toEqual({ asks: 20 })
    asked.splice(0)
    await advance(day - minute)
    await pass()
    expect(asked).not.toContain(`lookup ${key}`)
    charges.set(key, { found: found(key, 2_500n), refunded: 0n })
    await advance(minute)
    await pass()
    expect(await orderOf(orderId)).toMatchObject({ status: "PAID", financialStatus: "paid" })
    asked.splice(0)
    await advance(30 * day)
    await pass()
    expect(asked).not.toContain(`lookup ${key}`)
  })

  it("is followed in parts, and asked for until all of it is there", async () => {
    const { key, orderId } = await open()
    charges.set(key, { found: found(key, 1_000n), refunded: 0n })
    expect(await askedAt(key, 1)).toEqual([1])
    expect(await orderOf(orderId)).toMatchObject({ status: "PENDING", financialStatus: "pending" })
    expect(await rows("SELECT captured::int FROM payment WHERE order_id = $1", [orderId])).toEqual([
      { captured: 1_000 }
    ])
    charges.set(key, { found: found(key, 2_500n), refunded: 0n })
    expect(await askedAt(key, 4)).toEqual([1])
    expect(await orderOf(orderId)).toMatchObject({ status: "PAID", financialStatus: "paid" })
  })

  it("ends where the provider says that nothing will come: the shopper is told", async () => {
    const { key, orderId, checkoutId } = await open()
    charges.set(key, { found: { _tag: "Declined", reason: "expired" }, refunded: 0n })
    expect(await askedAt(key, 4)).toEqual([1])
    expect(await orderOf(orderId)).toMatchObject({ status: "PENDING", financialStatus: "voided" })
    expect(
      await rows(
        "SELECT data ->> 'error' AS error FROM event WHERE type = 'payment.failed' AND data ->> 'checkoutId' = $1",
        [checkoutId]
      )
    ).toEqual([{ error: "expired" }])
  })

  it("of a provider that never answers, or is not set up, keeps none of another store waiting", async () => {
    const { key } = await open()
    charges.set(key, { found: { _tag: "Processing" }, refunded: 0n })
    await outside.query("UPDATE provider_operation SET provider = 'gone' WHERE charge_key = $1", [key])
    const other = await open()
    charges.set(other.key, { found: found(other.key, 2_500n), refunded: 0n })
    await advance(minute)
    await pass()
    expect(await orderOf(other.orderId)).toMatchObject({ status: "PAID" })
  })

  it("is asked for also where it was taken in by a release that did not ask", async () => {
    const { key, orderId } = await open()
    await outside.query(
      "UPDATE provider_operation SET ask_at = NULL, asks = 0, final_at = NULL, created_at = '2020-01-01' WHERE charge_key = $1",
      [key]
    )
    charges.set(key, { found: found(key, 2_500n), refunded: 0n })
    await pass()
    expect(await orderOf(orderId)).toMatchObject({ status: "PAID" })
  })

  it("is asked for by the worker of a server, as its clock is moved", async () => {
    const { key, orderId } = await open()
    charges.set(key, { found: found(key, 2_500n), refunded: 0n })
    await outside.query("UPDATE provider_operation SET created_at = now() WHERE charge_key = $1", [key])
    const { connection } = shop.database
    const server = await createCommerce({ database: { connection }, secret: testSecret, testClock: true })
    const move = {
      method: "POST",
      body: JSON.stringify({ advanceMs: minute }),
      headers: { "content-type": "application/json" }
    }
    expect((await server.fetch(new Request("http://commerce.test/api/test/clock", move))).status).toBe(200)
    await expect.poll(async () => (await orderOf(orderId)).status, { timeout: 20_000 }).toBe("PAID")
    await server.close()
  })
})
