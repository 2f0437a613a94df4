/**
 * The SQL of region and region_country. Callers that write lock the store's row first, so that writers of one store's
 * regions take turns.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { versionAfter } from "../database/Precondition.ts"
import { anyRow, many, none, one, page } from "../database/Repository.ts"
import { offsetOf, type Page } from "../kernel/Pagination.ts"
import type { VersionedRules } from "./compiledRules.ts"
import type { RegionFields, RegionProvider, RegionState } from "./Region.ts"

/** What the choice of a region is compiled from. */
export type RegionRule = Pick<RegionState, "id" | "currency" | "priceRounding" | "countries" | "isDefault">

export interface RegionRules extends VersionedRules {
  readonly regions: ReadonlyArray<RegionRule>
}

const record = (fields: RegionFields) => ({
  name: fields.name,
  currency: fields.currency,
  countries: fields.countries,
  tax_inclusive: fields.taxInclusive,
  price_rounding: fields.priceRounding,
  provider_installation_ids: fields.providerInstallationIds,
  is_default: fields.isDefault,
  is_active: fields.isActive
})

export class RegionRepository extends Context.Service<RegionRepository>()(
  "@effect-commerce/core/store/RegionRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const columns = sql.literal(`r.id, r.name, r.currency, r.countries, r.tax_inclusive, r.price_rounding,
        r.provider_installation_ids, r.is_default, r.is_active, r.created_at, r.updated_at`)
      const active = (only: boolean) => (only ? sql`AND r.is_active` : sql.literal(""))

      /** The exclusion constraint is checked at the end of the statement, whichever of its parts runs first. */
      const cleared = (storeId: string, id: string, isDefault: boolean, now: Date) =>
        sql`cleared AS (UPDATE region SET is_default = false, updated_at = ${versionAfter(sql, now)}
          WHERE store_id = ${storeId} AND is_default AND id <> ${id} AND ${isDefault})`

      const written = (statement: Effect.Effect<RegionState | undefined>) =>
        Effect.flatMap(statement, (row) =>
          row === undefined ? Effect.die(new Error("a region that is locked is not there")) : Effect.succeed(row)
        )

      /**
       * Assigns these countries to an active region. Returns those that another active region has; they are not
       * assigned.
       */
      const claim = Effect.fnUntraced(function* (storeId: string, id: string, countries: ReadonlyArray<string>) {
        yield* none(sql`DELETE FROM region_country WHERE store_id = ${storeId} AND region_id = ${id}`)
        const got = yield* many(
          sql<{ readonly country: string }>`INSERT INTO region_country (store_id, country, region_id)
            SELECT ${storeId}, wanted.country, ${id} FROM unnest(${countries}::text[]) AS wanted (country)
            ON CONFLICT (store_id, country) DO NOTHING RETURNING country`
        )
        const held = new Set(got.map(({ country }) => country))
        return countries.filter((country) => !held.has(country))
      })

      return {
        count: (storeId: string) =>
          Effect.map(
            one(sql<{ readonly n: number }>`SELECT count(*)::int AS n FROM region r WHERE r.store_id = ${storeId}`),
            (row) => row?.n ?? 0
          ),
        /** A new default region clears the flag of the previous one in the same statement. */
        insert: (storeId: string, id: string, fields: RegionFields, now: Date) =>
          written(
            one(
              sql<RegionState>`WITH ${cleared(storeId, id, fields.isDefault, now)} INSERT INTO region AS r
                ${sql.insert({ store_id: storeId, id, created_at: now, updated_at: now, ...record(fields) })}
                RETURNING ${columns}`
            )
          ),
        update: (storeId: string, id: string, fields: RegionFields, now: Date) =>
          written(
            one(
              sql<RegionState>`WITH ${cleared(storeId, id, fields.isDefault, now)} UPDATE region r
                SET ${sql.update(record(fields))}, updated_at = ${versionAfter(sql, now)}
                WHERE r.store_id = ${storeId} AND r.id = ${id} RETURNING ${columns}`
            )
          ),
        claim,
        remove: (storeId: string, id: string) =>
          anyRow(sql`DELETE FROM region WHERE store_id = ${storeId} AND id = ${id} RETURNING id`),
        /** How many shipping zones name the region. */
        countZones: (storeId: string, id: string) =>
          Effect.map(
            one(
              sql<{ readonly n: number }>`SELECT count(*)::int AS n FROM shipping_zone
                WHERE store_id = ${storeId} AND ${id} = ANY(region_ids)`
            ),
            (row) => row?.n ?? 0
          ),
        /** The store's payment providers, then the apps that it has installed, the oldest first. */
        providers: (storeId: string) =>
          many(
            sql<RegionProvider>`SELECT id, type, is_enabled, app_name FROM (
                SELECT id, type, is_enabled, NULL AS app_name, created_at, 1 AS kind FROM payment_provider
                WHERE store_id = ${storeId}
                UNION ALL
                SELECT id, slug, true, name, created_at, 2 FROM app_installation
                WHERE store_id = ${storeId} AND deleted_at IS NULL) AS serving
              ORDER BY kind, created_at, id`
          ),
        find: (storeId: string, id: string) =>
          one(sql<RegionState>`SELECT ${columns} FROM region r WHERE r.store_id = ${storeId} AND r.id = ${id}`),
        /** The default region first, then by name. */
        list: (storeId: string, at: Page, onlyActive: boolean) =>
          page(
            sql<RegionState>`SELECT ${columns} FROM region r WHERE r.store_id = ${storeId} ${active(onlyActive)}
              ORDER BY r.is_default DESC, r.name, r.id LIMIT ${at.limit} OFFSET ${offsetOf(at)}`,
            sql<{ readonly total: number }>`SELECT count(*)::int AS total FROM region r
              WHERE r.store_id = ${storeId} ${active(onlyActive)}`
          ),
        /** The given ids that are regions of the store. */
        existing: (storeId: string, ids: ReadonlyArray<string>, onlyActive: boolean) =>
          Effect.map(
            many(
              sql<{ readonly id: string }>`SELECT r.id FROM region r
                WHERE r.store_id = ${storeId} AND r.id = ANY(${ids}::text[]) ${active(onlyActive)}`
            ),
            (rows) => new Set(rows.map((row) => row.id))
          ),
        /** The active regions, and the version of the store's rules, in one statement. */
        readRules: (storeId: string) =>
          Effect.map(
            many(
              sql<Omit<RegionRules, "regions"> & Omit<RegionRule, "id"> & { readonly id: string | null }>`
                SELECT s.rules_version, coalesce(s.xmin = pg_current_xact_id_if_assigned()::xid, false) AS uncommitted,
                  r.id, r.currency, r.price_rounding, r.countries, r.is_default
                FROM store s LEFT JOIN region r ON r.store_id = s.id AND r.is_active WHERE s.id = ${storeId}`
            ),
            (rows): RegionRules | undefined =>
              rows[0] && {
                rulesVersion: rows[0].rulesVersion,
                uncommitted: rows[0].uncommitted,
                regions: rows.flatMap(({ id, ...row }) => (id === null ? [] : [{ ...row, id }]))
              }
          ),
        /** The active region that a country belongs to. */
        ofCountry: (storeId: string, country: string) =>
          one(
            sql<RegionState>`SELECT ${columns} FROM region_country c
              JOIN region r ON r.store_id = c.store_id AND r.id = c.region_id
              WHERE c.store_id = ${storeId} AND c.country = ${country}`
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(RegionRepository, RegionRepository.make)
}
