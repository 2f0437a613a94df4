/**
 * External ids: the merchant's own ids of rows, in the column `external_id` of a tenant table. Loading a store
 * description and synchronising with another system find their rows by them. For tables whose use cases do not read
 * external ids themselves; `table` is the name of such a table.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "./Database.ts"
import { many, none } from "./Repository.ts"

export class ExternalIds extends Context.Service<ExternalIds>()("@effect-commerce/core/database/ExternalIds", {
  make: Effect.map(Database, ({ sql }) => ({
    /** Our ids by external id; unknown external ids are left out. */
    find: (
      storeId: string,
      table: string,
      externalIds: ReadonlyArray<string>
    ): Effect.Effect<ReadonlyMap<string, string>> =>
      Effect.map(
        many(
          sql<{ readonly externalId: string; readonly id: string }>`SELECT external_id, id FROM ${sql(table)}
            WHERE store_id = ${storeId} AND external_id = ANY(${externalIds}::text[])`
        ),
        (rows) => new Map(rows.map((row) => [row.externalId, row.id]))
      ),

    /** Inside `Database.write(storeId)`. An external id that another row has is a defect: call `find` before. */
    assign: (storeId: string, table: string, id: string, externalId: string): Effect.Effect<void> =>
      none(sql`UPDATE ${sql(table)} SET external_id = ${externalId} WHERE store_id = ${storeId} AND id = ${id}`)
  }))
}) {
  static readonly layer = Layer.effect(this, this.make)
}
