/**
 * The values that products have of the store's metafields. Writing a value raises the product's version and writes its
 * event, like any other change of it.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { orFail } from "../database/Repository.ts"
import { FieldRejected, rejectFields } from "../kernel/FieldRejected.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { ProductNotFound } from "../taxonomy/TaxonomyErrors.ts"
import { type LockedProduct, ProductChanges } from "../taxonomy/ProductChanges.ts"
import { textsIn } from "../taxonomy/LibraryReferences.ts"
import { LibraryFiles } from "../media/LibraryFiles.ts"
import { makeValueWrites, type ValueOutcome } from "./ValueWrites.ts"
import type { SentValue } from "./internal/valuePlan.ts"
import { MetafieldConflictRepository } from "./MetafieldConflictRepository.ts"
import { MetafieldDefinitionRepository } from "./MetafieldDefinitionRepository.ts"
import { MetafieldValueRepository } from "./MetafieldValueRepository.ts"

export interface ValuesInput {
  /** By key; null deletes the value. */
  readonly values: Readonly<Record<string, unknown>>
  /** The platform that sends them; absent for the merchant. */
  readonly source?: string | null | undefined
}

export interface BulkValuesInput {
  readonly values: ReadonlyArray<SentValue>
  readonly source?: string | null | undefined
}

/** The result of one row; `error` where it was rejected. */
export interface BulkValueResult {
  readonly index: number
  readonly productId: string
  readonly key: string
  readonly status: "WRITTEN" | "UNCHANGED" | "CONFLICT" | "REFUSED"
  readonly conflictId: string | null
  readonly error: ProductNotFound | FieldRejected | null
}

export class MetafieldValues extends Context.Service<MetafieldValues>()(
  "@effect-commerce/core/metafield/MetafieldValues",
  {
    make: Effect.gen(function* () {
      const database = yield* Database
      const repository = yield* MetafieldValueRepository
      const writes = yield* makeValueWrites
      const products = yield* ProductChanges
      const files = yield* LibraryFiles

      /** Writes the events of the products whose values have changed. */
      const announce = (store: StoreContext, outcomes: ReadonlyArray<ValueOutcome>, now: number) => {
        const written = outcomes.flatMap((outcome) => (outcome.kind === "written" ? [outcome.productId] : []))
        return products.changed(store, [...new Set(written)].sort(), now)
      }

      /** The values of a product by key. */
      const get = (store: StoreContext, productId: string) =>
        Effect.map(
          orFail(repository.find(store.id, productId), () => new ProductNotFound({ id: productId })),
          (found): Readonly<Record<string, unknown>> => Object.fromEntries(found.map(({ key, value }) => [key, value]))
        )

      /**
       * Writes all of the values, or none if one is rejected. Keys that are not in the body keep their values. Returns
       * the values of the product, and the conflicts: values that were not written, because somebody else wrote another
       * one.
       */
      const put = Effect.fn("MetafieldValues.put")(function* (
        store: StoreContext,
        productId: string,
        { values, source = null }: ValuesInput
      ) {
        const now = yield* Clock.currentTimeMillis
        return yield* database.write(store.id)(
          Effect.gen(function* () {
            yield* files.missing(store, Object.values(values).flatMap(textsIn))
            const locked = yield* products.lock(store.id, [productId])
            if (locked.length === 0) return yield* new ProductNotFound({ id: productId })
            const sent = Object.entries(values).map(([key, value]) => ({ productId, key, value }))
            const outcomes = yield* writes.whole(store.id, { products: locked, sent, source, now }, "values")
            yield* announce(store, outcomes, now)
            const conflicts = outcomes.flatMap((outcome, i) =>
              outcome.kind === "conflict" ? [{ conflictId: outcome.conflictId, key: sent[i]?.key ?? "" }] : []
            )
            return { values: yield* Effect.orDie(get(store, productId)), conflicts }
          })
        )
      })

      /** Writes each row by itself: those that are not rejected are written together. */
      const putMany = Effect.fn("MetafieldValues.putMany")(function* (
        store: StoreContext,
        { values, source = null }: BulkValuesInput
      ) {
        const now = yield* Clock.currentTimeMillis
        return yield* database.write(store.id)(
          Effect.gen(function* () {
            const texts = values.flatMap(({ value }) => textsIn(value))
            yield* files.missing(store, texts)
            const locked = yield* products.lock(store.id, [...new Set(values.map(({ productId }) => productId))])
            const known = new Set(locked.map(({ id }) => id))
            const sent = values.flatMap((row, index) => (known.has(row.productId) ? [{ ...row, index }] : []))
            const outcomes = yield* writes.some(store.id, { products: locked, sent, source, now })
            yield* announce(store, outcomes, now)
            const outcomeOf = new Map(sent.map(({ index }, i) => [index, outcomes[i]]))
            return values.map((row, index) => resultOf(row, index, outcomeOf.get(index)))
          })
        )
      })

      /** Writes the metafields in the body of a product; the caller has locked the product, and writes its event. */
      const writeBody = (
        storeId: string,
        product: LockedProduct,
        values: Readonly<Record<string, unknown>> | undefined,
        now: number
      ) => {
        const sent = Object.entries(values ?? {}).map(([key, value]) => ({ productId: product.id, key, value }))
        return Effect.catchTag(
          writes.whole(storeId, { products: [product], sent, source: null, now }, "metafields"),
          "MetafieldsRejected",
          ({ errors }) => rejectFields(errors)
        )
      }

      return { get, put, putMany, writeBody, forget: repository.forget }
    })
  }
) {
  static readonly layer = Layer.effect(MetafieldValues, MetafieldValues.make).pipe(
    Layer.provide([
      MetafieldValueRepository.layer,
      MetafieldConflictRepository.layer,
      MetafieldDefinitionRepository.layer
    ])
  )
}

/** Without an outcome the product is unknown. */
const resultOf = ({ productId, key }: SentValue, index: number, outcome: ValueOutcome | undefined): BulkValueResult => {
  const row = { index, productId, key, conflictId: null, error: null }
  if (outcome === undefined) return { ...row, status: "REFUSED", error: new ProductNotFound({ id: productId }) }
  if (outcome.kind === "refused") return { ...row, status: "REFUSED", error: FieldRejected.at(key, outcome.reason) }
  if (outcome.kind === "conflict") return { ...row, status: "CONFLICT", conflictId: outcome.conflictId }
  return { ...row, status: outcome.kind === "written" ? "WRITTEN" : "UNCHANGED" }
}
