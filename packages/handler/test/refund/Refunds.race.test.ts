/** Two callers who move the money of the same order at once, in two processes: it moves once, and the books say so. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Commerce } from "../../src/createCommerce.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { refundShopOf } from "./refundShop.ts"

let shop: TestCommerce
let twin: Commerce
let at: ReturnType<typeof refundShopOf>
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  twin = await shop.openTwin()
  at = refundShopOf(shop)
})
afterAll(async () => {
  expect(await at.audited()).toEqual([])
  await shop.close()
})

interface Asked {
  readonly path: string
  readonly body: object
  readonly key?: string
}
const on = async (commerce: Commerce, { path, body, key }: Asked) => {
  const answer = await commerce.fetch(
    new Request(`http://commerce.test/api${path}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${shop.apiKey}`,
        ...(key === undefined ? {} : { "idempotency-key": key })
      },
      body: JSON.stringify(body)
    })
  )
  return { status: answer.status, body: (await answer.json()) as { readonly code?: string } }
}

const rounds = 8
type Bought = Awaited<ReturnType<typeof at.bought>>
type Answers = readonly [Awaited<ReturnType<typeof on>>, Awaited<ReturnType<typeof on>>]

/** Each round on an order of its own, the two calls at once, one by each process in turn. */
const race = async (
  reference: string,
  calls: (made: Bought) => readonly [Asked, Asked] | Promise<readonly [Asked, Asked]>,
  judge: (made: Bought, answers: Answers) => Promise<void>
) => {
  for (let i = 0; i < rounds; i++) {
    const made = await at.bought(reference, [1_250n, 2])
    const [one, two] = await calls(made)
    const [a, b] = i % 2 === 0 ? [shop.commerce, twin] : [twin, shop.commerce]
    await judge(made, await Promise.all([on(a, one), on(b, two)]))
  }
}
const ordered = ({ orderId }: Bought, what: string, body: object): Asked => ({
  path: `/v1/orders/${orderId}/${what}`,
  body
})
const statusesOf = ([one, two]: Answers) => [one.status, two.status].toSorted()
const codesOf = (answers: Answers) => answers.flatMap(({ body }) => body.code ?? [])
const succeeded = async (orderId: string): Promise<ReadonlyArray<string>> =>
  (await at.refundsOf(orderId))
    .filter(({ status }: { readonly status: string }) => status === "succeeded")
    .map(({ amount }: { readonly amount: string }) => amount)
const countOf = async (orderId: string, type: string) =>
  (await at.eventsOf(orderId)).filter((event) => event.type === type).length
const operationsOf = async (orderId: string, kind: string) =>
  (await at.rows("SELECT 1 FROM provider_operation WHERE subject_id = $1 AND kind = $2", [orderId, kind])).length

