/** A shopper's whole life, as docs/guides/walk-life.md tells it: with mails over SMTP, and cards at a company. */
import {
  emulatedAccount,
  startStripeEmulation,
  type StripeEmulation
} from "@effect-commerce/core/emulation/StripeEmulation"
import type { RawNotice } from "@effect-commerce/core/payment/PaymentProvider"
import { memoryObjectStore } from "@effect-commerce/core/testing/MemoryObjectStore"
import { Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { openPostOffice, type PostOffice } from "../../../core/test/email/mailServer.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { addressIn, shopperOf } from "../Shopper.ts"
import { storedEvents } from "../storedEvents.ts"
import { asDocumented } from "../system/documentedAnswers.ts"
import { domain, mailTo, openEndpoint, openForBusiness, storefrontOf, tokenIn, until } from "./walkingShopper.ts"

let office: PostOffice
let endpoint: Awaited<ReturnType<typeof openEndpoint>>
let stripe: StripeEmulation
let shop: TestCommerce
const files = memoryObjectStore()
/** Stripe's signed notice, as it is sent. */
const notify = ({ headers, body }: RawNotice) =>
  shop.call("POST", "/payment-events/stripe", {
    raw: new Uint8Array(body),
    headers: { "content-type": "application/json", "stripe-signature": headers["stripe-signature"] ?? "" }
  })
beforeAll(async () => {
  ;[office, endpoint] = await Promise.all([openPostOffice(), openEndpoint()])
  stripe = await startStripeEmulation({ onNotice: (notice) => void notify(notice) })
  const { secretKey, webhookSecret } = emulatedAccount
  shop = asDocumented(
    await openTestCommerce({
      mail: { smtpUrl: `${office.url}?from=shop@${domain}` },
      outbound: { allowPrivate: true },
      media: { store: files },
      payments: { stripe: { secretKey, webhookSecret, apiBase: stripe.apiBase } }
    })
  )
})
afterAll(async () => {
  await shop.close()
  await Promise.all([office.close(), endpoint.close(), stripe.stop()])
})

const email = "ada@example.com"
const password = "Corr3ct-Horse"
const returnUrl = `https://${domain}/thanks`
const pathOf = (url: string) => new URL(url).pathname.replace("/api", "")
const orderOf = async (id: string) => (await shop.call("GET", `/v1/orders/${id}`)).body

/** A mug to be sent, and a book of one file that is downloaded twice at most. */
const openShop = async () => {
  await openForBusiness(shop, endpoint.url)
  const text = new TextEncoder().encode("Chapter one: the handle.\n")
  await Effect.runPromise(files.put({ key: `${shop.storeId}/book.txt`, bytes: text, contentType: "text/plain" }))
  const book = await shop.call("POST", "/v1/products", {
    body: {
      name: "The book of mugs",
      basePrice: "5.00",
      status: "active",
      inventory: { trackingMode: "UNTRACKED" },
      isDownloadable: true,
      downloadData: { files: [{ name: "mugs.txt", storageKey: "book.txt", mimeType: "text/plain" }], downloadLimit: 2 }
    }
  })
  expect(book.status, book.text).toBe(201)
  return { book: book.body.id, mug: await shopperOf(shop).product({ name: "Enamel mug", price: 1_250n, stock: 5 }) }
}

it("a shopper registers, buys a file and a parcel by card, downloads, gets money back, and leaves", async () => {
  const { demand, call } = storefrontOf(shop)
  const { book, mug } = await openShop()

  const registered = await demand(200, "POST", "/customers/register", { email, password, firstName: "Ada" })
  expect([registered.token, registered.requiresVerification]).toEqual([null, true])
  const mailed = tokenIn(await mailTo(office, email, /^Confirm your e-mail address/), "/verify-email")
  await demand(200, "POST", "/customers/verify-email", { token: mailed })
  const { token } = await demand(200, "POST", "/customers/login", { email, password })
  const me = (method: string, path: string, body?: object) => call(method, `/customers/me${path}`, body, token)

  const cart = (await me("GET", "/cart")).body.id
  await demand(200, "POST", `/cart/${cart}/items`, { productId: mug, quantity: 2 }, token)
  await demand(200, "POST", `/cart/${cart}/items`, { productId: book, quantity: 1 }, token)
  const { id: checkoutId } = await demand(201, "POST", "/checkout", { cartId: cart }, token)
  const to = { shippingAddress: addressIn("CA", "94105") }
  const addressed = await demand(200, "PATCH", `/checkout/${checkoutId}/shipping`, to, token)
  expect([addressed.email, addressed.total]).toEqual([email, "30.00"])

  // The card goes to Stripe's form and never to us; the notice places the order.
  const begun = await demand(200, "POST", `/checkout/${checkoutId}/payment`, { providerId: "stripe", returnUrl }, token)
  expect(begun).toMatchObject({ providerType: "stripe", amount: "30.00", redirectUrl: null })
  const intent = begun.clientSecret.split("_secret_")[0]
  stripe.books.confirm(intent, "pm_card_visa", returnUrl)
  const orderId: string = await until(
    "the order",
    async () =>
      (await call("GET", `/checkout/${checkoutId}/payment-status`, undefined, token)).body.orderId ?? undefined
  )
  const bought = (await me("GET", `/orders/${orderId}`)).body
  expect([bought.status, bought.paymentProviderType, bought.totalAmount]).toEqual(["PAID", "stripe", "30.00"])
  const confirmation = await mailTo(office, email, /^Your order/)
  expect(confirmation.subject).toBe(`Your order ${bought.orderNumber} at Test store`)
  expect((await shop.call("GET", pathOf(bought.invoiceUrl))).text).toContain("TEST-1001")

  // Each download counts, and the third has no link any more.
  const file = async () => (await me("GET", "/downloads")).body.data[0]
  for (const downloadsUsed of [0, 1]) {
    const offered = await file()
    expect(offered).toMatchObject({ fileName: "mugs.txt", downloadsUsed, downloadLimit: 2 })
    const opened = await shop.call("GET", pathOf(offered.downloadUrl))
    expect([opened.status, opened.text]).toEqual([200, "Chapter one: the handle.\n"])
  }
  expect(await file()).toMatchObject({ downloadsUsed: 2, downloadUrl: null })

  // A mug was chipped.
  const [{ id: itemId }] = bought.items
  const refund = await shop.call("POST", `/v1/orders/${orderId}/refunds`, {
    body: { items: [{ itemId, quantity: 1 }], reason: "One was chipped" }
  })
  expect([refund.status, refund.body.amount, refund.body.status]).toEqual([201, "12.50", "succeeded"])
  expect(stripe.books.refundsOf(intent).map(({ amount }) => amount)).toEqual([1_250])
  expect((await mailTo(office, email, /^Refund for/)).text).toContain("12.50")
  expect((await me("GET", `/orders/${orderId}`)).body).toMatchObject({
    financialStatus: "partially_refunded",
    refunds: [refund.body]
  })
  expect(await file()).toMatchObject({ fileName: "mugs.txt" })

  // The account goes, the order stays.
  const before = await orderOf(orderId)
  expect((await me("DELETE", "", { password })).body).toEqual({ success: true })
  expect((await call("POST", "/customers/login", { email, password })).status).toBe(401)
  expect((await me("GET", "")).status).toBe(401)
  const unknown = await shop.call("GET", `/v1/customers/by-email?email=${email}`)
  expect([unknown.status, unknown.body.code]).toEqual([404, "CUSTOMER_NOT_FOUND"])
  expect(await orderOf(orderId)).toMatchObject({
    orderNumber: before.orderNumber,
    customer: before.customer,
    items: before.items,
    refunds: before.refunds,
    totalAmount: "30.00"
  })
})

it("what the life has written to the outbox is as its rooms define it", async () => {
  expect((await storedEvents(shop)).problems).toEqual([])
})
