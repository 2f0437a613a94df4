import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { CustomerAddresses } from "../../src/customer/CustomerAddresses.ts"
import { Customers } from "../../src/customer/Customers.ts"
import { Database } from "../../src/database/Database.ts"
import { Emails } from "../../src/email/Emails.ts"
import type { StoreContext } from "../../src/store/StoreContext.ts"
import { EventFeed } from "../../src/webhook/EventFeed.ts"
import { addOwner } from "../email/mailShop.ts"
import { type Instance, openTwoInstances } from "./instance.ts"
import { openSink, type Sink } from "./sink.ts"

/** Two processes of one installation. Nothing runs by itself. */
let two: Awaited<ReturnType<typeof openTwoInstances>>
let a: Instance
let b: Instance
let sink: Sink

beforeAll(async () => {
  vi.spyOn(console, "log").mockImplementation(() => undefined)
  sink = await openSink()
  two = await openTwoInstances()
  a = two.a
  b = two.b
})
afterAll(async () => {
  await two.close()
  await sink.close()
  vi.restoreAllMocks()
})

const hour = 3_600_000
const bothAdvance = (millis: number) => two.bothAdvance(millis)
const times = (count: number): ReadonlyArray<string> => Array.from({ length: count }, () => "order.updated")
/** Commits events and attempts their deliveries; what was appended meanwhile is relayed too. */
const happen = async (store: StoreContext, count: number) => {
  await a.emit(store, ...times(count))
  await a.relay(store)
  await a.deliver(store)
  await a.relay(store)
}

const openOwnedStore = async () => {
  const store = await a.openStore()
  const email = `owner-${store.id}@example.com`
  await a.run(addOwner(store, email))
  return { store, email }
}
/** The mails of a store, oldest first. */
const mailsOf = (store: StoreContext) =>
  a.run(
    Effect.map(
      Emails.use((emails) => emails.messages(store, { page: 1, limit: 100 })),
      ({ items }) => items.toReversed()
    )
  )
const eventsOf = (store: StoreContext) =>
  a.run(
    Effect.map(
      EventFeed.use((feed) => feed.list(store, { limit: 100 })),
      ({ data }) => data
    )
  )

describe("the mail about an open circuit", () => {
  it("goes to the owner when it opens: where to, since when, why, what is lost and where it can be read", async () => {
    const { store, email } = await openOwnedStore()
    const { id } = await a.subscribe(store, sink.url("/told?key=1"))
    sink.behave("/told?key=1", () => 503)
    await happen(store, 9)
    expect([(await a.view(store, id)).circuitOpen, await mailsOf(store)]).toEqual([false, []])
    await happen(store, 1)
    const { circuitOpen, circuitOpenedAt } = await a.view(store, id)
    const [mail, ...others] = await mailsOf(store)
    expect([circuitOpen, mail?.to, mail?.eventType, others]).toEqual([true, email, "WEBHOOK_CIRCUIT_OPEN", []])
    const { host } = new URL(sink.url("/"))
    const since = new Intl.DateTimeFormat("en", { dateStyle: "long", timeStyle: "long", timeZone: "UTC" }).format(
      new Date(circuitOpenedAt ?? "")
    )
    expect(mail?.subject).toBe(`Webhooks to ${host} are suspended`)
    expect(mail?.text).toBe(`Your endpoint receives no events

S could not deliver events to ${sink.url("/told?key=1")}: 10 attempts in a row have failed. The last error: HTTP 503.

Sending has been suspended since ${since}. An hour later the next event is tried; as soon as one is accepted, sending goes on. Events that happen until then are not sent again.

They are in the feed of events for 30 days. Read them with GET /api/v1/events?after= and the id of the last event that your endpoint has handled.

--
S
`)
  })

  it("is sent once, also where two processes count the failures", async () => {
    const { store } = await openOwnedStore()
    const { id } = await a.subscribe(store, sink.url("/both"))
    sink.behave("/both", () => "reset")
    await a.emit(store, ...times(24))
    await a.relay(store)
    const [ours, theirs] = [await a.claim(store, 12), await b.claim(store, 12)]
    await Promise.all([a.attempt(store, ours), b.attempt(store, theirs)])
    expect(await a.view(store, id)).toMatchObject({ circuitOpen: true, failureCount: 24 })
    const appended = await a.run(
      Effect.flatMap(
        Database,
        ({ sql }) => sql`SELECT data->>'subscriptionId' AS id FROM event
          WHERE store_id = ${store.id} AND type = 'internal.webhook_circuit_opened'`
      )
    )
    expect(appended).toEqual([{ id }])
    await a.relay(store)
    await b.relay(store)
    expect((await mailsOf(store)).map(({ text }) => /The last error: (.*)\./.exec(text)?.[1])).toEqual([
      "broken: the connection failed (UND_ERR_SOCKET)"
    ])
  })

  it("shares the fate of the opening: both were written by one transaction", async () => {
    const { store } = await openOwnedStore()
    const { id } = await a.subscribe(store, sink.url("/one-transaction"))
    sink.behave("/one-transaction", () => 500)
    await a.emit(store, ...times(10))
    await a.relay(store)
    await a.deliver(store)
    const written = await a.run(
      Effect.flatMap(
        Database,
        ({ sql }) => sql`SELECT s.xmin = e.xmin AS together FROM webhook_subscription s
          JOIN event e ON e.store_id = s.store_id AND e.type = 'internal.webhook_circuit_opened'
          WHERE s.store_id = ${store.id} AND s.id = ${id}`
      )
    )
    expect(written).toEqual([{ together: true }])
  })

  it("is not sent again by a probe that fails, and is by a circuit that has closed and opens anew", async () => {
    const { store } = await openOwnedStore()
    const { id } = await a.subscribe(store, sink.url("/again"))
    sink.behave("/again", () => 500)
    await happen(store, 10)
    await bothAdvance(hour + 1_000)
    await happen(store, 1)
    expect(await a.view(store, id)).toMatchObject({ circuitOpen: true })
    expect((await mailsOf(store)).length).toBe(1)
    sink.behave("/again", () => 200)
    await bothAdvance(hour + 1_000)
    await happen(store, 1)
    expect(await a.view(store, id)).toMatchObject({ circuitOpen: false, failureCount: 0 })
    sink.behave("/again", () => 500)
    await happen(store, 10)
    expect(await a.view(store, id)).toMatchObject({ circuitOpen: true, failureCount: 10 })
    expect((await mailsOf(store)).map(({ eventType }) => eventType)).toEqual([
      "WEBHOOK_CIRCUIT_OPEN",
      "WEBHOOK_CIRCUIT_OPEN"
    ])
  })

  it("is switched off like any other mail to the merchant", async () => {
    const { store } = await openOwnedStore()
    await a.run(
      Emails.use((emails) => emails.changeSettings(store, { eventSettings: { WEBHOOK_CIRCUIT_OPEN: false } }))
    )
    const { id } = await a.subscribe(store, sink.url("/unwanted"))
    sink.behave("/unwanted", () => 500)
    await happen(store, 10)
    expect([(await a.view(store, id)).circuitOpen, await mailsOf(store)]).toEqual([true, []])
  })
})

