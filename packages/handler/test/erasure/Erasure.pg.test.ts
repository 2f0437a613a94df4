import { questionOf } from "@effect-commerce/core/audit/Law"
import { laws } from "@effect-commerce/core/audit/Laws"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { customersOf, goodPassword, rowsOf } from "../customer/SignedIn.ts"
import { addressIn, shopperOf } from "../Shopper.ts"
import { kept, searched } from "./personalData.ts"

let shop: TestCommerce
let at: ReturnType<typeof customersOf>
let lamp: string
beforeAll(async () => {
  shop = await openTestCommerce()
  at = customersOf(shop)
  lamp = await shopperOf(shop).product({ stock: 100 })
  await at.admin("PATCH", "/store", { reservation: { strategy: "ON_CART", minutes: 15 } })
  await at.admin("PUT", "/newsletter-benefit", { isEnabled: true, type: "PERCENTAGE", value: "10", expiresInDays: 30 })
})
afterAll(() => shop.close())

interface Known {
  readonly id: string
  readonly email: string
  readonly token: string
}
const as = (token: string, method: string, path: string, body?: object, key?: string) =>
  shop.call(method, `${at.vc}${path}`, {
    headers: { authorization: `Bearer ${token}`, ...(key === undefined ? {} : { "idempotency-key": key }) },
    ...(body === undefined ? {} : { body })
  })
/** A checkout of the customer with everything that a form asks for. */
const checkoutOf = async ({ token }: Known, notes = "for the Zuckermann family") => {
  const { body: cart } = await as(token, "POST", "/cart")
  await as(token, "POST", `/cart/${cart.id}/items`, { productId: lamp, quantity: 2, notes })
  await as(token, "PATCH", `/cart/${cart.id}`, { notes })
  const { body: checkout } = await as(token, "POST", "/checkout", { cartId: cart.id })
  const person = { email: "zuckermann.home@example.org", firstName: "Zora", lastName: "Zuckermann", phone: "+4930999" }
  await as(token, "PATCH", `/checkout/${checkout.id}/customer`, person)
  const shippingAddress = { ...addressIn("CA", "94105"), firstName: "Zora", lastName: "Zuckermann" }
  const shipped = await as(token, "PATCH", `/checkout/${checkout.id}/shipping`, { shippingAddress })
  const rate = shipped.body.availableShippingRates[0]
  if (rate !== undefined)
    await as(token, "PATCH", `/checkout/${checkout.id}/shipping-method`, { shippingRateId: rate.id })
  return { cart: cart.id as string, checkout: checkout.id as string }
}
const person = { firstName: "Zora", lastName: "Zuckermann", phone: "+4930999" }
const reserved = async () => (await at.admin("GET", `/products/${lamp}/inventory`)).body.reserved
const statusOf = async (table: string, id: string) =>
  (await rowsOf(shop, `SELECT status FROM ${table} WHERE id = $1`, [id])).map((row) => row["status"])

