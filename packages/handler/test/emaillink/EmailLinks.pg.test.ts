import { type OutgoingMail, type Transport } from "@effect-commerce/core/smtp/MailTransport"
import { emailLinkLaws } from "@effect-commerce/core/emaillink/emailLinkLaws"
import { Effect } from "effect"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
const mails: Array<OutgoingMail> = []
const transport: Transport = {
  keeps: false,
  fromAddress: "post@host.example",
  deliver: (mail) => Effect.sync(() => (mails.push(mail), "SENT"))
}
beforeAll(async () => {
  shop = await openTestCommerce({ mail: { transport, publicUrl: "https://host.example" } })
})
afterAll(() => shop.close())

/** What the database answers. */
const asked = async (text: string, values: ReadonlyArray<unknown>) => {
  const client = new pg.Client(shop.database.nodePostgres)
  await client.connect()
  const answer = await client.query(text, [...values])
  await client.end()
  return answer
}

const soon = { interval: 50, timeout: 15_000 }
let readers = 0
const reader = () => `reader${++readers}@example.com`
const campaign = {
  name: "News",
  eventType: "MARKETING_CAMPAIGN",
  language: "en",
  subject: "News",
  htmlContent:
    '<p><a href="https://mugs.example/new?a=1&amp;b=2">New</a> <a href="mailto:help@mugs.example">Help</a></p>',
  textContent: "New: https://mugs.example/new?a=1&b=2"
}

const merchant = async (settings: object = {}, template: object = {}) => {
  const store = await shop.openStore()
  const call = (method: string, path: string, body?: unknown) =>
    shop.call(method, path, { key: store.apiKey, ...(body === undefined ? {} : { body }) })
  await call("PUT", "/v1/email/settings", { footerAddress: "1 High Street", ...settings })
  const { id } = (await call("POST", "/v1/email/templates", { ...campaign, ...template })).body
  const send = (to: string) => call("POST", `/v1/email/templates/${id}/send`, { to })
  const sent = async (to: string) => {
    expect((await send(to)).status).toBe(200)
    await expect.poll(() => mails.findLast((mail) => mail.to === to), soon).toBeDefined()
    return mails.findLast((mail) => mail.to === to) as OutgoingMail
  }
  const shopper = async (body: object) =>
    (await call("POST", "/v1/customers", { emailVerified: true, ...body })).body.id as string
  const onChannel = (path: string, body: object) =>
    shop.call("POST", `/vc/${store.channelId}${path}`, { key: null, body, headers: { origin: "https://mugs.example" } })
  return { ...store, call, send, sent, shopper, onChannel }
}

/** The path of a link of ours. */
const pathOf = (url: string | null | undefined): string => (url ?? "").replace("https://host.example/api", "")
const press = (path: string) =>
  shop.call("POST", path, {
    key: null,
    raw: "List-Unsubscribe=One-Click",
    headers: { "content-type": "application/x-www-form-urlencoded" }
  })
const reasonOf = ({ status, body }: Awaited<ReturnType<TestCommerce["call"]>>) => [
  status,
  body.code,
  body.details?.reason
]
const held = (reason: string) => [422, "BUSINESS_RULE_VIOLATION", reason]

