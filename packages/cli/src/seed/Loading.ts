/** What the steps of one loading share: the store, what was created and updated, and which row a foreign id names. */
import type { StoreContext } from "@effect-commerce/core/store/StoreContext"
import { Effect } from "effect"
import { failureLine } from "../failureLine.ts"
import type { Refused } from "../Refused.ts"
import type { ProgressLine } from "./ProgressLine.ts"
import type { Section } from "./document.ts"
import { refusedRow } from "./rows.ts"

/** Rows per kind. */
export interface Seeded {
  readonly created: Record<string, number>
  readonly updated: Record<string, number>
}

export class Loading {
  readonly store: StoreContext
  readonly seeded: Seeded = { created: {}, updated: {} }
  readonly #names: Record<Section, Map<string, string>> = {
    categories: new Map(),
    taxClasses: new Map(),
    taxRates: new Map(),
    shippingClasses: new Map(),
    shippingZones: new Map(),
    products: new Map(),
    customers: new Map()
  }
  readonly #progress: ProgressLine

  constructor(store: StoreContext, progress: ProgressLine) {
    this.store = store
    this.#progress = progress
  }

  /** From now on these foreign ids name these rows. */
  name(section: Section, ids: Iterable<readonly [externalId: string, id: string]>): void {
    for (const [externalId, id] of ids) this.#names[section].set(externalId, id)
  }

  known(section: Section, externalId: string): string | undefined {
    return this.#names[section].get(externalId)
  }

  /** The row that is meant: by its foreign id, else by its own. */
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

/** A refusal of a use case as one of the row. */
export const inRow =
  (section: string, externalId: string) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, Refused, R> =>
    Effect.mapError(work, (error) => refusedRow(section, externalId, failureLine(error)))