describe("an account that is closed", () => {
  it("leaves nothing of the person in any table but those that say why", async () => {
    const customer = await at.signUp(person)
    const { id, email, token } = customer
    const bought = await checkoutOf(customer)
    await as(token, "POST", `/checkout/${bought.checkout}/complete`, {}, "bought")
    const open = await checkoutOf(customer)
    await at.me(token, "POST", "/addresses", { ...addressIn("CA", "94105"), ...person })
    await at.post("forgot-password", { email })
    await as(token, "POST", `/products/${lamp}/reviews`, { rating: 5, body: "Bright", authorName: "Zora Zuckermann" })
    const gone = await shopperOf(shop).product({ stock: 0 })
    await shop.call("POST", `${at.vc}/stock-alerts`, { body: { email, productId: gone } })
    await shop.call("POST", `${at.vc}/newsletter/subscribe`, { body: { email } })
    await at.admin("POST", "/gift-cards", { initialBalance: "10.00", recipientEmail: email.toUpperCase() })
    await at.admin("POST", "/gift-cards", { initialBalance: "10.00", customerId: id, senderName: "Zora Zuckermann" })
    await expect
      .poll(async () => (await rowsOf(shop, "SELECT 1 FROM email_message WHERE to_address = $1", [email])).length)
      .toBeGreaterThan(1)
    const before = await searched(shop, [email, "Zuckermann", "+4930999"])
    expect(before.filter((table) => !(table in kept)).toSorted()).toEqual([
      "cart",
      "cart_item",
      "checkout",
      "checkout_line",
      "customer",
      "customer_address",
      "email_message",
      "gift_card",
      "newsletter_signup",
      "review",
      "stock_alert"
    ])

    expect((await at.me(token, "DELETE", "", { password: goodPassword })).body).toEqual({ success: true })
    const after = await searched(shop, [email, "Zuckermann", "+4930999"])
    expect(after.filter((table) => !(table in kept))).toEqual([])
    expect([await statusOf("cart", open.cart), await statusOf("checkout", open.checkout)]).toEqual([
      ["EXPIRED"],
      ["CANCELLED"]
    ])
    expect(await statusOf("checkout", bought.checkout)).toEqual(["COMPLETED"])
    const [order] = await rowsOf(shop, "SELECT email, customer_id FROM orders WHERE checkout_id = $1", [
      bought.checkout
    ])
    expect(order).toEqual({ email: "zuckermann.home@example.org", customer_id: id })
    expect(await rowsOf(shop, "SELECT 1 FROM stock_watch")).toEqual([])
  })

  it("frees what its cart held, and another customer's stays held", async () => {
    const [goes, stays] = [await at.known(), await at.known()]
    const before = await reserved()
    const kept = await checkoutOf(stays)
    const open = await checkoutOf(goes)
    expect(await reserved()).toBe(before + 4)
    expect((await at.admin("DELETE", `/customers/${goes.id}`)).status).toBe(200)
    expect(await reserved()).toBe(before + 2)
    expect([await statusOf("cart", open.cart), await statusOf("cart", kept.cart)]).toEqual([["EXPIRED"], ["ACTIVE"]])
    expect((await as(stays.token, "GET", `/checkout/${kept.checkout}`)).body.email).toBe("zuckermann.home@example.org")
    expect((await as(goes.token, "GET", `/cart/${open.cart}`)).status).toBe(404)
  })

  it("while its card is being charged still gets what it pays for: money that comes makes the order as it was priced", async () => {
    const customer = await at.known()
    const { checkout } = await checkoutOf(customer)
    const timeout = { paymentMethod: "test", paymentReference: "timeout" }
    expect((await as(customer.token, "POST", `/checkout/${checkout}/complete`, timeout, "late")).status).toBe(500)
    expect(await statusOf("checkout", checkout)).toEqual(["PROCESSING"])
    expect((await at.admin("DELETE", `/customers/${customer.id}`)).status).toBe(200)
    const [left] = await rowsOf(shop, "SELECT status, email, shipping_address FROM checkout WHERE id = $1", [checkout])
    expect(left).toEqual({ status: "PROCESSING", email: null, shipping_address: null })
    const event = { checkoutId: checkout, type: "captured" }
    await shop.call("POST", "/test/provider-events", { body: event })
    const [order] = await rowsOf(shop, "SELECT email, status FROM orders WHERE checkout_id = $1", [checkout])
    expect(order).toEqual({ email: "zuckermann.home@example.org", status: "PAID" })
  })

  it("keeps that its mailbox had its coupon, without the mailbox, and gives the same one when it signs up anew", async () => {
    const { id, email } = await at.known()
    const subscribe = () => shop.call("POST", `${at.vc}/newsletter/subscribe`, { body: { email } })
    const tokens = async () =>
      (await at.admin("GET", "/email/messages?limit=100")).body.data
        .filter(({ to }: { readonly to: string }) => to === email)
        .map(({ text }: { readonly text: string }) => /token=([\w-]+)/.exec(text)?.[1])
        .filter((token: string | undefined) => token !== undefined)
    await subscribe()
    await expect.poll(async () => (await tokens()).length, { timeout: 20_000 }).toBe(1)
    const [token] = await tokens()
    const confirm = () => shop.call("POST", `${at.vc}/newsletter/confirm`, { body: { token } })
    const first = (await confirm()).body.coupon
    expect((await at.admin("GET", `/customers/${id}`)).body.acceptsMarketing).toBe(true)
    await at.admin("DELETE", `/customers/${id}`)
    expect((await confirm()).status).toBe(400)
    const [row] = await rowsOf(shop, "SELECT email, locale, sales_channel_id FROM newsletter_signup", [])
    expect(row).toEqual({
      email: expect.stringMatching(/^forgotten:[0-9a-f]{64}$/),
      locale: null,
      sales_channel_id: null
    })
    await subscribe()
    const mails = async () =>
      (await at.admin("GET", "/email/messages?limit=100")).body.data.filter(
        ({ to, text }: { readonly to: string; readonly text: string }) => to === email && text.includes(first.code)
      )
    await expect.poll(async () => (await mails()).length, { timeout: 20_000 }).toBe(1)
    expect(await rowsOf(shop, "SELECT count(*)::int AS n FROM coupon")).toEqual([{ n: 1 }])
    expect(await rowsOf(shop, "SELECT email FROM newsletter_signup")).toEqual([{ email }])
  })

  it("takes back the mails that are about to be made", async () => {
    // Nobody relays events here.
    const quiet = await openTestCommerce({ role: "api" })
    const { known, post, admin, events } = customersOf(quiet)
    const [goes, stays] = [await known(), await known()]
    for (const { email } of [goes, stays]) await post("forgot-password", { email })
    const asked = async () => (await events("internal.password_reset")).map(({ data }) => data.email)
    expect(await asked()).toEqual([goes.email, stays.email])
    await admin("DELETE", `/customers/${goes.id}`)
    expect(await asked()).toEqual([stays.email])
    await quiet.close()
  })

  it("and after all of it the auditor has nothing to say", async () => {
    for (const law of laws)
      expect([law.law, await rowsOf(shop, questionOf(law), [shop.storeId])]).toEqual([law.law, []])
  })
})

