/** Exports of orders: how many rows a second, and whether the memory of the process grows with their number. */
import { mintKey } from "./adminKeys.ts"
import { watchMemory } from "./memory.ts"
import { seedOrders } from "./ordersSeed.ts"
import { pause, stop } from "./processes.ts"
import { send } from "./proof/Client.ts"
import { table, two, whole } from "./report.ts"
import type { Group } from "./run.ts"
import { serveProduct, type Serving } from "./serving.ts"

interface ExportResult {
  readonly format: string
  readonly rows: number
  readonly seconds: number
  /** Resident memory of the process at most, in MB. */
  readonly memory: number
}

const formats = ["csv", "ndjson"] as const
/** Memory of the largest export beside one of a tenth of its rows. */
const mayGrow = 1.1

/** Order `n` was made `n` seconds after this (ordersSeed). */
const firstAt = Date.UTC(2020, 0, 1)

const exported = async ({ child, port }: Serving, key: string, format: string, rows: number): Promise<ExportResult> => {
  const headers = { authorization: `Bearer ${key}` }
  const createdTo = new Date(firstAt + (rows + 1) * 1_000).toISOString()
  const start = performance.now()
  const memory = watchMemory(child)
  const body = { resource: "orders", format, filters: { createdTo } }
  const made = await send(port, "POST", "/v1/exports", { body, headers })
  if (made.status !== 202 && made.status !== 201) throw new Error(`an export is answered ${made.status}: ${made.bytes}`)
  for (;;) {
    const { body: seen } = await send(port, "GET", `/v1/exports/${made.body.id}`, { headers })
    if (seen.status === "FAILED") throw new Error(`an export failed: ${seen.reason}`)
    if (seen.status === "DONE") {
      // A row for each of the two lines of an order, or one for the order, as the format has it.
      if (seen.rows < rows) throw new Error(`an export of ${rows} orders has ${seen.rows} rows`)
      return { format, rows, seconds: (performance.now() - start) / 1_000, memory: memory() }
    }
    await pause(100)
  }
}

const textOf = (results: ReadonlyArray<ExportResult>): string =>
  table(
    ["format", "orders", "seconds", "orders a second", "memory MB", "beside a tenth of the orders"],
    results.map(({ format, rows, seconds, memory }) => {
      const [least] = results.filter((one) => one.format === format)
      const growth = memory / (least?.memory ?? Number.NaN)
      const bound = growth <= mayGrow ? "" : ` (NOT KEPT: <= ${mayGrow})`
      return [format, whole(rows), two(seconds), whole(rows / seconds), whole(memory), `${two(growth)}${bound}`]
    })
  )

export const exportedOrdersGroup: Group = {
  name: "exports",
  rows: ["exported orders"],
  measure: async ({ places, plan }) => {
    const place = await places.open("exports")
    const many = plan.isQuick ? 20_000 : 100_000
    await seedOrders(place.seeder, place.shop, many)
    const key = await mintKey(place, ["orders:read"])
    const serving = await serveProduct(place.dataDir)
    const results: Array<ExportResult> = []
    // The first export brings in code and fills caches, whatever its size.
    for (const format of formats) await exported(serving, key, format, many / 10)
    for (const format of formats)
      for (const rows of [many / 10, many]) results.push(await exported(serving, key, format, rows))
    await stop(serving.child)
    return { title: "Exports of orders", text: textOf(results), data: results }
  }
}
