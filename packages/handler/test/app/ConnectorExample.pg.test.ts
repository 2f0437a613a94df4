/** examples/fulfilment-connector over real HTTP: a server of the handler, the connector, and a warehouse. */
import { once } from "node:events"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type ShopOrder, startConnector } from "../../../../examples/fulfilment-connector/connector.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { type Listening, listening } from "../edge/nodeServer.ts"
import { shopperOf } from "../Shopper.ts"

let shop: TestCommerce
let server: Listening
let port: number
let connector: Awaited<ReturnType<typeof startConnector>>
/** Parcels that the warehouse was asked to send, and how often it fails first. */
const sent: Array<{ readonly parcel: string; readonly order: ShopOrder }> = []
let failures = 0

const warehouse = {
  send: async (parcel: string, order: ShopOrder) => {
    sent.push({ parcel, order })
    if (failures > 0) {
      failures -= 1
      throw new Error("the warehouse is closed")
    }
    return { carrier: "Example Post", tracking: `EP-${parcel}` }
  }
}

const freePort = async (): Promise<number> => {
  const probe: Server = createServer().listen(0, "127.0.0.1")
  await once(probe, "listening")
  const { port: free } = probe.address() as AddressInfo
  await new Promise((done) => probe.close(done))
  return free
}
const start = async (at?: number) => {
  const adminKey = await shop.mintKey({ scopes: ["installations:*", "webhooks:*", "orders:write"] })
  port = at ?? (await freePort())
  return startConnector({ shop: server.url, adminKey, publicUrl: `http://127.0.0.1:${port}`, port, warehouse })
}

beforeAll(async () => {
  shop = await openTestCommerce({ outbound: { allowPrivate: true } })
  server = await listening((request, response) => shop.commerce.node(request, response))
  connector = await start()
})
afterAll(async () => {
  await connector.stop()
  await server.close()
  await shop.close()
})

/** Asks again until it holds: deliveries and their work are done in the background. */
const until = async <A>(read: () => Promise<A>, holds: (found: A) => boolean): Promise<A> => {
  for (const end = performance.now() + 60_000; ; ) {
    const found = await read()
    if (holds(found)) return found
    if (performance.now() > end) throw new Error(`never held: ${JSON.stringify(found)}`)
    await new Promise((done) => setImmediate(done))
  }
}
const mapping = (internalId: string) =>
  shop.call("GET", `/v1/installations/${connector.installationId}/mappings?internalId=${internalId}`)
const orderOf = (id: string) => shop.call("GET", `/v1/orders/${id}`)
const buy = async () => {
  const shopper = shopperOf(shop)
  const lamp = await shopper.product({ stock: 5 })
  const done = await shopper.complete(await shopper.checkout(await shopper.cart([lamp, 1])), `buy-${lamp}`, {
    paymentMethod: "test",
    paymentReference: "approve"
  })
  expect(done.status).toBe(200)
  return done.body.orderId as string
}

describe("the fulfilment connector", () => {
  it("is installed with the scopes of its manifest, and maps a product that is made or changed", async () => {
    const { body: installed } = await shop.call("GET", `/v1/installations/${connector.installationId}`)
    expect([installed.name, installed.tier, installed.scopes]).toEqual([
      "Fulfilment connector",
      "other",
      ["mappings:read", "mappings:write", "config:write"]
    ])
    const made = await shop.call("POST", "/v1/products", { body: { name: "Lamp", basePrice: "10.00", sku: "L-1" } })
    const first = await until(
      () => mapping(made.body.id),
      ({ body }) => body.meta.total === 1
    )
    expect(first.body.data[0]).toMatchObject({ resourceType: "product", externalId: "L-1", platformCode: "WAREHOUSE" })
    await shop.call("PATCH", `/v1/products/${made.body.id}`, { body: { sku: "L-2" } })
    const second = await until(
      () => mapping(made.body.id),
      ({ body }) => body.data[0].externalId === "L-2"
    )
    expect([second.body.meta.total, second.body.data[0].id]).toEqual([1, first.body.data[0].id])
  })

  it("ships an order that is paid, and the store shows the parcel", async () => {
    const id = await buy()
    const { body } = await until(
      () => orderOf(id),
      (answer) => answer.body.status === "SHIPPED"
    )
    const parcel = `parcel-${body.orderNumber.slice(1)}`
    expect([body.carrier, body.trackingNumber]).toEqual(["Example Post", `EP-${parcel}`])
    const found = await until(
      () => mapping(id),
      (answer) => answer.body.data[0].syncStatus === "synced"
    )
    expect(found.body.data[0]).toMatchObject({ resourceType: "order", externalId: parcel, lastSyncError: null })
    expect(found.body.data[0].lastSyncedAt).not.toBeNull()
  })

  it("ships it once, although the warehouse fails and the event is sent again, and again", async () => {
    failures = 1
    const before = sent.length
    const id = await buy()
    await until(
      async () => sent.length,
      (count) => count > before
    )
    // The second attempt is due five seconds after the first has failed.
    await until(
      () => shop.call("GET", "/v1/webhook-subscriptions"),
      ({ body }) => body.data[0].failureCount === 1
    )
    await shop.call("POST", "/test/clock", { body: { advanceMs: 6_000 } })
    await until(
      () => orderOf(id),
      (answer) => answer.body.status === "SHIPPED"
    )
    expect(new Set(sent.slice(before).map(({ parcel }) => parcel)).size).toBe(1)
    await until(
      () => mapping(id),
      (answer) => answer.body.data[0].syncStatus === "synced"
    )
    const { data } = (await shop.call("GET", "/v1/events?types=order.fulfilled&limit=100")).body
    expect(data.filter((one: { data: { orderId: string } }) => one.data.orderId === id)).toHaveLength(1)
  })

  it("reads what the warehouse has sent to its address", async () => {
    const path = `/v1/installations/${connector.installationId}/inbound/parcel.scanned`
    await shop.call("POST", path, { raw: '{"parcel":"7","place":"Hamburg"}' })
    expect(await connector.scans()).toEqual(['{"parcel":"7","place":"Hamburg"}'])
  })

  it("that starts again takes over its installation with a new token", async () => {
    const { installationId } = connector
    await connector.stop()
    connector = await start()
    expect(connector.installationId).toBe(installationId)
    expect(await connector.scans()).toHaveLength(1)
    const { body } = await shop.call("GET", "/v1/installations")
    expect(body.meta.total).toBe(1)
  })

  it("that was killed before it starts again takes over its subscription, and leaves none behind", async () => {
    await connector.stop()
    const left = await shop.call("POST", "/v1/webhook-subscriptions", {
      body: { url: `http://127.0.0.1:${port}/events`, events: ["product.created", "product.updated", "order.paid"] }
    })
    connector = await start(port)
    const { body } = await shop.call("GET", "/v1/webhook-subscriptions")
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([left.body.id])
    const made = await shop.call("POST", "/v1/products", { body: { name: "Shade", basePrice: "3.00", sku: "S-1" } })
    await until(
      () => mapping(made.body.id),
      (answer) => answer.body.meta.total === 1
    )
  })

  it("does nothing for what the server has not signed", async () => {
    const count = sent.length
    const forged = await fetch(`http://127.0.0.1:${port}/events`, {
      method: "POST",
      headers: { "x-svc-timestamp": String(Date.now()), "x-svc-signature": "00".repeat(32) },
      body: JSON.stringify({ id: "evt_1", type: "order.paid", data: { order: { id: "ord_1", orderNumber: "#1" } } })
    })
    expect([forged.status, sent.length]).toEqual([401, count])
  })
})
