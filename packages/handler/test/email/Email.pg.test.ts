import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce, type TestStore } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"
import { addOwner } from "../team/desk.ts"

let shop: TestCommerce
let other: TestStore
beforeAll(async () => {
  shop = await openTestCommerce()
  other = await shop.openStore()
})
afterAll(() => shop.close())

/** Calls as a store of its own, so that what one test sets does not reach the next. */
const merchant = async () => {
  const store = await shop.openStore()
  const call = (method: string, path: string, body?: unknown) =>
    shop.call(method, path, { key: store.apiKey, ...(body === undefined ? {} : { body }) })
  return { ...store, call, dashboard: `/stores/${store.storeId}/email` }
}
const written = {
  name: "Reset",
  eventType: "PASSWORD_RESET",
  language: "en",
  subject: "Reset at {{storeName}}",
  htmlContent: "<p>{{resetUrl}}</p>"
}
const soon = { interval: 50, timeout: 10_000 }
const errorsOf = ({
  status,
  body
}: {
  readonly status: number
  readonly body: { readonly code?: string; readonly details?: { readonly errors?: unknown } }
}) => [status, body.code, body.details?.errors]

describe("settings", () => {
  it("are the documented defaults before anything is written, in every documented field", async () => {
    const { call, storeId, accountId } = await merchant()
    const { status, body } = await call("GET", "/v1/email/settings")
    const { id, createdAt, updatedAt, ...rest } = body
    expect([status, typeof id, createdAt, new Date(updatedAt).toISOString()]).toEqual([
      200,
      "string",
      updatedAt,
      updatedAt
    ])
    expect(rest).toEqual({
      accountId,
      storeId,
      emailsEnabled: true,
      defaultFromName: null,
      defaultReplyTo: null,
      eventSettings: {},
      hourlyRateLimit: 100,
      customDomainId: null,
      dailyCampaignSendLimit: null,
      clickTrackingEnabled: false,
      footerAddress: null,
      footerSocialLinks: {},
      footerCustomText: null,
      fontFamily: null,
      deliveryProviderOverride: null,
      sesTenantName: null,
      marketingSendingPaused: false,
      marketingPauseReason: null,
      marketingPausedAt: null,
      customDomain: null,
      hasOwnerEmail: false
    })
  })

  it("say whether the store has an owner to write to, and nothing of another store's", async () => {
    const [owned, empty] = [await merchant(), await merchant()]
    await addOwner(shop, owned, "owner-of-mugs@example.com")
    const has = async ({ call }: typeof owned) => (await call("GET", "/v1/email/settings")).body.hasOwnerEmail
    expect([await has(owned), await has(empty)]).toEqual([true, false])
  })

  it("change field by field: what is absent stays, null clears, and the dashboard sees the same", async () => {
    const { call, dashboard } = await merchant()
    const first = await call("PUT", "/v1/email/settings", {
      defaultFromName: " Mugs & Co ",
      defaultReplyTo: "help@mugs.example",
      hourlyRateLimit: 1000
    })
    expect(first.status).toBe(200)
    expect(first.body).toMatchObject({
      defaultFromName: "Mugs & Co",
      defaultReplyTo: "help@mugs.example",
      hourlyRateLimit: 1000,
      emailsEnabled: true
    })
    expect(first.body).not.toHaveProperty("hasOwnerEmail")
    const second = await call("PUT", `${dashboard}/settings`, {
      defaultReplyTo: null,
      emailsEnabled: false,
      eventSettings: { NEW_ORDER_ADMIN: false }
    })
    expect(second.body).toMatchObject({
      defaultFromName: "Mugs & Co",
      defaultReplyTo: null,
      emailsEnabled: false,
      eventSettings: { NEW_ORDER_ADMIN: false }
    })
    const { hasOwnerEmail, ...read } = (await call("GET", `${dashboard}/settings`)).body
    expect([hasOwnerEmail, read]).toEqual([false, second.body])
  })

  it.each([
    [{ hourlyRateLimit: 0 }, "hourlyRateLimit"],
    [{ hourlyRateLimit: 1001 }, "hourlyRateLimit"],
    [{ hourlyRateLimit: 1.5 }, "hourlyRateLimit"],
    [{ hourlyRateLimit: "100" }, "hourlyRateLimit"],
    [{ emailsEnabled: "yes" }, "emailsEnabled"],
    [{ defaultFromName: "Mugs\r\nBcc: evil@example.com" }, "defaultFromName"],
    [{ defaultFromName: "Mugs\u2028Bcc" }, "defaultFromName"],
    [{ defaultFromName: "\r\nBcc: evil@example.com" }, "defaultFromName"],
    [{ defaultFromName: "\nMugs" }, "defaultFromName"],
    [{ defaultFromName: "Mugs\r\n" }, "defaultFromName"],
    [{ defaultFromName: "\u2029" }, "defaultFromName"],
    [{ defaultFromName: "x".repeat(101) }, "defaultFromName"],
    [{ defaultReplyTo: "\r\nhelp@mugs.example" }, "defaultReplyTo"],
    [{ defaultReplyTo: "help@mugs.example\n" }, "defaultReplyTo"],
    [{ defaultReplyTo: "\n" }, "defaultReplyTo"],
    [{ defaultReplyTo: "a@b.c,d.e" }, "defaultReplyTo"],
    [{ defaultReplyTo: `${"x".repeat(243)}@example.com` }, "defaultReplyTo"],
    [{ defaultReplyTo: "help@mugs.example\nBcc: evil@example.com" }, "defaultReplyTo"],
    [{ defaultReplyTo: "a@mugs.example, b@mugs.example" }, "defaultReplyTo"],
    [{ defaultReplyTo: "nobody" }, "defaultReplyTo"],
    [{ customDomainId: "dom_none" }, "customDomainId"],
    [{ eventSettings: { ORDER_NOTE: "off" } }, "eventSettings"],
    [{ eventSettings: [] }, "eventSettings"],
    [{ eventSettings: { PASSWORD_RESET: false } }, "eventSettings"],
    [{ eventSettings: { TEAM_INVITATION: { enabled: false } } }, "eventSettings"],
    [{ dailyCampaignSendLimit: -1 }, "dailyCampaignSendLimit"],
    [{ dailyCampaignSendLimit: 1.5 }, "dailyCampaignSendLimit"],
    [{ marketingPauseReason: "x".repeat(501) }, "marketingPauseReason"],
    [{ footerAddress: "x".repeat(501) }, "footerAddress"]
  ])("%j is 400 and changes nothing", async (body, field) => {
    const before = await shop.call("GET", "/v1/email/settings")
    const refused = await shop.call("PUT", "/v1/email/settings", { body: { clickTrackingEnabled: true, ...body } })
    expect([refused.status, refused.body.code, Object.keys(refused.body.details.errors)]).toEqual([
      400,
      "VALIDATION_FAILED",
      [field]
    ])
    expect((await shop.call("GET", "/v1/email/settings")).body).toEqual(before.body)
  })
})

