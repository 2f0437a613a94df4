/**
 * What merchants do with stock: read it, set it, adjust it, read its history, reconcile it. Every change is a movement
 * and an event.
 */
import { Clock, Context, Effect, Layer, Result } from "effect"
import { ProductNotFound } from "../taxonomy/TaxonomyErrors.ts"
import { Database } from "../database/Database.ts"
import { checkVersion, nextVersion } from "../database/Precondition.ts"
import { Outbox } from "../outbox/Outbox.ts"
import { stockTogether } from "../kernel/Availability.ts"
import { makeId } from "../kernel/Ids.ts"
import type { Page } from "../kernel/Pagination.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import type {
  Adjustment,
  BulkChange,
  BulkLookup,
  InventoryChange,
  InventoryItem,
  ReconcileInput
} from "./InventoryItem.ts"
import { type CountedRow, InventoryRepository, type StockRow, type StockWrite } from "./InventoryRepository.ts"
import { adjustStock, type ChangeRefusal, changeStock } from "./StockChange.ts"
import { StockLedger } from "./StockLedger.ts"

/** The product does not exist, or has no stock of its own. */
type TargetError = ProductNotFound | FieldRejected
type SetError = TargetError | ChangeRefusal
/** The result of one row of a bulk call. */
export type BulkResult = { readonly index: number } & ({ readonly item: InventoryItem } | { readonly error: SetError })

