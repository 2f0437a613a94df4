import { createHmac } from "node:crypto"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import type { StoreContext } from "../../src/store/StoreContext.ts"
import { WebhookReplay } from "../../src/webhook/WebhookReplay.ts"
import { WebhookSubscriptions } from "../../src/webhook/WebhookSubscriptions.ts"
import { type Instance, openInstance, openTwoInstances } from "./instance.ts"
import { isGenuine, openSink, type Sink } from "./sink.ts"

/**
 * Two processes of one installation. Nothing runs by itself: each step is made by one of them, in the order that a test
 * says.
 */
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

const minute = 60_000
const hour = 60 * minute
const bothAdvance = (millis: number) => two.bothAdvance(millis)
const relayed = async (instance: Instance, store: StoreContext, ...types: ReadonlyArray<string>) => {
  await instance.emit(store, ...types)
  await instance.relay(store)
}

/** As the libraries of standardwebhooks.com verify: the key is base64, the timestamp in seconds. */
const standardOf = (secret: string, id: string, timestamp: string, raw: Buffer): string =>
  `v1,${createHmac("sha256", Buffer.from(secret.slice("whsec_".length), "base64"))
    .update(`${id}.${timestamp}.`)
    .update(raw)
    .digest("base64")}`

describe("a delivery", () => {
  it("carries the headers of Standard Webhooks where its subscription wants them, beside ours", async () => {
    const store = await a.openStore()
    const create = (path: string, standardHeaders?: boolean) =>
      a.run(
        WebhookSubscriptions.use((webhooks) =>
          webhooks.create(store, {
            url: sink.url(path),
            events: ["*"],
            ...(standardHeaders === undefined ? {} : { standardHeaders })
          })
        )
      )
    const both = await create("/standard", true)
    const ours = await create("/ours")
    expect([both.standardHeaders, ours.standardHeaders]).toEqual([true, false])
    await relayed(a, store, "order.created")
    await a.deliver(store)
    const hit = sink.of("/standard")[0]!
    const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature } = hit.headers
    expect([id, timestamp]).toEqual([hit.id, String(Math.floor(Number(hit.headers["x-svc-timestamp"]) / 1_000))])
    expect(signature).toBe(standardOf(both.secret, hit.id, String(timestamp), hit.raw))
    expect(isGenuine(both.secret, hit, await a.now())).toBe(true)
    const names = Object.keys(sink.of("/ours")[0]!.headers)
    expect(names.filter((name) => name.startsWith("webhook-"))).toEqual([])
    await a.run(WebhookSubscriptions.use((webhooks) => webhooks.update(store, both.id, { standardHeaders: false })))
    await relayed(a, store, "order.paid")
    await a.deliver(store)
    expect(Object.keys(sink.of("/standard")[1]!.headers)).not.toContain("webhook-signature")
  })

  it("is signed over its raw bytes at the moment it is sent, with the headers of the contract", async () => {
    const store = await a.openStore()
    const { secret } = await a.subscribe(store, sink.url("/signed"))
    await relayed(a, store, "order.created")
    await a.deliver(store)
    const [hit] = sink.of("/signed")
    if (hit === undefined) throw new Error("nothing arrived")
    const now = await a.now()
    expect(isGenuine(secret, hit, now)).toBe(true)
    expect(isGenuine(`${secret.slice(0, -1)}${secret.endsWith("0") ? "1" : "0"}`, hit, now)).toBe(false)
    expect(
      isGenuine(secret, { ...hit, raw: Buffer.from(JSON.stringify(JSON.parse(hit.raw.toString()), null, 1)) }, now)
    ).toBe(false)
    const { id, type, createdAt, data } = JSON.parse(hit.raw.toString())
    expect([id, type, data]).toEqual([
      expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      "order.created",
      { orderId: "x_0", nth: 0 }
    ])
    expect(new Date(createdAt).toISOString()).toBe(createdAt)
    const {
      "content-type": contentType,
      "x-svc-event": event,
      "x-svc-event-id": eventId,
      "x-svc-timestamp": timestamp
    } = hit.headers
    expect([contentType, event, eventId]).toEqual(["application/json", "order.created", id])
    expect(Math.abs(Number(timestamp) - now)).toBeLessThan(5_000)
    expect(hit.headers["x-svc-signature"]).toMatch(/^[0-9a-f]{64}$/)
  })

  it("that fails is made again after 5, 10, 20 and 40 seconds and given up after the fifth time, whatever way it fails", async () => {
    const store = await a.openStore()
    const { id } = await a.subscribe(store, sink.url("/failing"))
    const ways = [500, 404, 302, "reset", 400] as const
    sink.behave("/failing", (nth) => ways[nth - 1] ?? 200)
    await relayed(a, store, "order.created")
    expect(await a.deliver(store)).toBe(1)
    for (const seconds of [5, 10, 20, 40]) {
      const [{ attempts, nextAttemptAt } = { attempts: [], nextAttemptAt: null }] = await a.log(store, id)
      expect(Date.parse(nextAttemptAt ?? "") - Date.parse(attempts.at(-1)?.at ?? "")).toBe(seconds * 1_000)
      await bothAdvance(Date.parse(nextAttemptAt ?? "") - (await a.now()) - 500)
      expect(await a.deliver(store)).toBe(0)
      await bothAdvance(500)
      expect(await a.deliver(store)).toBe(1)
    }
    await bothAdvance(hour)
    expect(await a.deliver(store)).toBe(0)
    const [done] = await a.log(store, id)
    expect([done?.status, done?.attemptCount, done?.nextAttemptAt]).toEqual(["abandoned", 5, null])
    expect(done?.attempts.map(({ statusCode, error }) => statusCode ?? error)).toEqual([
      500,
      404,
      302,
      "broken: the connection failed (UND_ERR_SOCKET)",
      400
    ])
    expect(sink.of("/failing")).toHaveLength(5)
    expect(new Set(sink.of("/failing").map(({ raw }) => raw.toString())).size).toBe(1)
    expect(new Set(sink.of("/failing").map(({ headers }) => headers["x-svc-signature"])).size).toBe(5)
    expect(sink.of("/followed")).toEqual([])
  })

  it("that hangs is given up in time", async () => {
    const impatient = await openInstance(two.database, { policy: { timeout: 150 } })
    try {
      const store = await impatient.openStore()
      const { id } = await impatient.subscribe(store, sink.url("/hanging"))
      sink.behave("/hanging", () => new Promise(() => undefined))
      await relayed(impatient, store, "order.created")
      await impatient.deliver(store)
      const [{ status, attempts } = { status: "", attempts: [] }] = await impatient.log(store, id)
      expect([status, attempts[0]?.statusCode, attempts[0]?.error]).toEqual([
        "pending",
        null,
        "timeout: no answer in time"
      ])
      expect(attempts[0]?.durationMs).toBeGreaterThanOrEqual(145)
    } finally {
      await impatient.close()
    }
  })

  it("is logged newest first with what was answered, and an internal event reaches nobody", async () => {
    const store = await a.openStore()
    const { id } = await a.subscribe(store, sink.url("/logged"))
    await relayed(a, store, "order.created", "internal.password_reset", "product.deleted")
    expect(await a.deliver(store)).toBe(2)
    const log = await a.log(store, id)
    expect(log.map(({ eventType, status, attemptCount }) => [eventType, status, attemptCount])).toEqual([
      ["order.created", "delivered", 1],
      ["product.deleted", "delivered", 1]
    ])
    expect(Object.keys(log[0] ?? {}).toSorted()).toEqual(
      [
        "attemptCount",
        "attempts",
        "createdAt",
        "eventId",
        "eventType",
        "finishedAt",
        "id",
        "nextAttemptAt",
        "status",
        "subscriptionId"
      ].toSorted()
    )
    expect(log[0]?.attempts).toEqual([
      { at: expect.any(String), statusCode: 200, error: null, durationMs: expect.any(Number) }
    ])
    expect(sink.of("/logged").map(({ type }) => type)).toEqual(["order.created", "product.deleted"])
  })
})

