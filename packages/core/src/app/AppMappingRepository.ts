/**
 * The SQL of app_mapping, and of what an installation has of it, in rows and bytes. Writers hold the installation
 * first.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { heavyRead } from "../database/HeavyReads.ts"
import { makePageReader } from "../database/PageReads.ts"
import { versionAfter } from "../database/Precondition.ts"
import { among, many, one } from "../database/Repository.ts"
import type { Page } from "../kernel/Pagination.ts"
import type { InstallationPlace } from "./AppInstallation.ts"
import { type MappingFields, type MappingKey, type MappingState, mostPlatforms } from "./AppMapping.ts"

/** What a mapping counts for, in bytes. */
type Charged = Pick<MappingState, "charge">

/** Undefined fields do not filter. */
export interface MappingFilter {
  readonly resourceTypes: ReadonlyArray<string> | undefined
  readonly internalId: string | undefined
  readonly platformCode: string | undefined
  readonly syncStatuses: ReadonlyArray<string> | undefined
}

const columns = `m.id, m.resource_type, m.internal_id, m.external_id, m.external_url, m.platform_code, m.sync_status,
  m.last_synced_at, m.last_sync_error, m.metadata, m.charge, m.created_at, m.updated_at`

export class AppMappingRepository extends Context.Service<AppMappingRepository>()(
  "@effect-commerce/core/app/AppMappingRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const shown = sql.literal(columns)
      const reader = makePageReader<MappingState>(sql, { name: "app_mapping", alias: "m", columns })
      const of = ({ storeId, installationId }: InstallationPlace) =>
        sql`m.store_id = ${storeId} AND m.installation_id = ${installationId}`

      return {
        find: (place: InstallationPlace, id: string) =>
          one(sql<MappingState>`SELECT ${shown} FROM app_mapping m WHERE ${of(place)} AND m.id = ${id}`),

        // app_mapping_key
        findByKey: (place: InstallationPlace, { resourceType, internalId, platformCode }: MappingKey) =>
          one(sql<MappingState>`SELECT ${shown} FROM app_mapping m WHERE ${of(place)} AND m.internal_id = ${internalId}
            AND m.resource_type = ${resourceType} AND m.platform_code = ${platformCode}`),

        insert: (place: InstallationPlace, id: string, mapping: MappingKey & MappingFields & Charged, now: Date) =>
          one(sql<MappingState>`WITH counted AS (UPDATE app_installation SET mappings = mappings + 1,
                mapping_bytes = mapping_bytes + ${mapping.charge}
              WHERE store_id = ${place.storeId} AND id = ${place.installationId})
            INSERT INTO app_mapping AS m (store_id, id, installation_id, resource_type, internal_id, external_id,
              external_url, platform_code, sync_status, last_synced_at, last_sync_error, metadata, charge,
              created_at, updated_at)
            VALUES (${place.storeId}, ${id}, ${place.installationId}, ${mapping.resourceType}, ${mapping.internalId},
              ${mapping.externalId}, ${mapping.externalUrl}, ${mapping.platformCode}, ${mapping.syncStatus},
              ${mapping.lastSyncedAt}, ${mapping.lastSyncError}, ${JSON.stringify(mapping.metadata)}::jsonb,
              ${mapping.charge}, ${now}, ${now}) RETURNING ${shown}`),

        /** `added` is how much more it counts for than before. */
        update: (
          place: InstallationPlace,
          id: string,
          { added, ...fields }: MappingFields & Charged & { readonly added: number },
          now: Date
        ) =>
          one(sql<MappingState>`WITH counted AS (UPDATE app_installation SET mapping_bytes = mapping_bytes + ${added}
              WHERE store_id = ${place.storeId} AND id = ${place.installationId})
            UPDATE app_mapping m SET external_id = ${fields.externalId},
              external_url = ${fields.externalUrl}, sync_status = ${fields.syncStatus},
              last_synced_at = ${fields.lastSyncedAt}, last_sync_error = ${fields.lastSyncError},
              metadata = ${JSON.stringify(fields.metadata)}::jsonb, charge = ${fields.charge},
              updated_at = ${versionAfter(sql, now)}
            WHERE ${of(place)} AND m.id = ${id} RETURNING ${shown}`),

        /** Returns whether the mapping existed. */
        remove: (place: InstallationPlace, id: string) =>
          Effect.map(
            one(
              sql<{ readonly count: number }>`WITH gone AS (DELETE FROM app_mapping m
                WHERE ${of(place)} AND m.id = ${id} RETURNING m.charge)
              UPDATE app_installation SET mappings = mappings - (SELECT count(*)::int FROM gone),
                mapping_bytes = mapping_bytes - (SELECT coalesce(sum(charge), 0) FROM gone)
              WHERE store_id = ${place.storeId} AND id = ${place.installationId}
              RETURNING (SELECT count(*)::int FROM gone) AS count`
            ),
            (row) => row?.count === 1
          ),

        /** Deletes mappings of an installation that has ended; returns how many. */
        removeSome: (place: InstallationPlace, most: number) =>
          Effect.map(
            many(sql`DELETE FROM app_mapping WHERE store_id = ${place.storeId} AND id = ANY(ARRAY(
              SELECT m.id FROM app_mapping m WHERE ${of(place)} LIMIT ${most})) RETURNING 1`),
            (rows) => rows.length
          ),

        // One probe of app_mapping_store_id_installation_id_platform_code_idx for each platform.
        platforms: (storeId: string) =>
          many(
            sql<{ readonly platformCode: string }>`SELECT DISTINCT p.platform_code
              FROM app_installation i, LATERAL (
                WITH RECURSIVE found AS (
                  (SELECT m.platform_code FROM app_mapping m WHERE m.store_id = i.store_id AND m.installation_id = i.id
                    ORDER BY m.platform_code LIMIT 1)
                  UNION ALL
                  SELECT (SELECT m.platform_code FROM app_mapping m WHERE m.store_id = i.store_id
                    AND m.installation_id = i.id AND m.platform_code > f.platform_code
                    ORDER BY m.platform_code LIMIT 1)
                  FROM found f WHERE f.platform_code IS NOT NULL
                ) SELECT platform_code FROM found WHERE platform_code IS NOT NULL LIMIT ${mostPlatforms}) p
              WHERE i.store_id = ${storeId} AND i.deleted_at IS NULL AND i.mappings > 0
              ORDER BY p.platform_code LIMIT ${mostPlatforms}`,
            ({ platformCode }) => platformCode
          ),

        /** Newest first. The whole list is counted by its installation. */
        list: (place: InstallationPlace, page: Page, filter: MappingFilter) => {
          const conditions = [
            ...(filter.internalId === undefined ? [] : [sql`m.internal_id = ${filter.internalId}`]),
            ...(filter.platformCode === undefined ? [] : [sql`m.platform_code = ${filter.platformCode}`]),
            ...(filter.resourceTypes === undefined ? [] : [among(sql, "m.resource_type", filter.resourceTypes)]),
            ...(filter.syncStatuses === undefined ? [] : [among(sql, "m.sync_status", filter.syncStatuses)])
          ]
          const read = reader.page(place.storeId, {
            conditions: [sql`m.installation_id = ${place.installationId}`, ...conditions],
            order: sql.literal("m.created_at DESC, m.id DESC"),
            page,
            ...(conditions.length > 0
              ? {}
              : {
                  counted: sql`SELECT mappings AS total FROM app_installation
                    WHERE store_id = ${place.storeId} AND id = ${place.installationId}`
                })
          })
          // A filter without the id of a resource may look through all mappings of the installation.
          return conditions.length > 0 && filter.internalId === undefined ? heavyRead(place.storeId)(read) : read
        }
      }
    })
  }
) {
  static readonly layer = Layer.effect(AppMappingRepository, AppMappingRepository.make)
}