export class Inventory extends Context.Service<Inventory>()("@effect-commerce/core/inventory/Inventory", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const outbox = yield* Outbox
    const repository = yield* InventoryRepository
    const ledger = yield* StockLedger

    const countedOf = (storeId: string, productIds: ReadonlyArray<string>, now: Date) =>
      repository.counted(storeId, { productIds, now })

    /** Writes the rows with one event per product; returns nothing, because the rows are known. */
    const write = Effect.fnUntraced(function* (storeId: string, writes: ReadonlyArray<StockWrite>, now: Date) {
      if (writes.length === 0) return
      yield* repository.save(storeId, writes, now)
      yield* outbox.wake(storeId)
    })

    /** Locks the one row, lets `change` compute the new row, and writes it. */
    const changeOne = Effect.fnUntraced(function* <E>(
      store: StoreContext,
      target: { readonly productId: string; readonly variantId: string | null },
      entry: Pick<StockWrite, "reason" | "reference">,
      change: (row: StockRow) => Result.Result<StockRow, E>
    ) {
      const millis = yield* Clock.currentTimeMillis
      const now = new Date(millis)
      const movementId = makeId("mov", millis)
      const item = yield* database.write(store.id)(
        Effect.gen(function* () {
          const thing = yield* targetOf(yield* countedOf(store.id, [target.productId], now), target)
          const rows = yield* repository.claim(store.id, [thing], now)
          const current = rows.get(thing.key) ?? thing
          if (thing.isCounted) yield* checkVersion(current.updatedAt)
          const at = nextVersion(current.updatedAt, millis)
          const row = { ...(yield* Effect.fromResult(change(current))), updatedAt: at }
          yield* write(store.id, [{ row, movementId, delta: row.total - current.total, ...entry }], at)
          return toItem(row)
        })
      )
      return { item, movementId }
    })

    /** Sets several items of one product: all or nothing, with one event. */
    const setTogether = Effect.fn("Inventory.setTogether")(function* (
      store: StoreContext,
      productId: string,
      changes: ReadonlyArray<InventoryChange>
    ) {
      const millis = yield* Clock.currentTimeMillis
      const now = new Date(millis)
      yield* database.write(store.id)(
        Effect.gen(function* () {
          const things = yield* countedOf(store.id, [productId], now)
          const targets = yield* Effect.forEach(changes, (change) =>
            targetOf(things, { productId, variantId: change.variantId ?? null })
          )
          const rows = yield* repository.claim(store.id, targets, now)
          const writes: Array<StockWrite> = []
          for (const [i, thing] of targets.entries()) {
            const current = rows.get(thing.key) ?? thing
            const row = { ...(yield* Effect.fromResult(changeStock(current, changes[i] ?? {}))), updatedAt: now }
            writes.push(correction(current, row, millis))
          }
          yield* write(store.id, writes, now)
        })
      )
    })

    /** undefined: the product or variant does not exist, or was never counted. */
    const get = Effect.fnUntraced(function* (store: StoreContext, productId: string, variantId?: string) {
      const now = new Date(yield* Clock.currentTimeMillis)
      const rows = (yield* countedOf(store.id, [productId], now)).filter(
        (row) => row.isCounted && (variantId === undefined || row.variantId === variantId)
      )
      return variantId === undefined ? togetherItem(rows) : rows.map(toItem)[0]
    })

    /** Newest first; of one variant, or of the product with all of its variants. */
    const history = Effect.fnUntraced(function* (
      store: StoreContext,
      productId: string,
      query: { readonly variantId?: string | undefined; readonly page: Page }
    ) {
      const things = yield* countedOf(store.id, [productId], new Date(yield* Clock.currentTimeMillis))
      if (things.length === 0) return yield* new ProductNotFound({ id: productId })
      const asked =
        query.variantId === undefined ? things : [yield* targetOf(things, { productId, variantId: query.variantId })]
      const keys =
        query.variantId === undefined
          ? [productId, ...asked.map((thing) => thing.key)]
          : asked.map((thing) => thing.key)
      return yield* repository.history(store.id, [...new Set(keys)], query.page)
    })

    /** `notFound` are the ids or SKUs that match nothing. */
    const lookUp = Effect.fnUntraced(function* (store: StoreContext, { productIds, skus }: BulkLookup) {
      const now = new Date(yield* Clock.currentTimeMillis)
      if ((productIds === undefined) === (skus === undefined)) {
        return yield* FieldRejected.at("productIds", "give either productIds or skus")
      }
      const asked = [...new Set(productIds ?? skus ?? [])]
      const things = (yield* repository.counted(store.id, {
        ...(productIds === undefined ? { skus: asked } : { productIds: asked }),
        now
      })).filter(isCountable)
      const namesOf = (thing: CountedRow) =>
        productIds === undefined ? [thing.variantSku, thing.productSku] : [thing.productId]
      const found = asked.map((name) => ({ name, things: things.filter((thing) => namesOf(thing).includes(name)) }))
      const inventory = [...new Set(found.flatMap((one) => one.things))].map(toItem)
      return { inventory, notFound: found.flatMap((one) => (one.things.length === 0 ? [one.name] : [])) }
    })

    /** Each row succeeds or fails by itself; rows of the same item are applied one after another. */
    const setMany = Effect.fn("Inventory.setMany")(function* (store: StoreContext, { items }: BulkChange) {
      const millis = yield* Clock.currentTimeMillis
      const now = new Date(millis)
      const body = Effect.gen(function* () {
        const things = yield* countedOf(store.id, [...new Set(items.map((item) => item.productId))], now)
        const targets = items.map((item) =>
          findTarget(things, { productId: item.productId, variantId: item.variantId ?? null })
        )
        const claimed = targets.flatMap((target) => (Result.isSuccess(target) ? [target.success] : []))
        const rows = new Map(claimed.length === 0 ? [] : yield* repository.claim(store.id, claimed, now))
        const writes: Array<StockWrite> = []
        const results = items.map((item, index): BulkResult => {
          const changed = Result.flatMap(
            targets[index] ?? Result.fail(new ProductNotFound({ id: item.productId })),
            (thing) => {
              const current = rows.get(thing.key) ?? thing
              return Result.map(changeStock(current, item), (row) => ({ current, row: { ...row, updatedAt: now } }))
            }
          )
          if (Result.isFailure(changed)) return { index, error: changed.failure }
          const { current, row } = changed.success
          rows.set(row.key, row)
          writes.push(correction(current, row, millis))
          return { index, item: toItem(row) }
        })
        yield* Effect.orDie(write(store.id, lastOfEach(writes), now))
        return results
      })
      return yield* database.write(store.id)(body)
    })

    const reconcile = Effect.fn("Inventory.reconcile")(function* (
      store: StoreContext,
      { productIds, dryRun = true }: ReconcileInput
    ) {
      const now = new Date(yield* Clock.currentTimeMillis)
      if (productIds !== undefined) {
        const known = new Set((yield* countedOf(store.id, productIds, now)).map((thing) => thing.productId))
        const unknown = productIds.find((id) => !known.has(id))
        if (unknown !== undefined)
          return yield* FieldRejected.at("productIds", `${unknown} is not a product of this store`)
      }
      // Expired reservations are no drift: they are released as in every second, only now.
      yield* ledger.expire(now, store.id)
      const { checked, drifted } = yield* repository.drift(store.id, productIds, now)
      const keys = drifted.map((row) => row.key)
      const recount = Effect.tap(repository.recount(store.id, keys, now), () => outbox.wake(store.id))
      const fixed = dryRun || keys.length === 0 ? 0 : yield* database.write(store.id)(recount)
      return { checked, drifted: drifted.map(({ key: _key, ...row }) => row), fixed }
    })

    return {
      get,
      set: Effect.fn("Inventory.set")(function* (store: StoreContext, productId: string, change: InventoryChange) {
        const target = { productId, variantId: change.variantId ?? null }
        return (yield* changeOne(store, target, { reason: "correction", reference: null }, (row) =>
          changeStock(row, change)
        )).item
      }),
      setTogether,
      adjust: Effect.fn("Inventory.adjust")(function* (store: StoreContext, productId: string, adjustment: Adjustment) {
        const target = { productId, variantId: adjustment.variantId ?? null }
        const entry = { reason: adjustment.reason, reference: adjustment.reference ?? null }
        const { item, movementId } = yield* changeOne(store, target, entry, (row) => adjustStock(row, adjustment))
        return { ...item, adjustmentId: movementId }
      }),
      history,
      lookUp,
      setMany,
      reconcile
    }
  })
}) {
  static readonly layer = Layer.effect(Inventory, Inventory.make).pipe(Layer.provide(InventoryRepository.layer))
}

