/**
 * Conditional writes (If-Match): the version of a resource is its `updated_at`. The row is locked, its version checked,
 * and the use case then runs in the same transaction, so that two writers who read the same version cannot both
 * succeed. Locks are taken in the order in which the use cases take them: a store's rules before its rates, a product
 * before its variants.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "./Database.ts"
import { judged, type Judgement, type ResourceChanged } from "./Precondition.ts"
import { lockStoreFor, type StoreLock } from "./StoreLocks.ts"

/** A table whose rows If-Match is checked against. A room lists its own in its `<Room>Room.ts`. */
export interface VersionedRow {
  readonly table: string
  /** The column that refers to the parent resource in the path. */
  readonly parent?: string
  /** Deleted rows stay in the table, with `deleted_at`. */
  readonly keepsDeleted?: true
  /** A store has at most one row in this table, so no id names it. */
  readonly single?: true
  /** The row of the store itself. */
  readonly isStore?: true
  /** Also rows that belong to the store's account and to no single store. */
  readonly accountToo?: true
  /** What the use cases lock before this row: the store's row ("store"), a lock of StoreLocks, or its parent's row. */
  readonly lockFirst?: StoreLock | { readonly parentTable: string }
}

export type VersionedRows = Readonly<Record<string, VersionedRow>>

export class RowVersions extends Context.Service<RowVersions>()("@effect-commerce/core/database/RowVersions", {
  make: Effect.fnUntraced(function* (resources: VersionedRows) {
    const database = yield* Database
    const { sql } = database
    // FOR NO KEY UPDATE, as an UPDATE takes it, does not block writes of rows that refer to this row; found by primary
    // key.
    const lockStore = (storeId: string) =>
      sql<{
        readonly updatedAt: Date
        readonly createdAt: Date
      }>`SELECT updated_at, created_at FROM store WHERE id = ${storeId} FOR NO KEY UPDATE`
    const lockRow = (
      storeId: string,
      { table, parent, keepsDeleted, single, accountToo }: VersionedRow,
      ids: ReadonlyArray<string>
    ) =>
      sql<{ readonly updatedAt: Date }>`SELECT updated_at FROM ${sql(table)} WHERE ${sql.and([
        accountToo === undefined
          ? sql`store_id = ${storeId}`
          : sql`(store_id = ${storeId} OR store_id IS NULL AND account_id =
          (SELECT s.account_id FROM store s WHERE s.id = ${storeId}))`,
        ...(single === undefined ? [sql`id = ${ids.at(-1) ?? ""}`] : []),
        ...(parent === undefined ? [] : [sql`${sql(parent)} = ${ids.at(-2) ?? ""}`]),
        ...(keepsDeleted === undefined ? [] : [sql`deleted_at IS NULL`])
      ])} FOR NO KEY UPDATE`
    const lockBefore = (storeId: string, { lockFirst }: VersionedRow, ids: ReadonlyArray<string>) => {
      if (lockFirst === undefined) return Effect.undefined
      if (lockFirst === "store") return Effect.map(lockStore(storeId), ([store]) => store?.createdAt)
      if (typeof lockFirst === "string") return Effect.as(lockStoreFor(sql, lockFirst, storeId), undefined)
      const parent = { table: lockFirst.parentTable, keepsDeleted: true } as const
      return Effect.as(lockRow(storeId, parent, ids.slice(0, -1)), undefined)
    }

    return {
      /**
       * Checks the version of a row and runs `body` in the same write transaction, in which the row is locked.
       * `resource` is a name of CommerceRooms.ts; `ids` are those of the path, the row's own last, and none for the
       * store itself. A row that does not exist is not checked: `body` fails with its own not-found error. Settings
       * that were never written have the version of the store.
       */
      during:
        (storeId: string, resource: string, ids: ReadonlyArray<string>, isMet: Judgement) =>
        <A, E, R>(body: Effect.Effect<A, E, R>): Effect.Effect<A, E | ResourceChanged, R> =>
          database.write(storeId)(
            Effect.gen(function* () {
              const row = resources[resource]
              if (row === undefined) return yield* Effect.die(new Error(`${resource} is in no room's list of rows`))
              const storeMade = yield* Effect.orDie(lockBefore(storeId, row, ids))
              const [locked] = yield* Effect.orDie(
                row.isStore === true ? lockStore(storeId) : lockRow(storeId, row, ids)
              )
              const version = locked?.updatedAt ?? (row.single === true ? storeMade : undefined)
              if (version !== undefined) yield* judged(isMet, version)
              return yield* body
            })
          )
    }
  })
}) {
  static readonly layer = (resources: VersionedRows) => Layer.effect(this, this.make(resources))
}
