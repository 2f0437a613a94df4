/** The store itself: channels, keys, webhooks, mails, payment providers, apps, health. */
import type { OutgoingMail } from "@effect-commerce/core/smtp/MailTransport"
import { expect } from "vitest"
import type { NameServer } from "../../../../core/test/emaildomain/nameServer.ts"
import { signatureOf } from "../../payment/CardCompany.ts"
import { type Ask, careOf } from "./asking.ts"

const stores = async (ask: Ask) => {
  expect((await ask("GET /v1/store", 200)).body.connectedPlatforms).toEqual([])
  expect((await ask("PATCH /v1/store", 200, { body: { name: "Lamps" } })).body.name).toBe("Lamps")
  await careOf(ask, "/v1/sales-channels", {
    create: { name: "Second", mode: "test" },
    another: { name: "Spare" },
    change: { name: "Other" }
  })
  const key = await ask("POST /v1/api-keys", 201, { body: { name: "k", scopes: ["store:read"] } })
  const rotated = await ask("POST /v1/api-keys/{}/rotate", 200, { ids: [key.body.id], body: {} })
  expect(rotated.body.key).toMatch(/^svc_/)
  expect((await ask("GET /v1/api-keys", 200)).text).not.toContain(rotated.body.key)
  await ask("DELETE /v1/api-keys/{}", 200, { ids: [rotated.body.id] })
  expect((await ask("GET /health/live", 200, { as: null })).status).toBe(200)
  expect((await ask("GET /health/ready", 200, { as: null })).status).toBe(200)
}

const webhooks = async (ask: Ask, session: string) => {
  for (const [at, as] of [
    ["/v1/webhook-subscriptions", undefined],
    ["/stores/{}/webhook-subscriptions", session]
  ] as const) {
    const by = as === undefined ? {} : { as }
    expect((await ask(`GET ${at}/event-catalog`, 200, by)).text).toContain("order.created")
    const made = await ask(`POST ${at}`, 201, { ...by, body: { url: "https://hooks.example/in", events: ["*"] } })
    const ids = [made.body.id]
    expect(made.body.secret).toMatch(/^whsec_[0-9a-f]{64}$/)
    expect((await ask(`GET ${at}`, 200, by)).text).toContain(made.body.id)
    await ask(`PATCH ${at}/{}`, 200, { ...by, ids, body: { isActive: false } })
    expect((await ask(`GET ${at}/{}`, 200, { ...by, ids })).body).toMatchObject({ circuitOpen: false, isActive: false })
    const rotated = await ask(`POST ${at}/{}/rotate-secret`, 200, { ...by, ids })
    expect(rotated.body.secret).not.toBe(made.body.secret)
    await ask(`PATCH ${at}/{}`, 200, { ...by, ids, body: { isActive: true } })
    await ask(`POST ${at}/{}/test`, 200, { ...by, ids, body: {} })
    await ask(`GET ${at}/{}/deliveries`, 200, { ...by, ids })
    await ask(`DELETE ${at}/{}`, 200, { ...by, ids })
  }
  expect((await ask("GET /v1/events", 200)).body.data.length).toBeGreaterThan(0)
}

const template = {
  name: "Note",
  eventType: "ORDER_NOTE",
  language: "en",
  subject: "About {{orderNumber}}",
  htmlContent: "<p>{{note}}</p>"
}

