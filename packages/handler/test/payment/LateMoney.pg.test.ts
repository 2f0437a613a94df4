import { PaymentRecovery } from "@effect-commerce/core/charge/PaymentRecovery"
import { sha256Hex } from "@effect-commerce/core/crypto/Hashing"
import { Database } from "@effect-commerce/core/database/Database"
import { FaultPoint } from "@effect-commerce/core/database/FaultPoint"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"
import {
  answers,
  asked,
  charges,
  giveBack,
  keyIn,
  noticeOf,
  rawOf,
  refundedOf,
  scriptedPayments,
  stands,
  tell as tellAt
} from "./ScriptedProvider.ts"
import { defaultInFile } from "../../../core/test/defaultInFile.ts"

let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
/** How often somebody has set out to make an order of money. */
let passed = 0
defaultInFile(FaultPoint.Faults, (name: string) =>
  Effect.sync(() => void (passed += name === "payment.locked" ? 1 : 0))
)
beforeAll(async () => {
  shop = await openTestCommerce(scriptedPayments)
  shopper = shopperOf(shop)
})
afterAll(() => shop.close())

let keys = 0
const pay = (checkoutId: string, paymentReference: string) =>
  shopper.complete(checkoutId, `late-${keys++}`, {
    paymentMethod: "provider",
    providerId: "scripted",
    paymentReference
  })
const keyOf = (checkoutId: string, attempt: number) => keyIn(shop.storeId, checkoutId, attempt)
const begin = async (stock = 1) => {
  const lamp = await shopper.product({ name: "Lamp", price: 2_500n, stock })
  const cartId = await shopper.cart([lamp, 1])
  return { lamp, cartId, checkoutId: await shopper.checkout(cartId) }
}
const run = <A>(effect: Effect.Effect<A, unknown, never>) => shop.run(Effect.orDie(effect))
const rows = <A>(query: (sql: Database["Service"]["sql"]) => Effect.Effect<unknown, unknown>) =>
  run(Effect.flatMap(Database, ({ sql }) => query(sql)) as unknown as Effect.Effect<ReadonlyArray<A>>)
const write = (query: (sql: Database["Service"]["sql"]) => Effect.Effect<unknown, unknown>) =>
  run(
    Effect.flatMap(Database, (database) =>
      database.write(shop.storeId)(query(database.sql))
    ) as unknown as Effect.Effect<void>
  )
/** A notice that names the charge; returns whether everything that follows from it was done. */
const tell = (key: string) => tellAt(shop, noticeOf(key))
/** The company has captured so much of it, and sends a notice. */
const take = (key: string, captured: bigint) => {
  stands(key, { captured })
  return tell(key)
}
const attemptsOf = (checkoutId: string) =>
  rows<{ status: string; open: boolean }>(
    (sql) =>
      sql`SELECT state AS status, check_at IS NOT NULL AS open FROM provider_operation WHERE subject_id = ${checkoutId} ORDER BY charge_key`
  )
const orderOf = async (checkoutId: string) => {
  const [order] = await rows<{ id: string }>((sql) => sql`SELECT id FROM orders WHERE checkout_id = ${checkoutId}`)
  return order === undefined ? undefined : (await shop.call("GET", `/v1/orders/${order.id}`)).body
}
const stockOf = async (productId: string) => {
  const { total, reserved, available } = (await shop.call("GET", `/v1/products/${productId}/inventory`)).body
  return { total, reserved, available }
}
const advance = (ms: number) => shop.call("POST", "/test/clock", { body: { advanceMs: ms } })
/** Waits for the background work, which is due by the clock. */
const until = (holds: () => Promise<boolean>) => expect.poll(holds, { timeout: 30_000 }).toBe(true)
const isSettled = (checkoutId: string) => async () => (await attemptsOf(checkoutId)).every(({ open }) => !open)
const eventsOf = async (id: string, type: string) => {
  const events = await rows<{ type: string }>(
    (sql) => sql`SELECT type FROM event WHERE data::text LIKE ${`%${id}%`} AND type = ${type}`
  )
  return events.length
}

