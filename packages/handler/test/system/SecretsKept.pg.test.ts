import { sealMark } from "@effect-commerce/core/crypto/RootSecret"
import { testSecret } from "@effect-commerce/core/testing/TestDatabase"
import { Effect, Redacted } from "effect"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { openSink, type Sink } from "../../../core/test/webhook/sink.ts"
import type { LogLine } from "../../src/system/LogLines.ts"
import { type Called, openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { install } from "../app/installed.ts"
import { customersOf, freshEmail } from "../customer/SignedIn.ts"
import { ownerOf, password as ownerPassword } from "../team/desk.ts"
import { shopperOf } from "../Shopper.ts"
import { openOtlpReceiver, type OtlpReceiver } from "./otlpReceiver.ts"

let shop: TestCommerce
let receiver: OtlpReceiver
let sink: Sink
const lines: Array<LogLine> = []
const mails: Array<string> = []
/** Bodies of errors, as callers got them. */
const refusals: Array<string> = []
/** Every plain secret of the run, by what it is. */
const secrets = new Map<string, string>()
let dump = ""

const know = (what: string, secret: string): string => {
  expect([what, secret.length >= 8]).toEqual([what, true])
  secrets.set(what, secret)
  return secret
}
const refused = async (call: Promise<Called>, status: number): Promise<void> => {
  const answer = await call
  expect([answer.status, answer.text]).toEqual([status, answer.text])
  refusals.push(answer.text)
}

/** Every row of every table as text; bytes are in it as hexadecimal digits. */
const everyRow = async (): Promise<string> => {
  const client = new pg.Client(shop.database.nodePostgres)
  await client.connect()
  const { rows: tables } = await client.query(
    "SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public' AND " +
      "table_type = 'BASE TABLE'"
  )
  const texts: Array<string> = []
  for (const { name } of tables) {
    const { rows } = await client.query(`SELECT t::text AS row FROM ${name} t`)
    texts.push(...rows.map(({ row }) => String(row)))
  }
  await client.end()
  return texts.join("\n")
}

/** Each secret that something makes, in the run of a shop: used, changed, guessed wrongly. */
const keysAndApps = async () => {
  know("the admin key", shop.apiKey)
  const minted = await shop.call("POST", "/v1/api-keys", { body: { name: "second", scopes: ["store:read"] } })
  know("a minted key", minted.body.key)
  know("a rotated key", (await shop.call("POST", `/v1/api-keys/${minted.body.id}/rotate`)).body.key)
  await refused(shop.call("GET", "/v1/products", { key: know("a key that is none", `svc_${"Nq7".repeat(14)}x`) }), 401)
  await refused(shop.call("GET", "/v1/products", { key: minted.body.key }), 403)
  const app = await install(shop)
  know("an app's token", app.token)
  for (let i = 0; i < 20; i++)
    expect(
      (
        await app.call("PUT", "/secrets", {
          body: { secrets: { [`KEY_${i}`]: know(`an app's secret ${i}`, `app-secret-plain-${i}-Zz`) } }
        })
      ).status
    ).toBe(200)
  await refused(
    app.call("PUT", "/secrets", {
      body: { secrets: { "not a name": know("a secret under a bad name", "Qw9-bad-name-secret") } }
    }),
    400
  )
}

const webhooks = async () => {
  for (let i = 0; i < 20; i++) {
    const made = await shop.call("POST", "/v1/webhook-subscriptions", {
      body: { url: sink.url(`/hook${i}`), events: ["order.created"] }
    })
    know(`a webhook's secret ${i}`, made.body.secret)
    const rotated = await shop.call("POST", `/v1/webhook-subscriptions/${made.body.id}/rotate-secret`)
    know(`a webhook's rotated secret ${i}`, rotated.body.secret)
  }
}

const accounts = async () => {
  const created = await shop.call("POST", "/v1/payment-providers", {
    body: {
      type: "stripe",
      name: "Cards",
      credentials: {
        secretKey: know("a provider's key", "sk_test_PlainProviderKey123"),
        webhookSecret: know("a provider's webhook secret", "whsec_PlainOfTheProvider")
      }
    }
  })
  refusals.push(created.text)
  const google = await shop.call("POST", "/v1/oauth-providers", {
    body: {
      provider: "google",
      clientId: "client-of-google",
      clientSecret: know("a login provider's secret", "GOCSPX-PlainClientSecret")
    }
  })
  expect([google.status, google.text]).toEqual([200, google.text])
}

const people = async () => {
  const customers = customersOf(shop)
  const email = freshEmail()
  const password = know("a customer's password", "Cust0mer-Plain-Pass!")
  const shopper = await customers.signUp({ email, password })
  know("a customer's token", shopper.token)
  await refused(customers.post("login", { email, password: know("a wrong password", "Wr0ng-Plain-Pass!") }), 401)
  await refused(customers.post("register", { email, password, role: password }), 400)
  expect((await customers.post("forgot-password", { email })).status).toBe(200)
  const owner = await ownerOf(shop, shop, "owner@example.com")
  know("a session's token", owner)
  know("an owner's password", ownerPassword)
  await refused(
    shop.call("POST", "/auth/login", {
      body: { email: "owner@example.com", password: know("an owner's wrong password", "0wner-Wrong-Pass!") }
    }),
    401
  )
  await vi.waitFor(() => expect(mails.join("\n")).toMatch(/token=/), { timeout: 15_000 })
  for (const [, token = ""] of mails.join("\n").matchAll(/token=([\w.~-]{20,})/g))
    know(`a mail's token ${token.length}`, token)
}

beforeAll(async () => {
  sink = await openSink()
  receiver = await openOtlpReceiver()
  shop = await openTestCommerce({
    outbound: { allowPrivate: true },
    telemetry: { otlpEndpoint: receiver.endpoint },
    logger: (line) => lines.push(line),
    mail: {
      publicUrl: "https://shop.example",
      transport: {
        keeps: false,
        fromAddress: "no-reply@shop.example",
        deliver: (mail) =>
          Effect.as(
            Effect.sync(() => mails.push(`${mail.text}\n${mail.html}`)),
            "SENT" as const
          )
      }
    }
  })
  know("the root secret", typeof testSecret === "string" ? testSecret : Redacted.value(testSecret))
  await keysAndApps()
  await webhooks()
  await accounts()
  await people()
  const buyer = shopperOf(shop)
  const checkoutId = await buyer.checkout(await buyer.cart([await buyer.product({ stock: 5 }), 1]))
  expect(
    (await buyer.complete(checkoutId, "kept", { paymentMethod: "test", paymentReference: "approve" })).status
  ).toBe(200)
  await sink.until("/hook0", 1)
  dump = await everyRow()
  await shop.commerce.close()
})
afterAll(async () => {
  await shop.close()
  await sink.close()
  await receiver.close()
})

const found = (text: string): ReadonlyArray<string> =>
  [...secrets].flatMap(([what, secret]) => {
    const bytes = Buffer.from(secret, "utf8")
    const forms = [
      secret,
      bytes.toString("hex"),
      bytes.toString("base64").replace(/=+$/, ""),
      bytes.toString("base64url"),
      encodeURIComponent(secret)
    ]
    return forms.some((form) => text.includes(form)) ? [what] : []
  })

describe("after a run in which every kind of secret was made, used and guessed wrongly", () => {
  it("no row of the database holds one in plain text", () => {
    expect(secrets.size).toBeGreaterThan(60)
    expect(dump).toMatch(/ada\d+@example\.com/)
    expect(found(dump)).toEqual([])
  })

  it("no line of the log, no trace and no log record does", () => {
    const text = lines.map((line) => JSON.stringify(line)).join("\n")
    expect(found(text)).toEqual([])
    expect(receiver.problems).toEqual([])
    expect(receiver.spans.length).toBeGreaterThan(100)
    expect(found(receiver.bodies.join("\n"))).toEqual([])
  })

  it("no answer that refuses something does", () => {
    expect(refusals.length).toBeGreaterThanOrEqual(7)
    expect(found(refusals.join("\n"))).toEqual([])
  })

  it("what is sealed was sealed under a nonce of its own, each time", () => {
    const mark = sealMark(typeof testSecret === "string" ? Redacted.make(testSecret) : testSecret)
    const sealed = [...dump.matchAll(new RegExp(`${mark}\\.([A-Za-z0-9_-]{38,})`, "g"))].map(([, text = ""]) => text)
    const texts = new Set(sealed)
    const nonces = new Set([...texts].map((text) => Buffer.from(text, "base64url").subarray(0, 12).toString("hex")))
    expect(texts.size).toBeGreaterThan(40)
    expect(nonces.size).toBe(texts.size)
  })
})