describe("two workers", () => {
  it("share what is due: nothing twice, nothing left", async () => {
    const store = await a.openStore()
    await a.subscribe(store, sink.url("/shared"))
    await relayed(a, store, ...Array.from({ length: 40 }, () => "order.updated"))
    const claims = await Promise.all([a.claim(store, 15), b.claim(store, 15), a.claim(store, 15), b.claim(store, 15)])
    const ids = claims.flat().map(({ id }) => id)
    expect([ids.length, new Set(ids).size]).toEqual([40, 40])
  })

  it("hold a delivery for thirty seconds: one that dies loses it to the other; what it does later arrives with the same id and is not recorded", async () => {
    const store = await a.openStore()
    const { id } = await a.subscribe(store, sink.url("/lease"))
    sink.behave("/lease", (nth) => (nth === 1 ? 500 : 200))
    await relayed(a, store, "order.created")
    const taken = await a.claim(store)
    await bothAdvance(29_000)
    expect(await b.deliver(store)).toBe(0)
    await bothAdvance(1_000)
    expect(await b.deliver(store)).toBe(1)
    await a.attempt(store, taken)
    const states = async () => (await a.log(store, id)).map(({ status, attemptCount }) => [status, attemptCount])
    expect(await states()).toEqual([["pending", 1]])
    expect(await a.view(store, id)).toMatchObject({ failureCount: 1 })
    await bothAdvance(5_000)
    expect(await b.deliver(store)).toBe(1)
    expect(await states()).toEqual([["delivered", 2]])
    const arrived = sink.of("/lease")
    expect([arrived.length, new Set(arrived.map((hit) => hit.id)).size]).toEqual([3, 1])
  })
})

