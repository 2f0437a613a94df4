/** A merchant's day, as docs/guides/walk-merchant.md tells it, with mails over SMTP. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { openPostOffice, type PostOffice } from "../../../core/test/email/mailServer.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"
import { storedEvents } from "../storedEvents.ts"
import { asDocumented } from "../system/documentedAnswers.ts"
import { addOwner, password, tokenOf } from "../team/desk.ts"
import { domain, mailTo, until } from "./walkingShopper.ts"

const publicUrl = "https://admin.mugs.example"
let office: PostOffice
let shop: TestCommerce
beforeAll(async () => {
  office = await openPostOffice()
  shop = asDocumented(
    await openTestCommerce({
      mail: { smtpUrl: `${office.url}?from=shop@${domain}`, publicUrl },
      outbound: { allowPrivate: true }
    })
  )
})
afterAll(async () => {
  await shop.close()
  await office.close()
})

const buyer = "ada@example.com"
const asked = async (status: number, method: string, path: string, body?: object, key?: string) => {
  const options = { ...(body === undefined ? {} : { body }), ...(key === undefined ? {} : { key }) }
  const answer = await shop.call(method, path, options)
  expect(answer.status, answer.text).toBe(status)
  return answer.body
}
const orderOf = (id: string) => asked(200, "GET", `/v1/orders/${id}`)
const mailsOf = (email: string, subject: RegExp) =>
  office.mails.filter((mail) => mail.envelopeTo.includes(email) && subject.test(mail.subject ?? ""))
/** The file that a link opens for whoever has it. */
const fileOf = async (link: string) =>
  (await shop.commerce.fetch(new Request(link), { clientAddress: "127.0.0.1" })).text()

/** Two mugs and a glass, paid by the test provider. */
const sell = async (key: string): Promise<string> => {
  const shopper = shopperOf(shop)
  const mug = await shopper.product({ name: "Enamel mug", price: 1_250n, stock: 5 })
  const glass = await shopper.product({ name: "Water glass", price: 800n, stock: 5 })
  const checkoutId = await shopper.checkout(await shopper.cart([mug, 2], [glass, 1]))
  const paid = { paymentMethod: "test", paymentReference: "approve" }
  const done = await shopper.complete(checkoutId, key, paid)
  expect([done.status, done.body.status]).toEqual([200, "PAID"])
  return done.body.orderId
}

/** An owner logs in and invites Lin, who accepts by the mail's link and logs in. Answers Lin's session. */
const hire = async (): Promise<string> => {
  await addOwner(shop, shop, "owner@example.com")
  const owner = await tokenOf(shop, "owner@example.com")
  const team = `/stores/${shop.storeId}/team`
  const invited = await asked(201, "POST", team, { email: "lin@example.com", role: "staff" }, owner)
  expect(invited.status).toBe("invited")
  const mail = await mailTo(office, "lin@example.com", /invites you/)
  const link = new URL(/https:\S+/.exec(mail.text ?? "")?.[0] ?? "")
  expect(link.origin + link.pathname).toBe(`${publicUrl}/dashboard/invitation`)
  const token = link.searchParams.get("token")
  const joined = await asked(200, "POST", "/auth/invitations/accept", { token, name: "Lin Yao", password })
  expect([joined.status, joined.role]).toEqual(["active", "staff"])
  const lin = await tokenOf(shop, "lin@example.com")
  expect((await asked(403, "POST", team, { email: "max@example.com", role: "staff" }, lin)).code).toBe(
    "INSUFFICIENT_PERMISSION"
  )
  return lin
}