describe("the sequence of events", () => {
  it("orders the events of a customer as they were committed, by whichever process", async () => {
    const store = await a.openStore()
    const { id } = await a.run(Customers.use((all) => all.create(store, { email: "ada@example.com", firstName: "0" })))
    const address = { line1: "1 Main St", city: "Town", region: "CA", postalCode: "94105", country: "US" }
    await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        [a, b][i % 2]?.run(CustomerAddresses.use((all) => all.add(store, id, { ...address, firstName: `n${i}` })))
      )
    )
    const found = await eventsOf(store)
    const ordered = found.toSorted((x, y) => x.sequence - y.sequence)
    expect(new Set(found.map(({ sequence }) => sequence)).size).toBe(11)
    // Each write sees the addresses of those before it.
    expect(
      ordered.map(({ data }) => (data["customer"] as { readonly addresses: ReadonlyArray<object> }).addresses.length)
    ).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it("is the same in the feed and in what is delivered, where other stores have events before", async () => {
    await a.emit(await a.openStore(), ...times(3))
    const store = await a.openStore()
    await a.subscribe(store, sink.url("/same"))
    await happen(store, 2)
    const delivered = sink.of("/same").map(({ raw }) => JSON.parse(raw.toString()))
    expect(delivered.length).toBe(2)
    expect((await eventsOf(store)).map(({ id, sequence }) => ({ id, sequence }))).toEqual(
      delivered.map(({ id, sequence }) => ({ id, sequence })).toSorted((x, y) => x.sequence - y.sequence)
    )
  })

  it("goes on above what was sent before, when every event of the store has been removed", async () => {
    const store = await a.openStore()
    await a.emit(store, ...times(3))
    const before = (await eventsOf(store)).map(({ sequence }) => sequence)
    expect(before).toEqual([...new Set(before)].toSorted((x, y) => x - y))
    await bothAdvance(31 * 24 * hour)
    await a.run(EventFeed.use((feed) => feed.sweep))
    await a.emit(store, "order.updated")
    const after = (await eventsOf(store)).map(({ sequence }) => sequence)
    expect([before.length, after.length, (after[0] ?? 0) > Math.max(...before)]).toEqual([3, 1, true])
  })
})
