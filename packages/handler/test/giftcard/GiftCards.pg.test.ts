import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { rowsOf } from "../customer/SignedIn.ts"
import { giftCardsOf } from "./giftCards.ts"

let shop: TestCommerce
let cards: ReturnType<typeof giftCardsOf>
beforeAll(async () => {
  shop = await openTestCommerce()
  cards = giftCardsOf(shop)
})
afterAll(() => shop.close())

const at = "/v1/gift-cards"
const make = (body: object, headers: Readonly<Record<string, string>> = {}) => shop.call("POST", at, { body, headers })
const advance = (ms: number) => shop.call("POST", "/test/clock", { body: { advanceMs: ms } })
const hour = 3_600_000
const inAnHour = async () => {
  const { now } = (await shop.call("POST", "/test/clock", { body: { advanceMs: 0 } })).body
  return new Date(Date.parse(now) + hour).toISOString()
}

describe("a gift card", () => {
  it("is issued with a code that is shown once, read, changed, disabled and enabled", async () => {
    const customer = await shop.call("POST", "/v1/customers", { body: { email: "grace@example.com" } })
    const made = await make({
      initialBalance: 50,
      expiresAt: "2999-12-31T23:59:59Z",
      customerId: customer.body.id,
      recipientEmail: " Ada@Example.com ",
      senderName: " Grace ",
      message: "Happy birthday!",
      note: "Raffle"
    })
    expect(made.status).toBe(201)
    const { code, ...card } = made.body
    expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/)
    expect(card).toEqual({
      id: expect.stringMatching(/^gc_/),
      codeLast4: code.slice(-4),
      initialBalance: "50.00",
      balance: "50.00",
      currency: "USD",
      status: "ACTIVE",
      expiresAt: "2999-12-31T23:59:59.000Z",
      customerId: customer.body.id,
      recipientEmail: "ada@example.com",
      senderName: "Grace",
      message: "Happy birthday!",
      orderId: null,
      note: "Raffle",
      createdAt: expect.any(String),
      updatedAt: card.createdAt
    })
    expect(await cards.get(card.id)).toEqual(card)
    const changed = await cards.change(card.id, { expiresAt: null, customerId: null, note: "", message: "Hello" })
    expect([changed.status, changed.body]).toEqual([
      200,
      {
        ...card,
        expiresAt: null,
        customerId: null,
        note: null,
        message: "Hello",
        updatedAt: expect.not.stringContaining(card.updatedAt)
      }
    ])
    expect((await cards.change(card.id, changed.body)).status).toBe(200)
    expect((await cards.disable(card.id)).body.status).toBe("DISABLED")
    expect((await cards.disable(card.id)).body.status).toBe("DISABLED")
    expect((await cards.enable(card.id)).body).toMatchObject({ status: "ACTIVE", balance: "50.00" })
  })

  it("keeps nothing of its code but an HMAC, which is another in every store, and its last four characters", async () => {
    const { id, code } = await cards.issue("10.00")
    const [row] = await rowsOf(shop, "SELECT row_to_json(g)::text AS text FROM gift_card g WHERE id = $1", [id])
    const bare = code.replaceAll("-", "")
    expect(row?.["text"]).not.toContain(bare)
    expect(row?.["text"]).not.toContain(bare.slice(0, 12))
    const events = await rowsOf(shop, "SELECT data FROM event WHERE data::text LIKE '%' || $1 || '%'", [bare])
    expect(events).toEqual([])
  })

  it("is issued once under an Idempotency-Key, and the same code is returned again from a sealed record", async () => {
    const headers = { "idempotency-key": "gift-1" }
    const [first, second] = [
      await make({ initialBalance: "7.00" }, headers),
      await make({ initialBalance: "7.00" }, headers)
    ]
    expect([first.status, second.status, second.body]).toEqual([201, 201, first.body])
    const kept = await rowsOf(shop, "SELECT count(*)::int AS n FROM gift_card WHERE id = $1", [first.body.id])
    expect(kept).toEqual([{ n: 1 }])
    const stored = await rowsOf(shop, "SELECT i::text AS text FROM idempotency i WHERE i::text LIKE '%gift-1%'", [])
    expect(stored).toHaveLength(1)
    expect(stored.filter(({ text }) => String(text).includes(first.body.code))).toEqual([])
  })

  it("may have a currency of its own, with its fraction digits", async () => {
    const yen = await make({ initialBalance: 5000, currency: "JPY" })
    expect([yen.status, yen.body.balance, yen.body.currency]).toEqual([201, "5000", "JPY"])
  })

  it("is refused with every field that is wrong, and nothing is written", async () => {
    const before = await rowsOf(shop, "SELECT count(*)::int AS n FROM gift_card", [])
    const wrong = await make({
      initialBalance: "0.001",
      currency: "usd",
      expiresAt: "2026-02-30",
      customerId: "cust_none"
    })
    expect([wrong.status, wrong.body.code, wrong.body.details.errors]).toEqual([
      400,
      "VALIDATION_FAILED",
      {
        initialBalance: "USD has 2 fraction digits",
        currency: "must be an ISO 4217 code such as USD",
        expiresAt: "must be an ISO 8601 time",
        customerId: "is not a customer of this store"
      }
    ])
    for (const initialBalance of [0, "0.00", -1, "1e3", "", "92233720368547758.08"]) {
      const refused = await make({ initialBalance })
      expect([initialBalance, refused.status, Object.keys(refused.body.details.errors)]).toEqual([
        initialBalance,
        400,
        ["initialBalance"]
      ])
    }
    const unknown = await make({ initialBalance: 1, code: "MINE", balanse: 1, recipientEmail: "nobody" })
    expect([unknown.status, Object.keys(unknown.body.details.errors).sort()]).toEqual([
      400,
      ["balanse", "code", "recipientEmail"]
    ])
    expect(await rowsOf(shop, "SELECT count(*)::int AS n FROM gift_card", [])).toEqual(before)
  })

  it("of another store is unknown, on every route", async () => {
    const other = await shop.openStore()
    const theirs = await shop.call("POST", at, { body: { initialBalance: 5 }, key: other.apiKey })
    const { id } = theirs.body
    const customer = await shop.call("POST", "/v1/customers", { body: { email: "o@example.com" }, key: other.apiKey })
    const mine = await cards.issue("5.00")
    for (const { status, body } of [
      await shop.call("GET", `${at}/${id}`),
      await cards.change(id, { note: "x" }),
      await cards.adjust(id, 1),
      await cards.disable(id),
      await cards.enable(id),
      await shop.call("GET", `${at}/${id}/transactions`)
    ])
      expect([status, body.code]).toEqual([404, "RESOURCE_NOT_FOUND"])
    expect((await cards.change(mine.id, { customerId: customer.body.id })).body.details.errors).toEqual({
      customerId: "is not a customer of this store"
    })
    expect((await cards.balanceOf(theirs.body.code)).body).toEqual({ balance: "0.00", usable: false })
    expect((await shop.call("GET", `${at}/${id}`, { key: other.apiKey })).body).toMatchObject({ status: "ACTIVE" })
  })

  it("needs the scope gift-cards, and is changed only at the version that its reader knows", async () => {
    const key = await shop.mintKey({ scopes: ["gift-cards:read"], storeId: shop.storeId })
    const { id } = await cards.issue("5.00")
    expect((await shop.call("GET", `${at}/${id}`, { key })).status).toBe(200)
    expect((await shop.call("POST", `${at}/${id}/disable`, { key })).body.code).toBe("INSUFFICIENT_SCOPE")
    const { updatedAt } = await cards.get(id)
    const ifMatch = { headers: { "if-match": `"${updatedAt}"` }, body: { delta: 1, reason: "x" } }
    expect((await shop.call("POST", `${at}/${id}/adjust`, ifMatch)).status).toBe(200)
    expect((await shop.call("POST", `${at}/${id}/adjust`, ifMatch)).body.code).toBe("CONFLICT")
    expect((await cards.get(id)).balance).toBe("6.00")
  })
})

