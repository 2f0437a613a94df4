/** What a run of the benchmarks is given, and what a group of rows brings: its table, and its figures as JSON. */
import type { Places } from "./place.ts"

/** How much is measured; `--quick` measures less of the same. */
export interface Plan {
  readonly isQuick: boolean
  readonly rounds: number
  readonly pairs: number
  /** Of reads that are asked again and again, in each round. */
  readonly seconds: number
  /** Requests of a round where each is sent once. */
  readonly lines: number
  readonly completions: number
  /** Lists that nobody asked before, of each kind in each round: at few products and at many. */
  readonly fresh: { readonly few: number; readonly many: number }
  readonly starts: number
  readonly webhooks: { readonly rounds: number; readonly events: number; readonly samples: number }
  readonly journeys: { readonly purchases: number; readonly logins: number; readonly hot: number }
}

export const quickPlan: Plan = {
  isQuick: true,
  rounds: 3,
  pairs: 4,
  seconds: 1,
  lines: 1_000,
  completions: 300,
  fresh: { few: 200, many: 100 },
  starts: 3,
  webhooks: { rounds: 3, events: 2_000, samples: 100 },
  journeys: { purchases: 100, logins: 100, hot: 150 }
}

export const fullPlan: Plan = {
  isQuick: false,
  rounds: 7,
  pairs: 6,
  seconds: 3,
  lines: 4_000,
  completions: 1_000,
  fresh: { few: 400, many: 200 },
  starts: 7,
  webhooks: { rounds: 5, events: 4_000, samples: 300 },
  journeys: { purchases: 500, logins: 400, hot: 600 }
}

/** Callers of one server. */
export const connections = 16
/** Products of the two catalogues that are held beside each other. */
export const sizes = { few: 1_000, many: 100_000 } as const

export interface Run {
  readonly plan: Plan
  readonly places: Places
  /** The folder of another checkout to stand beside; undefined without. */
  readonly beside: string | undefined
  /** How many rows a group holds beside a few, in place of its own number; undefined: that. */
  readonly rowCount: number | undefined
  /** The folder for CPU profiles of the product; undefined without. */
  readonly profile: string | undefined
  readonly note: (line: string) => void
}

export interface Section {
  readonly title: string
  /** Markdown. */
  readonly text: string
  readonly data: unknown
}

/** Rows that are measured together; each can be asked for alone. */
export interface Group {
  readonly name: string
  readonly rows: ReadonlyArray<string>
  /** `rows`: those that are asked for. */
  readonly measure: (run: Run, rows: ReadonlyArray<string>) => Promise<Section>
}
