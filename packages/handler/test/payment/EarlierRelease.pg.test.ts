import { PaymentNotices } from "@effect-commerce/core/payment/PaymentNotices"
import { Database } from "@effect-commerce/core/database/Database"
import { Stores } from "@effect-commerce/core/store/Stores"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"
import { addScriptedProvider, charges, found, noticeOf, rawOf } from "./ScriptedProvider.ts"

let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
beforeAll(async () => {
  addScriptedProvider()
  shop = await openTestCommerce()
  shopper = shopperOf(shop)
})
afterAll(() => shop.close())

const run = <A>(effect: Effect.Effect<A, unknown, never>) => shop.run(Effect.orDie(effect))
const write = <A>(query: (sql: Database["Service"]["sql"]) => Effect.Effect<unknown, unknown>) =>
  run(
    Effect.flatMap(Database, (database) =>
      database.write(shop.storeId)(query(database.sql))
    ) as unknown as Effect.Effect<ReadonlyArray<A>>
  )
const advance = (ms: number) => shop.call("POST", "/test/clock", { body: { advanceMs: ms } })
const until = (holds: () => Promise<boolean>) => expect.poll(holds, { timeout: 30_000 }).toBe(true)
const stateOf = async (checkoutId: string) =>
  (
    await write<{ state: string }>((sql) => sql`SELECT state FROM provider_operation WHERE subject_id = ${checkoutId}`)
  ).map(({ state }) => state)
const ordersOf = async (checkoutId: string) => {
  const rows = await write<{ id: string }>((sql) => sql`SELECT id FROM orders WHERE checkout_id = ${checkoutId}`)
  return Promise.all(rows.map(async ({ id }) => (await shop.call("GET", `/v1/orders/${id}`)).body))
}

let keys = 0
/** A payment under way, as a process of the release before has written it. */
const begunBefore = async () => {
  const lamp = await shopper.product({ name: "Lamp", price: 2_500n, stock: 1 })
  const checkoutId = await shopper.checkout(await shopper.cart([lamp, 1]))
  await shopper.complete(checkoutId, `earlier-${keys++}`, {
    paymentMethod: "provider",
    providerId: "scripted",
    paymentReference: "silence"
  })
  const key = `complete:${checkoutId}:1`
  await write((sql) =>
    sql`WITH gone AS (DELETE FROM provider_operation WHERE store_id = ${shop.storeId} AND subject_id = ${checkoutId}
        RETURNING *)
      SELECT set_config('test.details', details::text, true), set_config('test.check_at', check_at::text, true) FROM gone`.pipe(
      Effect.andThen(sql`INSERT INTO payment_attempt (store_id, id, checkout_id, attempt, charge_key, provider, status, amount,
          currency, draft, check_at, created_at, updated_at)
        VALUES (${shop.storeId}, ${`patt_${checkoutId}`}, ${checkoutId}, 1, ${key}, 'scripted', 'calling', 2500, 'USD',
          current_setting('test.details')::jsonb, current_setting('test.check_at')::timestamptz,
          current_setting('test.check_at')::timestamptz, now())`)
    )
  )
  return { lamp, checkoutId, key }
}

describe("a payment that a process of the release before has begun", () => {
  it("and left, is found, and makes its order", async () => {
    const { lamp, checkoutId, key } = await begunBefore()
    charges.set(key, { found: found(key, 2_500n), refunded: 0n })
    await advance(31_000)
    await until(async () => (await stateOf(checkoutId))[0] === "succeeded")
    expect((await ordersOf(checkoutId)).map(({ status }) => status)).toEqual(["PAID"])
    expect((await shop.call("GET", `/v1/products/${lamp}/inventory`)).body).toMatchObject({ total: 0, reserved: 0 })
    expect(
      await write((sql) => sql`SELECT status, check_at FROM payment_attempt WHERE checkout_id = ${checkoutId}`)
    ).toEqual([{ status: "ordered", checkAt: null }])
  })

  it("and declined, can be paid again under the next key", async () => {
    const { checkoutId, key } = await begunBefore()
    charges.set(key, { found: { _tag: "Declined", reason: "declined" }, refunded: 0n })
    await advance(31_000)
    await until(async () => (await stateOf(checkoutId))[0] === "declined")
    const paid = await shopper.complete(checkoutId, `earlier-${keys++}`, {
      paymentMethod: "provider",
      providerId: "scripted",
      paymentReference: "approve"
    })
    expect([paid.status, charges.has(`complete:${checkoutId}:2`)]).toEqual([200, true])
  })

  it("and made an order of, keeps its money when the provider tells of it here", async () => {
    const { lamp: _, checkoutId, key } = await begunBefore()
    charges.set(key, { found: found(key, 2_500n), refunded: 0n })
    await advance(31_000)
    await until(async () => (await ordersOf(checkoutId)).length === 1)
    // As that release ends it: by the status alone.
    await write(
      (sql) =>
        sql`UPDATE payment_attempt SET status = 'calling' WHERE store_id = ${shop.storeId} AND checkout_id = ${checkoutId}`
    )
    expect(await stateOf(checkoutId)).toEqual(["calling"])
    await write(
      (sql) =>
        sql`UPDATE payment_attempt SET status = 'ordered' WHERE store_id = ${shop.storeId} AND checkout_id = ${checkoutId}`
    )
    await run(
      Effect.gen(function* () {
        const store = yield* (yield* Stores).context(shop.storeId)
        yield* (yield* PaymentNotices).receive(store, "scripted", rawOf(noticeOf(key, "captured", 2_500n)))
      }) as unknown as Effect.Effect<void>
    )
    expect([await stateOf(checkoutId), charges.get(key)?.refunded]).toEqual([["succeeded"], 0n])
  })
})
