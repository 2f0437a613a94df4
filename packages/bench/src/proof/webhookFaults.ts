/**
 * Endpoints that answer badly or not at all. Each event gets five attempts at the promised intervals, or a 2xx;
 * redirects are not followed, little of a response is read, and endpoints that behave get their events in time.
 */
import { sleep } from "./Client.ts"
import {
  changePrices,
  contractTimes,
  checkHits,
  type Delivery,
  type DeliveryTimes,
  deliveriesOf,
  drain,
  type Subscription,
  subscribe
} from "./deliveries.ts"
import { type Hit, type Manner, openEventSink } from "./EventSink.ts"
import { complete, furnish, prepare } from "./Purchase.ts"
import { labelled, type Outcome, quantile, type Run } from "./Scenario.ts"
import type { Shop } from "./Shops.ts"

export interface WebhookFaultSize {
  /** Endpoints of each kind. */
  readonly each: number
  /** Events for those that behave. */
  readonly events: number
  readonly times?: DeliveryTimes
}

interface Kind {
  readonly name: string
  readonly manner: (nth: number) => Manner
  readonly scheme?: "https"
  /** How its deliveries end, after how many attempts. */
  readonly ends: readonly [status: string, attempts: number]
}

const kinds: ReadonlyArray<Kind> = [
  { name: "error", manner: () => 500, ends: ["abandoned", 5] },
  { name: "missing", manner: () => 404, ends: ["abandoned", 5] },
  { name: "redirect", manner: () => "redirect", ends: ["abandoned", 5] },
  { name: "silence", manner: () => "silence", ends: ["abandoned", 5] },
  { name: "dribble", manner: () => "dribble", ends: ["abandoned", 5] },
  { name: "reset", manner: () => "reset", ends: ["abandoned", 5] },
  { name: "empty", manner: () => "empty", ends: ["abandoned", 5] },
  { name: "no-tls", manner: () => 200, scheme: "https", ends: ["abandoned", 5] },
  { name: "recovers", manner: (nth) => (nth < 3 ? 503 : 204), ends: ["delivered", 3] },
  { name: "cut", manner: () => "cut", ends: ["delivered", 1] },
  { name: "flood", manner: () => "flood", ends: ["delivered", 1] },
  { name: "old", manner: () => "old", ends: ["delivered", 1] }
]

/** An attempt may come late by a fifth, and by what a busy machine and the leaps of the clock take. */
const share = 0.2
const slack = 1_500
/** Much more than sockets hold, and nothing beside an endless body. */
const mostFlooded = 16_000_000
const mostMemory = 50
const latest = 2_000

const judgeDelivery = (
  { ends: [status, attempts] }: Kind,
  delivery: Delivery,
  { retryDelays }: DeliveryTimes
): ReadonlyArray<string> => [
  ...(delivery.status === status && delivery.attempts.length === attempts
    ? []
    : [`${delivery.status} after ${delivery.attempts.length} attempts, must be ${status} after ${attempts}`]),
  ...delivery.attempts.flatMap((attempt, i) => {
    const [before, delay] = [delivery.attempts[i - 1], retryDelays[i - 1]]
    if (before === undefined || delay === undefined) return []
    const waited = attempt.began - before.ended
    return waited >= delay * (1 - share) && waited <= delay * (1 + share) + slack
      ? []
      : [`attempt ${i + 1} came ${waited} ms after the one before, must be ${delay}`]
  })
]

/** Buys once: order.created. */
const buyOnce = async (shop: Shop, port: number, productId: string): Promise<void> => {
  const { checkoutId } = await prepare(shop, () => port, [{ productId, quantity: 1 }])
  const { status } = await complete(shop, port, checkoutId, "heard-by-all")
  if (status !== 200) throw new Error(`the order was not placed: ${status}`)
}

/** From the acknowledged change to the endpoint: the nth change is the nth event. */
const delaysOf = (
  hits: ReadonlyArray<Hit>,
  { path }: Subscription,
  acked: ReadonlyArray<number>
): ReadonlyArray<number> => hits.filter((hit) => hit.path === path).map((hit, i) => hit.at - (acked[i] ?? hit.at))