describe("a marketing mail", () => {
  it("carries the link to unsubscribe, for the program and, where its template has none, in its words", async () => {
    const { sent } = await merchant()
    const mail = await sent(reader())
    expect(mail.unsubscribeUrl).toMatch(/^https:\/\/host\.example\/api\/email\/unsubscribe\/store_\w+\.[\w-]+\.[\w-]+$/)
    expect(mail.html).toContain(`<a href="${mail.unsubscribeUrl}">Unsubscribe</a>`)
    expect(mail.text).toContain(`Unsubscribe: ${mail.unsubscribeUrl}`)
    expect(mail.html).toContain("1 High Street")
    expect(mail.unsubscribeUrl).not.toContain("reader")
  })

  it("is asked about first, then ended by one POST, the same each time, and for a link that is not ours", async () => {
    const { send, sent } = await merchant()
    const to = reader()
    const path = pathOf((await sent(to)).unsubscribeUrl)
    const asked = await shop.call("GET", path, { key: null })
    expect([asked.status, asked.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
    expect(asked.headers.get("content-security-policy")).toContain("default-src 'none'")
    expect(asked.text).toContain('<form method="post">')
    expect((await send(to)).status).toBe(200)

    const first = await press(path)
    const again = await press(path)
    const wrong = await press(`${path}x`)
    const nonsense = await press("/email/unsubscribe/x")
    for (const answer of [first, again, wrong, nonsense])
      expect([answer.status, answer.text]).toEqual([200, first.text])
    expect(reasonOf(await send(to))).toEqual(held("unsubscribed"))
    expect((await send(reader())).status).toBe(200)
  })

  it("that waits when its reader unsubscribes is not sent any more", async () => {
    const { call, send, sent } = await merchant()
    const to = reader()
    const path = pathOf((await sent(to)).unsubscribeUrl)
    await call("PUT", "/v1/email/settings", { emailsEnabled: false })
    await call("PUT", "/v1/email/settings", { emailsEnabled: true, hourlyRateLimit: 1 })
    expect((await send(to)).status).toBe(200)
    await press(path)
    await call("PUT", "/v1/email/settings", { hourlyRateLimit: 1_000 })
    const states = async () =>
      (await call("GET", "/v1/email/messages")).body.data.map(({ status }: { readonly status: string }) => status)
    await expect.poll(states, soon).toEqual(["FAILED", "SENT"])
  })

  it("that waits is held while marketing is paused, and ended where its reader does not agree any more", async () => {
    const { call, send, sent, shopper } = await merchant()
    await sent(reader())
    await call("PUT", "/v1/email/settings", { hourlyRateLimit: 1 })
    const email = reader()
    const id = await shopper({ email, acceptsMarketing: true })
    for (const to of [reader(), email]) expect((await send(to)).status).toBe(200)
    await call("PATCH", `/v1/customers/${id}`, { acceptsMarketing: false })
    await call("PUT", "/v1/email/settings", { marketingSendingPaused: true, hourlyRateLimit: 1_000 })
    const note = await call("POST", "/v1/email/templates", { ...campaign, eventType: "BACK_IN_STOCK" })
    await call("POST", `/v1/email/templates/${note.body.id}/send`, { to: reader() })
    const states = async () =>
      (await call("GET", "/v1/email/messages")).body.data.map(({ status }: { readonly status: string }) => status)
    // The mail that sells nothing stands behind the two that do, and passes them.
    await expect.poll(states, soon).toEqual(["SENT", "QUEUED", "QUEUED", "SENT"])
    await shop.call("POST", "/test/clock", { body: { advanceMs: 601_000 } })
    await call("POST", `/v1/email/templates/${note.body.id}/send`, { to: reader() })
    await expect.poll(states, soon).toEqual(["SENT", "SENT", "QUEUED", "QUEUED", "SENT"])
    await call("PUT", "/v1/email/settings", { marketingSendingPaused: false })
    await shop.call("POST", "/test/clock", { body: { advanceMs: 601_000 } })
    await expect.poll(states, soon).toEqual(["SENT", "SENT", "FAILED", "SENT", "SENT"])
  })

  it("is ended for one store alone, and takes back what its customer agreed to there", async () => {
    const [one, other] = [await merchant(), await merchant()]
    const email = reader()
    const id = await one.shopper({ email, acceptsMarketing: true })
    await other.shopper({ email, acceptsMarketing: true })
    await press(pathOf((await one.sent(email)).unsubscribeUrl))
    expect((await one.call("GET", `/v1/customers/${id}`)).body.acceptsMarketing).toBe(false)
    expect(reasonOf(await one.send(email))).toEqual(held("unsubscribed"))
    expect((await other.send(email)).status).toBe(200)
    await one.call("PATCH", `/v1/customers/${id}`, { acceptsMarketing: true })
    expect((await one.send(email)).status).toBe(200)
  })

  it("that was allowed between two refusals is none that the audit finds, and one that was not is", async () => {
    const { storeId, call, send, sent, shopper } = await merchant()
    const wrong = async () => (await asked(emailLinkLaws[0]?.sql ?? "", [storeId])).rows
    const suppressed = async (email: string) =>
      (await asked("SELECT 1 FROM email_suppression WHERE store_id = $1 AND email = $2", [storeId, email])).rowCount
    const [once, twice] = [reader(), reader()]
    for (const email of [once, twice]) {
      const id = await shopper({ email, acceptsMarketing: true })
      const path = pathOf((await sent(email)).unsubscribeUrl)
      await press(path)
      expect([await suppressed(email), reasonOf(await send(email))]).toEqual([1, held("unsubscribed")])
      await call("PATCH", `/v1/customers/${id}`, { acceptsMarketing: true })
      expect((await send(email)).status).toBe(200)
      await expect.poll(() => mails.filter((mail) => mail.to === email).length, soon).toBe(2)
      if (email === twice) await press(path)
      else {
        // What the customer has agreed to is ended for good, and not brought back by the next refusal.
        await expect.poll(() => suppressed(email), soon).toBe(0)
        await call("PATCH", `/v1/customers/${id}`, { acceptsMarketing: false })
      }
      await expect.poll(wrong, soon).toEqual([])
    }
    expect(reasonOf(await send(twice))).toEqual(held("unsubscribed"))
    await asked(
      `UPDATE email_message m SET created_at = s.created_at + interval '1 ms' FROM email_suppression s
        WHERE s.store_id = $1 AND m.store_id = $1 AND s.email = $2 AND m.to_address = $2`,
      [storeId, twice]
    )
    await press(pathOf(mails.find((mail) => mail.to === twice)?.unsubscribeUrl))
    expect(await wrong()).toHaveLength(2)
  })

  it("comes again once a newsletter sign-up is confirmed by the mailbox, and not before", async () => {
    const { sent, send, onChannel } = await merchant()
    const email = reader()
    await press(pathOf((await sent(email)).unsubscribeUrl))
    expect((await onChannel("/newsletter/subscribe", { email })).body).toEqual({ ok: true })
    const confirmation = () => mails.find((mail) => mail.to === email && mail.eventType === "NEWSLETTER_CONFIRMATION")
    await expect.poll(confirmation, soon).toBeDefined()
    expect(reasonOf(await send(email))).toEqual(held("unsubscribed"))
    const token = /token=([\w-]+)/.exec(confirmation()?.text ?? "")?.[1]
    expect((await onChannel("/newsletter/confirm", { token })).status).toBe(200)
    expect((await send(email)).status).toBe(200)
  })

  it("is not sent to a customer who has not agreed, above the day's limit, while paused, or without an address", async () => {
    const { call, send, shopper } = await merchant({ dailyCampaignSendLimit: 2 })
    const email = reader()
    await shopper({ email })
    expect(reasonOf(await send(email))).toEqual(held("no_consent"))
    const answers = await Promise.all([send(reader()), send(reader()), send(reader()), send(reader())])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 422, 422])
    expect(reasonOf(await send(reader()))).toEqual(held("daily_limit"))
    const paused = await call("PUT", "/v1/email/settings", {
      dailyCampaignSendLimit: null,
      marketingSendingPaused: true,
      marketingPauseReason: "Complaints"
    })
    expect([paused.body.marketingPauseReason, typeof paused.body.marketingPausedAt]).toEqual(["Complaints", "string"])
    expect(reasonOf(await send(reader()))).toEqual(held("paused"))
    const on = await call("PUT", "/v1/email/settings", { marketingSendingPaused: false, footerAddress: null })
    expect([on.body.marketingPauseReason, on.body.marketingPausedAt]).toEqual([null, null])
    const bare = await send(reader())
    expect([bare.status, bare.body.details]).toEqual([422, { eventType: "MARKETING_CAMPAIGN", field: "footerAddress" }])
    expect((await call("GET", "/v1/email/messages")).body.meta.total).toBe(2)
  })
})