describe("two at once", () => {
  it("refunds of the whole order: one gives it back, the other finds nothing left", async () => {
    await race(
      "approve",
      async (made) => {
        const [{ id: itemId }] = (await at.order(made.orderId)).items
        const whole = ordered(made, "refunds", { items: [{ itemId, quantity: 2 }] })
        return [whole, whole]
      },
      async ({ orderId, checkoutId, products }, answers) => {
        expect(statusesOf(answers)).toEqual([201, 422])
        expect(codesOf(answers)).toEqual(["BUSINESS_RULE_VIOLATION"])
        expect(await at.chargeOf(checkoutId)).toEqual({ status: "captured", captured: 2_500, refunded: 2_500 })
        expect([await operationsOf(orderId, "refund"), await countOf(orderId, "order.refunded")]).toEqual([1, 1])
        expect(await at.order(orderId)).toMatchObject({
          status: "REFUNDED",
          financialStatus: "refunded",
          paymentRefundedAmount: "25.00",
          refunds: [{ amount: "25.00", status: "succeeded", type: "full" }],
          items: [{ refundedQuantity: 2 }]
        })
        expect(await at.totalOf(products[0] ?? "")).toBe(100)
      }
    )
  })

  it("refunds of more than half: one gives it back", async () => {
    await race(
      "approve",
      (made) => [ordered(made, "refunds", { amount: "13.00" }), ordered(made, "refunds", { amount: "13.00" })],
      async ({ orderId, checkoutId }, answers) => {
        expect(statusesOf(answers)).toEqual([201, 422])
        expect(await at.chargeOf(checkoutId)).toMatchObject({ refunded: 1_300 })
        expect(await succeeded(orderId)).toEqual(["13.00"])
      }
    )
  })

  it("requests with one Idempotency-Key: one refund, whatever the second is answered", async () => {
    await race(
      "approve",
      (made) => {
        const one = { ...ordered(made, "refunds", { amount: "5.00" }), key: `race-${made.orderId}` }
        return [one, one]
      },
      async ({ orderId, checkoutId }, answers) => {
        const [first, second] = statusesOf(answers)
        expect([first, [201, 409].includes(second ?? 0)]).toEqual([201, true])
        expect(await at.chargeOf(checkoutId)).toMatchObject({ refunded: 500 })
        expect(await succeeded(orderId)).toEqual(["5.00"])
        expect(await operationsOf(orderId, "refund")).toBe(1)
      }
    )
  })

  it("a refund of ours and one in the provider's dashboard: together they give back what was paid", async () => {
    await race(
      "approve",
      (made) => [
        ordered(made, "refunds", { amount: "25.00" }),
        { path: "/test/provider-events", body: { orderId: made.orderId, type: "refunded" } }
      ],
      async ({ orderId, checkoutId }, [ours, theirs]) => {
        expect([201, 422, 500]).toContain(ours.status)
        expect(theirs.status).toBe(200)
        expect(await at.chargeOf(checkoutId)).toMatchObject({ refunded: 2_500 })
        await expect
          .poll(() => at.pass().then(() => at.order(orderId)), { timeout: 20_000 })
          .toMatchObject({ status: "REFUNDED", financialStatus: "refunded", paymentRefundedAmount: "25.00" })
        expect(await succeeded(orderId)).toEqual(["25.00"])
        expect(await countOf(orderId, "order.refunded")).toBe(1)
        const [done] = (await at.order(orderId)).refunds.filter(
          ({ status }: { readonly status: string }) => status === "succeeded"
        )
        expect(done.source).toBe(ours.status === 201 ? "service" : "provider")
      }
    )
  })

  it("captures: the money is taken once", async () => {
    await race(
      "authorize",
      (made) => [ordered(made, "capture", {}), ordered(made, "capture", {})],
      async ({ orderId, checkoutId }, answers) => {
        expect(statusesOf(answers)).toEqual([200, 409])
        expect(codesOf(answers)).toEqual(["PAYMENT_ALREADY_CAPTURED"])
        expect(await at.chargeOf(checkoutId)).toMatchObject({ captured: 2_500 })
        expect([await operationsOf(orderId, "capture"), await countOf(orderId, "order.paid")]).toEqual([1, 1])
        expect(await at.order(orderId)).toMatchObject({ status: "PAID", financialStatus: "paid" })
      }
    )
  })

  it("a capture and a void: the money is taken or let go, never both", async () => {
    await race(
      "authorize",
      (made) => [ordered(made, "capture", {}), ordered(made, "void", {})],
      async ({ orderId, checkoutId }, answers) => {
        expect(statusesOf(answers)).toEqual([200, 409])
        const isTaken = answers[0].status === 200
        expect(await at.chargeOf(checkoutId)).toMatchObject(
          isTaken ? { status: "captured", captured: 2_500 } : { status: "voided", captured: 0 }
        )
        expect(await at.order(orderId)).toMatchObject({ financialStatus: isTaken ? "paid" : "voided" })
        expect(await countOf(orderId, "order.paid")).toBe(isTaken ? 1 : 0)
      }
    )
  })

  it("a refund and a cancel that refunds: all of it goes back, once, and so do the units", async () => {
    await race(
      "approve",
      (made) => [ordered(made, "refunds", { amount: "25.00" }), ordered(made, "cancel", { refund: true })],
      async ({ orderId, checkoutId, products }, [refund, cancel]) => {
        expect([201, 422]).toContain(refund.status)
        expect([200, 409]).toContain(cancel.status)
        expect(refund.status === 201 || cancel.status === 200).toBe(true)
        expect(await at.chargeOf(checkoutId)).toMatchObject({ refunded: 2_500 })
        expect(await succeeded(orderId)).toEqual(["25.00"])
        expect([await operationsOf(orderId, "refund"), await countOf(orderId, "order.refunded")]).toEqual([1, 1])
        const order = await at.order(orderId)
        expect([order.status, order.financialStatus]).toEqual([
          cancel.status === 200 ? "CANCELLED" : "REFUNDED",
          "refunded"
        ])
        expect(await at.totalOf(products[0] ?? "")).toBe(cancel.status === 200 ? 100 : 98)
      }
    )
  })
})
