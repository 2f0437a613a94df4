/**
 * Bulk creation of products. The call stores the rows; workers create the products in batches, each in one transaction
 * that also stores the results. A row that breaks a rule fails alone. If a worker is killed, the next one continues
 * with the remaining rows.
 */
import { Clock, Context, Effect, Layer, Result, Schema } from "effect"
import { Database } from "../database/Database.ts"
import { classify } from "../database/SqlErrors.ts"
import { storesInTurn } from "../database/StoreTurns.ts"
import { analyzeGrown } from "../database/TableStatistics.ts"
import { makeId } from "../kernel/Ids.ts"
import { cutText } from "../kernel/CutText.ts"
import { makeBodyKeys } from "../body/BodyKeys.ts"
import { issueWords } from "../body/IssueWords.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { checkRoom } from "../store/StoreBounds.ts"
import { StoreNotFound } from "../store/StoreErrors.ts"
import { type FieldRejected, rejectFields } from "../kernel/FieldRejected.ts"
import { Stores } from "../store/Stores.ts"
import { ProductImportBroken, ProductImportNotFound, type ProductRefusal } from "./ProductErrors.ts"
import { hasRareParts, makeProductCreation, mostTogether } from "./internal/createProducts.ts"
import { SetSizes } from "./internal/setSizes.ts"
import {
  ProductImportRepository,
  type ImportResult,
  type ImportRow,
  type SettledRow
} from "./ProductImportRepository.ts"
import { ProductInput } from "./ProductInput.ts"
import { ProductSetRefused } from "./NewProductRepository.ts"
import { ProductRepository } from "./ProductRepository.ts"
import { ProductView } from "./ProductView.ts"
import type { StoreBound } from "../kernel/StoreBound.ts"

/** Limits the bulk calls whose products are not all created yet. */
export const importBound: StoreBound = {
  field: "imports",
  most: 50,
  words: "bulk calls under way",
  says: "bulk calls whose products are not all created"
}

/**
 * How long the results of a job are kept, in milliseconds, and how many jobs one transaction deletes: each has up to a
 * thousand rows.
 */
const keptMillis = 30 * 86_400_000
const forgottenAtOnce = 5

/** Longest stored field name or reason: both may quote the request. */
const longestTold = 500

const toMade = (productId: string) => ({ productId })
const toRefused = (error: ProductRefusal) => ({ error })

/** Maximum number of errors that are stored for a row. */
const mostTold = 20

const decodeProduct = Schema.decodeUnknownResult(ProductInput, { errors: "all" })
const knownKeys = makeBodyKeys([ProductInput], [ProductView], { also: ["storeId"], most: mostTold })

/** Decodes a row like the body of a product's creation. */
const decode = (input: unknown): Effect.Effect<ProductInput, FieldRejected> => {
  const { value, errors } = knownKeys(input)
  const product = decodeProduct(value)
  const wrong = Result.isFailure(product) ? [...issueWords(product.failure.issue, mostTold)] : []
  const told = [...Object.entries(errors), ...wrong].slice(0, mostTold).map(([field, reason]) => {
    return [field === "" ? "product" : cutText(field, longestTold), cutText(reason, longestTold)] as const
  })
  return Effect.andThen(rejectFields(Object.fromEntries(told)), Effect.orDie(Effect.fromResult(product)))
}

const externalIdOf = (row: unknown): string | undefined =>
  typeof row === "object" && row !== null && "externalSourceId" in row && typeof row.externalSourceId === "string"
    ? row.externalSourceId
    : undefined

/** The first of the claimed rows that can be created together. */
const forOneSet = Effect.fnUntraced(function* (rows: ReadonlyArray<ImportRow>) {
  const decoded: Array<readonly [ImportRow, Result.Result<ProductInput, FieldRejected>]> = []
  for (const row of rows) {
    const input = yield* Effect.result(decode(row.input))
    const isAlone = Result.isSuccess(input) && hasRareParts(input.success)
    if (isAlone && decoded.length > 0) break
    decoded.push([row, input])
    if (isAlone) break
  }
  return decoded
})

