/**
 * G10: at every fault point the product names, the process is killed, the code throws, and the connections to the database are lost; each time the shopper
 * tries again until something is known, and the books are audited. Names come from the product's own list: one that no purchase here passes fails.
 */
import { join } from "node:path"
import { faultPoints } from "@effect-commerce/core/database/FaultPoint"
import { auditBooks, auditJournal, heldUnits } from "./books.ts"
import { type Answer, NoAnswer, sleep, until } from "./Client.ts"
import { knownOf } from "./clients.ts"
import type { Installation, Shop, Slot } from "./Installation.ts"
import { type Journal, openJournal } from "./Journal.ts"
import { complete, furnish, prepare } from "./Purchase.ts"
import type { Outcome, Run } from "./Scenario.ts"
import type { FaultKind } from "./Server.ts"
import { byCard, byHand, takesCards } from "./waysToPay.ts"

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

const heard = async (asking: Promise<Answer>): Promise<Answer | undefined> =>
  asking.catch((error: unknown) => {
    if (error instanceof NoAnswer) return undefined
    throw error
  })

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

/** An order for this checkout, by the same key as long as that says nothing, then by another: a 500 is kept for a key and given again. */
const insist = async (stage: Stage, checkoutId: string, key: string, body: object): Promise<ReadonlyArray<string>> => {
  const { shop, slot, journal } = stage
  const lines = [{ productId: stage.productId, quantity: 1 }]
  let last: Answer | undefined
  for (const wait of steps) {
    await alive(stage)
    if (wait > 0) await pass(stage, wait)
    last = await heard(complete(shop, slot.port, checkoutId, key, body))
    if (last !== undefined) journal.hear(key, knownOf(last))
    if (last?.status === 200) return []
    if (last?.status === 500) break
  }
  if (last?.status !== 500) return [`after a minute the same key is answered with ${last?.status} ${last?.bytes.toString("utf8")}`]
  const other = `${key}-again`
  journal.intend({ checkoutId, key: other, lines })
  for (const wait of steps) {
    if (wait > 0) await pass(stage, wait)
    const answer = await heard(complete(shop, slot.port, checkoutId, other, body))
    if (answer !== undefined) journal.hear(other, knownOf(answer))
    if (answer?.status === 200) return []
    last = answer
  }
  return [`another key is answered with ${last?.status} ${last?.bytes.toString("utf8")}`]
}

const tryAt = async (stage: Stage, point: string, kind: FaultKind, way: readonly [string, object]): Promise<Tried> => {
  const { installation, shop, slot, journal, productId } = stage
  await alive(stage)
  const server = slot.server
  if (server === undefined) throw new Error("no server")
  const lines = [{ productId, quantity: 1 }]
  const { checkoutId } = await prepare(shop, () => slot.port, lines)
  const key = `${point}-${kind}-${way[0]}`
  await server.arm({ point, kind })
  journal.intend({ checkoutId, key, lines })
  const first = await heard(complete(shop, slot.port, checkoutId, key, way[1]))
  if (!server.hasFired()) {
    if (first !== undefined) journal.hear(key, knownOf(first))
    return { fired: false, millis: 0, violations: [] }
  }
  const began = performance.now()
  if (kind === "kill") await server.ended
  if (first !== undefined) journal.hear(key, knownOf(first))
  const violations: Array<string> = []
  if (kind !== "kill" && first === undefined) violations.push("no answer was given")
  if (kind === "drop" && first !== undefined && first.status !== 200 && first.status !== 503) violations.push(`answered with ${first.status}, not 503`)
  if (kind === "throw" && first?.status !== 500) violations.push(`answered with ${first?.status}, not 500`)
  violations.push(...(await insist(stage, checkoutId, key, way[1])))
  const millis = performance.now() - began
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
  const ways = [["by-hand", byHand] as const, ...(cards ? [["by-card", byCard] as const] : [])]
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
        violations.push(...tried.violations.map((violation) => `${kind} at ${point}, ${way[0]}: ${violation}`))
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