const mails = async (ask: Ask, session: string, sent: ReadonlyArray<OutgoingMail>) => {
  const footerAddress = "1 High Street"
  const body = { footerAddress, clickTrackingEnabled: true, hourlyRateLimit: 1_000 }
  expect((await ask("PUT /v1/email/settings", 200, { body })).body.footerAddress).toBe(footerAddress)
  await ask("PUT /stores/{}/email/settings", 200, { as: session, body: { defaultFromName: "Lamps" } })
  expect((await ask("GET /v1/email/settings", 200)).body.defaultFromName).toBe("Lamps")
  expect((await ask("GET /stores/{}/email/settings", 200, { as: session })).body.clickTrackingEnabled).toBe(true)
  const { body: made } = await ask("POST /v1/email/templates", 201, { body: template })
  const ids = [made.id]
  await ask("PATCH /v1/email/templates/{}", 200, { ids, body: { name: "A note" } })
  expect((await ask("GET /v1/email/templates", 200)).text).toContain(made.id)
  expect((await ask("GET /v1/email/templates/{}", 200, { ids })).body.name).toBe("A note")
  const preview = await ask("POST /v1/email/templates/{}/preview", 200, { ids, body: { variables: { note: "Hello" } } })
  expect(preview.text).toContain("Hello")
  const as = session
  expect((await ask("GET /stores/{}/email/templates", 200, { as })).text).toContain(made.id)
  expect((await ask("GET /stores/{}/email/templates/{}", 200, { as, ids })).body.id).toBe(made.id)
  const again = { ...template, eventType: "ORDER_SHIPPED" }
  await ask("POST /stores/{}/email/templates", 201, { as, body: again })
  expect((await ask("GET /stores/{}/email/templates/defaults", 200, { as })).body.length).toBeGreaterThan(10)
  const one = await ask("GET /stores/{}/email/templates/defaults/{}", 200, { as, ids: ["ORDER_NOTE"] })
  expect(one.body).toMatchObject({ eventType: "ORDER_NOTE", isDefault: true })
  await ask("DELETE /v1/email/templates/{}", 200, { ids })
  const campaign = await ask("POST /v1/email/templates", 201, {
    body: {
      ...template,
      eventType: "MARKETING_CAMPAIGN",
      subject: "News",
      htmlContent: '<a href="https://lamps.example/new">New</a>',
      textContent: "https://lamps.example/new"
    }
  })
  const to = "subscriber@example.com"
  await ask("POST /v1/email/templates/{}/send", 200, { ids: [campaign.body.id], body: { to } })
  await expect.poll(() => sent.find((mail) => mail.to === to)).toBeDefined()
  const mail = sent.find((one) => one.to === to)
  const click = /\/email\/click\/([^"'\s]+)/.exec(mail?.html ?? "")?.[1] ?? ""
  const followed = await ask("GET /email/click/{}", 302, { as: null, ids: [decodeURIComponent(click)] })
  expect(followed.headers.get("location")).toBe("https://lamps.example/new")
  const token = mail?.unsubscribeUrl?.split("/").at(-1) ?? ""
  await ask("GET /email/unsubscribe/{}", 200, { as: null, ids: [token] })
  await ask("POST /email/unsubscribe/{}", 200, {
    as: null,
    ids: [token],
    raw: "List-Unsubscribe=One-Click",
    headers: { "content-type": "application/x-www-form-urlencoded" }
  })
  expect((await ask("GET /v1/email/messages", 200)).body.meta.total).toBeGreaterThan(0)
}

const domains = async (ask: Ask, session: string, names: NameServer) => {
  for (const [at, as, domain] of [
    ["/v1/email/domains", undefined, "one.example.com"],
    ["/stores/{}/email/domains", session, "two.example.com"]
  ] as const) {
    const by = as === undefined ? {} : { as }
    const { body } = await ask(`POST ${at}`, 201, { ...by, body: { domain } })
    for (const { name, value } of body.dnsRecords) names.records.set(name, [value])
    const verified = await ask(`POST ${at}/{}/verify`, 200, { ...by, ids: [body.id] })
    expect(verified.body.status).toBe("VERIFIED")
    expect((await ask(`GET ${at}`, 200, by)).text).toContain(domain)
    await ask(`DELETE ${at}/{}`, 200, { ...by, ids: [body.id] })
  }
}

const newsletter = async (ask: Ask, sent: ReadonlyArray<OutgoingMail>) => {
  const benefit = { isEnabled: true, type: "PERCENTAGE", value: "10", expiresInDays: 30 }
  await ask("PUT /v1/newsletter-benefit", 200, { body: benefit })
  expect((await ask("GET /v1/newsletter-benefit", 200)).body).toMatchObject(benefit)
  const email = "fan@example.com"
  await ask("POST /vc/{}/newsletter/subscribe", 200, { body: { email } })
  const tokenOf = () => /token=([\w-]+)/.exec(sent.find(({ to }) => to === email)?.text ?? "")?.[1]
  await expect.poll(tokenOf).toBeDefined()
  await ask("POST /vc/{}/newsletter/confirm", 200, { body: { token: tokenOf() } })
}

const providers = async (ask: Ask) => {
  const credentials = { secretKey: "key_live_1", webhookSecret: "whsec_1" }
  const made = await ask("POST /v1/payment-providers", 201, { body: { type: "card", credentials } })
  const ids = [made.body.id]
  const raw = '{"id":"evt_1"}'
  const headers = { "content-type": "application/json", "x-card-signature": signatureOf("whsec_1", raw) }
  expect((await ask("POST /payment-events/{}", 200, { as: null, ids, raw, headers })).body).toEqual({ received: true })
  expect((await ask("GET /v1/payment-providers/{}", 200, { ids })).text).not.toContain("whsec_1")
  expect((await ask("GET /v1/payment-providers", 200)).text).toContain(made.body.id)
  await ask("PATCH /v1/payment-providers/{}", 200, { ids, body: { name: "Cards" } })
  await ask("DELETE /v1/payment-providers/{}", 200, { ids })
}

const apps = async (ask: Ask, lamp: string) => {
  const scopes = ["mappings:*", "config:write"]
  const { body: app } = await ask("POST /v1/installations", 201, { body: { name: "Connector", scopes } })
  const ids = [app.id]
  expect((await ask("GET /v1/installations", 200)).text).toContain(app.id)
  expect((await ask("GET /v1/installations/{}", 200, { ids })).text).not.toContain(app.token)
  const { token } = (await ask("POST /v1/installations/{}/token", 200, { ids })).body
  const as = token as string
  const at = "/v1/installations/{}"
  const mapping = { resourceType: "product", internalId: lamp, externalId: "ext-1", platformCode: "SHOPIFY" }
  await ask(`PUT ${at}/secrets`, 200, { as, ids, body: { secrets: { KEY: "value" } } })
  const made = await ask(`POST ${at}/mappings`, 201, { as, ids, body: mapping })
  const one = [...ids, made.body.id]
  expect((await ask(`GET ${at}/mappings`, 200, { as, ids })).body.meta.total).toBe(1)
  expect(
    (await ask(`PUT ${at}/mappings/upsert`, 200, { as, ids, body: { ...mapping, externalId: "ext-2" } })).body.id
  ).toBe(made.body.id)
  await ask(`PATCH ${at}/mappings/{}`, 200, { as, ids: one, body: { syncStatus: "stale" } })
  const read = await ask(`GET ${at}/mappings/{}`, 200, { as, ids: one })
  expect(read.body).toMatchObject({ externalId: "ext-2", syncStatus: "stale" })
  await ask(`DELETE ${at}/mappings/{}`, 200, { as, ids: one })
  await ask(`POST ${at}/inbound/{}`, 202, { as, ids: [...ids, "orders"], body: { any: 1 } })
  expect((await ask(`GET ${at}/inbound/{}`, 200, { as, ids: [...ids, "orders"] })).text).toContain("any")
  await ask(`DELETE ${at}`, 200, { ids })
}

export const walkSettings = async (
  ask: Ask,
  {
    lamp,
    session,
    sent,
    names
  }: {
    readonly lamp: string
    readonly session: string
    readonly sent: ReadonlyArray<OutgoingMail>
    readonly names: NameServer
  }
): Promise<void> => {
  await stores(ask)
  await webhooks(ask, session)
  await mails(ask, session, sent)
  await domains(ask, session, names)
  await newsletter(ask, sent)
  await providers(ask)
  await apps(ask, lamp)
}
