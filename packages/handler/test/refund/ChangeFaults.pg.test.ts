/**
 * A process that dies, throws or loses the database between any two steps of a refund, a capture or a void: the same
 * request, sent again, and the worker bring it to its end, and the provider has done it once.
 */
import { type FaultPointName, FaultPoint, faultPoints } from "@effect-commerce/core/database/FaultPoint"
import { Effect } from "effect"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { refundShopOf } from "./refundShop.ts"
import { defaultInFile } from "../../../core/test/defaultInFile.ts"

const kinds = ["kill", "throw", "drop"] as const
type Kind = (typeof kinds)[number]

let shop: TestCommerce
let at: ReturnType<typeof refundShopOf>
/** A session of its own, as the owner of the tables. */
let outside: InstanceType<typeof pg.Client>
let armed: { readonly point: string; readonly kind: Kind } | undefined
const met = new Set<string>()

const drop = () =>
  outside.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`
  )
/** A process that is killed says nothing any more, and the database ends its sessions. */
const faults = (name: string): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (armed?.point !== name) return Effect.void
    const { kind } = armed
    armed = undefined
    met.add(`${kind} at ${name}`)
    if (kind === "throw") return Effect.die(new Error(`planted at ${name}`))
    return Effect.andThen(Effect.promise(drop), kind === "kill" ? Effect.never : Effect.void)
  })

defaultInFile(FaultPoint.Faults, faults)
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  at = refundShopOf(shop)
  outside = new pg.Client(shop.database.nodePostgres)
  await outside.connect()
})
afterAll(async () => {
  armed = undefined
  expect(await at.audited()).toEqual([])
  await outside.end()
  await shop.close()
})

/** Right after the sessions have ended, the worker may meet one of them. */
const pass = () => at.pass().catch(() => undefined)

type Answer = Awaited<ReturnType<TestCommerce["call"]>>

/** Asks once with the fault planted, and then until the outcome is known; a killed process answers nothing. */
const through = async (point: string, kind: Kind, ask: () => Promise<Answer>): Promise<Answer> => {
  armed = { point, kind }
  const asked = ask()
  if (kind === "kill") {
    await expect.poll(() => armed, { timeout: 20_000 }).toBeUndefined()
    void asked.catch(() => undefined)
  } else {
    await asked
    expect(armed).toBeUndefined()
  }
  for (let i = 0; i < 6; i++) {
    await at.advance(61_000)
    await pass()
    const answer = await ask()
    if (answer.status < 500 && answer.headers.get("retry-after") === null) return answer
  }
  return ask()
}

const refundPoints: ReadonlyArray<FaultPointName> = [
  "refund.begun",
  "payment.begun",
  "payment.answered",
  "payment.answer-kept",
  "refund.recorded",
  "payment.concluded",
  "refund.run"
]

describe.each(kinds)("%s", (kind) => {
  it.each(refundPoints)("at %s: one refund", async (point) => {
    const { orderId, checkoutId, products } = await at.bought("approve", [1_250n, 2])
    const itemId = (await at.order(orderId)).items[0].id
    const key = `fault-${kind}-${point}`
    const answer = await through(point, kind, () => at.refund(orderId, { items: [{ itemId, quantity: 1 }] }, key))
    expect([answer.status, answer.body.amount]).toEqual([201, "12.50"])
    await expect
      .poll(() => pass().then(() => at.chargeOf(checkoutId)), { timeout: 20_000 })
      .toEqual({ status: "captured", captured: 2_500, refunded: 1_250 })
    await expect
      .poll(() => pass().then(() => at.order(orderId)), { timeout: 20_000 })
      .toMatchObject({
        financialStatus: "partially_refunded",
        refunds: [{ id: answer.body.id, amount: "12.50", status: "succeeded" }],
        items: [{ refundedQuantity: 1 }]
      })
    expect((await at.eventsOf(orderId)).filter(({ type }) => type === "order.refunded")).toHaveLength(1)
    expect(await at.totalOf(products[0] ?? "")).toBe(99)
  })

  it("at refund.failed: it has failed, and nothing was given back", async () => {
    const { orderId, checkoutId } = await at.bought("refund_refused")
    await through("refund.failed", kind, () => at.refund(orderId, { amount: "5.00" }, `fault-${kind}-failed`))
    await expect
      .poll(() => pass().then(() => at.order(orderId)), { timeout: 20_000 })
      .toMatchObject({ financialStatus: "paid", refunds: [{ amount: "5.00", status: "failed" }] })
    expect(await at.chargeOf(checkoutId)).toMatchObject({ refunded: 0 })
    const told = (await at.eventsOf(orderId)).filter(({ type }) => type === "internal.order_attention")
    expect(told.map(({ data }) => data)).toMatchObject([{ cause: "refund_failed", amount: "5.00" }])
  })

  const change = (what: string, orderId: string, key: string, body: object = {}) =>
    shop.call("POST", `/v1/orders/${orderId}/${what}`, { body, headers: { "idempotency-key": key } })

  it.each(["capture.begun", "payment.begun", "payment.answered", "payment.answer-kept", "payment.concluded"])(
    "at %s: captured once",
    async (point) => {
      const { orderId, checkoutId } = await at.bought("authorize")
      await through(point, kind, () => change("capture", orderId, `capture-${kind}-${point}`, { amount: "10.00" }))
      await expect
        .poll(() => pass().then(() => at.order(orderId)), { timeout: 20_000 })
        .toMatchObject({ authorizations: [{ captured: "10.00" }] })
      expect(await at.chargeOf(checkoutId)).toMatchObject({ captured: 1_000 })
    }
  )

  it.each(["void.begun", "payment.answered"])("at %s: released", async (point) => {
    const { orderId, checkoutId } = await at.bought("authorize")
    await through(point, kind, () => change("void", orderId, `void-${kind}-${point}`))
    await expect
      .poll(() => pass().then(() => at.order(orderId)), { timeout: 20_000 })
      .toMatchObject({ financialStatus: "voided" })
    expect(await at.chargeOf(checkoutId)).toMatchObject({ status: "voided", captured: 0 })
  })
})

describe("the points of captures, voids and refunds", () => {
  it("were all met, in every way", () => {
    const named = faultPoints.filter((point) => /^(refund|capture|void)\./.test(point))
    const expected = kinds.flatMap((kind) => named.map((point) => `${kind} at ${point}`))
    expect(expected).toHaveLength(18)
    expect(expected.filter((what) => !met.has(what))).toEqual([])
  })
})
