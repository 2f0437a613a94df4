/**
 * What one whole purchase costs beside time: statements, transactions and bytes written, request by request. One shopper after another on a server that
 * serves and does nothing else (`--role api`), so that every count is exact and the same on every machine.
 */
import type { ChildProcess } from "node:child_process"
import { median } from "./measure.ts"
import { ask, stop } from "./processes.ts"
import { asShopper, purchase } from "./journeys.ts"
import { serveProduct } from "./serving.ts"
import type { Shop } from "./seed.ts"
import type { WireTally } from "./wireTally.ts"

export interface RequestCost extends WireTally {
  readonly request: string
}

export interface PurchaseCost {
  readonly requests: ReadonlyArray<RequestCost>
  readonly whole: WireTally
}

export const purchaseCostName = "cost of a purchase"

const counts = ["statements", "transactions", "toDatabase", "toCallers", "fromDatabase"] as const

const warming = 20
const purchases = 20

const tallyOf = (child: ChildProcess): Promise<WireTally> => ask<WireTally>(child, {})

const combine = (make: (count: keyof WireTally) => number): WireTally => Object.fromEntries(counts.map((count) => [count, make(count)])) as unknown as WireTally

/** Medians of each of the eight requests, and their sum. */
export const measurePurchaseCost = async (dataDir: string, shop: Shop): Promise<PurchaseCost> => {
  const { child, port } = await serveProduct(dataDir, { node: ["--import", new URL("./wireTally.ts", import.meta.url).href], args: ["--role", "api"] })
  const shopper = asShopper({ port, shop })
  const seen = new Map<string, Array<WireTally>>()
  for (let i = 0; i < warming; i++) await purchase(shopper, i)
  for (let i = 0; i < purchases; i++) {
    let at = 0
    await purchase(async (method, path, body, headers) => {
      const before = await tallyOf(child)
      const answer = await shopper(method, path, body, headers)
      const after = await tallyOf(child)
      const name = `${++at}. ${method} ${path.replace(/(cart|chk)_\w+/, ":id")}`
      seen.set(name, [...(seen.get(name) ?? []), combine((count) => after[count] - before[count])])
      return answer
    }, i)
  }
  await stop(child)
  const requests = [...seen].map(([request, all]) => ({ request, ...combine((count) => median(all.map((one) => one[count]))) }))
  return { requests, whole: combine((count) => requests.reduce((sum, one) => sum + one[count], 0)) }
}
