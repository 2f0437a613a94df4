/**
 * G10: at every fault point the product names, the process is killed, the code throws, and the connections to the database are lost; each time the shopper
 * tries again until something is known, and the books are audited. Names come from the product's own list: one that no purchase here passes fails.
 */
import { join } from "node:path"
import { faultPoints } from "@effect-commerce/core/database/FaultPoint"
import { auditBooks, auditJournal, heldUnits, openPayments } from "./books.ts"
import { type Answer, sleep, until } from "./Client.ts"
import { knownOf } from "./clients.ts"
import type { Installation, Shop, Slot } from "./Installation.ts"
import { type Journal, openJournal } from "./Journal.ts"
import { complete, furnish, prepare } from "./Purchase.ts"
import type { Outcome, Run } from "./Scenario.ts"
import type { FaultKind } from "./Server.ts"
import { type Buying, cardWays, cashWays, heard, type Way } from "./waysToBuy.ts"
import { takesCards } from "./waysToPay.ts"

const kinds: ReadonlyArray<FaultKind> = ["kill", "throw", "drop"]
/** A lock's longest life (G7), waited for in two steps. */
const lockMillis = 60_000
const steps = [0, lockMillis / 2 + 1_000, lockMillis / 2]
const workerMillis = 1_100
const holdMillis = 16 * 60_000

interface Stage {
  readonly installation: Installation
  readonly shop: Shop
  readonly slot: Slot
  readonly journal: Journal
  readonly productId: string
}

const alive = async ({ installation, slot }: Stage): Promise<void> => {
  if (slot.server?.isAlive() !== true) await installation.start(slot, { faulty: true })
}

/** Time goes by for the server; what has become due meanwhile runs within a second. */
const pass = async ({ installation, slot }: Stage, millis: number): Promise<void> => {
  await installation.advance([slot], millis)
  await sleep(millis > lockMillis / 2 ? 0 : workerMillis)
}

interface Tried {
  readonly fired: boolean
  /** Milliseconds from the fault to an answer that settles it, the moved clock not counted. */
  readonly millis: number
  readonly violations: ReadonlyArray<string>
}

/** Asks until `isEnough`, giving the locks of the dead their time; the last answer that came. */
const insist = async (stage: Stage, ask: () => Promise<Answer | undefined>, isEnough: (answer: Answer) => boolean): Promise<Answer | undefined> => {
  let last: Answer | undefined
  for (const wait of steps) {
    await alive(stage)
    if (wait > 0) await pass(stage, wait)
    last = (await ask()) ?? last
    if (last !== undefined && isEnough(last)) return last
  }
  return last
}

const told = (answer: Answer | undefined): string => `${answer?.status} ${answer?.bytes.toString("utf8").slice(0, 300)}`

/** The same request until it is settled, then, where that has made no order, another key. A 500 is kept for its key and given again. */
const settle = async (stage: Stage, way: Way, buying: Buying): Promise<ReadonlyArray<string>> => {
  const { journal, productId } = stage
  const hear = (key: string, answer: Answer | undefined): void => {
    if (answer !== undefined) journal.hear(key, knownOf(answer))
  }
  const again = async () => {
    const answer = await way.act(buying)
    if (way.isKeyed) hear(buying.key, answer)
    return answer
  }
  const last = await insist(stage, again, ({ status }) => status === way.settled || (way.isKeyed && status === 500))
  if (last?.status !== way.settled && !(way.isKeyed && last?.status === 500)) return [`after a minute the same request is answered with ${told(last)}`]
  if (way.isKeyed && way.settled === 200 && last.status === 200) return []
  const key = `${buying.key}-again`
  journal.intend({ checkoutId: buying.checkoutId, key, lines: [{ productId, quantity: 1 }] })
  const other = async () => {
    const answer = await heard(complete(buying.shop, buying.port, buying.checkoutId, key, way.body))
    hear(key, answer)
    return answer
  }
  const ended = await insist(stage, other, ({ status }) => status === 200)
  return ended?.status === 200 ? [] : [`another key is answered with ${told(ended)}`]
}

