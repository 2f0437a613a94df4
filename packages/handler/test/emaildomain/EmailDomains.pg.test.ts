import { keptMailbox } from "@effect-commerce/core/smtp/MailTransport"
import { EmailDomains } from "@effect-commerce/core/emaildomain/EmailDomains"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { type NameServer, openNameServer } from "../../../core/test/emaildomain/nameServer.ts"
import { openTestCommerce, type TestCommerce, type TestStore } from "../../src/testing/TestCommerce.ts"

let names: NameServer
let shop: TestCommerce
beforeAll(async () => {
  names = await openNameServer()
  // Mails leave, so that the installation has a domain of its own.
  const transport = { ...keptMailbox("post@host.example"), keeps: false }
  shop = await openTestCommerce({ mail: { transport, dnsServers: [names.address] } })
})
beforeEach(() => names.records.clear())
afterAll(async () => {
  await shop.close()
  await names.close()
})

const merchant = async () => {
  const store = await shop.openStore()
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    shop.call(method, path, { key: store.apiKey, headers, ...(body === undefined ? {} : { body }) })
  return { ...store, call }
}
type Merchant = Awaited<ReturnType<typeof merchant>>

interface DnsRecord {
  readonly name: string
  readonly value: string
  readonly purpose: string
  readonly required: boolean
  readonly status: string
}

const added = async ({ call }: Merchant, domain = "shop.example.com") => {
  const { status, body } = await call("POST", "/v1/email/domains", { domain })
  expect(status).toBe(201)
  return { ...body, at: `/v1/email/domains/${body.id}` } as {
    readonly id: string
    readonly at: string
    readonly domain: string
    readonly dnsRecords: ReadonlyArray<DnsRecord>
  }
}

/** Sets records as their owner does. */
const publish = (records: ReadonlyArray<DnsRecord>, ...purposes: ReadonlyArray<string>) => {
  for (const { name, value, purpose } of records) if (purposes.includes(purpose)) names.records.set(name, [value])
}
const verified = async (of: Merchant, domain?: string) => {
  const made = await added(of, domain)
  publish(made.dnsRecords, "OWNERSHIP", "DKIM")
  expect((await of.call("POST", `${made.at}/verify`)).body.status).toBe("VERIFIED")
  return made
}
const statuses = (body: { readonly dnsRecords: ReadonlyArray<DnsRecord> }) =>
  Object.fromEntries(body.dnsRecords.map(({ purpose, status }) => [purpose, status]))

