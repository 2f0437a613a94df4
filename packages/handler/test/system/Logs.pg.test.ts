import { Effect } from "effect"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { rowsOf } from "../customer/SignedIn.ts"

let shop: TestCommerce
beforeAll(async () => {
  shop = await openTestCommerce()
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => shop.close())

/** What is written while `work` runs. */
const linesOf = async (work: () => Promise<unknown>): Promise<ReadonlyArray<string>> => {
  const lines: Array<string> = []
  for (const name of ["log", "error", "warn"] as const) vi.spyOn(console, name).mockImplementation((...parts) => void lines.push(parts.join(" ")))
  await work()
  return lines
}
const wholeDate = /\[\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z\] (ERROR|WARN)/

describe("a line of the log", () => {
  it("begins with the whole date, in UTC, and names the request that failed", async () => {
    await rowsOf(shop, `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no more carts'; END $$`)
    await rowsOf(shop, "CREATE TRIGGER lost BEFORE INSERT ON cart FOR EACH ROW EXECUTE FUNCTION refuse()")
    const headers = { "x-request-id": "req_traced" }
    const [first = ""] = await linesOf(async () => expect((await shop.call("POST", "/v1/cart", { body: {}, headers })).status).toBe(500))
    expect(first).toMatch(wholeDate)
    expect(first).toContain("req_traced")
  })

  it("begins with it also where background work writes it", async () => {
    const [first = ""] = await linesOf(() => Effect.runPromiseWith(shop.commerce.services)(Effect.logWarning("a parcel is late")))
    expect(first).toMatch(wholeDate)
    expect(first).toContain("a parcel is late")
  })
})
