import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import pg from "pg"
import { openTestCommerce, type TestCommerce, type TestStore } from "../../src/testing/TestCommerce.ts"
import { cardCompany, company } from "./CardCompany.ts"

let shop: TestCommerce
let other: TestStore
let sql: InstanceType<typeof pg.Client>
/** Everything that the process has logged. */
const logged: Array<unknown> = []

beforeAll(async () => {
  shop = await openTestCommerce({ payments: { providers: [cardCompany] }, logger: (line) => void logged.push(line) })
  other = await shop.openStore()
  sql = new pg.Client(shop.database.nodePostgres)
  await sql.connect()
})
afterEach(async () => {
  company.isSilent = false
  await sql.query("DELETE FROM payment_provider")
})
afterAll(async () => {
  await sql.end()
  await shop.close()
})

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const path = "/v1/payment-providers"
const credentials = (secretKey: string) => ({ secretKey, webhookSecret: "whsec_of_the_company" })
const create = (body: object) => shop.call("POST", path, { body })
const card = async (secretKey = "key_live_1") =>
  (await create({ type: "card", name: "Card", credentials: credentials(secretKey) })).body
const change = (id: string, body: object, headers: Record<string, string> = {}) =>
  shop.call("PATCH", `${path}/${id}`, { body, headers })

