/** The mail to the owner about an order whose money needs them: what it says, and that each cause is told once. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { addOwner } from "../../../core/test/email/mailShop.ts"
import { openTestCommerce, runWith, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { refundShopOf } from "./refundShop.ts"

interface Mail {
  readonly to: string
  readonly eventType: string
  readonly subject: string
  readonly text: string
}

let shop: TestCommerce
let at: ReturnType<typeof refundShopOf>
let told: number
beforeAll(async () => {
  shop = await openTestCommerce()
  at = refundShopOf(shop)
  await runWith(shop.commerce, addOwner({ id: shop.storeId, accountId: shop.accountId }, "owner@example.com") as never)
})
afterAll(async () => {
  expect(await at.audited()).toEqual([])
  await shop.close()
})

/** The mails of the kind, the oldest first. */
const mails = async (): Promise<ReadonlyArray<Mail>> =>
  (await shop.call("GET", "/v1/email/messages?limit=100")).body.data
    .filter(({ eventType }: Mail) => eventType === "ORDER_ATTENTION")
    .toReversed()
beforeEach(async () => {
  told = (await mails()).length
})
/** The next mail, of which there is one. */
const next = async (): Promise<Mail> => {
  await expect.poll(async () => (await mails()).length, { timeout: 20_000, interval: 50 }).toBe(told + 1)
  const mail = (await mails())[told]
  told += 1
  if (mail === undefined) throw new Error("no mail")
  return mail
}
/** Whatever was appended before an order is placed is relayed before its confirmation is. */
const nothingMore = async () => {
  const { orderId } = await at.bought()
  const { orderNumber } = await at.order(orderId)
  const confirmations = async () =>
    (await shop.call("GET", "/v1/email/messages?limit=100")).body.data.filter(
      ({ eventType, subject }: Mail) => eventType === "NEW_ORDER_ADMIN" && subject.includes(orderNumber)
    ).length
  await expect.poll(confirmations, { timeout: 20_000, interval: 50 }).toBe(1)
  expect((await mails()).length).toBe(told)
}

describe("the mail about an order that needs its owner", () => {
  it("is sent once for a refund that the provider refuses, and once more for the next one", async () => {
    const { orderId } = await at.bought("refund_refused")
    const { orderNumber } = await at.order(orderId)
    expect((await at.refund(orderId, { amount: "10.00" }, "refused")).status).toBe(500)
    const { to, subject, text } = await next()
    expect([to, subject]).toEqual(["owner@example.com", `Order ${orderNumber} needs you`])
    expect(text).toContain(
      `A refund of $10.00 for order ${orderNumber} has failed: the money is at test, and the customer has not got it. ` +
        "You can refund it again."
    )
    expect(text).not.toMatch(/\{\{|bank|payment of/)
    expect((await at.refund(orderId, { amount: "10.00" }, "refused")).status).toBe(500)
    await nothingMore()
    expect((await at.refund(orderId, { amount: "5.00" })).status).toBe(500)
    expect((await next()).text).toContain("A refund of $5.00")
  })

  it("is sent once for a refund that fails later", async () => {
    const { orderId } = await at.bought("refund_pends")
    expect((await at.refund(orderId, { amount: "25.00" })).body.status).toBe("pending")
    await at.atProvider(orderId, "refund_failed")
    expect((await next()).text).toContain("A refund of $25.00")
    await at.atProvider(orderId, "refund_failed")
    await nothingMore()
  })

  it("is sent when a dispute is opened, and when it is decided, once each", async () => {
    const { orderId } = await at.bought()
    const { orderNumber } = await at.order(orderId)
    await at.atProvider(orderId, "disputed", "20.00")
    const opened = await next()
    expect(opened.text).toMatch(
      new RegExp(
        `The customer's bank claims \\$20\\.00 of order ${orderNumber} back.*\\. Answer it at test by \\w+ \\d`
      )
    )
    await at.atProvider(orderId, "dispute_lost")
    expect((await next()).text).toContain(
      `The dispute about $20.00 of order ${orderNumber} was decided for the customer: the money goes back to their bank.`
    )
    await at.atProvider(orderId, "dispute_lost")
    await nothingMore()
    const other = await at.bought()
    await at.atProvider(other.orderId, "disputed")
    await next()
    await at.atProvider(other.orderId, "dispute_won")
    expect((await next()).text).toContain("was decided for you: you keep the money.")
  })

  it("is sent for a payment that fails after its order was placed, and not for one that was voided", async () => {
    const { orderId } = await at.bought("authorize")
    const { orderNumber } = await at.order(orderId)
    await at.atProvider(orderId, "expired")
    expect((await next()).text).toContain(
      `The payment of $25.00 for order ${orderNumber} by test has failed (expired). The order is placed and not paid.`
    )
    await at.atProvider(orderId, "expired")
    const { orderId: released } = await at.bought("authorize")
    expect((await shop.call("POST", `/v1/orders/${released}/void`, { body: {} })).status).toBe(200)
    await nothingMore()
  })

  it("is in the language of the store", async () => {
    await shop.call("PATCH", "/v1/store", { body: { languages: ["de"] } })
    const { orderId } = await at.bought("refund_refused")
    await at.refund(orderId, { amount: "10.00" })
    const { subject, text } = await next()
    expect(subject).toMatch(/^Bestellung #\d+ braucht Sie$/)
    expect(text).toMatch(/Eine Erstattung von 10,00\s\$ zur Bestellung #\d+ ist gescheitert/)
  })
})
