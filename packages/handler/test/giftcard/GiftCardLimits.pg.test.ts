/** How often a code may be tried, and that the time of an answer tells nothing of it. */
import { makeStatementCounter } from "@effect-commerce/core/database/StatementLog"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"

let shop: TestCommerce
const statements = makeStatementCounter()
beforeAll(async () => {
  shop = await openTestCommerce({
    role: "api",
    rateLimit: { perMinute: 1_000, perHour: 10_000 },
    statementLog: statements
  })
})
afterAll(() => shop.close())

const issue = async (more: object = {}) =>
  (await shop.call("POST", "/v1/gift-cards", { body: { initialBalance: 5, ...more } })).body

describe("in a minute one address", () => {
  const sixTimes = async (path: string) => {
    const ask = (clientAddress: string) => shop.call("POST", path, { body: { code: "NOPE" }, clientAddress })
    const statuses = []
    for (let i = 0; i < 6; i++) statuses.push((await ask("203.0.113.7")).status)
    const refused = await ask("203.0.113.7")
    const other = await ask("203.0.113.8")
    await shop.call("POST", "/test/clock", { body: { advanceMs: 60_000 } })
    const { limit, scope } = refused.body.details
    return [statuses, refused.body.code, limit, scope, other.status, (await ask("203.0.113.7")).status]
  }

  it("may ask for five balances", async () => {
    expect(await sixTimes(`/vc/${shop.channelId}/gift-cards/balance`)).toEqual([
      [200, 200, 200, 200, 200, 429],
      "RATE_LIMITED",
      5,
      "route",
      200,
      200
    ])
  })

  it("may enter five codes", async () => {
    const shopper = shopperOf(shop)
    const checkoutId = await shopper.checkout(await shopper.cart([await shopper.product(), 1]))
    expect(await sixTimes(`${shopper.at}/checkout/${checkoutId}/gift-card`)).toEqual([
      [400, 400, 400, 400, 400, 429],
      "RATE_LIMITED",
      5,
      "route",
      400,
      400
    ])
  })
})

describe("the balance check", () => {
  it("sends the same statements whatever the code is", async () => {
    const [good, expired, disabled] = [await issue(), await issue({ expiresAt: "2020-01-01" }), await issue()]
    await shop.call("POST", `/v1/gift-cards/${disabled.id}/disable`)
    let callers = 0
    const sent = async (code: string) => {
      statements.reset()
      await shop.call("POST", `/vc/${shop.channelId}/gift-cards/balance`, {
        body: { code },
        clientAddress: `198.51.100.${++callers}`
      })
      return statements.statements().filter((sql) => sql.includes("gift_card"))
    }
    const first = await sent(good.code)
    expect(first).toHaveLength(1)
    for (const code of [expired.code, disabled.code, "NOPE", "x".repeat(200)]) expect(await sent(code)).toEqual(first)
  })
})
