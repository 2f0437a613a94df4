import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
beforeAll(async () => {
  shop = await openTestCommerce()
})
afterAll(() => shop.close())

const merchant = async () => {
  const store = await shop.openStore()
  const call = (method: string, path: string, body?: unknown) =>
    shop.call(method, path, { key: store.apiKey, ...(body === undefined ? {} : { body }) })
  return { call, storeId: store.storeId, dashboard: `/stores/${store.storeId}/email` }
}
const written = {
  name: "Reset",
  eventType: "PASSWORD_RESET",
  language: "en",
  subject: "Reset at {{storeName}}",
  htmlContent: "<p>{{resetUrl}}</p>"
}

describe("templates", () => {
  it("tell of variables that mails of their kind do not have, and are saved all the same", async () => {
    const { call } = await merchant()
    const slips = {
      ...written,
      subject: "Reset {{storName}}",
      htmlContent: "{{#customerName}}{{customerName.first}}{{/customerName}} {{resetUrl}} {{hint}} {{orderNumber}}",
      textContent: "{{resetUrl}} {{hint}}",
      variables: { hint: { default: "soon" } }
    }
    const made = await call("POST", "/v1/email/templates", slips)
    const warning = (field: string, variable: string) => ({
      field,
      variable,
      message: `PASSWORD_RESET has no variable ${variable}: it is left empty`
    })
    expect([made.status, made.body.validationWarnings]).toEqual([
      201,
      [
        warning("subject", "storName"),
        warning("htmlContent", "customerName.first"),
        warning("htmlContent", "orderNumber")
      ]
    ])
    const at = `/v1/email/templates/${made.body.id}`
    expect((await call("GET", at)).body).toEqual(made.body)
    expect((await call("PATCH", at, { subject: "Reset" })).body.validationWarnings).toHaveLength(2)
    const mended = await call("PATCH", at, { htmlContent: "{{resetUrl}} {{hint}}" })
    expect(mended.body).not.toHaveProperty("validationWarnings")
  })

  it("are shown at once in 8 MiB also where a thousand of them name nothing but variables that there are not", async () => {
    const { call, dashboard, storeId } = await merchant()
    const unknown = Array.from({ length: 50 }, (_, i) => `{{${String(i).padStart(130, "x")}}}`).join("")
    const template = { ...written, isActive: false, htmlContent: unknown }
    const { body: made } = await call("POST", "/v1/email/templates", template)
    expect(made.validationWarnings).toEqual(
      Array.from({ length: 3 }, () => ({
        field: "htmlContent",
        variable: "x".repeat(50),
        message: `PASSWORD_RESET has no variable ${"x".repeat(50)}: it is left empty`
      }))
    )
    const client = new pg.Client(shop.database.nodePostgres)
    await client.connect()
    await client.query(
      `INSERT INTO email_template (store_id, id, name, event_type, language, subject, html_content, is_active,
          created_at, updated_at)
        SELECT store_id, id || n, name, event_type, language, subject, html_content, is_active, created_at, updated_at
        FROM email_template, generate_series(1, 998) n WHERE store_id = $1`,
      [storeId]
    )
    await client.end()
    expect((await call("POST", "/v1/email/templates", template)).status).toBe(201)
    const { status, body, text } = await call("GET", `${dashboard}/templates`)
    expect([status, body.templates.length, Buffer.byteLength(text) < 8_388_608]).toEqual([200, 1_000, true])
    expect(Buffer.byteLength(text)).toBeGreaterThan(7_340_032)
  }, 60_000)

  it("exist as defaults in English and German: in the language that is asked for, else in the store's", async () => {
    const { call, dashboard } = await merchant()
    const subjectIn = async (query: string) =>
      (await call("GET", `${dashboard}/templates/defaults/PASSWORD_RESET${query}`)).body.subject
    const [english, german] = [
      "Choose a new password for {{storeName}}",
      "Wählen Sie ein neues Passwort für {{storeName}}"
    ]
    expect([await subjectIn(""), await subjectIn("?language=de"), await subjectIn("?language=fr")]).toEqual([
      english,
      german,
      english
    ])
    await call("PATCH", "/v1/store", { languages: ["de-AT", "en"] })
    expect([await subjectIn(""), await subjectIn("?language=en"), await subjectIn("?language=fr")]).toEqual([
      german,
      english,
      german
    ])
    const all = await call("GET", `${dashboard}/templates/defaults?language=de`)
    expect(all.body).toHaveLength(31)
    expect(
      all.body.every(({ htmlContent }: { readonly htmlContent: string }) => htmlContent.includes('lang="de"'))
    ).toBe(true)
  })
})