/** What the request that met the fault may be told. */
const judge = (kind: FaultKind, way: Way, first: Answer | undefined): ReadonlyArray<string> => {
  if (kind === "kill") return first === undefined ? [] : [`answered with ${told(first)} by a process that is gone`]
  const allowed = kind === "throw" ? [500] : [503, way.settled]
  return first !== undefined && allowed.includes(first.status) ? [] : [`answered with ${told(first)}, not ${allowed.join(" or ")}`]
}

const tryAt = async (stage: Stage, point: string, kind: FaultKind, way: Way): Promise<Tried> => {
  const { installation, shop, slot, journal, productId } = stage
  await alive(stage)
  const server = slot.server
  if (server === undefined) throw new Error("no server")
  const lines = [{ productId, quantity: 1 }]
  const { checkoutId } = await prepare(shop, () => slot.port, lines)
  const buying: Buying = { shop, port: slot.port, checkoutId, key: `${point}-${kind}-${way.name}` }
  await way.begin?.(buying)
  await server.arm({ point, kind })
  if (way.isKeyed) journal.intend({ checkoutId, key: buying.key, lines })
  const first = await way.act(buying)
  if (way.isKeyed && first !== undefined) journal.hear(buying.key, knownOf(first))
  if (!server.hasFired()) return { fired: false, millis: 0, violations: [] }
  const began = performance.now()
  if (kind === "kill") await server.ended
  const violations = [...judge(kind, way, first), ...(await settle(stage, way, buying))]
  const millis = performance.now() - began
  if (!(await until(5_000, async () => (await openPayments(installation, shop)) === 0))) violations.push("a payment is still open")
  const entries = journal.read().filter((entry) => entry.checkoutId === checkoutId)
  const orders = await installation.query("SELECT id FROM orders WHERE store_id = $1 AND checkout_id = $2", [shop.storeId, checkoutId])
  if (orders.length !== 1) violations.push(`the checkout has ${orders.length} orders`)
  violations.push(...(await auditBooks(installation, shop)), ...(await auditJournal(installation, shop, entries)))
  return { fired: true, millis, violations }
}

export interface FaultSize {
  /** False: one kind at each point, another each time. */
  readonly everyKind: boolean
}

export const proveFaultPoints = async ({ installation, note, random }: Run, { everyKind }: FaultSize): Promise<Outcome> => {
  const turn = random.between(0, kinds.length - 1)
  const shop = await installation.openShop({ strategy: "ON_CART" })
  const [product] = await installation.stock(shop, 1, 100_000)
  const [slot] = await installation.openSlots(1)
  if (product === undefined || slot === undefined) throw new Error("nothing to begin with")
  await installation.start(slot, { faulty: true })
  await furnish(shop, slot.port)
  const journal = openJournal(join(installation.folder, "faults.journal"))
  const stage: Stage = { installation, shop, slot, journal, productId: product.id }
  const cards = await takesCards(shop, slot.port, product)
  const ways = cards ? [...cashWays, ...cardWays] : cashWays
  if (!cards) note("the product takes no cards of the test provider yet: bought by hand only")
  const violations: Array<string> = []
  const latencies: Array<number> = []
  let covered = 0
  for (const [index, point] of faultPoints.entries()) {
    const missed: Array<FaultKind> = []
    for (const kind of everyKind ? kinds : kinds.filter((_, i) => i === (index + turn) % kinds.length)) {
      let fired = 0
      for (const way of ways) {
        const tried = await tryAt(stage, point, kind, way)
        if (!tried.fired) continue
        fired += 1
        latencies.push(tried.millis)
        violations.push(...tried.violations.map((violation) => `${kind} at ${point}, ${way.name}: ${violation}`))
      }
      if (fired === 0) missed.push(kind)
    }
    if (missed.length === 0) covered += 1
    else violations.push(`${point}: no purchase passes it (${missed.join(", ")})`)
    await installation.advance([slot], holdMillis)
    if (!(await until(3_000, async () => (await heldUnits(installation, shop)) === 0))) violations.push(`${point}: units are still held 16 minutes later`)
    note(`${point}: ${missed.length === 0 ? "covered" : "NOT PASSED"}`)
  }
  journal.close()
  return {
    counts: { points: faultPoints.length, kinds: everyKind ? kinds.length : 1, covered, waysToPay: ways.length, faults: latencies.length },
    latencies,
    violations
  }
}
