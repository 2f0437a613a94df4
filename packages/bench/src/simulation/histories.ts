/** Runs many histories: each shop runs one after another, and several shops run beside each other. */
import type { ConnectionOptions } from "@effect-commerce/core/database/ConnectionOptions"
import { type HistoryResult, runHistory } from "./history.ts"
import { openSimulatedShop } from "./SimulatedShop.ts"

export interface Histories {
  readonly counts: Readonly<Record<string, number>>
  /** Milliseconds of each history. */
  readonly latencies: ReadonlyArray<number>
  /** Those in which something does not hold. */
  readonly failed: ReadonlyArray<HistoryResult>
}

export interface HistoriesAsked {
  readonly first: number
  readonly count: number
  /** A database for each of the shops. */
  readonly databases: ReadonlyArray<ConnectionOptions>
  readonly note: (line: string) => void
}

export const runHistories = async ({ first, count, databases, note }: HistoriesAsked): Promise<Histories> => {
  const counts: Record<string, number> = {}
  const latencies: Array<number> = []
  const failed: Array<HistoryResult> = []
  let next = 0
  const runIn = async (connection: ConnectionOptions): Promise<void> => {
    const shop = await openSimulatedShop(connection)
    while (next < count) {
      const seed = first + next++
      const began = performance.now()
      const result = await runHistory(shop, seed).catch(
        (error: unknown): HistoryResult => ({
          seed,
          violations: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
          trace: [],
          counts: {}
        })
      )
      latencies.push(performance.now() - began)
      for (const [what, n] of Object.entries(result.counts)) counts[what] = (counts[what] ?? 0) + n
      if (result.violations.length > 0) {
        failed.push(result)
        note(`history ${seed}: ${result.violations.join("; ")}`)
      }
    }
    await shop.close()
  }
  await Promise.all(databases.map(runIn))
  return { counts: { ...counts, histories: count }, latencies, failed: failed.sort((a, b) => a.seed - b.seed) }
}

/** The end of a history's trace, for the one who reads a failure. */
export const traceOf = ({ seed, violations, trace }: HistoryResult, most: number): string =>
  [
    `history ${seed}`,
    ...(trace.length > most ? [`… ${trace.length - most} lines before`] : []),
    ...trace.slice(-most),
    ...violations.map((line) => `DOES NOT HOLD: ${line}`)
  ].join("\n")
