/**
 * The circuit breaker of a subscription compared with a model of its table of states, command by command, each through
 * the other of two processes; then bursts through both at once.
 */
import {
  contractTimes,
  changePrices,
  checkHits,
  type Delivery,
  type DeliveryTimes,
  deliveriesOf,
  drain,
  type Subscription,
  subscribe
} from "./deliveries.ts"
import { type EventSink, openEventSink } from "./EventSink.ts"
import type { Installation, Slot } from "./Installation.ts"
import { admin } from "./Purchase.ts"
import type { Random } from "./Random.ts"
import { labelled, type Outcome, type Run } from "./Scenario.ts"
import type { Product, Shop } from "./Shops.ts"

export interface CircuitSize {
  readonly commands: number
  /** Events at once, more than open a circuit. */
  readonly burst: number
  readonly times?: DeliveryTimes
}

const threshold = 10
const attemptsOfAll = 5
const minute = 60_000

/** `emit` fails this number of attempts, then succeeds. */
type Command =
  | { readonly do: "emit"; readonly failing: number }
  | { readonly do: "wait"; readonly millis: number }
  | { readonly do: "switch" }

interface Model {
  readonly failures: number
  readonly isOpen: boolean
  /** Milliseconds that the circuit has been open, by what was waited; attempts take none in the model. */
  readonly openFor: number
}

interface Expected {
  readonly model: Model
  /** Attempts of the command's event; 0: it is lost. */
  readonly attempts: number
}

const closed: Model = { failures: 0, isOpen: false, openFor: 0 }

const emitted = (model: Model, failing: number, { circuitPause }: DeliveryTimes): Expected => {
  if (model.isOpen && model.openFor < circuitPause) return { model, attempts: 0 }
  if (model.isOpen)
    return failing === 0
      ? { model: closed, attempts: 1 }
      : { model: { failures: model.failures + 1, isOpen: true, openFor: 0 }, attempts: 1 }
  const failures = model.failures + Math.min(failing, attemptsOfAll)
  // What was queued before the circuit opened goes on, and a success then empties the count.
  const after = { failures: failing < attemptsOfAll ? 0 : failures, isOpen: failures >= threshold, openFor: 0 }
  return { model: after, attempts: Math.min(failing + 1, attemptsOfAll) }
}

/** What a command must result in. */
const expect = (model: Model, command: Command, times: DeliveryTimes): Expected => {
  if (command.do === "switch") return { model: closed, attempts: 0 }
  if (command.do === "wait") return { model: { ...model, openFor: model.openFor + command.millis }, attempts: 0 }
  return emitted(model, command.failing, times)
}

/** Where the circuit is open, time is what changes it. */
const draw = (random: Random, { isOpen }: Model, { circuitPause }: DeliveryTimes): Command => {
  const chance = random.next()
  if (isOpen && chance < 0.35) return { do: "wait", millis: circuitPause + minute }
  if (isOpen && chance < 0.5) return { do: "wait", millis: circuitPause / 2 + minute }
  if (chance > 0.93) return { do: "switch" }
  const failing = random.next()
  return {
    do: "emit",
    failing: failing < 0.6 ? attemptsOfAll : failing < 0.8 ? 0 : random.between(1, attemptsOfAll - 1)
  }
}

interface Stage {
  readonly installation: Installation
  readonly shop: Shop
  readonly slots: ReadonlyArray<Slot>
  readonly product: Product
  readonly sink: EventSink
  readonly subscription: Subscription
  readonly times: DeliveryTimes
}

const path = "/circuit"
const portOf = ({ slots }: Stage, turn: number): number => slots[turn % slots.length]?.port ?? 0

const read = async (stage: Stage, turn: number) => {
  const { status, body } = await admin(
    stage.shop,
    portOf(stage, turn),
    "GET",
    `/webhook-subscriptions/${stage.subscription.id}`
  )
  if (status !== 200) throw new Error(`the subscription is answered with ${status}`)
  return body as {
    readonly circuitOpen: boolean
    readonly circuitOpenedAt: string | null
    readonly failureCount: number
  }
}

const settle = async ({ installation, shop, slots }: Stage): Promise<ReadonlyArray<string>> =>
  (await drain(installation, shop, slots, 30_000)) ? [] : ["not every delivery was finished after 30 s"]

/** Events made at once, through both processes. */
const emit = (stage: Stage, turn: number, count: number, fails: (nth: number) => boolean) => {
  const before = stage.sink.hits.length
  stage.sink.behave(path, (nth) => (fails(nth - before) ? 500 : 200))
  return changePrices(stage.shop, (i) => portOf(stage, turn + i), stage.product, count, count)
}

const carryOut = async (stage: Stage, command: Command, turn: number): Promise<void> => {
  if (command.do === "emit") await emit(stage, turn, 1, (nth) => nth <= command.failing)
  else if (command.do === "wait") await stage.installation.advance(stage.slots, command.millis)
  else {
    for (const isActive of [false, true])
      await admin(stage.shop, portOf(stage, turn), "PATCH", `/webhook-subscriptions/${stage.subscription.id}`, {
        isActive
      })
  }
}