describe("templates", () => {
  it("come to 7 MiB at most, so that the dashboard can show all of them at once", async () => {
    const { call, dashboard } = await merchant()
    const large = { ...written, isActive: false, htmlContent: `${written.htmlContent}${"x".repeat(249_000)}` }
    const largest = { ...large, textContent: `{{resetUrl}} ${"x".repeat(99_000)}` }
    for (let i = 0; i < 21; i += 1) expect((await call("POST", "/v1/email/templates", largest)).status).toBe(201)
    const refused = [400, "VALIDATION_FAILED", { emailTemplates: "all of them come to at most 7340032 bytes of JSON" }]
    expect(errorsOf(await call("POST", "/v1/email/templates", large))).toEqual(refused)
    const small = await call("POST", "/v1/email/templates", { ...written, isActive: false })
    expect(small.status).toBe(201)
    const at = `/v1/email/templates/${small.body.id}`
    expect(errorsOf(await call("PATCH", at, { htmlContent: large.htmlContent }))).toEqual(refused)
    expect((await call("PATCH", at, { htmlContent: `${written.htmlContent}!` })).status).toBe(200)
    const { status, body, text } = await call("GET", `${dashboard}/templates`)
    expect([status, body.templates.length, text.length < 8_388_608]).toEqual([200, 22, true])
  }, 60_000)

  it("are made, read, changed, listed and removed; a list is the envelope, the dashboard's an overview", async () => {
    const { call, dashboard, storeId, accountId } = await merchant()
    const made = await call("POST", "/v1/email/templates", { ...written, variables: { hint: { default: "soon" } } })
    const { id, createdAt, updatedAt, ...rest } = made.body
    expect([made.status, createdAt]).toEqual([201, updatedAt])
    expect(rest).toEqual({
      ...written,
      accountId,
      storeId,
      textContent: null,
      variables: { hint: { default: "soon" } },
      isDefault: false,
      isActive: true
    })
    const note = await call("POST", `${dashboard}/templates`, {
      ...written,
      eventType: "ORDER_NOTE",
      name: "Note",
      isActive: false,
      textContent: "{{note}}"
    })
    expect(note.status).toBe(201)

    const changed = await call("PATCH", `/v1/email/templates/${id}`, { subject: "Again", variables: null })
    expect(changed.body).toEqual({ ...made.body, subject: "Again", variables: {}, updatedAt: changed.body.updatedAt })
    expect((await call("GET", `/v1/email/templates/${id}`)).body).toEqual(changed.body)
    expect((await call("GET", `${dashboard}/templates/${id}`)).body).toEqual(changed.body)

    const listed = await call("GET", "/v1/email/templates?limit=1")
    expect(listed.body).toEqual({ data: [changed.body], meta: { page: 1, limit: 1, total: 2, totalPages: 2 } })
    expect((await call("GET", "/v1/email/templates?eventType=ORDER_NOTE&language=en")).body.data).toEqual([note.body])
    expect((await call("GET", "/v1/email/templates?language=de")).body.data).toEqual([])
    expect((await call("GET", "/v1/email/templates?eventType=NEWS")).status).toBe(400)
    expect((await call("GET", `${dashboard}/templates`)).body).toEqual({
      templates: [changed.body, note.body],
      language: "en",
      supportedLanguages: ["en"]
    })

    expect((await call("DELETE", `/v1/email/templates/${id}`)).body).toEqual({ success: true })
    expect((await call("DELETE", `/v1/email/templates/${id}`)).status).toBe(404)
    expect((await call("GET", `/v1/email/templates/${id}`)).body.code).toBe("RESOURCE_NOT_FOUND")
  })

  it("exist as defaults for every kind of mail, each with an example of what fills it", async () => {
    const { call, dashboard } = await merchant()
    const { body } = await call("GET", `${dashboard}/templates/defaults`)
    expect([body.length, new Set(body.map(({ isDefault }: { readonly isDefault: boolean }) => isDefault))]).toEqual([
      31,
      new Set([true])
    ])
    const one = await call("GET", `${dashboard}/templates/defaults/PASSWORD_RESET`)
    expect(one.body).toEqual(
      body.find(({ eventType }: { readonly eventType: string }) => eventType === "PASSWORD_RESET")
    )
    expect(one.body.htmlContent).toContain("{{resetUrl}}")
    expect((await call("GET", `${dashboard}/templates/defaults/NEWS`)).status).toBe(404)
  })

  it("are active once for a kind and language: another one is 409 and is not made", async () => {
    const { call } = await merchant()
    const first = await call("POST", "/v1/email/templates", written)
    const second = await call("POST", "/v1/email/templates", { ...written, name: "Other" })
    expect([second.status, second.body.code, second.body.details]).toEqual([
      409,
      "CONFLICT",
      { eventType: "PASSWORD_RESET", language: "en" }
    ])
    const resting = await call("POST", "/v1/email/templates", { ...written, isActive: false })
    expect((await call("PATCH", `/v1/email/templates/${resting.body.id}`, { isActive: true })).status).toBe(409)
    await call("PATCH", `/v1/email/templates/${first.body.id}`, { isActive: false })
    expect((await call("PATCH", `/v1/email/templates/${resting.body.id}`, { isActive: true })).status).toBe(200)
    expect((await call("GET", "/v1/email/templates")).body.meta.total).toBe(2)
  })

  it.each([
    [{ language: "de" }, { language: "must be one of the store's languages: en" }],
    [{ eventType: "NEWS" }, { eventType: expect.any(String) }],
    [{ name: " " }, { name: "must not be empty" }],
    [{ subject: " " }, { subject: "must not be empty" }],
    [{ htmlContent: "" }, { htmlContent: "must not be empty" }],
    [{ htmlContent: "{{#items}}" }, { htmlContent: expect.stringContaining("Unclosed section") }],
    [{ subject: "{{> head}}" }, { subject: expect.stringContaining("partials") }],
    [{ textContent: "{{=<% %>=}}" }, { textContent: expect.stringContaining("delimiters") }],
    [{ subject: "x".repeat(501) }, { subject: "must be at most 500 characters" }],
    [{ isActive: 1 }, { isActive: expect.any(String) }]
  ])("with %j are 400", async (wrong, errors) => {
    expect(errorsOf(await shop.call("POST", "/v1/email/templates", { body: { ...written, ...wrong } }))).toEqual([
      400,
      "VALIDATION_FAILED",
      errors
    ])
  })

  it("and settings are changed by whoever read them last: If-Match", async () => {
    const { call, apiKey, dashboard } = await merchant()
    const { body: template } = await call("POST", "/v1/email/templates", written)
    const { body: settings } = await call("PUT", "/v1/email/settings", { hourlyRateLimit: 7 })
    await shop.call("POST", "/test/clock", { body: { advanceMs: 1_500 } })
    const change = async (method: string, path: string, { updatedAt }: { readonly updatedAt: string }) =>
      (
        await shop.call(method, path, {
          key: apiKey,
          body: method === "PUT" ? { hourlyRateLimit: 8 } : { name: "Mine" },
          headers: { "if-match": `"${updatedAt}"` }
        })
      ).status
    const templates = [
      await change("PATCH", `/v1/email/templates/${template.id}`, template),
      await change("PATCH", `/v1/email/templates/${template.id}`, template)
    ]
    expect(templates).toEqual([200, 409])
    expect([
      await change("PUT", "/v1/email/settings", settings),
      await change("PUT", `${dashboard}/settings`, settings)
    ]).toEqual([200, 409])
  })
})

