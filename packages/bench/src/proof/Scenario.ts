/** What the runner runs: a named scenario at its full size, on an installation of its own, with a seed to repeat it. */
import type { Installation } from "./Installation.ts"
import type { Random } from "./Random.ts"

export interface Run {
  readonly installation: Installation
  readonly random: Random
  /** What `random` was made of. */
  readonly seed: number
  readonly note: (line: string) => void
  /** Asked for on the command line; the scenario's own number otherwise. */
  readonly rounds?: number | undefined
}

export interface Outcome {
  readonly counts: Readonly<Record<string, number>>
  /** Milliseconds of what the scenario measures. */
  readonly latencies: ReadonlyArray<number>
  /** What did not hold; empty means proved. */
  readonly violations: ReadonlyArray<string>
  /** Why it could not be run: the product has no such thing yet. */
  readonly notBuilt?: string
}

export interface Scenario {
  /** What `--only` and the report call it. */
  readonly name: string
  readonly title: string
  /** What `latencies` are of. */
  readonly measures: string
  /** Seconds after which it has failed. */
  readonly bound: number
  readonly run: (run: Run) => Promise<Outcome>
}

/** The value below which `share` of the sample lies; NaN of nothing. */
export const quantile = (sample: ReadonlyArray<number>, share: number): number => {
  const sorted = [...sample].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Findings of many rounds, each with where it was found; the first of each kind are enough to read. */
export const labelled = (label: string, findings: ReadonlyArray<string>): ReadonlyArray<string> =>
  findings.map((finding) => `${label}: ${finding}`)
