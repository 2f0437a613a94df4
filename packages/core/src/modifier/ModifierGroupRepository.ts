/** The SQL of modifier_group and modifier. A group is read with its modifiers in one statement. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { makePageReader } from "../database/PageReads.ts"
import { containing, lockThenRead, many, none, one } from "../database/Repository.ts"
import { constraintViolation, constraintViolations } from "../database/SqlErrors.ts"
import { countLocked } from "../database/StoreLocks.ts"
import { fieldsOf, makeStoreTable, selectedFields, type StoreTable } from "../database/StoreTable.ts"
import { mapItems, type Page } from "../kernel/Pagination.ts"
import { sharedSize } from "../store/StoreBounds.ts"
import { ModifierGroupInUse } from "./ModifierErrors.ts"
import type { ModifierGroupFields, ModifierState } from "./ModifierFields.ts"
import { groupJson, type ModifierJson, modifiersJson, toModifiers } from "./ModifierColumns.ts"
import { ModifierGroupInput, type ModifierGroupState } from "./ModifierGroup.ts"

type GroupRow = Omit<ModifierGroupState, "modifiers"> & { readonly modifiers: ReadonlyArray<ModifierJson> | null }

const table: StoreTable<Omit<ModifierGroupFields, "modifiers">> = {
  table: "modifier_group",
  fields: fieldsOf(ModifierGroupInput, "modifiers"),
  json: ["translations"]
}

const columns = `g.id, ${selectedFields(table, "g")}, g.created_at, g.updated_at, ${modifiersJson} AS modifiers`

const toState = (row: GroupRow): ModifierGroupState => ({ ...row, modifiers: toModifiers(row.modifiers) })

const fits = constraintViolations(sharedSize("modifierGroups"))

export class ModifierGroupRepository extends Context.Service<ModifierGroupRepository>()(
  "@effect-commerce/core/modifier/ModifierGroupRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const select = sql.literal(`SELECT ${columns} FROM modifier_group g`)
      const rows = makeStoreTable(sql, table)
      const reader = makePageReader<GroupRow>(sql, { name: "modifier_group", alias: "g", columns })

      /** Replaces the modifiers of a group with exactly these. */
      const writeModifiers = (storeId: string, groupId: string, modifiers: ReadonlyArray<ModifierState>) => {
        const rows = modifiers.map((modifier) => ({ ...modifier, priceDelta: String(modifier.priceDelta) }))
        const removed = none(sql`DELETE FROM modifier WHERE store_id = ${storeId} AND group_id = ${groupId}
          AND NOT id = ANY(${modifiers.map(({ id }) => id)}::text[])`)
        const kept = none(
          fits(sql`INSERT INTO modifier (store_id, group_id, id, name, description, translations, price_delta, sku,
              image, position, is_default, available, referenced_product_id, status)
            SELECT ${storeId}, ${groupId}, m.id, m.name, m.description, m.translations, m."priceDelta", m.sku, m.image,
              m.position, m."isDefault", m.available, m."referencedProductId", m.status
            FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS m (id text, name text, description text,
              translations jsonb, "priceDelta" bigint, sku text, image text, position int, "isDefault" boolean,
              available boolean, "referencedProductId" text, status text)
            ON CONFLICT (store_id, group_id, id) DO UPDATE SET name = EXCLUDED.name,
              description = EXCLUDED.description, translations = EXCLUDED.translations,
              price_delta = EXCLUDED.price_delta, sku = EXCLUDED.sku, image = EXCLUDED.image,
              position = EXCLUDED.position, is_default = EXCLUDED.is_default, available = EXCLUDED.available,
              referenced_product_id = EXCLUDED.referenced_product_id, status = EXCLUDED.status`)
        )
        return Effect.asVoid(Effect.all([removed, kept], { concurrency: 2 }))
      }

      const find = (storeId: string, id: string) =>
        one(sql<GroupRow>`${select} WHERE g.store_id = ${storeId} AND g.id = ${id}`, toState)

      /** Returns whether there was one. Deleted products no longer count as having it. */
      const remove = Effect.fnUntraced(function* (storeId: string, id: string) {
        yield* none(sql`DELETE FROM product_modifier_group a WHERE a.store_id = ${storeId} AND a.group_id = ${id} AND
          EXISTS (SELECT FROM product p WHERE p.store_id = a.store_id AND p.id = a.product_id AND p.deleted_at IS NOT
            NULL)`)
        yield* none(sql`DELETE FROM modifier WHERE store_id = ${storeId} AND group_id = ${id}`)
        const removed = yield* many(
          constraintViolation(
            "product_modifier_group_store_id_group_id_fkey",
            () => new ModifierGroupInUse({ id })
          )(sql`DELETE FROM modifier_group WHERE store_id = ${storeId} AND id = ${id} RETURNING id`)
        )
        return removed.length > 0
      })

      return {
        /** How many groups the store has; nobody else adds one until the transaction ends. */
        countToAdd: (storeId: string) =>
          countLocked(sql, { table: "modifier_group", ownerId: storeId, which: sql`store_id = ${storeId}` }),
        insert: (storeId: string, id: string, fields: ModifierGroupFields, now: Date) =>
          Effect.andThen(
            none(fits(rows.insert(storeId, id, fields, now))),
            writeModifiers(storeId, id, fields.modifiers)
          ),
        /** Returns the new version. */
        update: (storeId: string, id: string, fields: ModifierGroupFields, now: Date) =>
          Effect.andThen(
            writeModifiers(storeId, id, fields.modifiers),
            Effect.map(one(fits(rows.update(storeId, id, fields, now))), (row) => row?.updatedAt ?? now)
          ),
        // product_modifier_group_store_id_group_id_idx; the length of a document is known without reading it.
        /** A product with the group whose shopper view, with all its groups, is larger than `bytes`. */
        productAbove: (storeId: string, id: string, bytes: number) =>
          one(
            sql<{ readonly id: string }>`WITH with_group AS MATERIALIZED (
                SELECT DISTINCT a.product_id FROM product_modifier_group a WHERE a.store_id = ${storeId}
                  AND a.group_id = ${id}
              ), attached AS MATERIALIZED (
                SELECT a.product_id, a.group_id FROM product_modifier_group a JOIN with_group w ON w.product_id =
                  a.product_id WHERE a.store_id = ${storeId}
              ), weight AS MATERIALIZED (
                SELECT g.id, octet_length((${sql.literal(groupJson)})::text) AS bytes FROM modifier_group g
                WHERE g.store_id = ${storeId} AND g.status = 'active' AND g.id IN (SELECT group_id FROM attached)
              )
              SELECT d.product_id AS id FROM (SELECT a.product_id, sum(w.bytes) AS bytes FROM attached a
                  JOIN weight w ON w.id = a.group_id GROUP BY a.product_id) groups
                JOIN product_document d ON d.store_id = ${storeId} AND d.product_id = groups.product_id
              WHERE groups.bytes + octet_length(d.document) > ${bytes} ORDER BY d.product_id LIMIT 1`,
            (row) => row.id
          ),
        remove,
        find,
        /** `find`, with the row locked until the transaction ends. */
        findLocked: (storeId: string, id: string) =>
          Effect.map(
            lockThenRead(
              none(sql`SELECT FROM modifier_group WHERE store_id = ${storeId} AND id = ${id} FOR NO KEY UPDATE`),
              find(storeId, id)
            ),
            ([, group]) => group
          ),
        /** The groups with these ids that the store has. */
        several: (storeId: string, ids: ReadonlyArray<string>) =>
          many(sql<GroupRow>`${select} WHERE g.store_id = ${storeId} AND g.id = ANY(${ids}::text[])`, toState),
        list: (storeId: string, search: string | undefined, page: Page) =>
          mapItems(
            reader.page(storeId, {
              conditions:
                search === undefined
                  ? []
                  : [sql`(g.name ILIKE ${containing(search)} OR g.internal_name ILIKE ${containing(search)})`],
              order: sql.literal("g.name, g.id"),
              page,
              search
            }),
            toState
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(ModifierGroupRepository, ModifierGroupRepository.make)
}
