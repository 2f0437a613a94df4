/** What the loaders of one seeding share: the store, how many rows were created and updated, and ids by external id. */
import type { StoreContext } from "@effect-commerce/core/store/StoreContext"
import { Effect } from "effect"
import { failureLine } from "../failureLine.ts"
import type { Refused } from "../Refused.ts"
import type { ProgressLine } from "./ProgressLine.ts"
import { refusedRow } from "./rows.ts"

/** Rows per kind. */
export interface Seeded {
  readonly created: Record<string, number>
  readonly updated: Record<string, number>
}

export class Loading {
  readonly store: StoreContext
  readonly seeded: Seeded = { created: {}, updated: {} }
  /** Rows are written one by one, to name the one that is refused. */
  readonly isOneByOne: boolean
  readonly #names: ReadonlyMap<string, Map<string, string>>
  readonly #progress: ProgressLine

  constructor(store: StoreContext, sections: ReadonlyArray<string>, progress: ProgressLine, isOneByOne = false) {
    this.isOneByOne = isOneByOne
    this.#names = new Map(sections.map((section) => [section, new Map()]))
    this.store = store
    this.#progress = progress
  }

  /** Remembers which rows these external ids name. */
  name(section: string, ids: Iterable<readonly [externalId: string, id: string]>): void {
    for (const [externalId, id] of ids) this.#idsOf(section).set(externalId, id)
  }

  known(section: string, externalId: string): string | undefined {
    return this.#idsOf(section).get(externalId)
  }

  /** The id of the row that a reference names, by its external id or by its own. */
  idOf(section: string, reference: string): string {
    return this.known(section, reference) ?? reference
  }

  #idsOf(section: string): Map<string, string> {
    const ids = this.#names.get(section)
    if (ids === undefined) throw new Error(`${section} is not a section of seed.ts`)
    return ids
  }

  count(section: string, outcome: keyof Seeded): void {
    this.seeded.created[section] ??= 0
    this.seeded.updated[section] ??= 0
    this.seeded[outcome][section] = (this.seeded[outcome][section] ?? 0) + 1
    this.#progress.step()
  }
}

/** Turns the error of a use case into a refusal that names the row. */
export const inRow =
  (section: string, externalId: string) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, Refused, R> =>
    Effect.mapError(work, (error) => refusedRow(section, externalId, failureLine(error)))
