import pg from "pg"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"
import { faultsOnce } from "../faultsOnce.ts"

let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
/** A session of its own, as the owner of the tables: what it does to the others is no fault of ours. */
let outside: InstanceType<typeof pg.Client>
const onceAt = faultsOnce()
beforeAll(async () => {
  shop = await openTestCommerce()
  shopper = shopperOf(shop)
  outside = new pg.Client(shop.database.nodePostgres)
  await outside.connect()
})
afterEach(async () => {
  await outside.query("ROLLBACK; DROP TRIGGER IF EXISTS broken ON order_item")
})
afterAll(async () => {
  await outside.end()
  await shop.close()
})

const rows = async (sql: string, values: ReadonlyArray<unknown> = []) => (await outside.query(sql, [...values])).rows
const drop = () =>
  outside.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
  )
const begin = async () => {
  const lamp = await shopper.product({ name: "Lamp", price: 2_500n, stock: 1 })
  return { lamp, checkoutId: await shopper.checkout(await shopper.cart([lamp, 1])) }
}
const card = (paymentReference = "approve") => ({ paymentMethod: "test", paymentReference })
const advance = (ms: number) => shop.call("POST", "/test/clock", { body: { advanceMs: ms } })
const chargesOf = (checkoutId: string) =>
  rows("SELECT status, captured::int, refunded::int FROM test_charge WHERE checkout_id = $1", [checkoutId])
/** Asks as a shop's server does, until it is told something that is not "ask again". */
const insist = async (ask: () => ReturnType<typeof shopper.complete>) => {
  for (let i = 0; i < 800; i++) {
    const answer = await ask()
    if (answer.headers.get("retry-after") === null) return answer
    await new Promise((done) => setTimeout(done, 25))
  }
  return ask()
}
const lost = { status: 500, code: "PAYMENT_PROCESSING_ERROR", retryAfter: "5" }
const told = (answer: Awaited<ReturnType<typeof shopper.complete>>) => ({
  status: answer.status,
  code: answer.body.code,
  retryAfter: answer.headers.get("retry-after")
})

/** However the outcome was lost: the money was taken once, and the same key finds the one order made of it. */
const findsTheOrder = async (checkoutId: string, ask: () => ReturnType<typeof shopper.complete>) => {
  await advance(61_000)
  const answer = await insist(ask)
  expect([answer.status, answer.body.status]).toEqual([200, "PAID"])
  expect(await rows("SELECT id, financial_status FROM orders WHERE checkout_id = $1", [checkoutId])).toEqual([
    { id: answer.body.orderId, financial_status: "paid" }
  ])
  expect(await chargesOf(checkoutId)).toEqual([{ status: "captured", captured: 2_500, refunded: 0 }])
}

/** The points at which a transaction is open. */
const inside = new Set<string>(["payment.locked", "payment.sold", "payment.placed"])

describe("a completion that loses the database once the provider may have been asked", () => {
  for (const point of [
    "payment.answered",
    "payment.locked",
    "payment.sold",
    "payment.placed",
    "payment.concluded"
  ] as const) {
    it(`at ${point} is answered 500 and to be asked again, never 503, and the same key finds the order`, async () => {
      const { checkoutId } = await begin()
      onceAt(point, drop)
      const ask = () => shopper.complete(checkoutId, `drop-${point}`, card())
      const answer = await ask()
      // Outside of the transaction it may be noticed in time, and done over another connection.
      if (answer.status === 200) expect([answer.body.status, inside.has(point)]).toEqual(["PAID", false])
      else expect(told(answer)).toEqual(lost)
      await findsTheOrder(checkoutId, ask)
    })
  }

  it("before it was asked is told the same, and charges when it is asked again", async () => {
    const { checkoutId } = await begin()
    onceAt("payment.begun", drop)
    const answer = await shopper.complete(checkoutId, "drop-begun", card())
    expect(answer.status).not.toBe(503)
    await findsTheOrder(checkoutId, () => shopper.complete(checkoutId, "drop-begun", card()))
  })

  it("after a card was declined does not say that nothing was done, and lets another card be tried", async () => {
    const { checkoutId } = await begin()
    onceAt("payment.answered", () => outside.query("BEGIN; SELECT 1 FROM checkout FOR UPDATE"))
    expect(told(await shopper.complete(checkoutId, "drop-declined", card("decline")))).toEqual(lost)
    await outside.query("ROLLBACK")
    await advance(61_000)
    const answer = await insist(() => shopper.complete(checkoutId, "drop-declined-2", card()))
    expect([answer.status, answer.body.status]).toEqual([200, "PAID"])
  })

  it("before anything was begun is 503: nothing was done", async () => {
    const { checkoutId } = await begin()
    onceAt("completion.locked", drop)
    const answer = await shopper.complete(checkoutId, "drop-locked", card())
    expect([answer.status, answer.body.code]).toEqual([503, "SERVICE_TEMPORARILY_UNAVAILABLE"])
    expect([
      await chargesOf(checkoutId),
      await rows("SELECT 1 FROM provider_operation WHERE subject_id = $1", [checkoutId])
    ]).toEqual([[], []])
    await advance(61_000)
    expect((await insist(() => shopper.complete(checkoutId, "drop-locked", card()))).status).toBe(200)
  })
})

describe("a completion that the database refuses once the provider has charged", () => {
  it("waits 4 s for a lock that somebody else has, and is not told that nothing was done", async () => {
    const { checkoutId } = await begin()
    onceAt("payment.answered", () => outside.query("BEGIN; SELECT 1 FROM checkout FOR UPDATE"))
    const ask = () => shopper.complete(checkoutId, "lock", card())
    expect(told(await ask())).toEqual(lost)
    await outside.query("ROLLBACK")
    await findsTheOrder(checkoutId, ask)
  })

  // Statement timeout, no disk left, shutting down, a serialization failure on each try, and a rule broken by a fault
  // of ours.
  for (const state of ["57014", "53100", "57P01", "40001", "23514"]) {
    it(`with ${state} is told the same on every surface`, async () => {
      const { checkoutId } = await begin()
      await outside.query(`CREATE OR REPLACE FUNCTION break_it() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'broken' USING ERRCODE = '${state}'; END $$;
        CREATE TRIGGER broken BEFORE INSERT ON order_item FOR EACH ROW EXECUTE FUNCTION break_it()`)
      const ask = () =>
        state === "40001"
          ? shop.call("POST", `/v1/checkout/${checkoutId}/complete`, {
              body: card(),
              headers: { "idempotency-key": `refused-${state}` }
            })
          : shopper.complete(checkoutId, `refused-${state}`, card())
      expect(told(await ask())).toEqual(lost)
      await outside.query("DROP TRIGGER broken ON order_item")
      await findsTheOrder(checkoutId, ask)
    })
  }
})

describe("money that is told by the provider while the database goes away", () => {
  it("is not told as nothing done, and makes its order later", async () => {
    const { checkoutId } = await begin()
    const ask = () => shopper.complete(checkoutId, "told", card("timeout"))
    expect(told(await ask())).toEqual(lost)
    onceAt("payment.locked", drop)
    expect(told(await shop.call("POST", "/test/provider-events", { body: { checkoutId, type: "captured" } }))).toEqual(
      lost
    )
    await findsTheOrder(checkoutId, ask)
  })
})
