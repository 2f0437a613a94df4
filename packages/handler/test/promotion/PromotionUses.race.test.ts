/** Completions at once against the limits of promotions, through two instances. */
import pg from "pg"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import type { Commerce } from "../../src/createCommerce.ts"
import { openPromotions, promotionsPath } from "./promotions.ts"

let at: Awaited<ReturnType<typeof openPromotions>>
let twin: Commerce
let owner: InstanceType<typeof pg.Client>
beforeAll(async () => {
  at = await openPromotions()
  twin = await at.shop.openTwin()
  owner = new pg.Client(at.shop.database.nodePostgres)
  await owner.connect()
})
afterEach(() => at.clear())
afterAll(async () => {
  await owner.end()
  await at.shop.close()
})

const completeOn = async (commerce: Commerce, path: string, key: string, body: object, bearer?: string) => {
  const answer = await commerce.fetch(
    new Request(`http://commerce.test/api${path}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "idempotency-key": key,
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` })
      },
      body: JSON.stringify(body)
    })
  )
  const read = (await answer.json()) as { readonly code?: string; readonly total?: string; readonly details?: unknown }
  return { status: answer.status, body: read }
}

const ways = [{}, { paymentMethod: "test", paymentReference: "approve" }]
const buyers = 16

const expectUses = async (ruleId: string, most: number) => {
  const orders = await owner.query(
    "SELECT count(DISTINCT order_id)::int AS n FROM order_adjustment WHERE kind = 'promotion' AND source_id = $1",
    [ruleId]
  )
  const held = await owner.query(
    "SELECT count(*)::int AS n FROM redemption WHERE source_id = $1 AND order_id IS NULL AND held_until > now()",
    [ruleId]
  )
  const { usageCount } = (await at.shop.call("GET", `${promotionsPath}/${ruleId}`)).body
  expect({ orders: orders.rows[0]?.["n"], usageCount, held: held.rows[0]?.["n"] }).toEqual({
    orders: most,
    usageCount: most,
    held: 0
  })
}

describe("sixteen checkouts at once", () => {
  it("use a promotion as often as it may be used; the others are told, or pay the full price", async () => {
    const lamp = await at.product({ name: "Lamp", basePrice: "20.00" })
    const rule = await at.offer({ value: 10, usageLimit: 5 })
    const paths: Array<string> = []
    for (let i = 0; i < buyers; i++)
      paths.push(`${at.shopper.at}/checkout/${await at.shopper.checkout(await at.shopper.cart([lamp, 1]))}/complete`)
    const answers = await Promise.all(
      paths.map((path, i) =>
        completeOn(i % 2 === 0 ? at.shop.commerce : twin, path, `race-${i}`, ways[(i >> 1) % 2] ?? {})
      )
    )
    const paid = answers.flatMap(({ status, body }) => (status === 200 ? [body.total] : []))
    expect(paid.filter((total) => total === "18.00")).toHaveLength(5)
    for (const { status, body } of answers)
      if (status === 200) expect(["18.00", "20.00"]).toContain(body.total)
      else
        expect([status, body.code, body.details]).toEqual([
          409,
          "CONFLICT",
          { reason: "usage_limit", promotionId: rule.id }
        ])
    await expectUses(rule.id, 5)
  })

  it("of one customer use it as often as a customer may", async () => {
    const lamp = await at.product({ name: "Lamp", basePrice: "20.00" })
    const rule = await at.offer({ value: 10, usageLimitPerCustomer: 2 })
    const { token } = (
      await at.shop.call("POST", `${at.shopper.at}/customers/register`, {
        body: { email: "racer@example.com", password: "Corr3ct-Horse" }
      })
    ).body
    const headers = { authorization: `Bearer ${token}` }
    const paths: Array<string> = []
    const shippingAddress = {
      firstName: "A",
      lastName: "B",
      line1: "1",
      city: "T",
      region: "CA",
      postalCode: "1",
      country: "US"
    }
    for (let i = 0; i < 6; i++) {
      // Guests' carts that the customer checks out: one customer, many checkouts.
      const cart = await at.shopper.cart([lamp, 1])
      const made = await at.shop.call("POST", `${at.shopper.at}/checkout`, { body: { cartId: cart }, headers })
      const path = `${at.shopper.at}/checkout/${made.body.id}`
      await at.shop.call("PATCH", `${path}/customer`, { body: { email: "racer@example.com" }, headers })
      await at.shop.call("PATCH", `${path}/shipping`, { body: { shippingAddress }, headers })
      paths.push(`${path}/complete`)
    }
    const answers = await Promise.all(
      paths.map((path, i) =>
        completeOn(i % 2 === 0 ? at.shop.commerce : twin, path, `one-${i}`, ways[(i >> 1) % 2] ?? {}, token)
      )
    )
    expect(answers.filter(({ body }) => body.total === "18.00")).toHaveLength(2)
    for (const { status, body } of answers)
      if (status !== 200)
        expect([status, body.details]).toEqual([409, { reason: "customer_limit", promotionId: rule.id }])
    await expectUses(rule.id, 2)
  })
})
