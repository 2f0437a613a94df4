import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"
import { addOwner } from "../team/desk.ts"
import { customersOf, freshEmail, goodPassword, rowsOf } from "./SignedIn.ts"

let shop: TestCommerce
let at: ReturnType<typeof customersOf>
beforeAll(async () => {
  shop = await openTestCommerce()
  at = customersOf(shop)
  await at.admin("PATCH", "/store", { languages: ["en", "de"] })
  await at.admin("POST", "/email/templates", {
    name: "Neues Kennwort",
    eventType: "PASSWORD_RESET",
    language: "de",
    subject: "Neues Kennwort",
    htmlContent: "<p>{{token}}</p>"
  })
  await addOwner(shop, shop, "owner@example.com")
})
afterAll(() => shop.close())

interface Mail {
  readonly to: string
  readonly eventType: string
  readonly subject: string
  readonly text: string
}
const mailsTo = async (address: string): Promise<ReadonlyArray<Mail>> =>
  (await at.admin("GET", "/email/messages?limit=100")).body.data.filter(({ to }: Mail) => to === address).toReversed()
const mailed = async (address: string, count: number): Promise<ReadonlyArray<Mail>> => {
  await expect.poll(async () => (await mailsTo(address)).length, { timeout: 20_000, interval: 50 }).toBe(count)
  return mailsTo(address)
}
const post = (path: string, body: object, language?: string) =>
  shop.call("POST", `${at.at}/${path}`, {
    body,
    ...(language === undefined ? {} : { headers: { "accept-language": language } })
  })
const localeOf = async (email: string) =>
  (await rowsOf(shop, "SELECT locale FROM customer WHERE email = $1", [email]))[0]?.["locale"]
const registration = (email: string) => ({ email, password: goodPassword })

describe("the language of a customer", () => {
  it("is that of the registration, and that of mails to them; it is not a part of the profile", async () => {
    const email = freshEmail()
    const made = await post("register", registration(email), "de-AT, en;q=0.5")
    expect(await localeOf(email)).toBe("de")
    await post("forgot-password", { email }, "en")
    const [mail] = await mailed(email, 1)
    expect(mail?.subject).toBe("Neues Kennwort")
    const { body: me } = await at.me(made.body.token)
    expect(Object.keys(me)).not.toContain("locale")
    const { updatedAt } = (await at.me(made.body.token, "PATCH", "", { firstName: "Ada" })).body
    expect((await post("login", registration(email), "en")).status).toBe(200)
    expect(await localeOf(email)).toBe("en")
    expect((await at.me(made.body.token)).body.updatedAt).toBe(updatedAt)
    await post("forgot-password", { email }, "de")
    expect((await mailed(email, 2))[1]?.subject).not.toBe("Neues Kennwort")
  })

  it("is that of the request where none is kept, and the store's own where it asks for none that the store has", async () => {
    const [first, second] = [await at.known(), await at.known()]
    await post("forgot-password", { email: first.email }, "de")
    await post("forgot-password", { email: second.email }, "fr")
    expect((await mailed(first.email, 1))[0]?.subject).toBe("Neues Kennwort")
    const [mail] = await mailed(second.email, 1)
    expect([mail?.eventType, mail?.subject.startsWith("Neues")]).toEqual(["PASSWORD_RESET", false])
    const email = freshEmail()
    await post("register", registration(email))
    expect(await localeOf(email)).toBeNull()
    await post("login", registration(email), "fr")
    expect(await localeOf(email)).toBeNull()
  })
})

describe("a new customer", () => {
  it("is told to the owner once, by the name and the address; one whom the merchant made is not", async () => {
    const before = (await mailsTo("owner@example.com")).length
    const { id: ofMerchant } = await at.known()
    expect(await at.told(ofMerchant, "internal.customer_signed_up")).toEqual([])
    const { email } = (await post("register", { ...registration(freshEmail()), firstName: "Ada", lastName: "Byron" }))
      .body.customer
    await post("login", registration(email))
    const [mail] = (await mailed("owner@example.com", before + 1)).slice(-1)
    expect([mail?.eventType, mail?.text.includes("Ada Byron"), mail?.text.includes(email)]).toEqual([
      "NEW_CUSTOMER",
      true,
      true
    ])
  })

  it("who must be verified is told once they are", async () => {
    await at.admin("PATCH", "/store", { customerVerification: "required" })
    const { id, email } = (await post("register", registration(freshEmail()))).body.customer
    expect(await at.told(id, "internal.customer_signed_up")).toEqual([])
    const [token] = await at.mailed(id, "verification")
    await post("verify-email", { token })
    expect((await at.told(id, "internal.customer_signed_up")).map(({ data }) => data)).toEqual([
      { customerId: id, email, firstName: null, lastName: null }
    ])
    await at.admin("PATCH", "/store", { customerVerification: "off" })
  })
})

describe("the mail about linked orders", () => {
  it("says how many there are, in the customer's language", async () => {
    await at.admin("POST", "/email/templates", {
      name: "Zugeordnet",
      eventType: "ORDERS_LINKED",
      language: "de",
      subject: "{{orderCount}} Bestellungen",
      htmlContent: "<p>{{customerName}} {{accountUrl}}</p>"
    })
    const email = freshEmail()
    const { id } = (await post("register", { ...registration(email), firstName: "Ada" }, "de")).body.customer
    const items = [{ productId: await shopperOf(shop).product({ stock: 5 }), quantity: 1 }]
    await at.admin("POST", "/orders", { customer: { email }, items })
    await at.admin("POST", "/orders", { customer: { email }, items })
    await post("resend-verification", { email })
    const [token] = await at.mailed(id, "verification")
    await post("verify-email", { token })
    const linked = async () => (await mailsTo(email)).filter(({ eventType }) => eventType === "ORDERS_LINKED")
    await expect.poll(async () => (await linked()).length, { timeout: 20_000 }).toBe(1)
    expect((await linked())[0]?.subject).toBe("2 Bestellungen")
  })
})

describe("the newsletter's confirmation", () => {
  it("is kept on the account of the address, whose subscribers are told; of no other account", async () => {
    const [customer, other] = [await at.known(), await at.known()]
    await shop.call("POST", `${at.vc}/newsletter/subscribe`, { body: { email: customer.email.toUpperCase() } })
    const [mail] = await mailed(customer.email, 1)
    const token = /token=([\w-]+)/.exec(mail?.text ?? "")?.[1]
    const accepts = async (id: string) => (await at.admin("GET", `/customers/${id}`)).body.acceptsMarketing
    expect(await accepts(customer.id)).toBe(false)
    const confirm = () => shop.call("POST", `${at.vc}/newsletter/confirm`, { body: { token } })
    expect([(await confirm()).status, (await confirm()).status]).toEqual([200, 200])
    expect([await accepts(customer.id), await accepts(other.id)]).toEqual([true, false])
    const told = await at.told(customer.id, "customer.updated")
    expect(told.map(({ data }) => data.customer.acceptsMarketing)).toEqual([true])
  })
})