describe("payment providers", () => {
  it("are created, listed, read, changed and deleted; what is shown has no credentials", async () => {
    const created = await create({ type: "card", name: "Card", credentials: credentials("key_live_1") })
    expect([created.status, created.body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^ppr_[0-9a-z]{26}$/),
        storeId: shop.storeId,
        type: "card",
        name: "Card",
        kind: "card",
        mode: "live",
        account: "acct_1",
        isEnabled: true,
        credentialFields: ["secretKey", "webhookSecret"],
        credentialsUpdatedAt: expect.stringMatching(isoTime),
        previousCredentialsValidUntil: null,
        createdAt: expect.stringMatching(isoTime),
        updatedAt: expect.stringMatching(isoTime)
      }
    ])
    const one = `${path}/${created.body.id}`
    expect((await shop.call("GET", one)).body).toEqual(created.body)
    expect((await shop.call("GET", path)).body).toEqual({
      data: [created.body],
      meta: { page: 1, limit: expect.any(Number), total: 1, totalPages: 1 }
    })
    const changed = await change(created.body.id, { name: "Cards", isEnabled: false })
    expect(changed.body).toEqual({
      ...created.body,
      name: "Cards",
      isEnabled: false,
      updatedAt: expect.stringMatching(isoTime)
    })
    expect(changed.body.updatedAt > created.body.updatedAt).toBe(true)
    const removed = await shop.call("DELETE", one)
    expect([removed.status, removed.body]).toEqual([200, { success: true }])
    for (const method of ["GET", "PATCH", "DELETE"]) {
      const gone = await shop.call(method, one, method === "PATCH" ? { body: {} } : {})
      expect([gone.status, gone.body.code]).toEqual([404, "RESOURCE_NOT_FOUND"])
    }
  })

  it("need no credentials where the money is taken by hand; several may have names of their own", async () => {
    const transfer = await create({ type: "manual", name: "Bank transfer" })
    const cash = await create({ type: "manual" })
    expect([transfer.status, transfer.body.kind, transfer.body.mode, transfer.body.account]).toEqual([
      201,
      "manual",
      null,
      ""
    ])
    expect([cash.status, cash.body.credentialFields]).toEqual([201, []])
    expect((await create({ type: "test" })).body).toMatchObject({ kind: "card", mode: "test" })
  })

  it.each<readonly [string, object, ReadonlyArray<string>]>([
    ["without a type", { name: "Card" }, ["type"]],
    ["of an unknown type", { type: "paypal" }, ["type"]],
    ["with a blank name", { type: "manual", name: " " }, ["name"]],
    ["with several faults", { type: 7, name: "", isEnabled: "yes" }, ["type", "name", "isEnabled"]],
    ["without the credentials it needs", { type: "card" }, ["credentials.secretKey", "credentials.webhookSecret"]],
    [
      "with a credential of another name",
      { type: "card", credentials: { secret_key: "key_live_1", webhookSecret: "whsec" } },
      ["credentials.secretKey", "credentials.secret_key"]
    ],
    ["with a credential that is no text", { type: "card", credentials: { secretKey: 1 } }, ["credentials.secretKey"]],
    ["with credentials that it does not need", { type: "manual", credentials: { iban: "DE1" } }, ["credentials.iban"]],
    [
      "with credentials that the company does not know",
      { type: "card", credentials: credentials("key_of_nobody") },
      ["credentials.secretKey"]
    ]
  ])("are not created %s", async (_words, body, fields) => {
    const refused = await create(body)
    expect([refused.status, refused.body.code]).toEqual([400, "VALIDATION_FAILED"])
    expect(Object.keys(refused.body.details.errors).toSorted()).toEqual([...fields].toSorted())
    expect(refused.text).not.toContain("key_of_nobody")
    expect((await shop.call("GET", path)).body.meta.total).toBe(0)
  })

  it("name the nearest credential, and the types there are", async () => {
    const misspelt = await create({ type: "card", credentials: { secret_key: "k", webhookSecret: "w" } })
    expect(misspelt.body.details.errors["credentials.secret_key"]).toContain("did you mean secretKey?")
    const unknown = await create({ type: "paypal" })
    expect(unknown.body.details.errors.type).toMatch(/manual, test.*card/)
  })

  it("are not stored while the company cannot be asked", async () => {
    company.isSilent = true
    const refused = await create({ type: "card", credentials: credentials("key_live_1") })
    expect([refused.status, refused.body.code, refused.body.details]).toEqual([
      503,
      "PROVIDER_NOT_READY",
      { paymentMethod: "card" }
    ])
    expect(refused.headers.get("retry-after")).toBe("10")
    expect((await shop.call("GET", path)).body.meta.total).toBe(0)
  })

  it("are of one account once; its test keys are set up beside", async () => {
    await card()
    expect(await card("key_test_1")).toMatchObject({ mode: "test", account: "acct_1" })
    const twice = await create({ type: "card", credentials: credentials("key_live_1_new") })
    expect([twice.status, twice.body.code, twice.body.details]).toEqual([
      409,
      "CONFLICT",
      { reason: "account_taken", type: "card", account: "acct_1" }
    ])
    const theirs = await shop.call("POST", path, {
      key: other.apiKey,
      body: { type: "card", credentials: credentials("key_live_1") }
    })
    expect(theirs.status).toBe(201)
  })

  it("are at most 50 in a store", async () => {
    for (let i = 0; i < 50; i++) expect((await create({ type: "manual", name: `By hand ${i}` })).status).toBe(201)
    const refused = await create({ type: "manual" })
    expect([refused.status, refused.body.details.errors]).toEqual([
      400,
      { paymentProviders: "there are 50 payment providers, which is the most" }
    ])
  })

  it("are unknown to another store", async () => {
    const { id } = await card()
    for (const method of ["GET", "PATCH", "DELETE"]) {
      const body = method === "PATCH" ? { body: { isEnabled: false } } : {}
      expect((await shop.call(method, `${path}/${id}`, { key: other.apiKey, ...body })).status).toBe(404)
    }
    expect((await shop.call("GET", path, { key: other.apiKey })).body.data).toEqual([])
    expect((await shop.call("GET", `${path}/${id}`)).body.isEnabled).toBe(true)
  })

  it("need the scope of the store", async () => {
    const reader = await shop.mintKey({ scopes: ["store:read"] })
    expect((await shop.call("GET", path, { key: reader })).status).toBe(200)
    const refused = await shop.call("POST", path, { key: reader, body: { type: "manual" } })
    expect([refused.status, refused.body.code]).toEqual([403, "INSUFFICIENT_SCOPE"])
  })
})

