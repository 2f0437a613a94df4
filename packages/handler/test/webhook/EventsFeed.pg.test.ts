import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
let owner: InstanceType<typeof pg.Client>
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  owner = new pg.Client(shop.database.nodePostgres)
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await shop.close()
})

const waiting = async () => {
  const { rows } = await owner.query(
    "SELECT count(*)::int AS n FROM event WHERE store_id = $1 AND relayed_at IS NULL",
    [shop.storeId]
  )
  return Number(rows[0]?.n)
}
const backlog = (count: number, type: string) =>
  owner.query(
    `INSERT INTO event (store_id, id, type, version, data, size, created_at)
      SELECT $1, 'evt_' || md5($3 || n), $3, 1, '{}', 2, now() FROM generate_series(1, $2::int) AS n`,
    [shop.storeId, count, type]
  )

describe("the feed of a store with a backlog", () => {
  it("is relayed as far as the page needs, and no further", async () => {
    await backlog(3_000, "product.updated")
    const before = await waiting()
    const first = await shop.call("GET", "/v1/events?limit=10")
    expect([first.status, first.body.data.length]).toEqual([200, 10])
    expect(before - (await waiting())).toBe(200)
    const next = await shop.call("GET", `/v1/events?limit=100&after=${first.body.nextCursor}`)
    expect([next.body.data.length, before - (await waiting())]).toEqual([100, 200])
  })

  it("is answered after a second with what there is, and goes on where it was asked again", async () => {
    // No event of the page's type comes before the end: each request relays for a second.
    await owner.query("DELETE FROM event WHERE store_id = $1", [shop.storeId])
    await backlog(20_000, "product.updated")
    await backlog(1, "product.deleted")
    const found: Array<string> = []
    let asked = 0
    let most = 0
    while (found.length === 0) {
      const before = await waiting()
      const { status, body } = await shop.call("GET", "/v1/events?limit=1&types=product.deleted")
      expect(status).toBe(200)
      found.push(...body.data.map(({ type }: { type: string }) => type))
      most = Math.max(most, before - (await waiting()))
      asked += 1
    }
    expect([found, asked > 0, await waiting()]).toEqual([["product.deleted"], true, 0])
    expect(most).toBeGreaterThan(0)
  })
})
