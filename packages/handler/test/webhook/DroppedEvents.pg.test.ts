/** What an open circuit has dropped, and the feed as the way back to it, as a merchant goes it. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { addOwner } from "../../../core/test/email/mailShop.ts"
import { openSink, type Sink } from "../../../core/test/webhook/sink.ts"
import { openTestCommerce, runWith, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
let sink: Sink
beforeAll(async () => {
  sink = await openSink()
  shop = await openTestCommerce({ outbound: { allowPrivate: true } })
  await runWith(shop.commerce, addOwner({ id: shop.storeId, accountId: shop.accountId }, "owner@example.com") as never)
})
afterAll(async () => {
  await shop.close()
  await sink.close()
})

interface Envelope {
  readonly id: string
  readonly type: string
  readonly createdAt: string
  readonly sequence: number
  readonly data: { readonly product: { readonly description: string | null } }
}
const path = "/erp"
const arrived = (): ReadonlyArray<Envelope> => sink.of(path).map(({ raw }) => JSON.parse(raw.toString()))
const pollFor = (what: () => Promise<unknown>) => expect.poll(what, { timeout: 20_000, interval: 50 })

/** The feed from there to its end, by pages of five. */
const feedAfter = async (id: string): Promise<ReadonlyArray<Envelope>> => {
  const { status, body } = await shop.call("GET", `/v1/events?limit=5&after=${id}`)
  expect(status).toBe(200)
  return body.nextCursor === null ? [] : [...body.data, ...(await feedAfter(body.nextCursor))]
}

it("three events that an open circuit has dropped are read from the feed, in the order in which they happened", async () => {
  const { body: subscription } = await shop.call("POST", "/v1/webhook-subscriptions", {
    body: { url: sink.url(path), events: ["product.*"] }
  })
  const isOpen = async () => (await shop.call("GET", `/v1/webhook-subscriptions/${subscription.id}`)).body.circuitOpen
  const { body: product } = await shop.call("POST", "/v1/products", { body: { name: "Lamp" } })
  const describeAs = async (...descriptions: ReadonlyArray<string>) => {
    for (const description of descriptions)
      await shop.call("PATCH", `/v1/products/${product.id}`, { body: { description } })
  }
  await sink.until(path, 1)
  const received = arrived()[0]
  if (received === undefined) throw new Error("nothing arrived")
  expect(Object.keys(received)).toEqual(["id", "type", "createdAt", "sequence", "data"])
  expect((await shop.call("GET", "/v1/events?limit=1")).body.data).toEqual([received])

  const failing = Array.from({ length: 10 }, (_, i) => `failing ${i}`)
  sink.behave(path, () => 500)
  await describeAs(...failing)
  await pollFor(isOpen).toBe(true)
  const mails = async () =>
    (await shop.call("GET", "/v1/email/messages")).body.data.map(
      ({ to, eventType }: { to: string; eventType: string }) => `${eventType} to ${to}`
    )
  await pollFor(mails).toEqual(["WEBHOOK_CIRCUIT_OPEN to owner@example.com"])
  await describeAs("dropped 1", "dropped 2", "dropped 3")

  const missed = await feedAfter(received.id)
  expect(missed.map(({ data }) => data.product.description)).toEqual([
    ...failing,
    "dropped 1",
    "dropped 2",
    "dropped 3"
  ])
  const sequences = [received, ...missed].map(({ sequence }) => sequence)
  expect(sequences).toEqual([...new Set(sequences)].toSorted((x, y) => x - y))

  sink.behave(path, () => 200)
  await shop.call("POST", "/test/clock", { body: { advanceMs: 3_600_000 } })
  await describeAs("accepted")
  await pollFor(isOpen).toBe(false)
  const dropped = new Set(missed.slice(10).map(({ id }) => id))
  expect(arrived().filter(({ id }) => dropped.has(id))).toEqual([])
  const probe = arrived().find(({ data }) => data.product.description === "accepted")
  expect(probe?.sequence).toBeGreaterThan(sequences.at(-1) ?? Number.NaN)
})
