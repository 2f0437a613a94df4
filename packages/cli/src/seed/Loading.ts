/** What the loaders of one seeding share: the store, how many rows were created and updated, and ids by external id. */
import type { StoreContext } from "@effect-commerce/core/store/StoreContext"
import { Effect } from "effect"
import { failureLine } from "../failureLine.ts"
import type { Refused } from "../Refused.ts"
import type { ProgressLine } from "./ProgressLine.ts"
import { type Section, sections } from "./document.ts"
import { refusedRow } from "./rows.ts"

/** Rows per kind. */
export interface Seeded {
  readonly created: Record<string, number>
  readonly updated: Record<string, number>
}

export class Loading {
  readonly store: StoreContext
  readonly seeded: Seeded = { created: {}, updated: {} }
  readonly #names = new Map<Section, Map<string, string>>(sections.map((section) => [section, new Map()]))
  readonly #progress: ProgressLine

  constructor(store: StoreContext, progress: ProgressLine) {
    this.store = store
    this.#progress = progress
  }

  /** Remembers which rows these external ids name. */
  name(section: Section, ids: Iterable<readonly [externalId: string, id: string]>): void {
    for (const [externalId, id] of ids) this.#names.get(section)?.set(externalId, id)
  }

  known(section: Section, externalId: string): string | undefined {
    return this.#names.get(section)?.get(externalId)
  }

  /** The id of the row that a reference names, by its external id or by its own. */
  idOf(section: Section, reference: string): string {
    return this.known(section, reference) ?? reference
  }

  count(section: Section, outcome: keyof Seeded): void {
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
