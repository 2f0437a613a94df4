/** G4: a limit is used exactly, by whichever way the orders are paid, through two instances. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Commerce } from "../../src/createCommerce.ts"
import type { TestCommerce } from "../../src/testing/TestCommerce.ts"
import { addressIn } from "../Shopper.ts"
import { type couponsOf, openCouponShop } from "./couponShop.ts"

let shop: TestCommerce
let of: ReturnType<typeof couponsOf>
let twin: Commerce
beforeAll(async () => {
  const opened = await openCouponShop()
  shop = opened.shop
  of = opened
  twin = await shop.openTwin()
})
afterAll(() => shop.close())

const post = async (i: number, path: string, body: object, headers: Readonly<Record<string, string>> = {}) => {
  const answer = await (i % 2 === 0 ? shop.commerce : twin).fetch(
    new Request(`http://commerce.test/api${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body)
    })
  )
  return {
    status: answer.status,
    body: (await answer.json()) as { code?: string; orderId?: string; resolution?: string | null }
  }
}

const paying = [{}, { paymentMethod: "test", paymentReference: "approve" }]

describe("four who decide at once about a coupon of another system", () => {
  it.each(Array.from({ length: 6 }, (_, round) => round))("leave one decision, whole (%i)", async (round) => {
    const [code, key] = [`DUEL${round}`, `Bearer ${shop.apiKey}`]
    const coupon = { code, type: "PERCENTAGE", value: 10 }
    const mine = (await shop.call("POST", "/v1/coupons", { body: { ...coupon, title: "Mine" } })).body
    const theirs = { ...coupon, title: "Theirs", source: "shopify", sourceExternalId: `duel-${round}` }
    const { conflictId } = (await shop.call("POST", "/v1/coupons", { body: theirs })).body.details
    const path = `/coupons/conflicts/${conflictId}`
    const decide = (i: number, action: string, body: object = {}) =>
      post(i, `${path}/${action}`, body, { authorization: key })
    const decided = await Promise.all([
      decide(0, "resolve", { resolution: "use_source" }),
      decide(1, "resolve", { resolution: "rename", code: `${code}-2` }),
      decide(2, "ignore"),
      decide(3, "resolve", { resolution: "keep_existing" })
    ])
    expect(decided.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
    const resolution = decided.find(({ status }) => status === 200)?.body.resolution
    const now = (await shop.call("GET", `/v1/coupons/${mine.id}`)).body
    expect([now.title, now.code]).toEqual([resolution === "use_source" ? "Theirs" : "Mine", code])
    const renamed = (await shop.call("GET", `/v1/coupons?search=${code}-2`)).body.data
    expect(renamed).toHaveLength(resolution === "rename" ? 1 : 0)
    expect((await shop.call("GET", "/coupons/conflicts", { key: shop.apiKey })).body).toEqual([])
  })
})

describe("many shoppers with one code", () => {
  it("use a coupon for 7 orders 7 times, through checkouts and orders in one call", async () => {
    const coupon = await of.coupon("SEVEN", { usageLimit: 7 })
    const lamp = await of.shopper.product({ price: 1_000n, stock: 100 })
    const checkouts: Array<string> = []
    for (let i = 0; i < 16; i++) {
      const id = await of.shopper.checkout(await of.shopper.cart([lamp, 1]))
      await of.enterAtCheckout(id, "SEVEN")
      checkouts.push(id)
    }
    const items = [{ productId: lamp, quantity: 1 }]
    const [address, couponCode] = [addressIn("CA", "94105"), "SEVEN"]
    const buyer = { email: "quick@example.com", name: "Quick" }
    const answers = await Promise.all([
      ...checkouts.map((id, i) =>
        post(i, `${of.shopper.at}/checkout/${id}/complete`, paying[(i >> 1) % 2] ?? {}, { "idempotency-key": `s-${i}` })
      ),
      ...Array.from({ length: 8 }, (_, i) =>
        post(i, `${of.shopper.at}/orders`, {
          items: [{ productId: lamp, quantity: 1, price: "10.00" }],
          customer: buyer,
          shippingAddress: address,
          couponCode
        })
      ),
      ...Array.from({ length: 8 }, (_, i) =>
        post(
          i,
          "/v1/orders",
          { items, shippingAddress: address, couponCode },
          { authorization: `Bearer ${shop.apiKey}` }
        )
      )
    ])
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(7)
    const refused = answers.filter(({ status }) => status >= 300).map(({ status, body }) => `${status} ${body.code}`)
    expect(new Set(refused)).toEqual(new Set(["409 COUPON_USAGE_LIMIT_REACHED"]))
    expect(await of.usesOf(coupon.id)).toBe(7)
    const { body } = await shop.call("GET", "/v1/orders?limit=100")
    expect(body.data.filter(({ couponDiscount }: Record<string, string>) => couponDiscount === "1.00")).toHaveLength(7)
    expect(body.meta.total).toBe(7)
  })

  it("and one customer uses a coupon of one each once, however often at once", async () => {
    const coupon = await of.coupon("EACH", { usageLimitPerCustomer: 1 })
    const lamp = await of.shopper.product({ price: 1_000n, stock: 100 })
    const people = [await of.person(), await of.person()]
    const body = {
      items: [{ productId: lamp, quantity: 1, price: "10.00" }],
      customer: { email: "quick@example.com", name: "Quick" },
      shippingAddress: addressIn("CA", "94105"),
      couponCode: "EACH"
    }
    const answers = await Promise.all(
      people.flatMap(({ headers }) =>
        Array.from({ length: 10 }, (_, i) => post(i, `${of.shopper.at}/orders`, body, headers))
      )
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
    const codes = answers.flatMap(({ status, body }) => (status === 200 ? [] : [body.code]))
    expect(codes).toEqual(Array.from({ length: 18 }, () => "COUPON_PER_CUSTOMER_LIMIT_REACHED"))
    expect(await of.usesOf(coupon.id)).toBe(2)
  })

  it("and of coupons with one code made at once, one is there", async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        post(
          i,
          "/v1/coupons",
          { code: i % 2 === 0 ? "same" : "SAME", type: "PERCENTAGE", value: 1 },
          {
            authorization: `Bearer ${shop.apiKey}`
          }
        )
      )
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 11 }, () => 409)])
  })
})
