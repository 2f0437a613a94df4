/**
 * Processes are killed while they deliver webhooks. Every event that was committed arrives or has five recorded
 * failures; an event that arrives twice has the same bytes both times.
 */
import { sleep, until } from "./Client.ts"
import {
  changePrices,
  checkHits,
  contractTimes,
  type DeliveryTimes,
  deliveriesOf,
  drain,
  subscribe
} from "./deliveries.ts"
import { openEventSink } from "./EventSink.ts"
import { labelled, type Outcome, type Run } from "./Scenario.ts"

export interface LossSize {
  readonly rounds: number
  /** Changes that are asked for in a round, while processes are killed. */
  readonly events: number
  readonly times?: DeliveryTimes
}

const paths = ["/steady", "/shaky"]
const slowest = 40
const atOnce = 4
const leaseMillis = 31_000

export const proveWebhookLoss = async (
  { installation, random, note }: Run,
  { rounds, events, times = contractTimes }: LossSize
): Promise<Outcome> => {
  const sink = await openEventSink()
  const shop = await installation.openShop()
  const [product] = await installation.stock(shop, 1, 1)
  const slots = await installation.openSlots(2)
  await Promise.all(slots.map((slot) => installation.start(slot)))
  if (product === undefined) throw new Error("no product was made")
  const chance = random.branch(0)
  const slowly = async (status: number): Promise<number> => {
    await sleep(chance.between(0, slowest))
    return status
  }
  sink.behave("/steady", () => slowly(200))
  sink.behave("/shaky", () => slowly(chance.chance(0.15) ? 500 : 200))
  const subscriptions = await Promise.all(
    paths.map((path) => subscribe(shop, slots[0]?.port ?? 0, path, sink.url(path), ["product.updated"]))
  )
  const violations: Array<string> = []
  const sums = { acknowledged: 0, kills: 0 }
  const committed = async () =>
    (
      await installation.query("SELECT id FROM event WHERE store_id = $1 AND type = 'product.updated'", [shop.storeId])
    ).map((row) => String(row["id"]))

  for (let round = 1; round <= rounds && violations.length < 10; round++) {
    const before = sink.hits.length
    const changing = changePrices(shop, (turn) => slots[turn % slots.length]?.port ?? 0, product, events, atOnce)
    const wanted = random.between(1, Math.ceil(events / 2))
    await until(5_000, async () => sink.hits.length - before >= wanted)
    await sleep(random.between(0, 30))
    const victims = random.pick([[0], [1], [0, 1]]).flatMap((index) => slots[index] ?? [])
    await Promise.all(victims.map((slot) => slot.server?.kill()))
    sums.kills += victims.length
    sums.acknowledged += (await changing).length
    await Promise.all(victims.map((slot) => installation.start(slot)))
    await installation.advance(slots, leaseMillis)
    if (!(await drain(installation, shop, slots, 60_000)))
      violations.push(`round ${round}: not every delivery was finished after 60 s`)
    note(`round ${round} of ${rounds}: ${sink.hits.length - before} attempts`)
  }

  const ids = await committed()
  if (ids.length < sums.acknowledged)
    violations.push(`${sums.acknowledged} changes were acknowledged and ${ids.length} events are there`)
  let [arrived, twice, given] = [0, 0, 0]
  for (const subscription of subscriptions) {
    const taken = new Map<string, number>()
    for (const { path, eventId, manner } of sink.hits)
      if (path === subscription.path && manner === 200) taken.set(eventId, (taken.get(eventId) ?? 0) + 1)
    const deliveries = new Map(
      (await deliveriesOf(installation, shop, subscription)).map((delivery) => [delivery.eventId, delivery])
    )
    const lost = ids.filter(
      (id) => !taken.has(id) && deliveries.get(id)?.attempts.length !== times.retryDelays.length + 1
    )
    violations.push(
      ...labelled(
        subscription.path,
        lost.slice(0, 3).map((id) => `the event ${id} was committed and never arrived (${lost.length} in all)`)
      )
    )
    arrived += taken.size
    twice += [...taken.values()].filter((count) => count > 1).length
    given += ids.filter((id) => !taken.has(id)).length
  }
  violations.push(...checkHits(sink, subscriptions, installation.now()))
  await sink.close()
  return {
    counts: { rounds, ...sums, events: ids.length, arrived, arrivedTwice: twice, abandoned: given },
    latencies: [],
    violations
  }
}
