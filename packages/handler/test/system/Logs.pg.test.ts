import { Effect } from "effect"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { type Commerce, createCommerce } from "../../src/createCommerce.ts"
import type { LogChoice, LogLine } from "../../src/system/LogLines.ts"
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
  for (const name of ["log", "error", "warn"] as const)
    vi.spyOn(console, name).mockImplementation((...parts) => void lines.push(parts.join(" ")))
  await work()
  return lines
}
const wholeDate = /\[\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z\] (ERROR|WARN)/

const breaking = async (commerce: Commerce, id: string): Promise<void> => {
  const headers = { "content-type": "application/json", authorization: `Bearer ${shop.apiKey}`, "x-request-id": id }
  const answer = await commerce.fetch(
    new Request("http://commerce.test/api/v1/cart", { method: "POST", headers, body: "{}" })
  )
  expect(answer.status).toBe(500)
}
const opened = (logger: LogChoice): Promise<Commerce> =>
  createCommerce({
    database: { connection: shop.database.connection },
    secret: "x".repeat(40),
    role: "api",
    logger,
    rateLimit: { perMinute: "off" }
  })

describe("the logger of a host", () => {
  beforeAll(async () => {
    await rowsOf(
      shop,
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no more carts'; END $$`
    )
    await rowsOf(shop, "CREATE TRIGGER lost BEFORE INSERT ON cart FOR EACH ROW EXECUTE FUNCTION refuse()")
  })

  it("is given each line with its time, level, facts and cause, and neither key nor secret", async () => {
    const lines: Array<LogLine> = []
    const commerce = await opened((line) => void lines.push(line))
    await breaking(commerce, "req_host")
    await Effect.runPromiseWith(commerce.services)(
      Effect.logWarning("late", { days: 2n }).pipe(Effect.annotateLogs({ storeId: "store_1" }))
    )
    await commerce.close()
    expect(lines).toEqual([
      {
        time: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
        level: "error",
        message: "INTERNAL_SERVER_ERROR req_host",
        fields: { requestId: "req_host", storeId: shop.storeId },
        cause: expect.stringContaining("no more carts")
      },
      { time: expect.any(String), level: "warn", message: 'late {"days":"2n"}', fields: { storeId: "store_1" } }
    ])
    const all = JSON.stringify(lines)
    expect([all.includes(shop.apiKey), all.includes("x".repeat(40))]).toEqual([false, false])
  })

  it("have the id of the request that they were written for, and its store, and no others have", async () => {
    const lines: Array<LogLine> = []
    const commerce = await opened((line) => void lines.push(line))
    await breaking(commerce, "req_named")
    await Effect.runPromiseWith(commerce.services)(Effect.logWarning("apart"))
    await commerce.close()
    expect(lines.map(({ fields }) => fields)).toEqual([{ requestId: "req_named", storeId: shop.storeId }, {}])
  })

  it("takes no request with it where it fails: the line is printed in its place", async () => {
    const printed: Array<string> = []
    const write = vi.spyOn(process.stdout, "write").mockImplementation((chunk) => printed.push(String(chunk)) > 0)
    const commerce = await opened(() => {
      throw new Error("disk full")
    })
    await breaking(commerce, "req_full")
    await commerce.close()
    write.mockRestore()
    expect(printed.map((line) => [line.endsWith("}\n"), JSON.parse(line).message])).toEqual([
      [true, "INTERNAL_SERVER_ERROR req_full"]
    ])
  })

  it("may be JSON on standard output, one object a line whatever is in it", async () => {
    const printed: Array<string> = []
    const write = vi.spyOn(process.stdout, "write").mockImplementation((chunk) => printed.push(String(chunk)) > 0)
    const commerce = await opened("json")
    const circular: Record<string, unknown> = {}
    circular["self"] = circular
    await Effect.runPromiseWith(commerce.services)(
      Effect.logInfo("two\nlines").pipe(Effect.annotateLogs({ circular, count: 3n }))
    )
    await commerce.close()
    write.mockRestore()
    expect(printed.map((line) => line.split("\n").length)).toEqual([2])
    expect(JSON.parse(printed[0] ?? "")).toMatchObject({ level: "info", message: "two\nlines" })
  })
})

describe("a line of the log", () => {
  it("begins with the whole date, in UTC, and names the request that failed", async () => {
    const headers = { "x-request-id": "req_traced" }
    const lines = await linesOf(async () =>
      expect((await shop.call("POST", "/v1/cart", { body: {}, headers })).status).toBe(500)
    )
    const first = lines.find((line) => line.includes("req_traced")) ?? ""
    expect(first).toMatch(wholeDate)
    expect(first).toContain("req_traced")
  })

  it("begins with it also where background work writes it", async () => {
    const [first = ""] = await linesOf(() =>
      Effect.runPromiseWith(shop.commerce.services)(Effect.logWarning("a parcel is late"))
    )
    expect(first).toMatch(wholeDate)
    expect(first).toContain("a parcel is late")
  })
})