describe("money that comes after it was refused", () => {
  beforeAll(() => shop.call("PATCH", "/v1/store", { body: { reservation: { strategy: "ON_CART", minutes: 15 } } }))
  afterAll(() => shop.call("PATCH", "/v1/store", { body: { reservation: { strategy: "ON_PAYMENT" } } }))

  it("sells the unit that the cart holds again, and holds nothing for it afterwards", async () => {
    const { lamp, checkoutId } = await begin()
    expect((await pay(checkoutId, "decline")).status).toBe(422)
    expect(await stockOf(lamp)).toEqual({ total: 1, reserved: 1, available: 0 })
    await take(keyOf(checkoutId, 1), 2_500n)
    expect(await orderOf(checkoutId)).toMatchObject({ status: "PAID", syncWarning: null })
    expect(await stockOf(lamp)).toEqual({ total: 0, reserved: 0, available: 0 })
  })

  it("sells the unit that the cart holds again since the time of the payment's own hold has passed", async () => {
    const { lamp, cartId, checkoutId } = await begin()
    await pay(checkoutId, "silence")
    await advance(16 * 60_000)
    await until(async () => (await stockOf(lamp)).available === 1)
    await shop.call("POST", `${shopper.at}/cart/${cartId}/items`, {
      body: { productId: await shopper.product({ stock: 1 }), quantity: 1 }
    })
    expect(await stockOf(lamp)).toEqual({ total: 1, reserved: 1, available: 0 })
    await take(keyOf(checkoutId, 1), 2_500n)
    expect(await orderOf(checkoutId)).toMatchObject({ status: "PAID", syncWarning: null })
    expect(await stockOf(lamp)).toEqual({ total: 0, reserved: 0, available: 0 })
  })

  it("lets a second card go that was under way, and what that took is paid back", async () => {
    const { lamp, checkoutId } = await begin(2)
    await pay(checkoutId, "decline")
    expect((await pay(checkoutId, "silence")).status).toBe(500)
    const second = keyOf(checkoutId, 2)
    stands(second)
    await take(keyOf(checkoutId, 1), 2_500n)
    expect((await orderOf(checkoutId)).status).toBe("PAID")
    await advance(31_000)
    await until(isSettled(checkoutId))
    expect(asked).toContain(`void ${second}`)
    expect(await attemptsOf(checkoutId)).toEqual([
      { status: "succeeded", open: false },
      { status: "failed", open: false }
    ])
    expect(await stockOf(lamp)).toEqual({ total: 1, reserved: 0, available: 1 })
    await take(second, 2_500n)
    await until(isSettled(checkoutId))
    expect(refundedOf(second)).toBe(2_500n)
    expect((await attemptsOf(checkoutId))[1]?.status).toBe("refunded")
  })

  it("holds nothing again for a cart that has become an order when its second card is declined", async () => {
    const { lamp, checkoutId } = await begin(2)
    await pay(checkoutId, "decline")
    await pay(checkoutId, "silence")
    await take(keyOf(checkoutId, 1), 2_500n)
    stands(keyOf(checkoutId, 2), { state: "failed", reason: "card_declined" })
    await tell(keyOf(checkoutId, 2))
    expect(await stockOf(lamp)).toEqual({ total: 1, reserved: 0, available: 1 })
    expect(await attemptsOf(checkoutId)).toEqual([
      { status: "succeeded", open: false },
      { status: "declined", open: false }
    ])
  })
})