describe("the balance of a gift card", () => {
  it("changes by adjustments, never below zero, and each is in the ledger, newest first", async () => {
    const { id } = await cards.issue("20.00")
    expect((await cards.adjust(id, "5.50", "Goodwill")).body).toMatchObject({
      balance: "25.50",
      initialBalance: "20.00"
    })
    const low = await cards.adjust(id, "-25.51")
    expect([low.status, low.body.code, low.body.details]).toEqual([
      409,
      "CONFLICT",
      { balance: "25.50", delta: "-25.51" }
    ])
    expect((await cards.adjust(id, -25.5, " Lost ")).body).toMatchObject({ balance: "0.00", status: "REDEEMED" })
    const { data, meta } = await cards.transactions(id)
    expect(data.map(({ id: _id, createdAt: _at, ...entry }: Record<string, unknown>) => entry)).toEqual([
      { type: "ADJUST", amount: "-25.50", balance: "0.00", orderId: null, reason: "Lost" },
      { type: "ADJUST", amount: "5.50", balance: "25.50", orderId: null, reason: "Goodwill" },
      { type: "ISSUE", amount: "20.00", balance: "20.00", orderId: null, reason: null }
    ])
    expect(meta).toEqual({ page: 1, limit: 20, total: 3, totalPages: 1 })
    expect((await cards.transactions(id, "?limit=1&page=3")).data[0].type).toBe("ISSUE")
    expect((await cards.adjust(id, 3)).body).toMatchObject({ balance: "3.00", status: "ACTIVE" })
  })

  it("is adjusted by an amount that can be stored, not zero, with a reason", async () => {
    const { id } = await cards.issue("92233720368547758.07")
    for (const [delta, reason] of [
      [0, "must not be zero"],
      ["0.01", "is too large"],
      ["1.001", "USD has 2 fraction digits"]
    ] as const)
      expect((await cards.adjust(id, delta)).body.details.errors).toEqual({ delta: reason })
    const blank = await shop.call("POST", `${at}/${id}/adjust`, { body: { delta: 1, reason: " " } })
    expect([blank.status, Object.keys(blank.body.details.errors)]).toEqual([400, ["reason"]])
    expect((await cards.transactions(id)).meta.total).toBe(1)
  })

  it("is told to whoever has the code, however it is typed", async () => {
    const { code } = await cards.issue("12.34")
    for (const typed of [code, code.toLowerCase(), code.replaceAll("-", ""), ` ${code.replaceAll("-", " ")} `]) {
      const told = await cards.balanceOf(typed)
      expect([told.status, told.body]).toEqual([200, { balance: "12.34", usable: true, currency: "USD" }])
    }
    const euro = await cards.issue("9.00", { currency: "EUR" })
    expect((await cards.balanceOf(euro.code)).body).toEqual({ balance: "9.00", usable: false, currency: "EUR" })
  })

  it("is nothing for a code that is unknown, disabled, expired or spent: the same response, by the same statements", async () => {
    const [disabled, expired, spent] = [
      await cards.issue("5.00"),
      await cards.issue("5.00", { expiresAt: "2020-01-01" }),
      await cards.issue("5.00")
    ]
    await cards.disable(disabled.id)
    await cards.adjust(spent.id, -5)
    for (const code of [
      "UNKNOWN",
      "",
      "0000-0000-0000-0000",
      "X".repeat(20_000),
      disabled.code,
      expired.code,
      spent.code
    ]) {
      const told = await cards.balanceOf(code)
      expect([told.status, told.body]).toEqual([200, { balance: "0.00", usable: false }])
    }
  })
})

