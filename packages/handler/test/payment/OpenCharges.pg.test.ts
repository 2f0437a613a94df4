/** Charges that were taken in open, of which the provider's notice is lost: they are looked at until they are final. */
import { Audit } from "@effect-commerce/core/audit/Audit"
import type { Finding } from "@effect-commerce/core/audit/Law"
import { Database } from "@effect-commerce/core/database/Database"
import { PaymentRecovery } from "@effect-commerce/core/charge/PaymentRecovery"
import { testSecret } from "@effect-commerce/core/testing/TestDatabase"
import { Effect, Layer } from "effect"
import pg from "pg"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { createCommerce } from "../../src/createCommerce.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"
import { answers, asked, keyIn, scriptedPayments, stands } from "./ScriptedProvider.ts"

let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
/** A session of its own, as the owner of the tables. */
let outside: InstanceType<typeof pg.Client>

beforeAll(async () => {
  // Without workers: every pass is one of the test's own.
  shop = await openTestCommerce({ role: "api", ...scriptedPayments })
  shopper = shopperOf(shop)
  outside = new pg.Client(shop.database.nodePostgres)
  await outside.connect()
})
beforeEach(() => void asked.splice(0))
afterEach(() => outside.query("DROP TRIGGER IF EXISTS broken ON provider_notice"))
afterAll(async () => {
  await outside.end()
  await shop.close()
})

const minute = 60_000
const day = 1_440 * minute
const advance = (ms: number) => shop.call("POST", "/test/clock", { body: { advanceMs: ms } })
const pass = () => shop.run(PaymentRecovery.use((recovery) => recovery.pass) as unknown as Effect.Effect<void>)
const orderOf = async (id: string) => (await shop.call("GET", `/v1/orders/${id}`)).body
const rows = async (sql: string, values: ReadonlyArray<unknown> = []) => (await outside.query(sql, [...values])).rows

let keys = 0
/** An order whose charge is open, and the key of that charge. */
const open = async (body: object = { paymentMethod: "provider", providerId: "scripted", paymentReference: "open" }) => {
  const lamp = await shopper.product({ name: "Lamp", price: 2_500n, stock: 1 })
  const checkoutId = await shopper.checkout(await shopper.cart([lamp, 1]))
  const done = await shopper.complete(checkoutId, `open-${keys++}`, body)
  expect([done.status, done.body.status]).toEqual([200, "PENDING"])
  return { checkoutId, orderId: done.body.orderId as string, key: keyIn(shop.storeId, checkoutId) }
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
  it("is not said to have done nothing, for money has moved; the charge is looked at and the books agree", async () => {
    const { orderId } = await open({ paymentMethod: "test", paymentReference: "pending" })
    await outside.query(`CREATE OR REPLACE FUNCTION break_it() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'going down' USING ERRCODE = '57P01'; END $$;
      CREATE TRIGGER broken BEFORE INSERT ON provider_notice FOR EACH ROW EXECUTE FUNCTION break_it()`)
    const lost = await shop.call("POST", "/test/provider-events", { body: { orderId, type: "captured" } })
    expect([lost.status, lost.body.code]).toEqual([500, "PAYMENT_PROCESSING_ERROR"])
    expect(lost.headers.get("retry-after")).toMatch(/^[1-9]\d*$/)
    expect(await rows("SELECT 1 FROM provider_notice")).toEqual([])
    expect(await rows("SELECT captured::int FROM test_charge")).toEqual([{ captured: 2_500 }])
    expect(await orderOf(orderId)).toMatchObject({ status: "PENDING", financialStatus: "pending" })
    expect(await audited()).toEqual([])
    await advance(minute)
    await pass()
    expect(await orderOf(orderId)).toMatchObject({ status: "PAID", financialStatus: "paid", paymentAmount: "25.00" })
    expect(await rows("SELECT check_at IS NULL AS final FROM provider_operation")).toEqual([{ final: true }])
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
  // Each wait is shorter by up to a fifth, by chance.
  it("is looked at after a minute, then after twice as long each time", async () => {
    const { key } = await open()
    const at = await askedAt(key, 35)
    expect(at).toHaveLength(5)
    expect(at.slice(0, 3)).toEqual([1, 3, 7])
    for (const [index, minutes] of at.entries()) {
      const longest = 2 ** (index + 1) - 1
      expect(minutes).toBeLessThanOrEqual(longest)
      expect(minutes).toBeGreaterThanOrEqual(Math.ceil(0.8 * longest))
    }
  })

  it("is looked at once a day in the end, and once more when its money has come", async () => {
    const { key, orderId } = await open()
    for (let days = 0; days < 20; days++) {
      await advance(day)
      await pass()
    }
    expect((await rows("SELECT checks FROM provider_operation WHERE charge_key = $1", [key]))[0]).toEqual({
      checks: 20
    })
    asked.splice(0)
    await advance(19 * 60 * minute)
    await pass()
    expect(asked).not.toContain(`lookup ${key}`)
    stands(key, { captured: 2_500n })
    await advance(5 * 60 * minute)
    await pass()
    expect(await orderOf(orderId)).toMatchObject({ status: "PAID", financialStatus: "paid" })
    asked.splice(0)
    await advance(30 * day)
    await pass()
    expect(asked).not.toContain(`lookup ${key}`)
  })

  it("is followed in parts, and looked at until all of it is there", async () => {
    const { key, orderId } = await open()
    stands(key, { captured: 1_000n })
    expect(await askedAt(key, 1)).toEqual([1])
    expect(await orderOf(orderId)).toMatchObject({ status: "PENDING", financialStatus: "pending" })
    expect(await rows("SELECT captured::int FROM payment WHERE order_id = $1", [orderId])).toEqual([
      { captured: 1_000 }
    ])
    stands(key, { captured: 2_500n })
    expect(await askedAt(key, 4)).toEqual([2])
    expect(await orderOf(orderId)).toMatchObject({ status: "PAID", financialStatus: "paid" })
  })

  it("ends where the provider says that nothing will come: the shopper is told", async () => {
    const { key, orderId, checkoutId } = await open()
    stands(key, { state: "failed", authorized: 0n, reason: "expired" })
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
    answers(key, "Processing")
    await outside.query("UPDATE provider_operation SET provider = 'gone', provider_id = 'gone' WHERE charge_key = $1", [
      key
    ])
    const other = await open()
    stands(other.key, { captured: 2_500n })
    await advance(minute)
    await pass()
    expect(await orderOf(other.orderId)).toMatchObject({ status: "PAID" })
  })

  it("is looked at by the worker of a server, as its clock is moved", async () => {
    const { key, orderId } = await open()
    stands(key, { captured: 2_500n })
    await outside.query("UPDATE provider_operation SET check_at = now() + interval '1 minute' WHERE charge_key = $1", [
      key
    ])
    const { connection } = shop.database
    const server = await createCommerce({
      database: { connection },
      secret: testSecret,
      testClock: true,
      ...scriptedPayments
    })
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