describe("money that no order wants", () => {
  it("and that the merchant has given back in the provider's dashboard is asked for no more, and told once", async () => {
    const { checkoutId } = await begin(2)
    await pay(checkoutId, "decline")
    await pay(checkoutId, "approve")
    const first = keyOf(checkoutId, 1)
    stands(first, { captured: 2_500n })
    giveBack(first, 2_500n)
    await tell(first)
    await tell(first)
    expect((await attemptsOf(checkoutId))[0]).toEqual({ status: "refunded", open: false })
    expect(asked).not.toContain(`refund ${first}`)
    expect(await eventsOf(checkoutId, "payment.refunded")).toBe(1)
  })

  it("and that comes in parts goes back in parts, all of it", async () => {
    const { checkoutId } = await begin(2)
    await pay(checkoutId, "decline")
    await pay(checkoutId, "approve")
    const first = keyOf(checkoutId, 1)
    await take(first, 1_000n)
    await until(isSettled(checkoutId))
    expect([refundedOf(first), (await attemptsOf(checkoutId))[0]?.status]).toEqual([1_000n, "refunded"])
    await take(first, 1_800n)
    await take(first, 2_500n)
    await until(isSettled(checkoutId))
    await until(async () => refundedOf(first) === 2_500n)
    expect((await attemptsOf(checkoutId))[0]?.status).toBe("refunded")
    await tell(first)
    expect(refundedOf(first)).toBe(2_500n)
    const told = await rows<{ payment: { refunded: string } }>(
      (sql) =>
        sql`SELECT data -> 'payment' AS payment FROM event WHERE type = 'payment.refunded' AND data::text LIKE ${`%${checkoutId}%`} ORDER BY seq`
    )
    expect([told[0]?.payment.refunded, told.at(-1)?.payment.refunded]).toEqual(["10.00", "25.00"])
  })

  it("goes back in part by the merchant's hand, the rest by us", async () => {
    const { checkoutId } = await begin(2)
    await pay(checkoutId, "decline")
    await pay(checkoutId, "approve")
    const first = keyOf(checkoutId, 1)
    // All of it would be more than is left: a part has gone back already.
    stands(first, { captured: 2_500n })
    giveBack(first, 700n)
    await tell(first)
    await until(isSettled(checkoutId))
    expect(asked.filter((what) => what === `refund ${first}`)).toHaveLength(1)
    expect([refundedOf(first), (await attemptsOf(checkoutId))[0]?.status]).toEqual([2_500n, "refunded"])
  })
})

describe("a provider that never answers", () => {
  it("holds up no other payment, and is asked again later", async () => {
    const [one, two] = [await begin(), await begin()]
    for (const { checkoutId } of [one, two]) await pay(checkoutId, "silence")
    answers(keyOf(one.checkoutId, 1), "never")
    stands(keyOf(two.checkoutId, 1), { captured: 2_500n })
    await advance(31_000)
    await until(async () => (await orderOf(two.checkoutId))?.status === "PAID")
    // The answer is not waited for beyond the time a call may take.
    const third = await begin()
    await pay(third.checkoutId, "silence")
    stands(keyOf(third.checkoutId, 1), { captured: 2_500n })
    await advance(31_000)
    await until(async () => (await orderOf(third.checkoutId))?.status === "PAID")
    stands(keyOf(one.checkoutId, 1), { captured: 2_500n })
    await advance(60_000)
    await until(async () => (await orderOf(one.checkoutId))?.status === "PAID")
  })
})

/** An order that can be read and that the database refuses, each time it is tried. */
const spoil = (checkoutId: string) =>
  write(
    (sql) =>
      sql`UPDATE provider_operation SET details = jsonb_set(details, '{order,payments,0,amount}', '"1"') WHERE store_id = ${shop.storeId} AND subject_id = ${checkoutId}`
  )

describe("a server that ends while a provider has not answered", () => {
  it("says that the outcome is not known, and the next one finds it", async () => {
    const { checkoutId } = await begin()
    const ending = await shop.openTwin()
    const asking = ending.fetch(
      new Request(`http://commerce.test/api${shopper.at}/checkout/${checkoutId}/complete`, {
        method: "POST",
        headers: { "content-type": "application/json", "idempotency-key": "ending" },
        body: JSON.stringify({ paymentMethod: "provider", providerId: "scripted", paymentReference: "hang" })
      }),
      { clientAddress: "127.0.0.1" }
    )
    await until(async () => charges.has(keyOf(checkoutId, 1)))
    await ending.close()
    const answer = await asking
    expect([answer.status, answer.headers.get("retry-after"), (await answer.json()).code]).toEqual([
      500,
      "5",
      "PAYMENT_PROCESSING_ERROR"
    ])
    stands(keyOf(checkoutId, 1), { captured: 2_500n })
    await advance(31_000)
    await until(async () => (await orderOf(checkoutId))?.status === "PAID")
  }, 30_000)
})