describe("rotating credentials", () => {
  it("keeps those before valid for 24 hours, or as long as is asked for", async () => {
    const { id } = await card()
    const rotated = await change(id, { credentials: credentials("key_live_1_new") })
    expect(rotated.status).toBe(200)
    const hours = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / 3_600_000)
    expect(hours(rotated.body.credentialsUpdatedAt, rotated.body.previousCredentialsValidUntil)).toBe(24)
    const longer = await change(id, { credentials: credentials("key_live_1"), credentialsOverlapHours: 168 })
    expect(hours(longer.body.credentialsUpdatedAt, longer.body.previousCredentialsValidUntil)).toBe(168)
    const atOnce = await change(id, { credentials: credentials("key_live_1"), credentialsOverlapHours: 0 })
    expect(atOnce.body.previousCredentialsValidUntil).toBeNull()
  })

  it.each<readonly [string, object, string]>([
    [
      "for too long",
      { credentials: credentials("key_live_1"), credentialsOverlapHours: 169 },
      "credentialsOverlapHours"
    ],
    ["without new ones", { credentialsOverlapHours: 24 }, "credentialsOverlapHours"],
    ["by a part of them", { credentials: { secretKey: "key_live_1" } }, "credentials.webhookSecret"],
    ["by none", { credentials: null }, "credentials"],
    ["to those of nobody", { credentials: credentials("key_of_nobody") }, "credentials.secretKey"],
    ["with another type", { type: "manual" }, "type"]
  ])("is refused %s", async (_words, body, field) => {
    const before = await card()
    const refused = await change(before.id, body)
    if (field === "type") expect(refused.body).toEqual({ ...before, updatedAt: refused.body.updatedAt })
    else {
      expect([refused.status, refused.body.code]).toEqual([400, "VALIDATION_FAILED"])
      expect(Object.keys(refused.body.details.errors)).toContain(field)
      expect((await shop.call("GET", `${path}/${before.id}`)).body).toEqual(before)
    }
  })

  it.each([
    ["account", "key_live_2", { account: "acct_2", mode: "live" }],
    ["mode", "key_test_1", { account: "acct_1", mode: "test" }]
  ])("is refused to another %s, whose charges could not be refunded any more", async (_words, secretKey, given) => {
    const before = await card()
    const refused = await change(before.id, { credentials: credentials(secretKey) })
    expect([refused.status, refused.body.code, refused.body.details]).toEqual([
      409,
      "CONFLICT",
      { reason: "account_changed", current: { account: "acct_1", mode: "live" }, given }
    ])
    expect((await shop.call("GET", `${path}/${before.id}`)).body).toEqual(before)
  })

  it("is judged by If-Match", async () => {
    const { id, updatedAt } = await card()
    const headers = { "if-match": `"${updatedAt}"` }
    expect((await change(id, { name: "First" }, headers)).status).toBe(200)
    const stale = await change(id, { credentials: credentials("key_live_1_new") }, headers)
    expect([stale.status, stale.body.code]).toEqual([409, "CONFLICT"])
    const removed = await shop.call("DELETE", `${path}/${id}`, { headers })
    expect([removed.status, removed.body.code]).toEqual([409, "CONFLICT"])
  })

  it("is done once under an Idempotency-Key", async () => {
    const body = { type: "manual", name: "Bank transfer" }
    const headers = { "idempotency-key": "set up once" }
    const [first, second] = [
      await shop.call("POST", path, { body, headers }),
      await shop.call("POST", path, { body, headers })
    ]
    expect([first.status, second.status, second.body]).toEqual([201, 201, first.body])
    expect((await shop.call("GET", path)).body.meta.total).toBe(1)
  })
})

/** An operation of the provider, as it stands while somebody has to look at it again, or does not. */
const operation = (providerId: string, isOpen: boolean) =>
  sql.query(
    `INSERT INTO provider_operation (store_id, id, charge_key, provider, provider_id, account, mode, amount, currency, kind,
        subject_type, subject_id, state, check_at, created_at, sent_at, open_since, updated_at)
      VALUES ($1, $2, $2, 'card', $2, 'acct_1', 'live', 100, 'EUR', 'authorize', 'test', 'sub', 'declined', $3, now(),
        now(), now(), now())`,
    [shop.storeId, providerId, isOpen ? new Date(Date.now() + 86_400_000) : null]
  )