describe("an e-mail domain", () => {
  it("is added with the records to set, in every documented field, and without its key", async () => {
    const store = await merchant()
    const { call, storeId } = store
    const made = await call("POST", "/v1/email/domains", { domain: " Shop.EXAMPLE.com. " })
    const { id, createdAt, updatedAt, dnsRecords, ...rest } = made.body
    expect([made.status, createdAt]).toEqual([201, updatedAt])
    expect(id).toMatch(/^dom_/)
    expect(rest).toEqual({
      storeId,
      domain: "shop.example.com",
      status: "PENDING",
      provider: "smtp",
      providerIdentityId: null,
      providerRegion: null,
      mailFromDomain: "host.example",
      dkimStatus: "PENDING",
      mailFromStatus: "PENDING",
      resendDomainId: null,
      verifiedAt: null,
      lastCheckedAt: null
    })
    const shapes = dnsRecords.map(({ name, value, ...record }: DnsRecord) => [
      name.replace(/^ec[0-9a-f]{10}\./, "SELECTOR."),
      value.replace(/[0-9a-f]{32}$/, "TOKEN").replace(/p=[A-Za-z0-9+/=]{390,}$/, "p=KEY"),
      record
    ])
    const pending = { type: "TXT", status: "PENDING" }
    expect(shapes).toEqual([
      [
        "_commerce.shop.example.com",
        "commerce-verification=TOKEN",
        { ...pending, purpose: "OWNERSHIP", required: true }
      ],
      [
        "SELECTOR._domainkey.shop.example.com",
        "v=DKIM1; k=rsa; p=KEY",
        { ...pending, purpose: "DKIM", required: true }
      ],
      ["shop.example.com", "v=spf1 include:host.example ~all", { ...pending, purpose: "SPF", required: false }],
      ["_dmarc.shop.example.com", "v=DMARC1; p=none", { ...pending, purpose: "DMARC", required: false }]
    ])
    expect(made.text).not.toContain("PRIVATE")
    const listed = { data: [made.body], meta: { page: 1, limit: 20, total: 1, totalPages: 1 } }
    expect((await call("GET", "/v1/email/domains")).body).toEqual(listed)
    expect((await call("GET", `/stores/${storeId}/email/domains`)).body).toEqual(listed)
  })

  it("is verified with the required records, shows which of the others are there, and says when it looked", async () => {
    const store = await merchant()
    const made = await added(store)
    const none = await store.call("POST", `${made.at}/verify`)
    expect([none.status, none.body.status, none.body.verifiedAt]).toEqual([200, "PENDING", null])
    expect(none.body.lastCheckedAt).not.toBeNull()
    expect(statuses(none.body)).toEqual({ OWNERSHIP: "PENDING", DKIM: "PENDING", SPF: "PENDING", DMARC: "PENDING" })

    publish(made.dnsRecords, "DKIM", "SPF")
    const half = await store.call("POST", `/stores/${store.storeId}/email/domains/${made.id}/verify`)
    expect([half.body.status, half.body.dkimStatus, half.body.mailFromStatus]).toEqual([
      "PENDING",
      "VERIFIED",
      "VERIFIED"
    ])
    publish(made.dnsRecords, "OWNERSHIP")
    const whole = await store.call("POST", `${made.at}/verify`)
    expect(whole.body.status).toBe("VERIFIED")
    expect(whole.body.verifiedAt).toBe(whole.body.lastCheckedAt)
    expect(statuses(whole.body)).toEqual({
      OWNERSHIP: "VERIFIED",
      DKIM: "VERIFIED",
      SPF: "VERIFIED",
      DMARC: "PENDING"
    })
  })

  it("fails when its records are known to be gone, and is verified again when they are back", async () => {
    const store = await merchant()
    const made = await verified(store)
    names.records.delete(made.dnsRecords[1]?.name ?? "")
    const gone = await store.call("POST", `${made.at}/verify`)
    expect([gone.body.status, gone.body.dkimStatus, gone.body.verifiedAt !== null]).toEqual(["FAILED", "FAILED", true])
    publish(made.dnsRecords, "DKIM")
    expect((await store.call("POST", `${made.at}/verify`)).body.status).toBe("VERIFIED")
  })

  it.each(["fails", "silent"] as const)(
    "is 500 DOMAIN_VERIFICATION_FAILED and unchanged where its server %s",
    async (answer) => {
      const store = await merchant()
      const made = await verified(store)
      const before = (await store.call("GET", "/v1/email/domains")).body
      names.records.set(made.dnsRecords[0]?.name ?? "", answer)
      const failed = await store.call("POST", `${made.at}/verify`)
      expect([failed.status, failed.body.code, failed.body.details]).toEqual([
        500,
        "DOMAIN_VERIFICATION_FAILED",
        { domain: "shop.example.com" }
      ])
      expect((await store.call("GET", "/v1/email/domains")).body).toEqual(before)
    },
    30_000
  )

  it("is no other store's by its records: each has a token and a key of its own", async () => {
    const [one, other] = [await merchant(), await merchant()]
    await verified(one)
    const theirs = await added(other)
    const taken = await other.call("POST", `${theirs.at}/verify`)
    expect([taken.body.status, statuses(taken.body)]).toEqual([
      "PENDING",
      { OWNERSHIP: "PENDING", DKIM: "PENDING", SPF: "PENDING", DMARC: "PENDING" }
    ])
  })

  it.each([
    ["two keys at one name", "DKIM", (value: string) => [value, "v=DKIM1; k=rsa; p=AAAA"]],
    ["another key", "DKIM", () => ["v=DKIM1; k=rsa; p=AAAA"]],
    ["a token in other words", "OWNERSHIP", (value: string) => [`x${value}`]],
    ["a text without end", "OWNERSHIP", (value: string) => [`${value}${" ".repeat(900)}x`]]
  ] as const)("is not verified by %s", async (_, purpose, set) => {
    const store = await merchant()
    const made = await added(store)
    publish(made.dnsRecords, "OWNERSHIP", "DKIM")
    const record = made.dnsRecords.find((one) => one.purpose === purpose)
    names.records.set(record?.name ?? "", set(record?.value ?? ""))
    expect((await store.call("POST", `${made.at}/verify`)).body.status).toBe("PENDING")
  })

  it.each([
    "",
    "localhost",
    "127.0.0.1",
    "a b.example",
    "-x.example",
    "shop_1.example",
    "x.y..example",
    "a@b.example",
    `${"x".repeat(64)}.example`,
    `${"x.".repeat(120)}example`
  ])("%j is no domain: 400, and nothing is added", async (domain) => {
    const { call } = await merchant()
    const refused = await call("POST", "/v1/email/domains", { domain })
    expect([refused.status, refused.body.code, Object.keys(refused.body.details.errors)]).toEqual([
      400,
      "VALIDATION_FAILED",
      ["domain"]
    ])
    expect((await call("GET", "/v1/email/domains")).body.data).toEqual([])
  })

  it("of another script is kept as DNS has it; a second time, and an eleventh domain, are refused", async () => {
    const { call } = await merchant()
    expect((await call("POST", "/v1/email/domains", { domain: "müsli.example" })).body.domain).toBe(
      "xn--msli-0ra.example"
    )
    const again = await call("POST", "/v1/email/domains", { domain: "XN--MSLI-0RA.example" })
    expect([again.status, again.body.code, again.body.details]).toEqual([
      409,
      "CONFLICT",
      { domain: "xn--msli-0ra.example" }
    ])
    for (let i = 2; i <= 10; i += 1)
      expect((await call("POST", "/v1/email/domains", { domain: `d${i}.example` })).status).toBe(201)
    const full = await call("POST", "/v1/email/domains", { domain: "d11.example" })
    expect([full.status, full.body.details.errors]).toEqual([
      400,
      { domain: "there are 10 e-mail domains, which is the most" }
    ])
  }, 60_000)
})

