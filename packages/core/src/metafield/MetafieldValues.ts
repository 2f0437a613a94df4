/**
 * The values that products have of the store's metafields. What is written to a product goes with its version and its
 * event, like any other change of it.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { orFail } from "../database/Repository.ts"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { ProductNotFound } from "../taxonomy/TaxonomyErrors.ts"
import { ProductChanges } from "../taxonomy/ProductChanges.ts"
import { textsIn } from "../taxonomy/LibraryReferences.ts"
import { LibraryFiles } from "../media/LibraryFiles.ts"
import { makeValueWrites, type ValueOutcome } from "./ValueWrites.ts"
import type { SentValue } from "./internal/valuePlan.ts"
import { MetafieldConflictRepository } from "./MetafieldConflictRepository.ts"
import type { MetafieldsRejected } from "./MetafieldErrors.ts"
import { MetafieldValueRepository } from "./MetafieldValueRepository.ts"

export interface ValuesInput {
  /** By key; null takes the value away. */
  readonly values: Readonly<Record<string, unknown>>
  /** The platform that sends them; absent, the merchant does. */
  readonly source?: string | null | undefined
}

export interface ValuesWritten {
  readonly values: Readonly<Record<string, unknown>>
  /** Values that were not written, because somebody else wrote another one. */
  readonly conflicts: ReadonlyArray<{ readonly conflictId: string; readonly key: string }>
}

export interface BulkValuesInput {
  readonly values: ReadonlyArray<SentValue>
  readonly source?: string | null | undefined
}

/** What became of one row; `error` where it was refused. */
export interface BulkValueResult {
  readonly index: number
  readonly productId: string
  readonly key: string
  readonly status: "WRITTEN" | "UNCHANGED" | "CONFLICT" | "REFUSED"
  readonly conflictId: string | null
  readonly error: ProductNotFound | FieldRejected | null
}

export interface MetafieldValuesMethods {
  /** Values by key. */
  readonly get: (
    store: StoreContext,
    productId: string
  ) => Effect.Effect<Readonly<Record<string, unknown>>, ProductNotFound>
  /** All of the values, or where one is refused none. Keys that are not named keep what they have. */
  readonly put: (
    store: StoreContext,
    productId: string,
    input: ValuesInput
  ) => Effect.Effect<ValuesWritten, ProductNotFound | MetafieldsRejected | FieldRejected>
  /** Each row by itself; those that are not refused are written together. */
  readonly putMany: (
    store: StoreContext,
    input: BulkValuesInput
  ) => Effect.Effect<ReadonlyArray<BulkValueResult>, FieldRejected>
}

export class MetafieldValues extends Context.Service<MetafieldValues, MetafieldValuesMethods>()(
  "@effect-commerce/core/metafield/MetafieldValues"
) {
  static readonly layer = Layer.effect(
    MetafieldValues,
    Effect.gen(function* () {
      const database = yield* Database
      const repository = yield* MetafieldValueRepository
      const writes = yield* makeValueWrites
      const products = yield* ProductChanges
      const files = yield* LibraryFiles

      const get = (store: StoreContext, productId: string) =>
        Effect.map(
          orFail(repository.find(store.id, productId), () => new ProductNotFound({ id: productId })),
          (values) => Object.fromEntries(values.map(({ key, value }) => [key, value]))
        )

      /** Versions, documents and events of the products whose values have changed. */
      const tell = Effect.fnUntraced(function* (
        store: StoreContext,
        outcomes: ReadonlyArray<ValueOutcome>,
        now: number
      ) {
        const changed = [
          ...new Set(outcomes.flatMap((outcome) => (outcome.kind === "written" ? [outcome.productId] : [])))
        ].sort()
        if (changed.length === 0) return
        yield* products.changed(store, changed, now)
      })

      const put: MetafieldValuesMethods["put"] = Effect.fn("MetafieldValues.put")(function* (store, productId, input) {
        const now = yield* Clock.currentTimeMillis
        return yield* database.write(store.id)(
          Effect.gen(function* () {
            yield* files.missing(store, Object.values(input.values).flatMap(textsIn))
            const locked = yield* products.lock(store.id, [productId])
            if (locked.length === 0) return yield* new ProductNotFound({ id: productId })
            const sent = Object.entries(input.values).map(([key, value]) => ({ productId, key, value }))
            const outcomes = yield* writes.whole(
              store.id,
              { products: locked, sent, source: input.source ?? null, now },
              "values"
            )
            yield* tell(store, outcomes, now)
            const conflicts = outcomes.flatMap((outcome, i) =>
              outcome.kind === "conflict" ? [{ conflictId: outcome.conflictId, key: sent[i]?.key ?? "" }] : []
            )
            return { values: yield* Effect.orDie(get(store, productId)), conflicts }
          })
        )
      })

      const resultOf = (sent: SentValue, index: number, outcome: ValueOutcome, isKnown: boolean): BulkValueResult => {
        const row = { index, productId: sent.productId, key: sent.key, conflictId: null, error: null }
        if (!isKnown) return { ...row, status: "REFUSED", error: new ProductNotFound({ id: sent.productId }) }
        if (outcome.kind === "refused")
          return { ...row, status: "REFUSED", error: FieldRejected.at(sent.key, outcome.reason) }
        if (outcome.kind === "conflict") return { ...row, status: "CONFLICT", conflictId: outcome.conflictId }
        return { ...row, status: outcome.kind === "written" ? "WRITTEN" : "UNCHANGED" }
      }

      const putMany: MetafieldValuesMethods["putMany"] = Effect.fn("MetafieldValues.putMany")(function* (store, input) {
        const now = yield* Clock.currentTimeMillis
        return yield* database.write(store.id)(
          Effect.gen(function* () {
            yield* files.missing(
              store,
              input.values.flatMap(({ value }) => textsIn(value))
            )
            const locked = yield* products.lock(store.id, [...new Set(input.values.map((row) => row.productId))])
            const known = new Set(locked.map(({ id }) => id))
            const sent = input.values.filter(({ productId }) => known.has(productId))
            const outcomes = yield* writes.some(store.id, { products: locked, sent, source: input.source ?? null, now })
            yield* tell(store, outcomes, now)
            let at = 0
            return input.values.map((row, index) => {
              const isKnown = known.has(row.productId)
              const outcome = isKnown ? outcomes[at++] : undefined
              return resultOf(row, index, outcome ?? { kind: "refused", reason: "" }, isKnown)
            })
          })
        )
      })

      return MetafieldValues.of({ get, put, putMany })
    })
  ).pipe(Layer.provide([MetafieldValueRepository.layer, MetafieldConflictRepository.layer]))
}