describe("the columns that can name a person", () => {
  it("are all known: a new one says here what becomes of it when the customer is deleted", async () => {
    const columns = await rowsOf(
      shop,
      `SELECT c.table_name || '.' || c.column_name AS name FROM information_schema.columns c
        JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name
        WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE'
          AND c.column_name ~ '(mail|_address$|^address$|phone|first_name|last_name|recipient|sender|author_|birth)'
        ORDER BY 1`
    )
    expect(columns.map((row) => String(row["name"]))).toEqual(Object.keys(whatBecomesOf))
  })
})

/** Of a customer who is deleted. The rooms that do it: CustomerTraces in CommerceCore.ts. */
const whatBecomesOf: Readonly<Record<string, string>> = {
  "checkout.billing_address": "cleared",
  "checkout.email": "cleared",
  "checkout.recovery_email_sent_at": "a time",
  "checkout.shipping_address": "cleared",
  "customer.birth_day": "cleared",
  "customer.birth_month": "cleared",
  "customer.email": "cleared",
  "customer.email_verified": "cleared",
  "customer.first_name": "cleared",
  "customer.last_name": "cleared",
  "customer.phone": "cleared",
  "customer_address.address": "deleted",
  "dashboard_session.address": "of a person of the dashboard",
  "dashboard_user.email": "of a person of the dashboard",
  "draft_order.email": "cleared",
  "email_message.from_address": "the store's",
  "email_message.to_address": "deleted; copies of mails to the owner stay for thirty days",
  "email_settings.emails_enabled": "a switch",
  "email_settings.footer_address": "the store's",
  "email_suppression.email": "kept: it is what holds marketing back",
  "gift_card.recipient_email": "cleared",
  "gift_card.sender_name": "cleared",
  "newsletter_signup.email": "deleted; of one that had a coupon a keyed hash stays",
  "newsletter_signup.mails": "a number",
  "newsletter_signup.mails_since": "a time",
  "orders.billing_address": "kept: the law asks for it",
  "orders.email": "kept: the law asks for it",
  "orders.shipping_address": "kept: the law asks for it",
  "review.author_name": "cleared",
  "stock_alert.email": "deleted",
  "team_member.email": "of a person of the dashboard",
  "team_member.mails": "a number",
  "team_member.mails_since": "a time"
}