export const proveWebhookFaults = async (
  { installation, note }: Run,
  { each, events, times = contractTimes }: WebhookFaultSize
): Promise<Outcome> => {
  const sink = await openEventSink()
  const shop = await installation.openShop()
  const [product] = await installation.stock(shop, 1, 100)
  const slots = await installation.openSlots(2)
  await Promise.all(slots.map((slot) => installation.start(slot)))
  const port = slots[0]?.port ?? 0
  if (product === undefined) throw new Error("no product was made")
  await furnish(shop, port)
  const good: Array<Subscription> = []
  for (const [i, events] of [["product.updated"], ["product.*"]].entries())
    good.push(await subscribe(shop, port, `/good/${i}`, sink.url(`/good/${i}`), events))
  // What a process needs for its work it has by then.
  await changePrices(shop, (turn) => slots[turn % slots.length]?.port ?? 0, product, events, 4)
  await drain(installation, shop, slots, 30_000)
  const begun = sink.hits.length
  const memory = () => slots.map((slot) => slot.server?.residentMemory() ?? Number.NaN)
  const before = memory()
  const bad: Array<{ readonly kind: Kind; readonly subscription: Subscription }> = []
  for (const kind of kinds) {
    for (let i = 0; i < each; i++) {
      const path = `/${kind.name}/${i}`
      sink.behave(path, kind.manner)
      bad.push({
        kind,
        subscription: await subscribe(shop, port, path, sink.url(path, kind.scheme), ["order.created"])
      })
    }
  }

  await buyOnce(shop, port, product.id)
  // The good endpoints get their events while the bad ones hang.
  await sleep(100)
  note(`${bad.length} endpoints that fail, ${events} events for two that do not`)
  const acked = await changePrices(shop, () => port, product, events, 1)
  const drained = await drain(installation, shop, slots, 150_000)
  const violations: Array<string> = drained ? [] : ["not every delivery was finished after 150 s"]

  let attempts = 0
  for (const { kind, subscription } of bad) {
    const deliveries = await deliveriesOf(installation, shop, subscription)
    if (deliveries.length !== 1)
      violations.push(`${subscription.path} has ${deliveries.length} deliveries of one event`)
    for (const delivery of deliveries)
      violations.push(...labelled(subscription.path, judgeDelivery(kind, delivery, times)))
    const arrived = sink.hits.filter((hit) => hit.path === subscription.path).length
    const expected = kind.scheme === "https" ? 0 : kind.ends[1]
    if (arrived !== expected) violations.push(`${subscription.path} was asked ${arrived} times, must be ${expected}`)
    attempts += deliveries.reduce((sum, delivery) => sum + delivery.attempts.length, 0)
  }
  const delays = good.flatMap((subscription) => delaysOf(sink.hits.slice(begun), subscription, acked))
  for (const { path } of good) {
    const ids = sink.hits
      .slice(begun)
      .filter((hit) => hit.path === path)
      .map((hit) => hit.eventId)
    if (ids.length !== events || new Set(ids).size !== events)
      violations.push(`${path} heard ${ids.length} times of ${new Set(ids).size} events, must be ${events}`)
  }
  const slow = quantile(delays, 0.95)
  if (!(slow < latest)) violations.push(`of the good endpoints one in twenty waited ${Math.round(slow)} ms`)
  if (sink.flooded() > mostFlooded) violations.push(`${sink.flooded()} bytes of an endless body were taken`)
  const grown = Math.max(...memory().map((now, i) => now - (before[i] ?? now)))
  if (grown > mostMemory) violations.push(`a process has grown by ${Math.round(grown)} MB`)
  violations.push(...checkHits(sink, [...bad.map(({ subscription }) => subscription), ...good], installation.now()))
  await sink.close()
  const measured = Number.isNaN(grown) ? {} : { grownMb: Math.round(grown) }
  return {
    counts: {
      endpoints: bad.length + good.length,
      attempts,
      events,
      floodedKb: Math.round(sink.flooded() / 1_024),
      ...measured
    },
    latencies: delays,
    violations
  }
}
