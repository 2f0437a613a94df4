import { PaymentOutcomes } from "@effect-commerce/core/completion/PaymentOutcomes"
import { Database } from "@effect-commerce/core/database/Database"
import { maxDraftBytes } from "@effect-commerce/core/order/OrderDraft"
import { ProviderOperationRepository } from "@effect-commerce/core/charge/ProviderOperationRepository"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"
import { asked, charges, keyIn, noticeOf, refundedOf, scriptedPayments, stands, tell } from "./ScriptedProvider.ts"

let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
beforeAll(async () => {
  shop = await openTestCommerce(scriptedPayments)
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
const keyOf = (checkoutId: string) => keyIn(shop.storeId, checkoutId)
let keys = 0
const pay = (checkoutId: string, paymentReference: string) =>
  shopper.complete(checkoutId, `draft-${keys++}`, {
    paymentMethod: "provider",
    providerId: "scripted",
    paymentReference
  })
const begin = async () => {
  const lamp = await shopper.product({ name: "Lamp", price: 2_500n, stock: 1 })
  const cartId = await shopper.cart()
  const metadata = { engraving: "Ada" }
  await shop.call("POST", `${shopper.at}/cart/${cartId}/items`, { body: { productId: lamp, quantity: 1, metadata } })
  return { lamp, checkoutId: await shopper.checkout(cartId) }
}
/** A payment under way whose money the provider has, and of which nobody here was told. */
const taken = async () => {
  const made = await begin()
  await pay(made.checkoutId, "silence")
  const key = keyOf(made.checkoutId)
  stands(key, { captured: 2_500n })
  return { ...made, key }
}
const attemptsOf = (checkoutId: string) =>
  write<{ status: string; open: boolean }>(
    (sql) =>
      sql`SELECT state AS status, check_at IS NOT NULL AS open FROM provider_operation WHERE subject_id = ${checkoutId} ORDER BY charge_key`
  )
const ordersOf = async (checkoutId: string) => {
  const found = await write<{ id: string }>((sql) => sql`SELECT id FROM orders WHERE checkout_id = ${checkoutId}`)
  return Promise.all(found.map(async ({ id }) => (await shop.call("GET", `/v1/orders/${id}`)).body))
}
const eventsOf = async (checkoutId: string) => {
  const events = await write<{ type: string }>(
    (sql) =>
      sql`SELECT type FROM event WHERE data::text LIKE ${`%${checkoutId}%`} AND type LIKE 'payment%' ORDER BY seq`
  )
  return events.map(({ type }) => type)
}
const until = (holds: () => Promise<boolean>) => expect.poll(holds, { timeout: 30_000 }).toBe(true)
const isSettled = (checkoutId: string) => async () => (await attemptsOf(checkoutId)).every(({ open }) => !open)
const draftIs = (checkoutId: string, draft: string) =>
  write(
    (sql) =>
      sql`UPDATE provider_operation SET details = ${draft}::jsonb WHERE store_id = ${shop.storeId} AND subject_id = ${checkoutId}`
  )

const givenBack = async ({ lamp, checkoutId, key }: Awaited<ReturnType<typeof taken>>) => {
  await until(isSettled(checkoutId))
  expect([await attemptsOf(checkoutId), refundedOf(key), await ordersOf(checkoutId)]).toEqual([
    [{ status: "refunded", open: false }],
    2_500n,
    []
  ])
  expect(await eventsOf(checkoutId)).toEqual(["payment.failed", "payment.refunded"])
  expect((await shop.call("GET", `/v1/products/${lamp}/inventory`)).body).toMatchObject({
    total: 1,
    reserved: 0,
    available: 1
  })
  expect((await pay(checkoutId, "approve")).status).toBe(200)
}

describe("money whose order cannot be read", () => {
  const unreadable: ReadonlyArray<readonly [what: string, draft: () => string]> = [
    ["is no order", () => "{}"],
    ["is of a version that is not known here", () => JSON.stringify({ version: 2, order: {} })],
    ["is cut short", () => JSON.stringify({ version: 1, order: { items: [] } })],
    [
      "is larger than any that is written",
      () => JSON.stringify({ version: 1, order: { notes: "x".repeat(2 * maxDraftBytes) } })
    ]
  ]
  for (const [what, draft] of unreadable) {
    it(`because it ${what} goes back, the stock is free, and the checkout can be paid again`, async () => {
      const payment = await taken()
      const other = await taken()
      await draftIs(payment.checkoutId, draft())
      await advance(31_000)
      await givenBack(payment)
      await until(isSettled(other.checkoutId))
      expect((await ordersOf(other.checkoutId)).map(({ status }) => status)).toEqual(["PAID"])
    })
  }

  it("goes back when the provider tells of it, too", async () => {
    const payment = await taken()
    await draftIs(payment.checkoutId, "{}")
    await tell(shop, noticeOf(payment.key))
    await givenBack(payment)
  })

  it("and that was only reserved is let go of", async () => {
    const { checkoutId, key } = await taken()
    stands(key, { captured: 0n })
    await draftIs(checkoutId, "{}")
    await advance(31_000)
    await until(isSettled(checkoutId))
    expect([(await attemptsOf(checkoutId))[0]?.status, asked.includes(`void ${key}`)]).toEqual(["failed", true])
  })
})

describe("a payment under way", () => {
  it("is found, leased and locked without its draft", async () => {
    const { checkoutId, key } = await taken()
    const read = Effect.gen(function* () {
      const operations = yield* ProviderOperationRepository
      const { lock } = yield* PaymentOutcomes
      const byKey = yield* operations.findByKey(shop.storeId, key)
      const id = byKey?.id ?? ""
      const found = yield* operations.find(shop.storeId, id)
      const locked = yield* (yield* Database).write(shop.storeId)(
        operations.settle(shop.storeId, { id, lock: lock(shop.storeId, checkoutId), now: new Date(0) })
      )
      return [byKey, found, locked].map((operation) => operation?.id === id && !("details" in operation))
    })
    expect(
      await run(
        Effect.provide(read, ProviderOperationRepository.layer) as unknown as Effect.Effect<ReadonlyArray<boolean>>
      )
    ).toEqual([true, true, true])
    expect(await attemptsOf(checkoutId)).toEqual([{ status: "calling", open: true }])
  })

  it("keeps nothing of what the shopper wrote about the lines, and the order that comes of it has it all", async () => {
    const { checkoutId } = await taken()
    const [kept] = await write<{ draft: string }>(
      (sql) => sql`SELECT details::text AS draft FROM provider_operation WHERE subject_id = ${checkoutId}`
    )
    expect(kept?.draft).not.toContain("engraving")
    await advance(31_000)
    await until(isSettled(checkoutId))
    const [order] = await ordersOf(checkoutId)
    expect(order.items).toMatchObject([{ metadata: { engraving: "Ada" }, customizations: {}, modifiers: [] }])
  })

  it("is refused before anybody is asked for money where its order is larger than can be kept", async () => {
    const { lamp, checkoutId } = await begin()
    await write(
      (sql) => sql`UPDATE checkout_line SET metadata = ${JSON.stringify({ x: "x".repeat(maxDraftBytes) })}::jsonb
      WHERE store_id = ${shop.storeId} AND checkout_id = ${checkoutId}`
    )
    const refused = await pay(checkoutId, "approve")
    expect([refused.status, refused.body.code, Object.keys(refused.body.details.errors)]).toEqual([
      400,
      "VALIDATION_FAILED",
      ["lineItems"]
    ])
    expect([charges.has(keyOf(checkoutId)), await attemptsOf(checkoutId)]).toEqual([false, []])
    expect((await shop.call("GET", `/v1/products/${lamp}/inventory`)).body).toMatchObject({
      total: 1,
      reserved: 0,
      available: 1
    })
  })

  it("and one that is paid by hand is refused where its lines are more than an order may keep, and nothing is written", async () => {
    const { lamp, checkoutId } = await begin()
    const carry = (length: number) =>
      write(
        (sql) => sql`UPDATE checkout_line SET metadata = ${JSON.stringify({ x: "x".repeat(length) })}::jsonb
        WHERE store_id = ${shop.storeId} AND checkout_id = ${checkoutId}`
      )
    await carry(2 * maxDraftBytes)
    const refused = await shopper.complete(checkoutId, "by-hand")
    expect([refused.status, refused.body.code, Object.keys(refused.body.details.errors)]).toEqual([
      400,
      "VALIDATION_FAILED",
      ["items"]
    ])
    expect(await ordersOf(checkoutId)).toEqual([])
    expect((await shop.call("GET", `/v1/products/${lamp}/inventory`)).body).toMatchObject({
      total: 1,
      reserved: 0,
      available: 1
    })
    await carry(10)
    expect((await shopper.complete(checkoutId, "by-hand-again")).status).toBe(200)
  })
})