describe("one payment that cannot be settled", () => {
  // They are asked about in no particular order: each of the two is once the one that cannot be settled.
  it.each(["first", "second"])("does not stop the others of its store, where it is the %s", async (which) => {
    const begun = [await begin(), await begin()] as const
    const [one, two] = which === "first" ? begun : [begun[1], begun[0]]
    await pay(one.checkoutId, "silence")
    await pay(two.checkoutId, "silence")
    await spoil(one.checkoutId)
    for (const { checkoutId } of [one, two]) stands(keyOf(checkoutId, 1), { captured: 2_500n })
    expect(await tell(keyOf(one.checkoutId, 1))).toBe(false)
    await advance(31_000)
    await until(async () => (await orderOf(two.checkoutId))?.status === "PAID")
    expect(await orderOf(one.checkoutId)).toBeUndefined()
    // Its notice is tried again, less and less often.
    const before = passed
    const pass = Effect.flatMap(PaymentRecovery, (recovery) => recovery.pass) as unknown as Effect.Effect<void>
    for (let i = 0; i < 5; i++) await run(pass)
    expect(passed - before).toBeLessThanOrEqual(1)
    expect((await attemptsOf(one.checkoutId))[0]).toEqual({ status: "calling", open: true })
    // Once the time of the checkout has passed nobody waits for it any more: the money goes back.
    for (let hours = 0; hours < 25; hours += 5) await advance(5 * 3_600_000)
    await until(isSettled(one.checkoutId))
    expect([await attemptsOf(one.checkoutId), refundedOf(keyOf(one.checkoutId, 1))]).toEqual([
      [{ status: "refunded", open: false }],
      2_500n
    ])
    expect(await stockOf(one.lamp)).toEqual({ total: 1, reserved: 0, available: 1 })
  })

  it("nor do a hundred notices of it stop another's", async () => {
    const [one, two] = [await begin(), await begin()]
    for (const { checkoutId } of [one, two]) await pay(checkoutId, "silence")
    await spoil(one.checkoutId)
    await write(
      (sql) =>
        sql`UPDATE provider_operation SET check_at = '2999-01-01' WHERE store_id = ${shop.storeId} AND subject_id = ${one.checkoutId}`
    )
    for (const { checkoutId } of [one, two]) stands(keyOf(checkoutId, 1), { captured: 2_500n })
    const keep = (checkoutId: string, count: number, checkAt: string) =>
      run(
        Effect.flatMap(Database, ({ platform, sql }) =>
          platform(sql`INSERT INTO provider_notice (provider_id, event_id, body, version, received_at, check_at)
              SELECT 'scripted', ${checkoutId}::text || i, ${rawOf(noticeOf(keyOf(checkoutId, 1))).body}, 1, now(),
                ${checkAt}::timestamptz + i * interval '1 second'
              FROM generate_series(1, ${count}) AS i`)
        ) as unknown as Effect.Effect<void>
      )
    await keep(one.checkoutId, 101, "2020-01-01")
    await keep(two.checkoutId, 1, "2021-01-01")
    await until(async () => (await orderOf(two.checkoutId))?.status === "PAID")
    expect(await orderOf(one.checkoutId)).toBeUndefined()
  })
})

