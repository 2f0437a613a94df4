/**
 * What one whole purchase costs beside time: statements, transactions and bytes written, request by request. One
 * shopper after another on a server that serves and does nothing else (`--role api`), so that every count is exact and
 * the same on every machine.
 */
import type { ChildProcess } from "node:child_process"
import { median } from "./measure.ts"
import { ask, stop } from "./processes.ts"
import { asShopper, purchase } from "./journeys.ts"
import { serveProduct } from "./serving.ts"
import { table, whole } from "./report.ts"
import { productIdOf, type Shop, simpleProduct, slugOf } from "./seed.ts"
import type { WireTally } from "./wireTally.ts"

export interface RequestCost extends WireTally {
  readonly request: string
}

export interface PurchaseCost {
  /** What a storefront reads beside. */
  readonly reads: ReadonlyArray<RequestCost>
  readonly requests: ReadonlyArray<RequestCost>
  readonly whole: WireTally
}

const counts = ["statements", "transactions", "flushes", "toDatabase", "toCallers", "fromDatabase"] as const

const warming = 20
const purchases = 20

const tallyOf = (child: ChildProcess): Promise<WireTally> => ask<WireTally>(child, {})

const combine = (make: (count: keyof WireTally) => number): WireTally =>
  Object.fromEntries(counts.map((count) => [count, make(count)])) as unknown as WireTally

type Shopper = ReturnType<typeof asShopper>

/** The same shopper, each of whose requests is counted under its name. */
const countedShopper = (shopper: Shopper, child: ChildProcess) => {
  const seen = new Map<string, Array<WireTally>>()
  const counted =
    (prefix = ""): Shopper =>
    async (method, path, body, headers) => {
      const before = await tallyOf(child)
      const answer = await shopper(method, path, body, headers)
      const after = await tallyOf(child)
      const name = `${prefix}${method} ${path.replace(/(cart|chk)_\w+/, ":id")}`
      seen.set(name, [...(seen.get(name) ?? []), combine((count) => after[count] - before[count])])
      return answer
    }
  /** Medians. */
  const costs = (): ReadonlyArray<RequestCost> =>
    [...seen].map(([request, all]) => ({ request, ...combine((count) => median(all.map((one) => one[count]))) }))
  return { counted, costs }
}

/** Each of the eight requests, their sum, and three reads. */
export const measurePurchaseCost = async (dataDir: string, shop: Shop): Promise<PurchaseCost> => {
  const { child, port } = await serveProduct(dataDir, {
    node: ["--import", new URL("./wireTally.ts", import.meta.url).href],
    args: ["--role", "api"]
  })
  const shopper = asShopper({ port, shop })
  for (let i = 0; i < warming; i++) await purchase(shopper, i)
  const buying = countedShopper(shopper, child)
  for (let i = 0; i < purchases; i++) {
    let at = 0
    await purchase((...request) => buying.counted(`${++at}. `)(...request), i)
  }
  const { id } = await shopper("POST", "/cart")
  await shopper("POST", `/cart/${id}/items`, { productId: productIdOf(simpleProduct(0)), quantity: 1 })
  const reading = countedShopper(shopper, child)
  for (let i = 0; i < purchases; i++) {
    for (const path of ["/products?page=6&limit=20", `/products/slug/${slugOf(1)}`, `/cart/${id}`])
      await reading.counted()("GET", path)
  }
  await stop(child)
  const requests = buying.costs()
  return {
    reads: reading.costs(),
    requests,
    whole: combine((count) => requests.reduce((sum, one) => sum + one[count], 0))
  }
}

export const purchaseCostText = ({
  reads,
  requests,
  whole: sum
}: PurchaseCost): string => `One shopper after another, on a server that serves and does nothing else. Statements are counted on the wire, without those that only open, bound and
end a transaction.

${table(
  ["request", "statements", "transactions", "flushes", "bytes to PostgreSQL", "bytes from it", "bytes to the shopper"],
  [...requests, { request: "the whole purchase", ...sum }, ...reads].map(
    ({ request, statements, transactions, flushes, toDatabase, fromDatabase, toCallers }) => [
      request,
      ...[statements, transactions, flushes, toDatabase, fromDatabase, toCallers].map(whole)
    ]
  )
)}`
