/**
 * Writes values of metafields into products that the caller has locked, inside the open transaction: for the routes of
 * values, for the body of a product, and for decisions about conflicts.
 */
import { Effect } from "effect"
import { makeId } from "../kernel/Ids.ts"
import { LibraryFiles } from "../media/LibraryFiles.ts"
import { MetafieldConflictRepository } from "./MetafieldConflictRepository.ts"
import { MetafieldDefinitionRepository } from "./MetafieldDefinitionRepository.ts"
import { MetafieldsRejected } from "./MetafieldErrors.ts"
import type { ValueKey } from "./MetafieldValue.ts"
import { MetafieldValueRepository } from "./MetafieldValueRepository.ts"
import type { LockedProduct } from "../taxonomy/ProductChanges.ts"
import { notInLibrary } from "../taxonomy/LibraryReferences.ts"
import { picturesIn } from "./ValuePictures.ts"
import { type KnownValues, pairOf, type PlannedValue, planValues, type SentValue } from "./internal/valuePlan.ts"

export interface ValueWriting {
  /** Locked by the caller. */
  readonly products: ReadonlyArray<LockedProduct>
  readonly sent: ReadonlyArray<SentValue>
  /** The platform that sends them; null for the merchant. */
  readonly source: string | null
  /** Epoch milliseconds. */
  readonly now: number
}

export type ValueOutcome =
  | { readonly kind: "refused"; readonly reason: string }
  | ({ readonly kind: "unchanged" | "written"; readonly value: unknown } & ValueKey)
  | ({ readonly kind: "conflict"; readonly value: unknown; readonly conflictId: string } & ValueKey)

type Accepted = Exclude<PlannedValue, { readonly kind: "refused" }>

const accepted = (plan: ReadonlyArray<PlannedValue>, ...kinds: ReadonlyArray<Accepted["kind"]>) =>
  plan.filter((one): one is Accepted => one.kind !== "refused" && kinds.includes(one.kind))

export const makeValueWrites = Effect.gen(function* () {
  const repository = yield* MetafieldValueRepository
  const byKey = yield* MetafieldDefinitionRepository
  const conflicts = yield* MetafieldConflictRepository
  const files = yield* LibraryFiles

  /** What the plan needs to know, in two round trips. */
  const knownFor = Effect.fnUntraced(function* (storeId: string, { products, sent, source }: ValueWriting) {
    const definitions = yield* byKey.lockByKey(storeId, [...new Set(sent.map(({ key }) => key))])
    const productIds = products.map(({ id }) => id)
    const ids = definitions.map(({ id }) => id)
    const [values, attached, decided] = yield* Effect.all(
      [
        repository.values(storeId, productIds, ids),
        repository.attached(storeId, productIds, ids),
        source === null ? Effect.succeed([]) : conflicts.decisions(storeId, source, productIds, ids)
      ],
      { concurrency: "unbounded" }
    )
    return {
      definitions: new Map(definitions.map((definition) => [definition.key, definition])),
      products: new Map(products.map(({ id, isActive }) => [id, isActive])),
      values: new Map(values.map((value) => [pairOf(value), value])),
      attached: new Set(attached.map(pairOf)),
      decided: new Map(decided.map((decision) => [pairOf(decision), decision.sourceValue]))
    } satisfies KnownValues
  })

  /** Opens conflicts of a platform and settles those that no longer exist; ids by product and definition. */
  const settleWith = Effect.fnUntraced(function* (
    storeId: string,
    source: string,
    plan: ReadonlyArray<PlannedValue>,
    now: number
  ) {
    const agreed = accepted(plan, "unchanged", "written")
    if (agreed.length > 0) yield* conflicts.agree(storeId, source, agreed, new Date(now))
    const opened = accepted(plan, "conflict").map(({ productId, definitionId, value }) => ({
      id: makeId("mfconf", now),
      productId,
      definitionId,
      sourceValue: value
    }))
    if (opened.length === 0) return new Map<string, string>()
    const rows = yield* conflicts.open(storeId, source, opened, new Date(now))
    return new Map(rows.map((row) => [pairOf(row), row.id]))
  })

  const perform = Effect.fnUntraced(function* (
    storeId: string,
    { source, now }: ValueWriting,
    plan: ReadonlyArray<PlannedValue>
  ) {
    const conflictIds = source === null ? new Map<string, string>() : yield* settleWith(storeId, source, plan, now)
    const written = accepted(plan, "written").map(({ productId, definitionId, value }) => ({
      productId,
      definitionId,
      value,
      source
    }))
    if (written.length > 0) yield* repository.write(storeId, written, new Date(now))
    return plan.map((one): ValueOutcome => {
      if (one.kind === "refused") return one
      const { productId, definitionId, value } = one
      return one.kind === "conflict"
        ? { kind: "conflict", productId, definitionId, value, conflictId: conflictIds.get(pairOf(one)) ?? "" }
        : { kind: one.kind, productId, definitionId, value }
    })
  })

  /** The plan for the values; those that reference a file which is not in the library are rejected. */
  const plannedFor = Effect.fnUntraced(function* (storeId: string, writing: ValueWriting) {
    const known = yield* knownFor(storeId, writing)
    const plan = planValues(known, writing.sent, writing.source)
    const pictures = plan.map((one, i) =>
      one.kind === "written" ? picturesIn(known.definitions.get(writing.sent[i]?.key ?? "")?.type, one.value) : []
    )
    const missing = yield* files.missing({ id: storeId }, pictures.flat())
    return plan.map(
      (one, i): PlannedValue =>
        pictures[i]?.some((picture) => missing.has(picture)) === true ? { kind: "refused", reason: notInLibrary } : one
    )
  })

  return {
    /** Writes the values that are not rejected. */
    some: Effect.fnUntraced(function* (storeId: string, writing: ValueWriting) {
      if (writing.sent.length === 0) return []
      const plan = yield* plannedFor(storeId, writing)
      return yield* perform(storeId, writing, plan)
    }),

    /** Writes all values or rejects all; `field` is the name of the values in the body. */
    whole: Effect.fnUntraced(function* (storeId: string, writing: ValueWriting, field: string) {
      if (writing.sent.length === 0) return []
      const plan = yield* plannedFor(storeId, writing)
      const errors = plan.flatMap(
        (one, i): ReadonlyArray<readonly [string, string]> =>
          one.kind === "refused" ? [[`${field}.${writing.sent[i]?.key ?? ""}`, one.reason]] : []
      )
      if (errors.length > 0) return yield* new MetafieldsRejected({ errors: Object.fromEntries(errors) })
      return yield* perform(storeId, writing, plan)
    })
  }
})