describe("links of marketing mails", () => {
  it("lead where the mail says, and are not counted, unless the store wants it", async () => {
    const { sent } = await merchant()
    expect((await sent(reader())).html).toContain('href="https://mugs.example/new?a=1&amp;b=2"')
  })

  it("lead on in the letters of a header, whatever letters they have", async () => {
    const htmlContent =
      '<p><a href="https://mugs.example/küche">Küche</a> <a href="https://mugs.example/茶">Tea</a></p>'
    const { sent, storeId } = await merchant({ clickTrackingEnabled: true }, { htmlContent })
    const { html } = await sent(reader())
    const links = [...html.matchAll(/<a href="([^"]+\/email\/click\/[^"]+)"/g)].map(([, url]) => pathOf(url))
    const answers = await Promise.all(links.map((path) => shop.call("GET", path, { key: null })))
    expect(answers.map(({ status, headers }) => [status, headers.get("location")])).toEqual([
      [302, "https://mugs.example/k%C3%BCche"],
      [302, "https://mugs.example/%E8%8C%B6"]
    ])
    const { rows } = await asked("SELECT url, clicks FROM email_click WHERE store_id = $1 ORDER BY url", [storeId])
    expect(rows).toEqual([
      { url: "https://mugs.example/küche", clicks: 1 },
      { url: "https://mugs.example/茶", clicks: 1 }
    ])
  })

  it("are counted by a redirect of this server, which leads nowhere else", async () => {
    const { sent, storeId } = await merchant({ clickTrackingEnabled: true })
    const { id, html, text } = await sent(reader())
    const [, url = ""] = /<a href="([^"]+)">New/.exec(html) ?? []
    expect(url).toMatch(/^https:\/\/host\.example\/api\/email\/click\//)
    expect(html).toContain('href="mailto:help@mugs.example"')
    expect(html).toMatch(/href="https:\/\/host\.example\/api\/email\/unsubscribe\//)
    expect(text).toContain("https://mugs.example/new?a=1&b=2")
    const path = pathOf(url)
    const follow = (token: string) => shop.call("GET", token, { key: null })
    const answers = [await follow(path), await follow(path)]
    for (const { status, headers } of answers)
      expect([status, headers.get("location"), headers.get("cache-control")]).toEqual([
        302,
        "https://mugs.example/new?a=1&b=2",
        "no-store"
      ])
    const elsewhere = Buffer.from("https://evil.example").toString("base64url")
    for (const forged of [
      path.replace(/\.[^.]+\.([0-9a-f]+)$/, `.${elsewhere}.$1`),
      path.replace(/[0-9a-f]{4}$/, "0000"),
      path.replace(storeId, shop.storeId),
      "/email/click/x",
      "/email/click/a.b.c.d"
    ]) {
      const refused = await follow(forged)
      expect([refused.status, refused.body.code]).toEqual([404, "RESOURCE_NOT_FOUND"])
    }
    const { rows } = await asked("SELECT message_id, url, clicks FROM email_click WHERE store_id = $1", [storeId])
    expect(rows).toEqual([{ message_id: id, url: "https://mugs.example/new?a=1&b=2", clicks: 2 }])
  })
})

it("receipts have no link to unsubscribe, and still come to who has", async () => {
  const { call, sent } = await merchant()
  const to = reader()
  await press(pathOf((await sent(to)).unsubscribeUrl))
  const note = await call("POST", "/v1/email/templates", {
    ...campaign,
    eventType: "ORDER_NOTE",
    htmlContent: "<p>A note</p>",
    textContent: null
  })
  expect((await call("POST", `/v1/email/templates/${note.body.id}/send`, { to })).status).toBe(200)
  await expect.poll(() => mails.findLast((mail) => mail.to === to)?.eventType, soon).toBe("ORDER_NOTE")
  expect(mails.findLast((mail) => mail.to === to)).toMatchObject({ unsubscribeUrl: null, html: "<p>A note</p>" })
})
