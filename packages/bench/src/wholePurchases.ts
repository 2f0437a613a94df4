/**
 * The CPU of whole purchases: of the server with its workers, and of PostgreSQL, one shopper after another. Beside
 * another checkout it tells what a change costs; beside itself, what a coupon, a rule and a gift card cost.
 *
 * Both kinds take turns, and a round ends when the workers have handed on what the purchases left to them.
 */
import { join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { Redacted } from "effect"
import { type CpuTimes, cpuPer, cpuTimesOf } from "./cpuTimes.ts"
import { couponCode, giftCardCode, reducedProducts, seedDiscounts } from "./discountSeed.ts"
import { asShopper, purchase } from "./journeys.ts"
import { median, type Ratio, totalCpu } from "./measure.ts"
import type { Place } from "./place.ts"
import { stop } from "./processes.ts"
import { atMost, table, two } from "./report.ts"
import type { Group, Run } from "./run.ts"
import type * as seedModule from "./seed.ts"
import { secret, seedProducts } from "./seed.ts"
import { serveProduct, type Serving } from "./serving.ts"

interface Side {
  readonly place: Place
  readonly serving: Serving
  /** Buys for the i-th time. */
  readonly buy: (i: number) => Promise<void>
}

const purchasesOfRound = 100

const settled = (): Promise<void> => new Promise((done) => setTimeout(done, 2_000))

const buyMany = async ({ place, serving, buy }: Side, round: number): Promise<CpuTimes | undefined> => {
  const read = () => cpuTimesOf(serving.child.pid, place.postmaster)
  const before = read()
  for (let i = 0; i < purchasesOfRound; i++) await buy(round * purchasesOfRound + i)
  await settled()
  return cpuPer(purchasesOfRound, before, read())
}

interface Cost {
  readonly what: string
  readonly cpu: CpuTimes
  readonly other: CpuTimes
  /** CPU of the first beside the second. */
  readonly ratio: Ratio
}

/** Round 0 warms both up and is not counted. */
const compare = async (what: string, { plan, note }: Run, sides: readonly [Side, Side]): Promise<Cost> => {
  const measured: ReadonlyArray<Array<CpuTimes>> = [[], []]
  for (let round = 0; round <= plan.rounds; round++) {
    for (const at of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const cpu = await buyMany(sides[at], round)
      if (round > 0 && cpu !== undefined) measured[at]?.push(cpu)
    }
  }
  const [of = [], to = []] = measured
  const ratios = of.map((cpu, i) => totalCpu({ cpu }) / totalCpu({ cpu: to[i] }))
  const middle = (all: ReadonlyArray<CpuTimes>): CpuTimes => ({
    node: median(all.map(({ node }) => node)),
    postgres: median(all.map(({ postgres }) => postgres))
  })
  const ratio = { median: median(ratios), lowest: Math.min(...ratios), highest: Math.max(...ratios) }
  note(`${what}: ${two(ratio.median)}`)
  return { what, cpu: middle(of), other: middle(to), ratio }
}

/** A checkout's product with its workers, on a database that its own files fill. */
const openSide = async ({ places }: Run, checkout: string, dataDir: string): Promise<Side> => {
  const seed: typeof seedModule = await import(pathToFileURL(join(checkout, "packages/bench/src/seed.ts")).href)
  const place = await places.open(dataDir, seed)
  await seed.seedProducts(place.seeder, place.shop, 1_000)
  const serving = await serveProduct(place.dataDir, { checkout })
  const ask = asShopper({ port: serving.port, shop: place.shop })
  return { place, serving, buy: (i) => purchase(ask, i) }
}

const here = new URL("../../..", import.meta.url).pathname

const besideAnother = async (run: Run, beside: string): Promise<Cost> => {
  const ours = await openSide(run, here, "purchases-ours")
  const theirs = await openSide(run, resolve(beside), "purchases-theirs")
  const cost = await compare("a purchase beside the other checkout", run, [ours, theirs])
  await Promise.all([stop(ours.serving.child), stop(theirs.serving.child)])
  return cost
}

const withDiscounts = async (run: Run): Promise<Cost> => {
  const place = await run.places.open("purchases-discounts")
  await seedProducts(place.seeder, place.shop, 1_000)
  await seedDiscounts(place.connection, place.shop, (run.plan.rounds + 1) * purchasesOfRound)
  // Codes of gift cards are kept as hashes under the root secret.
  const serving = await serveProduct(place.dataDir, { env: { COMMERCE_SECRET: Redacted.value(secret) } })
  const ask = asShopper({ port: serving.port, shop: place.shop })
  const reduced: Side = {
    place,
    serving,
    buy: (i) => purchase(ask, i % (reducedProducts / 2), { code: couponCode, giftCardCode: giftCardCode(i) })
  }
  const plain: Side = {
    place,
    serving,
    buy: (i) => purchase(ask, reducedProducts / 2 + (i % (reducedProducts / 2)))
  }
  const cost = await compare("with a coupon, a rule and a gift card beside without", run, [reduced, plain])
  await stop(serving.child)
  return cost
}

const besideRow = "purchase beside another checkout"
const discountsRow = "purchase with discounts"

interface Held {
  readonly cost: Cost
  readonly most: number
}

export const wholePurchasesGroup: Group = {
  name: "whole-purchases",
  rows: [besideRow, discountsRow],
  measure: async (run, asked) => {
    const costs: Array<Held> = []
    if (asked.includes(besideRow) && run.beside !== undefined)
      costs.push({ cost: await besideAnother(run, run.beside), most: 0.65 })
    if (asked.includes(discountsRow)) costs.push({ cost: await withDiscounts(run), most: 1.25 })
    const text = table(
      ["what", "Node ms", "PostgreSQL ms", "the other's Node ms", "PostgreSQL ms", "ratio"],
      costs.map(({ cost: { what, cpu, other, ratio }, most }) => [
        what,
        two(cpu.node),
        two(cpu.postgres),
        two(other.node),
        two(other.postgres),
        atMost(ratio, most)
      ])
    )
    return { title: "CPU of whole purchases", text, data: costs.map(({ cost, most }) => ({ ...cost, most })) }
  }
}