describe("what confirms after the checkout's end", () => {
  const endOf = async (checkoutId: string) => {
    await write(
      (sql) => sql`UPDATE checkout SET expires_at = created_at WHERE store_id = ${shop.storeId} AND id = ${checkoutId}`
    )
  }
  const setting = (lateCapture: string) => shop.call("PATCH", "/v1/store", { body: { lateCapture } })
  afterAll(() => setting("create_order"))

  it("is refunded where the store wants that, with the stock there, the payment still under way", async () => {
    await setting("refund")
    const { lamp, checkoutId } = await begin()
    await pay(checkoutId, "silence")
    await endOf(checkoutId)
    const key = keyOf(checkoutId, 1)
    await take(key, 2_500n)
    await until(isSettled(checkoutId))
    expect([await attemptsOf(checkoutId), refundedOf(key), await orderOf(checkoutId)]).toEqual([
      [{ status: "refunded", open: false }],
      2_500n,
      undefined
    ])
    expect(await stockOf(lamp)).toEqual({ total: 1, reserved: 0, available: 1 })
  })

  it("is let go of there where it was only reserved", async () => {
    await setting("refund")
    const { checkoutId } = await begin()
    await pay(checkoutId, "silence")
    await endOf(checkoutId)
    const key = keyOf(checkoutId, 1)
    stands(key)
    await advance(31_000)
    await until(isSettled(checkoutId))
    expect([
      (await attemptsOf(checkoutId))[0]?.status,
      asked.includes(`void ${key}`),
      await orderOf(checkoutId)
    ]).toEqual(["failed", true, undefined])
  })

  it("makes the order everywhere else, and for the request that has waited for it", async () => {
    await setting("create_order")
    const { checkoutId } = await begin()
    await pay(checkoutId, "silence")
    await endOf(checkoutId)
    const key = keyOf(checkoutId, 1)
    await take(key, 2_500n)
    expect((await orderOf(checkoutId)).status).toBe("PAID")
  })
})

describe("money of which only the last notice arrives", () => {
  it("goes through what the lost ones told: paid, then given back in part, then whole", async () => {
    const { checkoutId } = await begin()
    const { orderId } = (await pay(checkoutId, "open")).body
    const key = keyOf(checkoutId, 1)
    stands(key, { captured: 2_500n })
    giveBack(key, 1_000n)
    await tell(key)
    const order = await orderOf(checkoutId)
    expect(order).toMatchObject({
      status: "PAID",
      financialStatus: "partially_refunded",
      refunds: [{ amount: "10.00", type: "partial" }]
    })
    expect(order.statusHistory.map(({ from, to }: Record<string, unknown>) => [from, to])).toEqual([
      [null, "PENDING"],
      ["PENDING", "PAID"],
      ["PAID", "PAID"]
    ])
    expect([await eventsOf(orderId, "order.paid"), await eventsOf(orderId, "order.refunded")]).toEqual([1, 1])
    giveBack(key, 1_500n)
    await tell(key)
    expect(await orderOf(checkoutId)).toMatchObject({ status: "REFUNDED", financialStatus: "refunded" })
    expect([await eventsOf(orderId, "order.paid"), await eventsOf(orderId, "order.refunded")]).toEqual([1, 2])
  })
})