describe("the guard", () => {
  it("drops a delivery to a private address at once: logged, not made again, no failure of the subscription", async () => {
    const store = await a.openStore()
    const { id } = await a.subscribe(store, sink.url("/private"))
    const strict = await openInstance(two.database, { outbound: {} })
    try {
      await relayed(strict, store, "order.created")
      expect(await strict.deliver(store)).toBe(1)
      const [blocked] = await strict.log(store, id)
      expect([blocked?.status, blocked?.attemptCount, blocked?.nextAttemptAt]).toEqual(["blocked", 1, null])
      expect(blocked?.attempts[0]?.error).toMatch(/^blocked: the URL must/)
      expect(await strict.view(store, id)).toMatchObject({ failureCount: 0, circuitOpen: false })
    } finally {
      await strict.close()
    }
    expect(sink.of("/private")).toEqual([])
  })

  it("judges the address that is connected to: a name that moves into the private network after it was stored reaches nobody", async () => {
    const answers = [["93.184.216.34"], ["127.0.0.1"]]
    const rebinding = await openInstance(two.database, {
      outbound: { resolver: async () => answers.shift() ?? ["127.0.0.1"] }
    })
    try {
      const store = await rebinding.openStore()
      const { port } = new URL(sink.url("/"))
      const { id } = await rebinding.subscribe(store, `https://rebinding.example.com:${port}/rebound`)
      await relayed(rebinding, store, "order.created")
      await rebinding.deliver(store)
      expect((await rebinding.log(store, id)).map(({ status }) => status)).toEqual(["blocked"])
    } finally {
      await rebinding.close()
    }
    expect(sink.of("/rebound")).toEqual([])
  })
})