const makeTurns = Effect.gen(function* () {
  const database = yield* Database
  const repository = yield* ProductImportRepository
  const { createSet } = yield* makeProductCreation
  const stores = yield* Stores

  const settle = (storeId: string, rows: ReadonlyArray<SettledRow>) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => repository.settle(storeId, rows, new Date(now)))

  /** Creates the products of these rows and stores the result of each, in the open transaction. */
  const createRows = Effect.fnUntraced(function* (
    store: StoreContext,
    rows: Effect.Success<ReturnType<typeof forOneSet>>
  ) {
    const inputs = rows.flatMap(([, input]) => (Result.isSuccess(input) ? [input.success] : []))
    const made = inputs.length === 0 ? [] : yield* createSet(store, inputs)
    let next = 0
    const results = rows.flatMap(([row, input]): ReadonlyArray<SettledRow> => {
      const one = Result.isFailure(input) ? Result.fail(input.failure) : made[next++]
      if (one === undefined) return []
      return [{ row, result: Result.match(one, { onSuccess: toMade, onFailure: toRefused }) }]
    })
    yield* settle(store.id, results)
  })

  /**
   * Creates the next products together, in a transaction that also stores the results. If it fails, fewer rows are
   * tried next; the error of a single row is stored in another transaction. Returns whether there may be more.
   */
  return Effect.fnUntraced(function* (storeId: string, sizes: SetSizes) {
    const store = yield* stores.context(storeId)
    let claimed: ReadonlyArray<ImportRow> = []
    const attempt = database.write(store.id)(
      Effect.gen(function* () {
        claimed = []
        const rows = yield* forOneSet(yield* repository.claim(store.id, sizes.next))
        claimed = rows.map(([row]) => row)
        if (rows.length > 0) yield* createRows(store, rows)
      })
    )
    const refused = (error: ProductRefusal | ProductSetRefused) => {
      const [row, another] = claimed
      if (row === undefined || another !== undefined || error._tag === "ProductSetRefused")
        return Effect.sync(() => sizes.refused(claimed.length))
      return Effect.andThen(
        database.write(store.id)(settle(store.id, [{ row, result: { error } }])),
        Effect.sync(() => sizes.done(1))
      )
    }
    yield* attempt.pipe(
      Effect.andThen(Effect.sync(() => sizes.done(claimed.length))),
      Effect.catch(refused),
      // A bug must not block the rows behind it. If the database is unavailable, the next pass takes the rows.
      Effect.catchDefect((defect) => {
        if (classify(defect) === "unavailable" || claimed.length === 0) return Effect.die(defect)
        if (claimed.length > 1) return refused(new ProductSetRefused())
        return Effect.andThen(
          Effect.logError("A product of a bulk call could not be created", defect),
          refused(new ProductImportBroken())
        )
      })
    )
    return claimed.length > 0
  })
})

const isGone = (error: unknown): error is StoreNotFound => error instanceof StoreNotFound

export class ProductImports extends Context.Service<ProductImports>()("@effect-commerce/core/product/ProductImports", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* ProductImportRepository
    const products = yield* ProductRepository
    const takeTurn = yield* makeTurns

    const start = Effect.fn("ProductImports.start")(function* (store: StoreContext, rows: ReadonlyArray<unknown>) {
      const now = yield* Clock.currentTimeMillis
      const jobId = makeId("job", now)
      const known = yield* products.idsByExternal(store.id, [
        ...new Set(rows.flatMap((row) => externalIdOf(row) ?? []))
      ])
      const skipped = rows.flatMap((row, index) => {
        const externalSourceId = externalIdOf(row)
        const productId = externalSourceId === undefined ? undefined : known.get(externalSourceId)
        return externalSourceId === undefined || productId === undefined ? [] : [{ index, externalSourceId, productId }]
      })
      const left = new Set(skipped.map(({ index }) => index))
      const waiting = rows.flatMap((input, index) => (left.has(index) ? [] : [{ index, input }]))
      yield* database.write(store.id)(
        Effect.gen(function* () {
          if (waiting.length > 0) yield* checkRoom(importBound, yield* repository.countToAdd(store.id))
          yield* repository.insert(store.id, jobId, waiting, new Date(now))
        })
      )
      return { jobId, accepted: waiting.length, skipped }
    })

    const progress = Effect.fnUntraced(function* (store: StoreContext, id: string) {
      const job = yield* repository.find(store.id, id)
      if (job === undefined) return yield* new ProductImportNotFound({ id })
      const results = job.rows.filter((row) => row.productId !== null || row.error !== null)
      const failed = results.filter((row) => row.error !== null).length
      const status =
        job.finishedAt !== null
          ? ("COMPLETED" as const)
          : results.length === 0
            ? ("QUEUED" as const)
            : ("RUNNING" as const)
      return { status, processed: results.length, succeeded: results.length - failed, failed, results }
    })

    /** Creates the products of all pending rows; stores take turns. Ends when no row is pending. */
    const pass = Effect.gen(function* () {
      const sizes = new Map<string, SetSizes>()
      const sizesOf = (storeId: string) => {
        const known = sizes.get(storeId) ?? new SetSizes(mostTogether)
        sizes.set(storeId, known)
        return known
      }
      yield* storesInTurn("Creating products in bulk", repository.waitingStores, (id) =>
        takeTurn(id, sizesOf(id)).pipe(Effect.catchIf(isGone, () => Effect.succeed(false)))
      )
      if (sizes.size > 0) yield* analyzeGrown(database)
    })

    /** Deletes jobs that ended thirty days ago, a few at a time. Any number of processes may run it. */
    const sweep = Effect.gen(function* () {
      const before = new Date((yield* Clock.currentTimeMillis) - keptMillis)
      yield* storesInTurn("Sweeping old bulk jobs", repository.storesWithOlder(before), (storeId) =>
        Effect.map(
          database.write(storeId)(repository.removeOlder(storeId, before, forgottenAtOnce)),
          (count) => count === forgottenAtOnce
        )
      )
    })

    return { start, progress, pass, sweep }
  })
}) {
  static readonly layer = Layer.effect(ProductImports, ProductImports.make).pipe(
    Layer.provide(ProductImportRepository.layer)
  )
}

export type { ImportResult }
