import pg from "pg"
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"

/**
 * What happens when the database refuses in earnest: rights are taken away or a table is renamed by another client, and
 * given back.
 */
let shop: TestCommerce
let owner: InstanceType<typeof pg.Client>
const logged: Array<string> = []
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  owner = new pg.Client(shop.database.nodePostgres)
  await owner.connect()
  for (const name of ["log", "error"] as const)
    vi.spyOn(console, name).mockImplementation((...words) => void logged.push(words.map(String).join(" ")))
})
beforeEach(() => void logged.splice(0))
afterAll(async () => {
  vi.restoreAllMocks()
  await owner.end()
  await shop.close()
})

const without = async <A>(take: string, give: string, body: () => Promise<A>): Promise<A> => {
  await owner.query(take)
  try {
    return await body()
  } finally {
    await owner.query(give)
  }
}
const counts = async (sql: string, ...values: ReadonlyArray<unknown>) =>
  (await owner.query(sql, [...values])).rows[0]?.n

describe("a claim that cannot be taken", () => {
  it.each([
    [
      "its rights are gone",
      "REVOKE INSERT ON idempotency FROM commerce_app",
      "GRANT INSERT ON idempotency TO commerce_app"
    ],
    [
      "its table is gone",
      "ALTER TABLE idempotency RENAME TO idempotency_away",
      "ALTER TABLE idempotency_away RENAME TO idempotency"
    ]
  ])(
    "stops a completion with 503 before anything is done, and the same key completes it afterwards: %s",
    async (_what, take, give) => {
      const shopper = shopperOf(shop)
      const id = await shopper.checkout(await shopper.cart([await shopper.product({ stock: 5 }), 1]))
      const refused = await without(take, give, () => shopper.complete(id, `lock-${id}`))
      expect([refused.status, refused.body.code, refused.headers.get("retry-after")]).toEqual([
        503,
        "IDEMPOTENCY_LOCK_UNAVAILABLE",
        "1"
      ])
      expect(await counts("SELECT count(*)::int AS n FROM orders WHERE checkout_id = $1", id)).toBe(0)
      expect(logged.join("\n")).toContain("An Idempotency-Key could not be claimed")

      const again = await shopper.complete(id, `lock-${id}`)
      expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([200, null])
      expect(await counts("SELECT count(*)::int AS n FROM orders WHERE checkout_id = $1", id)).toBe(1)
    }
  )

  it("is SERVICE_TEMPORARILY_UNAVAILABLE where the key is a courtesy, and without a key the write goes on", async () => {
    const body = { name: "Courtesy", country: "US", rate: 5 }
    const [keyed, bare] = await without(
      "REVOKE INSERT ON idempotency FROM commerce_app",
      "GRANT INSERT ON idempotency TO commerce_app",
      async () => [
        await shop.call("POST", "/v1/tax/rates", { body, headers: { "idempotency-key": "courtesy" } }),
        await shop.call("POST", "/v1/tax/rates", { body })
      ]
    )
    expect([keyed?.status, keyed?.body.code, keyed?.headers.get("retry-after")]).toEqual([
      503,
      "SERVICE_TEMPORARILY_UNAVAILABLE",
      "1"
    ])
    expect(bare?.status).toBe(201)
    expect(await counts("SELECT count(*)::int AS n FROM tax_rate WHERE name = 'Courtesy'")).toBe(1)
  })
})

describe("the log", () => {
  it("gets the cause of a 500 under the request's id, and the caller none of it", async () => {
    const answer = await without(
      "ALTER TABLE tax_rate RENAME TO tax_rate_away",
      "ALTER TABLE tax_rate_away RENAME TO tax_rate",
      () => shop.call("POST", "/v1/tax/rates", { body: { name: "Lost", country: "US", rate: 5 } })
    )
    expect([answer.status, answer.body.code, answer.body.message]).toEqual([
      500,
      "INTERNAL_SERVER_ERROR",
      "Internal server error"
    ])
    expect(answer.text).not.toContain("tax_rate")
    expect(logged.join("\n")).toContain('relation "tax_rate" does not exist')
    expect(logged.join("\n")).toContain(`INTERNAL_SERVER_ERROR ${answer.headers.get("x-request-id")}`)
  })

  it("gets nothing for a 503 that is an answer, nor for any 4xx", async () => {
    const shopper = shopperOf(shop)
    const id = await shopper.checkout(await shopper.cart([await shopper.product({ stock: 5 }), 1]))
    const answers = [
      await shopper.complete(id, `unconfigured-${id}`, { paymentMethod: "provider" }),
      await shop.call("GET", "/v1/orders/ord_none"),
      await shop.call("GET", "/v1/store", { key: "svc_none" })
    ]
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [503, "PROVIDER_NOT_CONFIGURED"],
      [404, "ORDER_NOT_FOUND"],
      [401, "UNAUTHORIZED"]
    ])
    expect(logged).toEqual([])
  })
})