describe("deleting a payment provider", () => {
  it("is refused while payments of it are open; switching it off is not", async () => {
    const { id } = await card()
    await operation(id, true)
    const refused = await shop.call("DELETE", `${path}/${id}`)
    expect([refused.status, refused.body.code, refused.body.details]).toEqual([
      409,
      "CONFLICT",
      { reason: "payments_open" }
    ])
    expect((await change(id, { isEnabled: false })).body.isEnabled).toBe(false)
    await sql.query("UPDATE provider_operation SET check_at = NULL WHERE id = $1", [id])
    expect((await shop.call("DELETE", `${path}/${id}`)).status).toBe(200)
    const { rows } = await sql.query("SELECT account, mode FROM provider_operation WHERE id = $1", [id])
    expect(rows).toEqual([{ account: "acct_1", mode: "live" }])
  })

  it("is refused while a region lists it", async () => {
    const { id } = await card()
    const region = (
      await shop.call("POST", "/v1/regions", {
        body: { name: "Spain", currency: "USD", countries: ["ES"], providerInstallationIds: [id] }
      })
    ).body
    const refused = await shop.call("DELETE", `${path}/${id}`)
    expect([refused.status, refused.body.details]).toEqual([409, { reason: "provider_in_use", regionCount: 1 }])
    await shop.call("DELETE", `/v1/regions/${region.id}`)
    expect((await shop.call("DELETE", `${path}/${id}`)).status).toBe(200)
  })
})

describe("the payment providers of a region", () => {
  const regionOf = (body: object) =>
    shop.call("POST", "/v1/regions", { body: { name: "Italy", currency: "USD", countries: ["IT"], ...body } })
  afterEach(() => sql.query("DELETE FROM region"))

  it("are all enabled ones, or those of its list", async () => {
    const live = await card()
    const cash = (await create({ type: "manual", name: "Cash" })).body
    const region = (await regionOf({})).body
    const compatible = () => shop.call("GET", `/v1/regions/${region.id}/compatible-providers`)
    const [asCard, asCash] = [
      { id: live.id, appId: "card", app: null },
      { id: cash.id, appId: "manual", app: null }
    ]
    expect((await compatible()).body).toEqual([asCard, asCash])
    await change(live.id, { isEnabled: false })
    expect((await compatible()).body).toEqual([asCash])
    await change(live.id, { isEnabled: true })
    const listed = await shop.call("PATCH", `/v1/regions/${region.id}`, {
      body: { providerInstallationIds: [live.id, live.id] }
    })
    expect(listed.body.providerInstallationIds).toEqual([live.id])
    expect((await compatible()).body).toEqual([asCard])
    await shop.call("PATCH", `/v1/regions/${region.id}`, { body: { providerInstallationIds: [] } })
  })

  it("are of the store: another id is named", async () => {
    const { id } = await card()
    const refused = await regionOf({ providerInstallationIds: [id, "ppr_of_nobody"] })
    expect([refused.status, Object.keys(refused.body.details.errors)]).toEqual([400, ["providerInstallationIds.1"]])
    expect(refused.text).toContain("ppr_of_nobody")
    const foreign = await shop.call("POST", "/v1/regions", {
      key: other.apiKey,
      body: { name: "Italy", currency: "USD", countries: ["IT"], providerInstallationIds: [id] }
    })
    expect([foreign.status, Object.keys(foreign.body.details.errors)]).toEqual([400, ["providerInstallationIds.0"]])
  })
})

describe("credentials", () => {
  it("are in no answer, no log, no event and no stored row", async () => {
    const secrets = ["key_live_1", "key_live_1_new", "key_of_nobody", "whsec_of_the_company"]
    const headers = { "idempotency-key": "credentials" }
    const answers = [
      await shop.call("POST", path, {
        body: { type: "card", name: "Card", credentials: credentials("key_live_1") },
        headers
      })
    ]
    const { id } = answers[0]?.body ?? {}
    answers.push(await change(id, { credentials: credentials("key_live_1_new") }))
    answers.push(await change(id, { credentials: credentials("key_of_nobody") }))
    company.isSilent = true
    answers.push(await change(id, { credentials: credentials("key_live_1") }))
    answers.push(await shop.call("GET", path), await shop.call("GET", "/v1/events"))
    const { rows } = await sql.query(
      `SELECT (SELECT json_agg(p) FROM payment_provider p)::text AS providers,
        (SELECT json_agg(i) FROM idempotency i)::text AS answers, (SELECT json_agg(e) FROM event e)::text AS events`
    )
    for (const text of [...answers.map((answer) => answer.text), JSON.stringify(rows), JSON.stringify(logged)])
      for (const secret of secrets) expect(text).not.toContain(`"${secret}`)
    expect(JSON.stringify([rows, logged])).not.toContain("whsec_of_the_company")
  })
})
