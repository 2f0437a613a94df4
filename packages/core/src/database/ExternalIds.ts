/**
 * External ids: the merchant's own ids of rows, in the column `external_id` of a tenant table. Loading a store
 * description and synchronising with another system find their rows by them. For tables whose use cases do not read
 * external ids themselves; `table` is the name of one.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "./Database.ts"

export interface ExternalIdsMethods {
  /** Our ids by the foreign ids that are known; the others are left out. */
  readonly find: (
    storeId: string,
    table: string,
    externalIds: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyMap<string, string>>
  /** Inside `Database.write(storeId)`. A foreign id that another row of the table has is a defect: look before. */
  readonly assign: (storeId: string, table: string, id: string, externalId: string) => Effect.Effect<void>
}

export class ExternalIds extends Context.Service<ExternalIds, ExternalIdsMethods>()(
  "@effect-commerce/core/database/ExternalIds"
) {
  static readonly layer = Layer.effect(
    ExternalIds,
    Effect.map(Database, ({ sql }) =>
      ExternalIds.of({
        find: (storeId, table, externalIds) =>
          Effect.orDie(
            Effect.map(
              sql<{ readonly externalId: string; readonly id: string }>`SELECT external_id, id FROM ${sql(table)}
                WHERE store_id = ${storeId} AND external_id = ANY(${externalIds}::text[])`,
              (rows) => new Map(rows.map((row) => [row.externalId, row.id]))
            )
          ),
        assign: (storeId, table, id, externalId) =>
          Effect.orDie(
            Effect.asVoid(
              sql`UPDATE ${sql(table)} SET external_id = ${externalId} WHERE store_id = ${storeId} AND id = ${id}`
            )
          )
      })
    )
  )
}
