/**
 * One history: what a seed makes of a shop's life with its payment companies, and what must hold when the world has
 * come to rest. Shoppers begin, pay, come back, double-click and change their minds; the merchant captures and refunds;
 * notices are lost, late, doubled, batched and reordered; processes are killed at fault points beside one that goes on,
 * which may be of the release before; companies are silent.
 */
import type { FaultPointName } from "@effect-commerce/core/database/FaultPoint"
import { makeRandom } from "../proof/Random.ts"
import { type Company, type Notice, openCompany } from "./Company.ts"
import { companyKinds } from "./CompanyKinds.ts"
import { deliver } from "./deliver.ts"
import { type HistoryWorld, openStore } from "./openStore.ts"
import { randomStep } from "./randomStep.ts"
import type { ShopProcess } from "./ShopProcess.ts"
import type { SimulatedShop } from "./SimulatedShop.ts"
import { comeToRest, personActs, whatDoesNotHold } from "./truth.ts"

export interface HistoryResult {
  readonly seed: number
  readonly violations: ReadonlyArray<string>
  readonly trace: ReadonlyArray<string>
  readonly counts: Readonly<Record<string, number>>
}

const longestTrace = 4_000

/** What is planted for the process that reaches the point next. */
export interface Planted {
  readonly point: FaultPointName
  readonly kind: "throw" | "kill"
}

export const runHistory = async (shop: SimulatedShop, seed: number): Promise<HistoryResult> => {
  const random = makeRandom(seed)
  const { time } = shop
  const trace: Array<string> = []
  const counts: Record<string, number> = {}
  const violations: Array<string> = []
  let events = 0
  const began = time.now()
  const world: HistoryWorld = {
    shop,
    random,
    companies: new Map<string, Company>(),
    checkouts: [],
    isCalm: random.chance(0.1),
    isOldBeside: random.chance(0.25),
    isOver: false,
    planted: undefined,
    hasThrown: false,
    note: (line) => {
      if (trace.length < longestTrace && !world.isOver)
        trace.push(`${((time.now() - began) / 1_000).toFixed(3)} ${line}`)
    },
    count: (what) => {
      counts[what] = (counts[what] ?? 0) + 1
    },
    violate: (what) => void violations.push(what),
    eventIds: () => `${seed}_${++events}`
  }
  const faultAt = (_: ShopProcess, name: FaultPointName) => {
    const { planted } = world
    if (planted?.point !== name) return "nothing"
    world.planted = undefined
    world.hasThrown ||= planted.kind === "throw"
    world.count(planted.kind === "kill" ? "kills" : "throws")
    return planted.kind
  }
  const companyRandom = random.branch(1)
  for (const kind of companyKinds)
    world.companies.set(
      kind.code,
      openCompany(kind, {
        time,
        random: companyRandom,
        isCalm: () => world.isCalm,
        note: world.note,
        count: world.count,
        send: (notice: Notice) => deliver(world, kind, notice)
      })
    )
  shop.begin({ random: random.branch(2), note: world.note, companies: world.companies, faultAt })
  await shop.startAll(world.isOldBeside)
  const store = await openStore(world)
  const steps = random.between(6, 30)
  for (let i = 0; i < steps; i++) await randomStep(world, store)
  await comeToRest(world, store)
  if (await personActs(world, store)) await comeToRest(world, store)
  violations.push(...(await whatDoesNotHold(world, store)))
  world.isOver = true
  time.clear()
  return { seed, violations, trace, counts }
}
