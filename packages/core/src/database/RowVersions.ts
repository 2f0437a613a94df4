/**
 * Writes that hold only if nobody has written since the caller read (completions.md 2.0, Concurrency): the version of a
 * resource is its `updated_at`. The row is locked, judged, and the use case then runs in the same transaction, so that
 * two writers who read the same version cannot both succeed. Locks are taken in the order in which the use cases take
 * them: a store's rules before its rates, a product before its variants.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "./Database.ts"
import { judged, type Judgement, type ResourceChanged } from "./Precondition.ts"
import { lockStoreFor } from "./StoreLocks.ts"

interface Place {
  readonly table: string
  /** Column of the resource above it in the path. */
  readonly parent?: string
  /** Rows that are gone are still there, with `deleted_at`. */
  readonly keepsDeleted?: true
  /** A store has one row of these at most, so that no id names it. */
  readonly single?: true
  /** Rows that belong to the store's account and to none of its stores are there too. */
  readonly accountToo?: true
  /** What writers of this table lock first. */
  readonly first?: "store" | "tree" | "parent product" | "parent customer"
}

const places = {
  store: { table: "store" },
  salesChannel: { table: "sales_channel" },
  product: { table: "product", keepsDeleted: true },
  variant: { table: "product_variant", parent: "product_id", first: "parent product" },
  category: { table: "category", keepsDeleted: true, first: "tree" },
  taxRate: { table: "tax_rate", first: "store" },
  taxClass: { table: "tax_class", first: "store" },
  shippingClass: { table: "shipping_class", first: "store" },
  shippingZone: { table: "shipping_zone", first: "store" },
  shippingRate: { table: "shipping_rate", parent: "zone_id", first: "store" },
  order: { table: "orders" },
  emailTemplate: { table: "email_template" },
  emailSettings: { table: "email_settings", single: true, first: "store" },
  customer: { table: "customer", keepsDeleted: true },
  customerAddress: { table: "customer_address", parent: "customer_id", first: "parent customer" },
  webhookSubscription: { table: "webhook_subscription" },
  apiKey: { table: "api_key" },
  /** As a key for the whole account sees it. */
  accountApiKey: { table: "api_key", accountToo: true }
} as const satisfies Record<string, Place>

export type VersionedResource = keyof typeof places

export interface RowVersionsMethods {
  /**
   * Runs `body` in a write transaction that holds the row, after its version has passed. `ids` as the path gives them,
   * the row's own last; empty for the store itself. A row that does not exist is not judged: `body` says so in its own
   * words. Settings that were never written are as old as the store.
   */
  readonly during: (
    storeId: string,
    resource: VersionedResource,
    ids: ReadonlyArray<string>,
    isMet: Judgement
  ) => <A, E, R>(body: Effect.Effect<A, E, R>) => Effect.Effect<A, E | ResourceChanged, R>
}

export class RowVersions extends Context.Service<RowVersions, RowVersionsMethods>()(
  "@effect-commerce/core/database/RowVersions"
) {
  static readonly layer = Layer.effect(
    RowVersions,
    Effect.gen(function* () {
      const database = yield* Database
      const { sql } = database
      // Everywhere the mode that an UPDATE takes, which lets rows that point here be written; the primary keys serve
      // it.
      const lockStore = (storeId: string) =>
        sql<{
          readonly updatedAt: Date
          readonly createdAt: Date
        }>`SELECT updated_at, created_at FROM store WHERE id = ${storeId} FOR NO KEY UPDATE`
      const lockRow = (
        storeId: string,
        { table, parent, keepsDeleted, single, accountToo }: Place,
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
      const lockFirst = (storeId: string, { first }: Place, ids: ReadonlyArray<string>) => {
        if (first === undefined) return Effect.undefined
        if (first === "store") return Effect.map(lockStore(storeId), ([store]) => store?.createdAt)
        if (first === "tree") return Effect.as(lockStoreFor(sql, "category_tree", storeId), undefined)
        return Effect.as(
          lockRow(storeId, first === "parent product" ? places.product : places.customer, ids.slice(0, -1)),
          undefined
        )
      }

      return RowVersions.of({
        during: (storeId, resource, ids, isMet) => (body) =>
          database.write(storeId)(
            Effect.gen(function* () {
              const place: Place = places[resource]
              const storeMade = yield* Effect.orDie(lockFirst(storeId, place, ids))
              const [row] = yield* Effect.orDie(
                resource === "store" ? lockStore(storeId) : lockRow(storeId, place, ids)
              )
              const version = row?.updatedAt ?? (place.single === true ? storeMade : undefined)
              if (version !== undefined) yield* judged(isMet, version)
              return yield* body
            })
          )
      })
    })
  )
}
