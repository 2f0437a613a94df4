/**
 * At every fault point that the product names, on every way to buy that passes it, the process is killed, the code
 * throws, and the connections to the database are lost (faultOnWay.ts). The names come from the product's own list; a
 * point that no purchase passes fails. The points of captures, voids and refunds are visited by the histories of
 * payments, and by the tests of their routes.
 */
import { join } from "node:path"
import { faultPoints } from "@effect-commerce/core/database/FaultPoint"
import { heldUnits } from "./books.ts"
import { until } from "./Client.ts"
import { furnishDiscounts } from "./discounts.ts"
import { pointsOf, type Stage, tryAt } from "./faultOnWay.ts"
import { openJournal } from "./Journal.ts"
import { furnish } from "./Purchase.ts"
import { labelled, type Outcome, type Run } from "./Scenario.ts"
import type { FaultKind } from "./Server.ts"
import { cardWays, cashWays, type Way } from "./waysToBuy.ts"
import { takesCards } from "./waysToPay.ts"

/** Points of other rooms, and the one that only a capture, a void or a refund passes, are visited by tests of their own. */
export const pointsOfPurchases = faultPoints.filter(
  (point) => /^(completion|payment)\./.test(point) && point !== "payment.answer-kept"
)
const kinds: ReadonlyArray<FaultKind> = ["kill", "throw", "drop"]
const holdMillis = 16 * 60_000
/** Violations after which no further fault is tried. */
const enough = 25
/** Ways that together pass every point; in small, some others go with them, different ones each time. */
const plain = new Set(["by-hand", "by-card", "declined", "told-later"])
const others = 3

export interface FaultSize {
  /** False: each point gets one kind of fault on one way to buy, chosen at random. */
  readonly everyWay: boolean
}

const openStage = async ({ installation }: Run): Promise<Stage> => {
  const shops = {
    order: await installation.openShop({ strategy: "ON_CART" }),
    refund: await installation.openShop({ strategy: "ON_CART", lateCapture: "refund" })
  }
  const [order, refund] = [
    ...(await installation.stock(shops.order, 1, 100_000)),
    ...(await installation.stock(shops.refund, 1, 100_000))
  ]
  const [slot] = await installation.openSlots(1)
  if (order === undefined || refund === undefined || slot === undefined) throw new Error("nothing to begin with")
  await installation.start(slot, { faulty: true })
  await furnish(shops.order, slot.port)
  for (const shop of Object.values(shops)) await furnishDiscounts(shop, slot.port)
  return {
    installation,
    shops,
    plenty: { order, refund },
    slot,
    journal: openJournal(join(installation.folder, "faults.journal"))
  }
}

export const proveFaultPoints = async (run: Run, { everyWay }: FaultSize): Promise<Outcome> => {
  const { note, random } = run
  const stage = await openStage(run)
  const { installation, slot, shops } = stage
  const cards = await takesCards(shops.order, slot.port, stage.plenty.order)
  if (!cards) note("the product takes no cards of the test provider yet: bought by hand only")
  const violations: Array<string> = []
  const passedBy = new Map<string, Array<Way>>()
  const all = cards ? [...cashWays, ...cardWays] : cashWays
  for (const way of everyWay
    ? all
    : [
        ...all.filter(({ name }) => plain.has(name)),
        ...random.shuffled(all.filter(({ name }) => !plain.has(name))).slice(0, others)
      ]) {
    const unharmed = await pointsOf(stage, way, everyWay)
    violations.push(...labelled(`unharmed, ${way.name}`, unharmed.violations))
    for (const point of unharmed.points) passedBy.set(point, [...(passedBy.get(point) ?? []), way])
  }
  const latencies: Array<number> = []
  let covered = 0
  for (const point of pointsOfPurchases) {
    const ways = passedBy.get(point) ?? []
    const tried = everyWay ? kinds : [random.pick(kinds)]
    const missed = new Set<FaultKind>(tried)
    for (const kind of ways.length === 0 || violations.length > enough ? [] : tried) {
      // Of requests that race, either may be the one that passes it: then another way is tried.
      for (const way of everyWay ? ways : random.shuffled(ways)) {
        const { millis, violations: found } = await tryAt(stage, { point, kind }, way)
        violations.push(...labelled(`${kind} at ${point}, ${way.name}`, found))
        if (millis === undefined) continue
        latencies.push(millis)
        missed.delete(kind)
        if (!everyWay) break
      }
    }
    if (missed.size === 0) covered += 1
    else violations.push(`${point}: no purchase passes it (${[...missed].join(", ")})`)
    note(`${point}: ${missed.size === 0 ? `covered on ${ways.map((way) => way.name).join(", ")}` : "NOT PASSED"}`)
  }
  await installation.advance([slot], holdMillis)
  for (const shop of Object.values(shops)) {
    if (!(await until(3_000, async () => (await heldUnits(installation, shop)) === 0)))
      violations.push("units are still held 16 minutes later")
  }
  stage.journal.close()
  return {
    counts: {
      points: pointsOfPurchases.length,
      kinds: kinds.length,
      covered,
      waysToBuy: all.length,
      faults: latencies.length
    },
    latencies,
    violations
  }
}
