import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Commerce } from "../../src/createCommerce.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { loyaltyShop } from "./LoyaltyShop.ts"

let shop: TestCommerce
let twin: Commerce
beforeAll(async () => {
  shop = await openTestCommerce()
  twin = await shop.openTwin()
})
afterAll(() => shop.close())

const opened = async () => {
  const at = loyaltyShop(shop, await shop.openStore())
  await at.putProgram({ isEnabled: true, pointsPerUnit: 1, currencyUnit: 1, redeemRate: "0.01" })
  return at
}

const post = async (commerce: Commerce, path: string, body: object, headers: Record<string, string>) => {
  const answer = await commerce.fetch(
    new Request(`http://commerce.test/api${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body)
    })
  )
  return { status: answer.status, body: (await answer.json()) as { readonly orderId?: string } }
}

const ways = [{}, { paymentMethod: "test", paymentReference: "approve" }]

describe("sixteen checkouts with the points of one customer, through two instances", () => {
  it("spend them as often as there are enough, by whichever way the rest is paid", async () => {
    const at = await opened()
    const ada = await at.known()
    await at.adjust(ada.id, 1_050)
    const lamp = await at.product(2_500n)
    const ids: Array<string> = []
    for (let i = 0; i < 16; i++) {
      const id = await at.checkout(ada, lamp)
      expect((await at.redeem(ada, id, 200)).status).toBe(200)
      ids.push(id)
    }
    const answers = await Promise.all(
      ids.map((id, i) =>
        post(i % 2 === 0 ? shop.commerce : twin, `${at.vc}/checkout/${id}/complete`, ways[(i >> 1) % 2] ?? {}, {
          authorization: `Bearer ${ada.token}`,
          "idempotency-key": `spend-${i}`
        })
      )
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array.from({ length: 5 }, () => 200),
      ...Array.from({ length: 11 }, () => 409)
    ])
    const spent = (await at.ledgerOf(ada.id)).filter(([type]) => type === "REDEEM")
    expect(spent).toEqual(Array.from({ length: 5 }, () => ["REDEEM", -200]))
    expect(await at.audited()).toEqual([])
  })

  it("one of them that is completed many times at once spends and earns once", async () => {
    const at = await opened()
    const ada = await at.known()
    await at.adjust(ada.id, 500)
    const id = await at.checkout(ada, await at.product(2_500n))
    await at.redeem(ada, id, 500)
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, i) =>
        post(i % 2 === 0 ? shop.commerce : twin, `${at.vc}/checkout/${id}/complete`, ways[1] ?? {}, {
          authorization: `Bearer ${ada.token}`,
          "idempotency-key": `once-${i}`
        })
      )
    )
    expect(new Set(answers.flatMap(({ body: { orderId } }) => orderId ?? [])).size).toBe(1)
    expect(await at.ledgerOf(ada.id)).toEqual([
      ["ADJUST", 500],
      ["REDEEM", -500],
      ["EARN", 20]
    ])
    expect(await at.audited()).toEqual([])
  })
})

describe("points that are taken and spent at once", () => {
  it("are never below zero, and every change is booked", async () => {
    const at = await opened()
    const ada = await at.known()
    await at.adjust(ada.id, 1_000)
    const lamp = await at.product(2_500n)
    const ids: Array<string> = []
    for (let i = 0; i < 6; i++) {
      const id = await at.checkout(ada, lamp)
      await at.redeem(ada, id, 150)
      ids.push(id)
    }
    const taken = Promise.all(
      Array.from({ length: 10 }, () =>
        post(
          twin,
          `/v1/loyalty/customers/${ada.id}/adjust`,
          { points: -130, reason: "Race" },
          {
            authorization: `Bearer ${at.key}`
          }
        )
      )
    )
    const spent = Promise.all(
      ids.map((id, i) =>
        post(
          shop.commerce,
          `${at.vc}/checkout/${id}/complete`,
          {},
          {
            authorization: `Bearer ${ada.token}`,
            "idempotency-key": `both-${i}`
          }
        )
      )
    )
    const [took, spends] = [await taken, await spent]
    const count = (answers: typeof took, status: number) => answers.filter((one) => one.status === status).length
    expect([count(took, 200) + count(took, 422), count(spends, 200) + count(spends, 409)]).toEqual([10, 6])
    const { balance } = await at.accountOf(ada.id)
    expect(balance).toBe(1_000 - 130 * count(took, 200) - 150 * count(spends, 200))
    expect(balance).toBeGreaterThanOrEqual(0)
    expect(count(took, 200) + count(spends, 200)).toBeGreaterThanOrEqual(6)
    expect(await at.audited()).toEqual([])
  })

  it("an account that is asked for by many at once for the first time is one, with one code", async () => {
    const at = await opened()
    const ada = await at.known()
    const codes = await Promise.all(
      Array.from({ length: 12 }, async () => (await at.me(ada.token, "GET", "/loyalty")).body.referralCode)
    )
    expect(new Set(codes).size).toBe(1)
  })
})