describe("the domain of the settings", () => {
  it("is one of the store that is verified, is shown with them, and cannot be deleted until it is cleared", async () => {
    const [store, other] = [await merchant(), await merchant()]
    const { call } = store
    const made = await added(store)
    const theirs = await verified(other, "theirs.example")
    for (const customDomainId of [made.id, theirs.id, "dom_none"]) {
      const refused = await call("PUT", "/v1/email/settings", { customDomainId })
      expect([refused.status, refused.body.details.errors]).toEqual([
        400,
        { customDomainId: "is not a verified domain of this store" }
      ])
    }
    publish(made.dnsRecords, "OWNERSHIP", "DKIM")
    const looked = await call("POST", `${made.at}/verify`)
    const chosen = await call("PUT", "/v1/email/settings", { customDomainId: made.id })
    expect([chosen.status, chosen.body.customDomainId, chosen.body.customDomain]).toEqual([200, made.id, looked.body])

    const used = await call("DELETE", made.at)
    expect([used.status, used.body.code, used.body.details]).toEqual([409, "CONFLICT", { reason: "in_use" }])
    expect((await call("PUT", "/v1/email/settings", { customDomainId: null })).body.customDomain).toBeNull()
    expect((await call("DELETE", made.at)).body).toEqual({ success: true })
    expect((await call("DELETE", made.at)).status).toBe(404)
    expect((await call("POST", `${made.at}/verify`)).body.code).toBe("RESOURCE_NOT_FOUND")
  })

  it("is taken or deleted, never both, when both come at once", async () => {
    const store = await merchant()
    for (let round = 0; round < 4; round += 1) {
      const made = await verified(store, `r${round}.example`)
      const [put, removed] = await Promise.all([
        store.call("PUT", "/v1/email/settings", { customDomainId: made.id }),
        store.call("DELETE", made.at)
      ])
      expect([
        [200, 409],
        [400, 200]
      ]).toContainEqual([put.status, removed.status])
      await store.call("PUT", "/v1/email/settings", { customDomainId: null })
    }
  })

  it("comes to the same by two looks at once, and a look that is judged by an old version changes nothing", async () => {
    const store = await merchant()
    const made = await added(store)
    publish(made.dnsRecords, "OWNERSHIP", "DKIM")
    const looks = await Promise.all([store.call("POST", `${made.at}/verify`), store.call("POST", `${made.at}/verify`)])
    expect(looks.map(({ status, body }) => [status, body.status])).toEqual([
      [200, "VERIFIED"],
      [200, "VERIFIED"]
    ])
    const old = await store.call("POST", `${made.at}/verify`, undefined, { "if-match": '"2020-01-01T00:00:00.000Z"' })
    expect([old.status, old.body.code]).toEqual([409, "CONFLICT"])
  })
})