/** One command beside the model; the processes take turns, and the other one is asked. */
const step = async (
  stage: Stage,
  before: Model,
  command: Command,
  turn: number
): Promise<{ readonly model: Model; readonly violations: ReadonlyArray<string> }> => {
  const { sink, times } = stage
  const hits = sink.hits.length
  await carryOut(stage, command, turn)
  const unfinished = await settle(stage)
  const { model, attempts } = expect(before, command, times)
  const { circuitOpen, failureCount } = await read(stage, turn + 1)
  const arrived = sink.hits.length - hits
  const is = { open: circuitOpen, failures: failureCount, attempts: arrived }
  const must = { open: model.isOpen, failures: model.failures, attempts }
  const differs =
    JSON.stringify(is) === JSON.stringify(must)
      ? []
      : [`after ${JSON.stringify(command)}: ${JSON.stringify(is)}, must be ${JSON.stringify(must)}`]
  return { model, violations: [...unfinished, ...differs] }
}

/** It is the tenth failure that opens it: of those that end at the same time in two processes the order is theirs. */
const judgeOpening = (
  deliveries: ReadonlyArray<Delivery>,
  openedAt: string | null,
  burst: number
): ReadonlyArray<string> => {
  const ends = deliveries.flatMap(({ attempts }) => attempts.map(({ ended }) => ended)).sort((a, b) => a - b)
  const rank = ends.indexOf(Date.parse(openedAt ?? ""))
  return rank >= 0 && Math.abs(rank + 1 - threshold) < burst
    ? []
    : [`the circuit opened at ${openedAt}, which is the end of failure ${rank + 1}`]
}

const proveBursts = async (stage: Stage, burst: number): Promise<ReadonlyArray<string>> => {
  const { installation, shop, slots, sink, subscription, times } = stage
  const violations: Array<string> = []
  const hitsOf = async (count: number, fails: boolean): Promise<number> => {
    const before = sink.hits.length
    await emit(stage, count, count, () => fails)
    violations.push(...(await settle(stage)))
    return sink.hits.length - before
  }
  await carryOut(stage, { do: "switch" }, 0)
  const known = new Set((await deliveriesOf(installation, shop, subscription)).map(({ eventId }) => eventId))
  const failed = await hitsOf(burst, true)
  const opened = await read(stage, 1)
  const fresh = (await deliveriesOf(installation, shop, subscription)).filter(({ eventId }) => !known.has(eventId))
  if (!opened.circuitOpen || opened.failureCount !== failed)
    violations.push(`after ${failed} failures at once: ${JSON.stringify(opened)}`)
  violations.push(...judgeOpening(fresh, opened.circuitOpenedAt, burst))
  const lost = await hitsOf(burst, false)
  if (lost !== 0) violations.push(`${lost} events of an open circuit were sent`)
  await installation.advance(slots, times.circuitPause + minute)
  const probed = await hitsOf(burst, true)
  const reopened = await read(stage, 0)
  if (probed !== 1 || !reopened.circuitOpen || reopened.failureCount !== failed + 1)
    violations.push(`${probed} probes at once: ${JSON.stringify(reopened)}`)
  await installation.advance(slots, times.circuitPause + minute)
  const healed = await hitsOf(burst, false)
  const again = await read(stage, 1)
  if (healed < 1 || healed > burst || again.circuitOpen || again.failureCount !== 0)
    violations.push(`after ${healed} of ${burst} at once: ${JSON.stringify(again)}`)
  const all = await hitsOf(burst, false)
  if (all !== burst) violations.push(`${all} of ${burst} events were sent through the closed circuit`)
  return labelled("bursts", violations)
}

export const proveWebhookCircuit = async (
  { installation, random, note }: Run,
  { commands, burst, times = contractTimes }: CircuitSize
): Promise<Outcome> => {
  const sink = await openEventSink()
  const shop = await installation.openShop()
  const [product] = await installation.stock(shop, 1, 1)
  const slots = await installation.openSlots(2)
  await Promise.all(slots.map((slot) => installation.start(slot)))
  if (product === undefined) throw new Error("no product was made")
  const subscription = await subscribe(shop, slots[0]?.port ?? 0, path, sink.url(path), ["product.updated"])
  const stage: Stage = { installation, shop, slots, product, sink, subscription, times }
  const violations: Array<string> = []
  const visited = { opened: 0, probed: 0, lost: 0 }
  let model = closed
  for (let turn = 0; turn < commands && violations.length === 0; turn++) {
    const before = model
    const command = draw(random, before, times)
    const done = await step(stage, before, command, turn)
    model = done.model
    violations.push(...labelled(`command ${turn + 1}`, done.violations))
    visited.opened += !before.isOpen && model.isOpen ? 1 : 0
    const isEvent = command.do === "emit" && before.isOpen
    visited.lost += isEvent && before.openFor < times.circuitPause ? 1 : 0
    visited.probed += isEvent && before.openFor >= times.circuitPause ? 1 : 0
  }
  note(`${commands} commands: ${JSON.stringify(visited)}`)
  if (violations.length === 0) violations.push(...(await proveBursts(stage, burst)))
  violations.push(...checkHits(sink, [subscription], installation.now()))
  const attempts = sink.hits.length
  await sink.close()
  return { counts: { commands, burst, attempts, ...visited }, latencies: [], violations }
}
