import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { sessionsOf } from "./sessions.ts"

let shop: TestCommerce
let of: ReturnType<typeof sessionsOf>
beforeAll(async () => {
  shop = await openTestCommerce()
  of = sessionsOf(shop)
})
afterAll(() => shop.close())

describe("under an Idempotency-Key, a payment that waits for the shopper", () => {
  it("gives it again under the same key, as it was stored sealed, or plain by a release before", async () => {
    const { checkoutId, session } = await of.begun()
    const key = { "idempotency-key": `sealed ${checkoutId}` }
    const begin = () => of.begin(checkoutId, { providerId: "test" }, key)
    expect([(await begin()).body, (await begin()).body]).toEqual([session, session])
    await of.rows(
      (sql) =>
        sql`UPDATE idempotency SET body = ${Buffer.from('{"providerType":"test"}')} WHERE key = ${key["idempotency-key"]}`
    )
    expect((await begin()).body).toEqual({ providerType: "test" })
  })

  it("is asked for under one key before and after the payment: the order is found, and no secret is kept", async () => {
    const { checkoutId, session } = await of.begun()
    const complete = () => of.shopper.complete(checkoutId, `once ${checkoutId}`)
    const waiting = await complete()
    expect([waiting.status, waiting.body.details.clientSecret]).toEqual([409, session.clientSecret])
    expect(waiting.headers.get("retry-after")).toBe("2")
    const kept = await of.rows<{ key: string }>(
      (sql) => sql`SELECT key FROM idempotency WHERE key = ${`once ${checkoutId}`}`
    )
    expect(kept).toEqual([])
    await of.paysUnseen(checkoutId)
    const done = await complete()
    expect([done.status, done.body.status]).toEqual([200, "PAID"])
    expect((await complete()).body).toEqual(done.body)
  })
})