it("domains are another store's: unknown by id and by path", async () => {
  const [store, other] = [await merchant(), await merchant()]
  const theirs = await added(other as Merchant & TestStore)
  for (const [method, path] of [
    ["POST", `${theirs.at}/verify`],
    ["DELETE", theirs.at],
    ["GET", `/stores/${other.storeId}/email/domains`],
    ["DELETE", `/stores/${other.storeId}/email/domains/${theirs.id}`]
  ] as const)
    expect([path, (await store.call(method, path)).status]).toEqual([path, 404])
  expect((await other.call("GET", "/v1/email/domains")).body.meta.total).toBe(1)
})

it("a day later the records of a verified domain are looked at again, and those of others are not", async () => {
  const store = await merchant()
  const made = await verified(store, "again.example")
  await added(store, "never.example")
  const clock = Date.now() + 86_400_000 * 2
  await shop.call("POST", "/test/clock", { body: { now: new Date(clock).toISOString() } })
  names.records.clear()
  names.asked.length = 0
  await shop.run(EmailDomains.use((domains) => domains.lookAgain) as never)
  const { data } = (await store.call("GET", "/v1/email/domains")).body
  expect(data.map(({ domain, status }: { domain: string; status: string }) => [domain, status]).toSorted()).toEqual([
    ["again.example", "FAILED"],
    ["never.example", "PENDING"]
  ])
  expect(names.asked).toContain(made.dnsRecords[0]?.name)
  expect(names.asked.some((name) => name.endsWith("never.example"))).toBe(false)
})

it("name servers that do not answer hold up no other store's look, and are asked again after an hour", async () => {
  const silent = await Promise.all(
    [1, 2, 3, 4].map(async (n) => (await verified(await merchant(), `silent${n}.example`)).dnsRecords)
  )
  const store = await merchant()
  const good = (await verified(store, "good.example")).dnsRecords
  const advance = (advanceMs: number) => shop.call("POST", "/test/clock", { body: { advanceMs } })
  const look = () => shop.run(EmailDomains.use((domains) => domains.lookAgain) as never)
  const askedOf = (records: ReadonlyArray<DnsRecord>) => names.asked.filter((name) => name === records[0]?.name).length
  for (const { name } of silent.flat()) names.records.set(name, "silent")
  await advance(86_400_000 + 60_000)
  names.asked.length = 0
  const looking = look()
  const checked = async () => (await store.call("GET", "/v1/email/domains")).body.data[0].lastCheckedAt
  const before = await checked()
  // Each silent server is given two seconds and more.
  await expect.poll(checked, { interval: 20, timeout: 5_000 }).not.toBe(before)
  expect([askedOf(good), ...silent.map((records) => askedOf(records) > 0)]).toEqual([1, true, true, true, true])
  await looking

  names.asked.length = 0
  await look()
  expect(names.asked).toEqual([])
  names.records.clear()
  publish(silent.flat(), "OWNERSHIP", "DKIM")
  await advance(3_600_000)
  await look()
  expect([askedOf(good), ...silent.map(askedOf)]).toEqual([0, 1, 1, 1, 1])
}, 60_000)