describe("the circuit, over two processes", () => {
  /** Lets two events fail five times each, by turns in both processes. */
  const failTenTimes = async (store: StoreContext, id: string) => {
    // Two parcels, so that each process has one.
    await relayed(a, store, "order.created")
    await relayed(a, store, "order.created")
    const counts: Array<readonly [number, boolean]> = []
    for (const delay of [0, 5_000, 10_000, 20_000, 40_000]) {
      await bothAdvance(delay + 200)
      const [one] = [await a.claim(store, 1)]
      await a.attempt(store, one)
      counts.push(await countOf(store, id))
      await b.attempt(store, await b.claim(store, 1))
      counts.push(await countOf(store, id))
    }
    return counts
  }
  const countOf = async (store: StoreContext, id: string) => {
    const { failureCount, circuitOpen } = await b.view(store, id)
    return [failureCount, circuitOpen] as const
  }

  it("opens at the tenth failure and no earlier; loses what happens meanwhile; probes after an hour with one event; closes when the probe succeeds", async () => {
    const store = await a.openStore()
    const path = "/circuit"
    const { id } = await a.subscribe(store, sink.url(path))
    sink.behave(path, () => 500)
    const counts = await failTenTimes(store, id)
    expect(counts).toEqual([...Array.from({ length: 9 }, (_, i) => [i + 1, false]), [10, true]])
    expect(sink.of(path)).toHaveLength(10)

    await bothAdvance(hour - 10_000)
    await relayed(a, store, "order.paid")
    await relayed(b, store, "order.paid")
    expect(await a.deliver(store)).toBe(0)
    expect(await a.log(store, id)).toHaveLength(2)

    // The hour is over: of several events in both processes one goes out. It fails, and is not made again.
    await bothAdvance(11_000)
    await a.emit(store, "order.updated", "order.updated")
    await Promise.all([a.relay(store), b.relay(store)])
    await relayed(b, store, "order.updated")
    expect((await a.deliver(store)) + (await b.deliver(store))).toBe(1)
    const reopened = await a.view(store, id)
    expect(reopened).toMatchObject({ circuitOpen: true, failureCount: 11 })
    expect(Math.abs(Date.parse(reopened.circuitOpenedAt ?? "") - (await a.now()))).toBeLessThan(5_000)
    expect((await a.log(store, id)).map(({ status, attemptCount }) => [status, attemptCount])).toEqual([
      ["abandoned", 5],
      ["abandoned", 5],
      ["abandoned", 1]
    ])
    await bothAdvance(50 * minute)
    await relayed(a, store, "order.updated")
    expect(await b.deliver(store)).toBe(0)

    sink.behave(path, () => 200)
    await bothAdvance(10 * minute)
    await relayed(b, store, "order.refunded")
    expect(await a.deliver(store)).toBe(1)
    expect(await b.view(store, id)).toMatchObject({ circuitOpen: false, circuitOpenedAt: null, failureCount: 0 })
    await relayed(a, store, "order.cancelled")
    await b.deliver(store)
    expect(
      sink
        .of(path)
        .map(({ type }) => type)
        .slice(10)
    ).toEqual(["order.updated", "order.refunded", "order.cancelled"])
  })

  it("counts failures in a row: any success begins anew", async () => {
    const store = await a.openStore()
    const { id } = await a.subscribe(store, sink.url("/mixed"))
    sink.behave("/mixed", (nth) => (nth === 10 ? 204 : 503))
    const failing = Array.from({ length: 9 }, () => "order.updated")
    await relayed(a, store, ...failing)
    await a.deliver(store)
    expect(await a.view(store, id)).toMatchObject({ failureCount: 9, circuitOpen: false })
    await relayed(a, store, "order.paid")
    await a.deliver(store)
    expect(await a.view(store, id)).toMatchObject({ failureCount: 0, circuitOpen: false })
  })

  it("closes when the subscription is switched off and on, counter and all; what was under way is cancelled", async () => {
    const store = await a.openStore()
    const { id } = await a.subscribe(store, sink.url("/switched"))
    sink.behave("/switched", () => 500)
    await relayed(a, store, ...Array.from({ length: 10 }, () => "order.updated"))
    await a.deliver(store)
    expect(await b.view(store, id)).toMatchObject({ circuitOpen: true, failureCount: 10 })
    const switchTo = (isActive: boolean) =>
      b.run(Effect.flatMap(WebhookSubscriptions, (webhooks) => webhooks.update(store, id, { isActive })))
    await switchTo(false)
    expect(await b.view(store, id)).toMatchObject({ circuitOpen: true, failureCount: 10 })
    await relayed(a, store, "order.paid")
    await switchTo(true)
    expect(await b.view(store, id)).toMatchObject({ circuitOpen: false, circuitOpenedAt: null, failureCount: 0 })
    await bothAdvance(minute)
    expect(await a.deliver(store)).toBe(0)
    expect(new Set((await a.log(store, id)).map(({ status }) => status))).toEqual(new Set(["cancelled"]))
  })
})

describe("a replay", () => {
  it("sends an event once more, same id, same bytes, to every active subscription that hears it", async () => {
    const store = await a.openStore()
    const first = await a.subscribe(store, sink.url("/replayed"), ["order.*"])
    await a.subscribe(store, sink.url("/deaf"), ["product.*"])
    await relayed(a, store, "order.created")
    await a.deliver(store)
    const [hit] = sink.of("/replayed")
    const replayed = await b.run(Effect.flatMap(WebhookReplay, (replay) => replay.replay(hit?.id ?? "")))
    expect(replayed.deliveries.map(({ subscriptionId }) => subscriptionId)).toEqual([first.id])
    await a.deliver(store)
    const hits = sink.of("/replayed")
    expect([hits.length, hits[1]?.id, hits[1]?.raw.toString()]).toEqual([2, hit?.id, hit?.raw.toString()])
    expect(sink.of("/deaf")).toEqual([])
    expect(await a.log(store, first.id)).toHaveLength(2)
  })
})