it("a merchant invites, sends, refunds, cancels, notes, prints and exports", async () => {
  const [order, other] = [await sell("first"), await sell("second")]
  const lin = await hire()
  const { items, orderNumber, totalAmount } = await orderOf(order)
  const [mugs, glass] = items

  // Two parcels, and a mail for each.
  const send = (body: object) => asked(200, "POST", `/v1/orders/${order}/fulfill`, body)
  const first = await send({
    items: [{ itemId: mugs.id, quantity: 2 }],
    carrier: "UPS",
    trackingNumber: "1Z1",
    trackingUrl: "https://carrier.example/1Z1"
  })
  expect([first.status, first.fulfillmentStatus]).toEqual(["PAID", "partial"])
  await mailTo(office, buyer, /on its way$/)
  const second = await send({ carrier: "UPS", trackingNumber: "1Z2", trackingUrl: "https://carrier.example/1Z2" })
  expect([second.status, second.fulfillmentStatus, second.fulfillments.length]).toEqual(["SHIPPED", "fulfilled", 2])
  const sent = await until("two mails", () => {
    const mails = mailsOf(buyer, /on its way$/)
    return mails.length === 2 ? mails : undefined
  })
  expect(sent.map(({ text }) => /https:\/\/carrier\S+/.exec(text ?? "")?.[0])).toEqual([
    "https://carrier.example/1Z1",
    "https://carrier.example/1Z2"
  ])

  // The glass broke on the way: Lin gives its price back, and the history says that it was Lin.
  const broken = { items: [{ itemId: glass.id, quantity: 1 }], reason: "It broke on the way" }
  const refund = await asked(201, "POST", `/orders/${order}/refunds?storeId=${shop.storeId}`, broken, lin)
  expect([refund.amount, refund.status]).toEqual(["8.00", "succeeded"])
  expect((await mailTo(office, buyer, /^Refund for/)).text).toContain("8.00")
  expect(await orderOf(order)).toMatchObject({ financialStatus: "partially_refunded", refunds: [refund] })

  // The other order is cancelled, and its money goes back.
  const cancelled = await asked(200, "POST", `/v1/orders/${other}/cancel`, { reason: "customer", refund: true })
  expect(cancelled).toMatchObject({
    status: "CANCELLED",
    financialStatus: "refunded",
    refunds: [{ amount: totalAmount, status: "succeeded" }]
  })
  await mailTo(office, buyer, new RegExp(`^Your order ${cancelled.orderNumber} was cancelled`))

  const text = "A new glass goes out tomorrow."
  await asked(200, "POST", `/v1/orders/${order}/notes`, { text, notifyCustomer: true })
  expect((await mailTo(office, buyer, /^A note on your order/)).text).toContain(text)
  const history: ReadonlyArray<{ type: string; id: string | null; actor: { name: string | null }; message: string }> =
    await asked(200, "GET", `/v1/orders/${order}/history`)
  expect(
    history.filter(({ type }) => type !== "status").map(({ type, actor, message }) => [type, actor.name, message])
  ).toEqual([
    ["payment", "test", `${totalAmount} paid by test`],
    ["fulfillment", "test", "2 units sent with UPS 1Z1"],
    ["fulfillment", "test", "1 unit sent with UPS 1Z2"],
    ["refund", "Lin Yao", "Refund of 8.00: succeeded"],
    ["note", "test", text]
  ])
  expect(history.find(({ type }) => type === "refund")?.id).toBe(refund.id)

  // The invoice prints, with the lines, the refund and its number.
  const page = await shop.call("GET", `/v1/orders/${order}/invoice`)
  expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
  for (const printed of ["TEST-1001", "Enamel mug", "Water glass", orderNumber]) expect(page.text).toContain(printed)
  expect((await orderOf(order)).invoiceNumber).toBe("TEST-1001")

  // The owner is told when the file is there.
  const { id } = await asked(202, "POST", "/v1/exports", { resource: "orders", format: "ndjson" })
  const done = await until("the export", async () => {
    const job = await asked(200, "GET", `/v1/exports/${id}`)
    return job.status === "DONE" ? job : undefined
  })
  const file = await fileOf(done.url)
  const rows = file
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
  expect(rows.map((row) => [row.orderId, row.status, row.name, row.quantity, row.fulfilledQuantity])).toEqual([
    [order, "PARTIALLY_REFUNDED", "Enamel mug", 2, 2],
    [order, "PARTIALLY_REFUNDED", "Water glass", 1, 1],
    [other, "CANCELLED", "Enamel mug", 2, 0],
    [other, "CANCELLED", "Water glass", 1, 0]
  ])
  const told = await mailTo(office, "owner@example.com", /export/i)
  const link = /https:\/\/\S+\/exports\/\S+/.exec(told.text ?? "")?.[0] ?? ""
  expect(await fileOf(link)).toBe(file)
})

it("what the day has written to the outbox is as its rooms define it", async () => {
  expect((await storedEvents(shop)).problems).toEqual([])
})
