import { verifyWebhook } from "@effect-commerce/core/crypto/WebhookSigner"
import { afterAll, beforeAll, expect, it } from "vitest"
import { openPostOffice, type PostOffice } from "../../core/test/email/mailServer.ts"
import {
  mailTo,
  openEndpoint,
  openForBusiness,
  type Place,
  until,
  walkToCheckout
} from "../../handler/test/walk/walkingShopper.ts"
import { type InProcess, openInProcess } from "./inProcess.ts"

let office: PostOffice
let endpoint: Awaited<ReturnType<typeof openEndpoint>>
let installation: InProcess
beforeAll(async () => {
  ;[office, endpoint] = await Promise.all([openPostOffice(), openEndpoint()])
  installation = await openInProcess({ smtpUrl: office.url })
})
afterAll(async () => {
  await installation.close()
  await Promise.all([office.close(), endpoint.close()])
})

const openPlace = async (port: number) => {
  const { channelId, apiKey, storeId } = await installation.openShop()
  const [product] = await installation.stock({ channelId, apiKey, storeId }, 1, 5)
  const call: Place["call"] = async (method, path, { body, headers } = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}/api${path}`, {
      method,
      headers: {
        "content-type": "application/json",
        ...(path.startsWith("/v1/") ? { authorization: `Bearer ${apiKey}` } : {}),
        ...headers
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await response.text()
    return { status: response.status, text, body: JSON.parse(text) }
  }
  return { channelId, call, productId: product?.id ?? "" }
}

it("the walk survives a server killed when the card is charged and nothing is written: one order, one payment, everybody told of one", async () => {
  const [slot] = await installation.openSlots(1)
  if (slot === undefined) throw new Error("no slot")
  const server = await installation.start(slot)
  const { productId, ...place } = await openPlace(slot.port)
  const secret = await openForBusiness(place, endpoint.url)
  const email = "ada@example.com"
  const { complete } = await walkToCheckout(place, office, { email, password: "Corr3ct-Horse", productId })

  await server.arm({ point: "payment.answered", kind: "kill" })
  await expect(complete("the only purchase")).rejects.toThrow("fetch failed")
  expect([server.metBy(), server.isAlive()]).toEqual(["request", false])
  await installation.start(slot)
  // What the dead server held is free again after a minute at the latest.
  await installation.advance([slot], 61_000)
  const paid = await until("the order", async () => {
    const answer = await complete("the only purchase")
    return answer.status === 200 ? answer.body : undefined
  })
  expect(paid.status).toBe("PAID")

  const orders = await place.call("GET", "/v1/orders")
  expect(
    orders.body.data.map((order: Record<string, unknown>) => [
      order["id"],
      order["financialStatus"],
      order["paymentAmount"]
    ])
  ).toEqual([[paid.orderId, "paid", paid.total]])
  expect((await place.call("GET", `/v1/products/${productId}/inventory`)).body).toMatchObject({ total: 3, reserved: 0 })
  await mailTo(office, email, /^Your order/)
  for (const type of ["order.created", "order.paid"]) {
    const { headers, body, event } = await endpoint.delivery(type)
    const timestamp = Number(headers["x-svc-timestamp"])
    expect(
      verifyWebhook({ secret, timestamp, signature: String(headers["x-svc-signature"]), body, now: timestamp })
    ).toBeUndefined()
    expect([event.data.orderId, event.data.order.totalAmount]).toEqual([paid.orderId, paid.total])
  }
  expect(new Set(endpoint.delivered.map(({ event }) => event.id)).size).toBe(2)
  expect(
    new Set(office.mails.filter(({ envelopeTo }) => envelopeTo.includes(email)).map(({ messageId }) => messageId)).size
  ).toBe(2)
})