describe("a preview", () => {
  it("fills a template with what it is given, and lists what was not", async () => {
    const { call } = await merchant()
    const made = await call("POST", "/v1/email/templates", {
      ...written,
      subject: "{{who}} {{constructor.name}}",
      htmlContent: "<p>{{who}}{{{who}}}{{{logo}}}{{__proto__.x}} {{storeName}}{{hint}}{{gone}}</p>",
      variables: { logo: { safe: true }, storeName: { safe: true }, hint: { default: "soon" } }
    })
    const variables = { who: "<b>Ada</b>\r\nBcc: evil@example.com", logo: "<img>" }
    expect((await call("POST", `/v1/email/templates/${made.body.id}/preview`, { variables })).body).toEqual({
      subject: "<b>Ada</b> Bcc: evil@example.com",
      html: `<p>${"&lt;b&gt;Ada&lt;/b&gt;\r\nBcc: evil@example.com".repeat(2)}<img> Test storesoon</p>`,
      text: expect.stringContaining("<b>Ada</b>"),
      missingVariables: ["constructor.name", "__proto__.x", "gone"]
    })
    const bare = await shop.call("POST", `/v1/email/templates/${made.body.id}/preview`, { key: other.apiKey })
    expect(bare.status).toBe(404)
    expect((await call("POST", `/v1/email/templates/${made.body.id}/preview`)).body.missingVariables).toEqual([
      "who",
      "constructor.name",
      "logo",
      "__proto__.x",
      "gone"
    ])
    expect(errorsOf(await call("POST", `/v1/email/templates/${made.body.id}/preview`, { language: "de" }))[0]).toBe(400)
  })

  const footerAddress = "Mugs & Co\n1 High Street, London"
  it.each([
    ["<p>News</p>", "News"],
    ["<html><body><p>News</p></BODY ></html>", "News"],
    ["<p>News</p><!-- {{footerAddress}} -->", "News"],
    ["<p>News</p>{{! {{footerAddress}}", "News"],
    ["<p title='{{footerAddress}}'>News</p>", "{{#footerAddress}}News{{/footerAddress}}"],
    ["<p>News</p>{{^footerAddress}}{{footerAddress}}{{/footerAddress}}", null]
  ])(
    "of a mail that sells has the store's postal address at its end, where %j and %j do not print it",
    async (htmlContent, textContent) => {
      const { call } = await merchant()
      await call("PUT", "/v1/email/settings", { footerAddress })
      const made = await call("POST", "/v1/email/templates", {
        ...written,
        eventType: "MARKETING_CAMPAIGN",
        subject: "News",
        htmlContent,
        textContent
      })
      expect(made.status).toBe(201)
      const shown = (
        await call("POST", `/v1/email/templates/${made.body.id}/preview`, { variables: { footerAddress: "nowhere" } })
      ).body
      expect(shown.html).toMatch(/<p>News|>News/)
      expect(shown.html).toMatch(/Mugs &amp; Co\n1 High Street, London<\/p>\s*(<\/BODY ><\/html>)?$/)
      expect(shown.text).toMatch(/News[\s\S]*Mugs & Co\n1 High Street, London\n?$/)
      const sent = (await call("POST", `/v1/email/templates/${made.body.id}/send`, { to: "ada@example.com" })).body
      expect(sent.html).toContain("Mugs &amp; Co\n1 High Street, London")
      expect(sent.text).toContain("Mugs & Co")
    }
  )

  it.each([
    "{{footerAddress}}",
    "{{ footerAddress }}",
    "{{{ footerAddress}}}",
    "{{&footerAddress}}",
    "{{#footerAddress}}{{.}}{{/footerAddress}}"
  ])("of a mail that sells prints the address once where its template does: %s", async (tag) => {
    const { call } = await merchant()
    await call("PUT", "/v1/email/settings", { footerAddress })
    const template = {
      ...written,
      eventType: "MARKETING_CAMPAIGN",
      subject: "News",
      htmlContent: `<p>${tag}</p>News`,
      textContent: `${tag} News`
    }
    const made = await call("POST", "/v1/email/templates", template)
    const { body } = await call("POST", `/v1/email/templates/${made.body.id}/preview`)
    expect([body.html, body.text]).toEqual([
      "<p>Mugs &amp; Co\n1 High Street, London</p>News",
      "Mugs & Co\n1 High Street, London News"
    ])
  })

  it("of a mail that tells is left as it is written", async () => {
    const { call } = await merchant()
    await call("PUT", "/v1/email/settings", { footerAddress })
    const made = await call("POST", "/v1/email/templates", {
      ...written,
      eventType: "ORDER_NOTE",
      htmlContent: "<p>Note</p>"
    })
    expect((await call("POST", `/v1/email/templates/${made.body.id}/preview`)).body).toMatchObject({
      html: "<p>Note</p>",
      text: "Note"
    })
  })

  it("in another language shows the active template of that language", async () => {
    const { call } = await merchant()
    await call("PATCH", "/v1/store", { languages: ["en", "de"] })
    const english = await call("POST", "/v1/email/templates", written)
    await call("POST", "/v1/email/templates", { ...written, language: "de", subject: "Neues Passwort" })
    const preview = (language: string) => call("POST", `/v1/email/templates/${english.body.id}/preview`, { language })
    expect([(await preview("de")).body.subject, (await preview("en")).body.subject]).toEqual([
      "Neues Passwort",
      "Reset at Test store"
    ])
  })
})

