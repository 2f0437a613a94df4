import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Commerce } from "../../src/createCommerce.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
let twin: Commerce
beforeAll(async () => {
  shop = await openTestCommerce()
  twin = await shop.openTwin()
})
afterAll(() => shop.close())

const rate = (name: string) => ({ name, country: "US", rate: 5 })
const post = (key: string, body: unknown, options: { readonly key?: string } = {}) =>
  shop.call("POST", "/v1/tax/rates", { body, headers: { "idempotency-key": key }, ...options })
/** Moves both instances: one whose clock is a day ahead would take the other's fresh claims for old ones. */
const advance = async (advanceMs: number) => {
  const body = JSON.stringify({ advanceMs })
  for (const commerce of [shop.commerce, twin])
    await commerce.fetch(new Request("http://commerce.test/api/test/clock", { method: "POST", body }))
}
const count = async (name: string) => {
  const { body } = await shop.call("GET", "/v1/tax/rates")
  return (body as ReadonlyArray<{ readonly name: string }>).filter((row) => row.name === name).length
}

describe("an Idempotency-Key", () => {
  it("replays the first answer byte for byte and does the work once", async () => {
    const first = await post("replay", rate("replay"))
    const second = await post("replay", rate("replay"))
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.text).toBe(first.text)
    expect(second.headers.get("idempotency-replayed")).toBe("true")
    expect(await count("replay")).toBe(1)
  })

  it("is replayed, not done again, also where the retry repeats its X-Request-Id", async () => {
    const headers = { "idempotency-key": "same request id", "x-request-id": "one-id-for-every-attempt" }
    const first = await shop.call("POST", "/v1/tax/rates", { body: rate("same id"), headers })
    const second = await shop.call("POST", "/v1/tax/rates", { body: rate("same id"), headers })
    expect(second.text).toBe(first.text)
    expect(second.headers.get("idempotency-replayed")).toBe("true")
    expect(await count("same id")).toBe(1)
  })

  it("refuses another body under the same key, also one that differs by a space", async () => {
    await post("reused", rate("reused"))
    const other = await post("reused", rate("reused-other"))
    const spaced = await shop.call("POST", "/v1/tax/rates", {
      raw: JSON.stringify(rate("reused"), null, 1),
      headers: { "idempotency-key": "reused", "content-type": "application/json" }
    })
    expect([other.status, other.body.code]).toEqual([409, "IDEMPOTENCY_KEY_REUSED"])
    expect([spaced.status, spaced.body.code]).toEqual([409, "IDEMPOTENCY_KEY_REUSED"])
    expect(await count("reused-other")).toBe(0)
  })

  it("replays a validation error too", async () => {
    const first = await post("invalid", { name: "invalid" })
    const second = await post("invalid", { name: "invalid" })
    expect([first.status, second.status]).toEqual([400, 400])
    expect(second.text).toBe(first.text)
  })

  it("is refused on a GET and beyond 255 characters, taken at 255", async () => {
    const get = await shop.call("GET", "/v1/tax/rates", { headers: { "idempotency-key": "x" } })
    const long = await post("k".repeat(256), rate("long"))
    const fits = await post("k".repeat(255), rate("fits"))
    expect([get.status, get.body.code]).toEqual([400, "IDEMPOTENCY_KEY_NOT_SUPPORTED"])
    expect([long.status, long.body.code]).toEqual([400, "VALIDATION_FAILED"])
    expect(fits.status).toBe(201)
    expect(await count("long")).toBe(0)
  })

  it("belongs to the credential that sent it", async () => {
    const other = await shop.mintKey({ scopes: ["tax:*"] })
    const mine = await post("shared", rate("shared"))
    const theirs = await post("shared", rate("shared"), { key: other })
    expect([mine.status, theirs.status]).toEqual([201, 201])
    expect(theirs.text).not.toBe(mine.text)
    expect(await count("shared")).toBe(2)
  })

  it("keeps no 401 and no 403", async () => {
    const reader = await shop.mintKey({ scopes: ["tax:read"] })
    const refused = await post("forbidden", rate("forbidden"), { key: reader })
    expect([refused.status, refused.body.code]).toEqual([403, "INSUFFICIENT_SCOPE"])
    const allowed = await post("forbidden", rate("forbidden"))
    expect(allowed.status).toBe(201)
  })

  it("is forgotten after 24 hours", async () => {
    const first = await post("aged", rate("aged"))
    await advance(24 * 3_600_000 - 60_000)
    const within = await post("aged", rate("aged"))
    await advance(120_000)
    const after = await post("aged", rate("aged"))
    expect(within.text).toBe(first.text)
    expect(after.status).toBe(201)
    expect(after.text).not.toBe(first.text)
    expect(await count("aged")).toBe(2)
  })

  it("runs once however many send it at once through two instances", async () => {
    const send = (commerce: Commerce) =>
      commerce.fetch(
        new Request("http://commerce.test/api/v1/tax/rates", {
          method: "POST",
          headers: {
            authorization: `Bearer ${shop.apiKey}`,
            "content-type": "application/json",
            "idempotency-key": "storm"
          },
          body: JSON.stringify(rate("storm"))
        })
      )
    const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => send(i % 2 === 0 ? shop.commerce : twin)))
    const made = answers.filter((answer) => answer.status === 201)
    const twins = answers.filter((answer) => answer.status === 409)
    expect(made.length).toBeGreaterThanOrEqual(1)
    expect(made.length + twins.length).toBe(200)
    const texts = new Set(await Promise.all(made.map((answer) => answer.text())))
    expect(texts.size).toBe(1)
    for (const answer of twins) {
      expect(answer.headers.get("retry-after")).toBe("1")
      expect(((await answer.json()) as { code: string }).code).toBe("CONFLICT")
    }
    expect(await count("storm")).toBe(1)
  })
})