/** Variants of a VARIABLE product, and other products themselves; a KIT has the stock of its components. */
const isCountable = (thing: CountedRow): boolean => thing.type !== "VARIABLE" || thing.variantId !== null

const findTarget = (
  things: ReadonlyArray<CountedRow>,
  { productId, variantId }: { readonly productId: string; readonly variantId: string | null }
): Result.Result<CountedRow, TargetError> => {
  const ofProduct = things.filter((thing) => thing.productId === productId)
  const [first] = ofProduct
  if (first === undefined) return Result.fail(new ProductNotFound({ id: productId }))
  const reject = (field: string, reason: string) => Result.fail(FieldRejected.at(field, reason))
  if (first.type === "KIT") return reject("productId", "a KIT holds no stock: its components do")
  if (variantId === null && first.type === "VARIABLE")
    return reject("variantId", "this product is counted by its variants: choose one")
  const thing = ofProduct.find((one) => one.variantId === variantId)
  return thing === undefined ? reject("variantId", "is not a variant of this product") : Result.succeed(thing)
}

const targetOf = (
  things: ReadonlyArray<CountedRow>,
  target: { readonly productId: string; readonly variantId: string | null }
) => Effect.fromResult(findTarget(things, target))

/** The movement that corrects a wrong count. */
const correction = (before: StockRow, row: StockRow, now: number): StockWrite => ({
  row,
  movementId: makeId("mov", now),
  delta: row.total - before.total,
  reason: "correction",
  reference: null
})

/** Merges several changes of one row into its last state and the sum of its deltas. */
const lastOfEach = (writes: ReadonlyArray<StockWrite>): ReadonlyArray<StockWrite> => {
  const last = new Map<string, StockWrite>()
  for (const one of writes) last.set(one.row.key, { ...one, delta: one.delta + (last.get(one.row.key)?.delta ?? 0) })
  return [...last.values()]
}

const toItem = (row: StockRow): InventoryItem => ({
  id: row.key,
  productId: row.productId,
  variantId: row.variantId,
  trackingMode: row.trackingMode,
  backorderMode: row.backorderMode,
  backorderLimit: row.backorderLimit,
  total: row.total,
  reserved: row.reserved,
  available: row.total - row.reserved,
  lowStockThreshold: row.lowStockThreshold,
  lastInventorySyncAt: row.lastInventorySyncAt?.toISOString() ?? null,
  updatedAt: row.updatedAt.toISOString()
})

/**
 * The product as a whole: its own row, or its variants together. Where the variants differ in a setting, it has the
 * default.
 */
const togetherItem = (rows: ReadonlyArray<CountedRow>): InventoryItem | undefined => {
  const items = rows.map(toItem)
  const [first, ...rest] = items
  if (first === undefined || first.variantId === null) return first
  const same = <K extends keyof InventoryItem>(field: K) => rest.every((item) => item[field] === first[field])
  return {
    id: first.productId,
    productId: first.productId,
    variantId: null,
    ...stockTogether(items.map((item, i) => ({ ...item, isActive: rows[i]?.isActive === true }))),
    backorderMode: same("backorderMode") ? first.backorderMode : "DENY",
    backorderLimit: same("backorderLimit") ? first.backorderLimit : null,
    lowStockThreshold: same("lowStockThreshold") ? first.lowStockThreshold : null,
    lastInventorySyncAt: same("lastInventorySyncAt") ? first.lastInventorySyncAt : null,
    updatedAt:
      items
        .map((item) => item.updatedAt)
        .sort()
        .at(-1) ?? first.updatedAt
  }
}