describe("sending one", () => {
  it("queues a mail of the template to one address, which is then kept and readable", async () => {
    const { call } = await merchant()
    const { body } = await call("POST", "/v1/email/templates", written)
    const sent = await call("POST", `/v1/email/templates/${body.id}/send`, {
      to: " ada@example.com ",
      variables: { resetUrl: "https://x.example/?a=1&b=2" }
    })
    expect(sent.status).toBe(200)
    const mail = {
      id: sent.body.id,
      to: "ada@example.com",
      from: "Test store <no-reply@localhost>",
      subject: "Reset at Test store",
      html: "<p>https://x.example/?a=1&amp;b=2</p>",
      text: "https://x.example/?a=1&b=2",
      eventType: "PASSWORD_RESET",
      createdAt: sent.body.createdAt
    }
    expect(sent.body).toEqual({ ...mail, status: "QUEUED" })
    const mails = async () => (await call("GET", "/v1/email/messages")).body
    await expect
      .poll(mails, soon)
      .toEqual({ data: [{ ...mail, status: "KEPT" }], meta: { page: 1, limit: 20, total: 1, totalPages: 1 } })
  })

  it.each([
    "nobody",
    "a@b.c,d.e",
    "a@b.example, c@d.example",
    "a@b.example\r\nBcc: c@d.example",
    "",
    "Ada <ada@example.com>"
  ])("to %j is 400 and queues nothing", async (to) => {
    const { call } = await merchant()
    const { body } = await call("POST", "/v1/email/templates", written)
    expect(errorsOf(await call("POST", `/v1/email/templates/${body.id}/send`, { to }))).toEqual([
      400,
      "VALIDATION_FAILED",
      { to: "must be one e-mail address" }
    ])
    expect((await call("GET", "/v1/email/messages")).body.meta.total).toBe(0)
  })

  it("is 422 for a mail that sells while the store has no postal address, and for any while mails are switched off", async () => {
    const { call } = await merchant()
    const { body } = await call("POST", "/v1/email/templates", { ...written, eventType: "MARKETING_CAMPAIGN" })
    const send = () => call("POST", `/v1/email/templates/${body.id}/send`, { to: "ada@example.com" })
    const refused = await send()
    expect([refused.status, refused.body.code, refused.body.details.field]).toEqual([
      422,
      "BUSINESS_RULE_VIOLATION",
      "footerAddress"
    ])
    await call("PUT", "/v1/email/settings", { footerAddress: "1 High Street, London" })
    expect((await send()).status).toBe(200)
    await call("PUT", "/v1/email/settings", { emailsEnabled: false })
    const off = await send()
    expect([off.status, off.body.code, off.body.details.field]).toEqual([
      422,
      "BUSINESS_RULE_VIOLATION",
      "emailsEnabled"
    ])
    expect((await call("GET", "/v1/email/messages")).body.meta.total).toBe(1)
  })

  it("waits while the hour's mails have left, and leaves in its order once the clock allows", async () => {
    const { call } = await merchant()
    await call("PUT", "/v1/email/settings", { hourlyRateLimit: 2 })
    const { body } = await call("POST", "/v1/email/templates", { ...written, subject: "{{n}}" })
    for (const n of [1, 2, 3, 4])
      await call("POST", `/v1/email/templates/${body.id}/send`, { to: "a@b.example", variables: { n } })
    const kept = async () => {
      const { data } = (await call("GET", "/v1/email/messages")).body
      return data.flatMap(({ status, subject }: Record<string, string>) => (status === "KEPT" ? [subject] : []))
    }
    await expect.poll(kept, soon).toEqual(["2", "1"])
    await shop.call("POST", "/test/clock", { body: { advanceMs: 1_800_000 } })
    await expect.poll(kept, soon).toEqual(["3", "2", "1"])
  })

  it("is done as often in a day as mails can leave in it, also by many at once", async () => {
    const { call } = await merchant()
    await call("PUT", "/v1/email/settings", { hourlyRateLimit: 1 })
    const { id } = (await call("POST", "/v1/email/templates", written)).body
    const send = (to: string) => call("POST", `/v1/email/templates/${id}/send`, { to })
    const answers = await Promise.all(Array.from({ length: 27 }, (_, i) => send(`tester${i}@example.com`)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(24)
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused.map(({ status, body }) => [status, body.code, body.details])).toEqual(
      Array.from({ length: 3 }, () => [422, "BUSINESS_RULE_VIOLATION", { reason: "hourly_limit" }])
    )
    expect((await call("GET", "/v1/email/messages")).body.meta.total).toBe(24)
    await shop.call("POST", "/test/clock", { body: { advanceMs: 86_400_000 } })
    expect((await send("tester@example.com")).status).toBe(200)
  })

  it("happens once under one Idempotency-Key", async () => {
    const { call, apiKey } = await merchant()
    const { body } = await call("POST", "/v1/email/templates", written)
    const send = () =>
      shop.call("POST", `/v1/email/templates/${body.id}/send`, {
        key: apiKey,
        body: { to: "a@b.example" },
        headers: { "idempotency-key": "once" }
      })
    expect((await send()).body).toEqual((await send()).body)
    expect((await call("GET", "/v1/email/messages")).body.meta.total).toBe(1)
  })
})

describe("a purchase", () => {
  it("is confirmed by one mail to the buyer, and by none to others", async () => {
    const shopper = shopperOf(shop)
    const product = await shopper.product({ stock: 5 })
    const checkout = await shopper.checkout(await shopper.cart([product, 2]))
    const placed = await shopper.complete(checkout, "buy")
    expect(placed.status).toBe(200)
    const mails = async () =>
      (await shop.call("GET", "/v1/email/messages")).body.data.map(
        ({ id: _, createdAt: __, html: ___, text, ...rest }: Record<string, string>) => ({
          ...rest,
          total: /Total: (.*)/.exec(text ?? "")?.[1]
        })
      )
    await expect.poll(mails, soon).toEqual([
      {
        to: "ada@example.com",
        from: "Test store <no-reply@localhost>",
        subject: `Your order ${placed.body.orderNumber} at Test store`,
        eventType: "ORDER_CONFIRMATION",
        status: "KEPT",
        total: `$${placed.body.total}`
      }
    ])
    expect((await shop.call("GET", "/v1/email/messages", { key: other.apiKey })).body.data).toEqual([])
  })
})

describe("whose mails", () => {
  it("are asked for with the scope of mails, reading and writing apart", async () => {
    const reader = await shop.mintKey({ scopes: ["email:read"] })
    const writer = await shop.mintKey({ scopes: ["email:write"] })
    const stranger = await shop.mintKey({ scopes: ["store:read", "orders:read"] })
    const own = `/stores/${shop.storeId}/email`
    const status = async (method: string, path: string, key: string | null) =>
      (await shop.call(method, path, { key, ...(method === "GET" ? {} : { body: {} }) })).status
    for (const path of [
      "/v1/email/settings",
      "/v1/email/templates",
      "/v1/email/messages",
      `${own}/settings`,
      `${own}/templates`,
      `${own}/templates/defaults`
    ]) {
      expect([
        path,
        await status("GET", path, reader),
        await status("GET", path, writer),
        await status("GET", path, stranger),
        await status("GET", path, null)
      ]).toEqual([path, 200, 403, 403, 401])
    }
    for (const path of ["/v1/email/settings", `${own}/settings`])
      expect([await status("PUT", path, writer), await status("PUT", path, reader)]).toEqual([200, 403])
  })

  it("are another store's: unknown, by id and by path", async () => {
    const theirs = await shop.call("POST", "/v1/email/templates", { key: other.apiKey, body: written })
    const at = `/v1/email/templates/${theirs.body.id}`
    for (const [method, path, body] of [
      ["GET", at, undefined],
      ["PATCH", at, { name: "Mine" }],
      ["DELETE", at, undefined],
      ["POST", `${at}/preview`, {}],
      ["POST", `${at}/send`, { to: "ada@example.com" }],
      ["GET", `/stores/${shop.storeId}/email/templates/${theirs.body.id}`, undefined],
      ["GET", `/stores/${other.storeId}/email/settings`, undefined],
      ["PUT", `/stores/${other.storeId}/email/settings`, { emailsEnabled: false }],
      ["GET", `/stores/${other.storeId}/email/templates/${theirs.body.id}`, undefined],
      ["POST", `/stores/${other.storeId}/email/templates`, written]
    ] as const) {
      const refused = await shop.call(method, path, { key: shop.apiKey, ...(body === undefined ? {} : { body }) })
      expect([method, path, refused.status, refused.body.code]).toEqual([method, path, 404, "RESOURCE_NOT_FOUND"])
    }
    expect((await shop.call("GET", at, { key: other.apiKey })).body).toEqual(theirs.body)
  })
})