describe("an order that was paid by hand while its provider was still silent", () => {
  const record = (orderId: string, amount: string) =>
    shop.call("POST", `/v1/orders/${orderId}/payments`, { body: { amount, method: "cash" } })
  const open = async () => {
    const { checkoutId } = await begin()
    const { body } = await pay(checkoutId, "open")
    return { orderId: body.orderId as string, checkoutId, key: keyOf(checkoutId, 1) }
  }
  const paymentsOf = (orderId: string) =>
    rows(
      (sql) =>
        sql`SELECT provider, method, status, amount, captured, refunded FROM payment WHERE order_id = ${orderId} ORDER BY provider, amount`
    )

  it("owes its provider nothing any more; what that takes all the same is told to the merchant until it is given back", async () => {
    const { orderId, checkoutId, key } = await open()
    expect((await record(orderId, "25.00")).body).toMatchObject({
      status: "PAID",
      financialStatus: "paid",
      numberOfPayments: 1
    })
    const paid = [
      { provider: "manual", method: "cash", status: "captured", amount: 2_500n, captured: 2_500n, refunded: 0n },
      { provider: "scripted", method: "scripted", status: "voided", amount: 0n, captured: 0n, refunded: 0n }
    ]
    expect(await paymentsOf(orderId)).toEqual(paid)
    await until(async () => asked.includes(`void ${key}`))
    await until(isSettled(checkoutId))
    await tell(key)
    expect(await paymentsOf(orderId)).toEqual(paid)
    expect(await eventsOf(checkoutId, "payment.failed")).toBe(0)
    await take(key, 2_500n)
    await tell(key)
    expect(await orderOf(checkoutId)).toMatchObject({
      status: "PAID",
      financialStatus: "paid",
      syncWarning: "scripted captured 25.00 where 0.00 was asked for"
    })
    expect(await eventsOf(orderId, "order.updated")).toBe(1)
    giveBack(key, 2_500n)
    await tell(key)
    expect(await orderOf(checkoutId)).toMatchObject({ status: "PAID", financialStatus: "paid" })
    expect(await paymentsOf(orderId)).toEqual(paid)
  })

  it("in part, is owed the rest, before and after the provider has captured a part", async () => {
    const { orderId, checkoutId, key } = await open()
    expect((await record(orderId, "10.00")).body).toMatchObject({ status: "PENDING", financialStatus: "authorized" })
    await take(key, 800n)
    expect(asked).not.toContain(`void ${key}`)
    expect((await record(orderId, "7.00")).body).toMatchObject({ status: "PAID", financialStatus: "paid" })
    await until(async () => asked.includes(`void ${key}`))
    await take(key, 2_500n)
    expect(await paymentsOf(orderId)).toEqual([
      { provider: "manual", method: "cash", status: "captured", amount: 700n, captured: 700n, refunded: 0n },
      { provider: "manual", method: "cash", status: "captured", amount: 1_000n, captured: 1_000n, refunded: 0n },
      { provider: "scripted", method: "scripted", status: "captured", amount: 800n, captured: 800n, refunded: 0n }
    ])
    expect((await orderOf(checkoutId)).syncWarning).toBe("scripted captured 25.00 where 8.00 was asked for")
    giveBack(key, 1_700n)
    await tell(key)
    expect(await orderOf(checkoutId)).toMatchObject({ financialStatus: "paid", paymentRefundedAmount: "0.00" })
    giveBack(key, 300n)
    await tell(key)
    expect(await orderOf(checkoutId)).toMatchObject({ financialStatus: "partially_refunded" })
    expect((await paymentsOf(orderId)).at(-1)).toMatchObject({ captured: 800n, refunded: 300n })
  })
})

describe("a notice that says more than is kept", () => {
  const storedOf = (eventId: string) =>
    run(
      Effect.flatMap(Database, ({ platform, sql }) =>
        platform(
          sql`SELECT state, reason FROM provider_notice WHERE provider_id = 'scripted' AND event_id = ${eventId}`
        )
      ) as unknown as Effect.Effect<ReadonlyArray<{ readonly state: string; readonly reason: string | null }>>
    )
  const named = (eventId: string, more: object = {}) => ({ ...noticeOf(keyOf("chk_none", 1)), eventId, ...more })

  it("is known by its content where its name has more than 255 characters", async () => {
    const name = "e".repeat(255)
    expect(await tellAt(shop, named(name))).toBe(false)
    expect(await storedOf(name)).toMatchObject([{ state: "open" }])
    const longer = named("e".repeat(256))
    expect(await tellAt(shop, longer)).toBe(false)
    expect(await storedOf("e".repeat(256))).toEqual([])
    expect(await storedOf(`sha256:${sha256Hex(rawOf(longer).body)}`)).toMatchObject([{ state: "open" }])
  })

  it("names a charge that nobody has where its key has more than 255 characters", async () => {
    const chargeKey = keyOf("c".repeat(256), 1)
    expect(await tellAt(shop, named("long key", { chargeKey }))).toBe(false)
    expect(await storedOf("long key")).toEqual([{ state: "open", reason: "it names a charge that we do not know" }])
  })

  it("keeps 500 characters of the reason why it is set aside", async () => {
    expect(await tellAt(shop, named("long", { unreadable: "r".repeat(501) }))).toBe(true)
    expect(await storedOf("long")).toEqual([{ state: "set_aside", reason: "r".repeat(500) }])
  })
})