describe("the list of gift cards", () => {
  it("is found by the last four characters of the code and by status, newest first, in pages", async () => {
    const store = await shop.openStore()
    const on = (method: string, path: string, body?: object) =>
      shop.call(method, path, { key: store.apiKey, ...(body === undefined ? {} : { body }) })
    const issued = []
    const expiresAt = await inAnHour()
    for (const more of [{}, { expiresAt }, {}, {}])
      issued.push((await on("POST", at, { initialBalance: 5, ...more })).body)
    const [active, expiring, disabled, redeemed] = issued.map(({ id }) => id as string)
    await on("POST", `${at}/${disabled}/disable`)
    await on("POST", `${at}/${redeemed}/adjust`, { delta: -5, reason: "x" })
    const ids = async (query: string) => {
      const { data, meta } = (await on("GET", `${at}${query}`)).body
      return [data.map(({ id }: { id: string }) => id), meta.total]
    }
    expect(await ids("")).toEqual([[redeemed, disabled, expiring, active], 4])
    expect(await ids("?limit=1&page=2")).toEqual([[disabled], 4])
    expect(await ids("?status=ACTIVE")).toEqual([[expiring, active], 2])
    expect(await ids("?status=EXPIRED")).toEqual([[], 0])
    await advance(hour)
    expect(await ids("?status=ACTIVE")).toEqual([[active], 1])
    expect(await ids("?status=EXPIRED")).toEqual([[expiring], 1])
    expect(await ids("?status=DISABLED,REDEEMED")).toEqual([[redeemed, disabled], 2])
    expect((await on("GET", `${at}?status=OPEN`)).status).toBe(400)
    const last = issued[0].codeLast4 as string
    const alike = issued.filter(({ codeLast4 }) => codeLast4 === last).map(({ id }) => id)
    expect(await ids(`?search=${last.toLowerCase()}`)).toEqual([alike.reverse(), alike.length])
    expect(await ids("?search=UUUU")).toEqual([[], 0])
    expect(await ids("?search=-")).toEqual([[], 0])
    expect(JSON.stringify((await on("GET", at)).body)).not.toContain(issued[0].code)
  })
})

describe("gift cards and what they belong to", () => {
  it("keep their balance when their customer is deleted, and nothing that says whose they were", async () => {
    const { body } = await shop.call("POST", "/v1/customers", { body: { email: "leaving@example.com" } })
    const { id } = await cards.issue("5.00", {
      customerId: body.id,
      recipientEmail: "leaving@example.com",
      senderName: "Grace",
      message: "To you",
      note: "VIP"
    })
    expect((await shop.call("DELETE", `/v1/customers/${body.id}`)).status).toBe(200)
    expect(await cards.get(id)).toMatchObject({
      customerId: null,
      recipientEmail: null,
      senderName: null,
      message: null,
      note: "VIP",
      balance: "5.00"
    })
  })

  it("keep the store's currency while one of them has a balance", async () => {
    const store = await shop.openStore()
    const on = (method: string, path: string, body: object) => shop.call(method, path, { key: store.apiKey, body })
    const { id } = (await on("POST", at, { initialBalance: 5 })).body
    const refused = await on("PATCH", "/v1/store", { currency: "EUR" })
    expect([refused.status, refused.body.details]).toEqual([
      409,
      { reason: "currency_in_use", currency: "USD", usedBy: ["giftCards"] }
    ])
    await on("POST", `${at}/${id}/adjust`, { delta: -5, reason: "x" })
    expect((await on("PATCH", "/v1/store", { currency: "EUR" })).body.currency).toBe("EUR")
    expect((await on("POST", at, { initialBalance: 5 })).body.currency).toBe("EUR")
  })
})
