import { execFile } from "node:child_process"
import { resolve } from "node:path"
import { promisify } from "node:util"
import { verifyWebhook } from "@effect-commerce/core/crypto/WebhookSigner"
import { afterAll, beforeAll, expect, it } from "vitest"
import { openPostOffice, type PostOffice } from "../../../core/test/email/mailServer.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"
import { storedEvents } from "../storedEvents.ts"
import { asDocumented } from "../system/documentedAnswers.ts"
import {
  type Delivered,
  domain,
  mailTo,
  openEndpoint,
  openForBusiness,
  storefrontOf,
  tokenIn,
  walkToCheckout
} from "./walkingShopper.ts"

let office: PostOffice
let endpoint: Awaited<ReturnType<typeof openEndpoint>>
let shop: TestCommerce
beforeAll(async () => {
  ;[office, endpoint] = await Promise.all([openPostOffice(), openEndpoint()])
  shop = asDocumented(
    await openTestCommerce({
      mail: { smtpUrl: `${office.url}?from=shop@${domain}` },
      outbound: { allowPrivate: true }
    })
  )
})
afterAll(async () => {
  await shop.close()
  await Promise.all([office.close(), endpoint.close()])
})

/** The command that a merchant checks a delivery with, as the process it is. */
const verifyByCommand = ({ headers, body }: Delivered, secret: string): Promise<string> => {
  const main = resolve(import.meta.dirname, "../../../cli/src/main.ts")
  const flags = [
    "--secret",
    secret,
    "--timestamp",
    String(headers["x-svc-timestamp"]),
    "--signature",
    String(headers["x-svc-signature"])
  ]
  const running = promisify(execFile)(process.execPath, ["--conditions=source", main, "webhook", "verify", ...flags])
  running.child.stdin?.end(body)
  return running.then(({ stdout }) => stdout.trim())
}

it("a shopper registers, confirms by the mail's link, logs in, keeps the cart, pays; the merchant's endpoint is told, and can tell that it is us", async () => {
  const email = "ada@example.com"
  const productId = await shopperOf(shop).product({ name: "Enamel mug", price: 1_250n, stock: 5 })
  const secret = await openForBusiness(shop, endpoint.url)
  const walked = await walkToCheckout(shop, office, { email, password: "Corr3ct-Horse", productId })

  expect([walked.registered.token, walked.registered.requiresVerification, walked.early.token]).toEqual([
    null,
    true,
    null
  ])
  expect([walked.verification.envelopeFrom, walked.verification.to?.text, walked.verification.subject]).toEqual([
    `shop@${domain}`,
    email,
    "Confirm your e-mail address for Test store"
  ])
  expect(walked.verification.html).toContain(`href="https://${domain}/verify-email?token=${walked.mailed}"`)
  expect([walked.again.status, walked.again.body.code]).toEqual([400, "VALIDATION_FAILED"])
  expect(walked.merged.customerId).toBe(walked.registered.customer.id)
  expect(
    walked.merged.items.map((item: { readonly productId: string; readonly quantity: number }) => [
      item.productId,
      item.quantity
    ])
  ).toEqual([[productId, 2]])

  const paid = await walked.complete("the only purchase")
  expect([paid.status, paid.body.status, paid.body.total]).toEqual([200, "PAID", "25.00"])
  expect((await walked.complete("the only purchase")).body).toEqual(paid.body)

  const [created, settled] = [await endpoint.delivery("order.created"), await endpoint.delivery("order.paid")]
  for (const delivery of [created, settled]) {
    const { headers, body, event } = delivery
    const timestamp = Number(headers["x-svc-timestamp"])
    const signature = String(headers["x-svc-signature"])
    expect([headers["x-svc-event"], headers["x-svc-event-id"], headers["content-type"]]).toEqual([
      event.type,
      event.id,
      "application/json"
    ])
    expect(verifyWebhook({ secret, timestamp, signature, body, now: timestamp })).toBeUndefined()
    expect(
      verifyWebhook({ secret, timestamp, signature, body: Buffer.concat([body, Buffer.from(" ")]), now: timestamp })
    ).toBe("mismatch")
    expect([event.data.orderId, event.data.order.customer.email, event.data.order.totalAmount]).toEqual([
      paid.body.orderId,
      email,
      "25.00"
    ])
  }
  expect(settled.event.data.order.financialStatus).toBe("paid")
  expect(await verifyByCommand(settled, secret)).toBe("valid")
  await expect(verifyByCommand({ ...settled, body: Buffer.from("{}") }, secret)).rejects.toMatchObject({ code: 1 })

  const confirmation = await mailTo(office, email, /^Your order/)
  expect(confirmation.subject).toBe(`Your order ${paid.body.orderNumber} at Test store`)
  expect(confirmation.text).toMatch(/2 x Enamel mug .*: \$25\.00/)
  expect(office.mails.filter(({ envelopeTo }) => envelopeTo.includes(email)).length).toBe(2)
  expect(endpoint.delivered.map(({ event }) => event.type).toSorted()).toEqual(["order.created", "order.paid"])

  const messages = (await shop.call("GET", "/v1/email/messages")).text
  expect(messages).not.toContain(walked.mailed)
  expect(JSON.parse(messages).data.map(({ status }: { readonly status: string }) => status)).toEqual(["SENT", "SENT"])
})

it("a customer who forgot the password chooses another by the mail's link, once", async () => {
  const email = "grace@example.com"
  const { demand, call } = storefrontOf(shop)
  await demand(200, "POST", "/customers/register", { email, password: "Corr3ct-Horse" })
  await demand(200, "POST", "/customers/verify-email", {
    token: tokenIn(await mailTo(office, email, /^Confirm/), "/verify-email")
  })
  await demand(200, "POST", "/customers/forgot-password", { email })
  const token = tokenIn(await mailTo(office, email, /^Choose a new password/), "/reset-password")
  await demand(200, "POST", "/customers/reset-password", { token, newPassword: "N3w-Battery!" })
  expect((await call("POST", "/customers/reset-password", { token, newPassword: "An0ther-One!" })).status).toBe(400)
  expect((await call("POST", "/customers/login", { email, password: "Corr3ct-Horse" })).status).toBe(401)
  expect((await demand(200, "POST", "/customers/login", { email, password: "N3w-Battery!" })).customer.email).toBe(
    email
  )
})

it("what the walks have written to the outbox is as its rooms define it", async () => {
  expect(await storedEvents(shop)).toEqual({
    types: [
      "checkout.completed",
      "customer.created",
      "internal.customer_signed_up",
      "internal.email_verification",
      "internal.password_reset",
      "inventory.updated",
      "order.created",
      "order.paid"
    ],
    problems: []
  })
})
