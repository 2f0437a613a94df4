/**
 * The SQL of tax_rate. `readRules` reads the store's version and its rates in one statement: one snapshot, so they
 * belong together.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { anyRow, many, none, one } from "../database/Repository.ts"
import { constraintViolations } from "../database/SqlErrors.ts"
import { sharedReason } from "../store/StoreBounds.ts"
import type { VersionedRules } from "../store/compiledRules.ts"
import { TaxRateRejected } from "./TaxErrors.ts"
import type { MatchableRate } from "./TaxMatcher.ts"
import type { TaxRateState } from "./TaxRate.ts"

/** What matching is compiled from. */
export interface TaxRules extends VersionedRules {
  readonly rates: ReadonlyArray<MatchableRate>
}

const refused = constraintViolations({
  shared_size: () => new TaxRateRejected({ errors: { taxRates: sharedReason } })
})

export class TaxRateRepository extends Context.Service<TaxRateRepository>()(
  "@effect-commerce/core/tax/TaxRateRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const columns = sql.literal(
        `id, name, country, region, postal_code, rate::text AS rate, tax_type, is_inclusive, priority, stackable,
         exception_countries, is_active, tax_class_id, created_at, updated_at`
      )
      const columnsOf = (rate: TaxRateState) => ({
        name: rate.name,
        country: rate.country,
        region: rate.region,
        postal_code: rate.postalCode,
        rate: rate.rate,
        tax_type: rate.taxType,
        is_inclusive: rate.isInclusive,
        priority: rate.priority,
        stackable: rate.stackable,
        exception_countries: rate.exceptionCountries,
        is_active: rate.isActive,
        tax_class_id: rate.taxClassId,
        created_at: rate.createdAt,
        updated_at: rate.updatedAt
      })

      return {
        insert: (storeId: string, rate: TaxRateState) =>
          none(
            refused(sql`INSERT INTO tax_rate ${sql.insert({ store_id: storeId, id: rate.id, ...columnsOf(rate) })}`)
          ),
        update: (storeId: string, rate: TaxRateState) =>
          none(
            refused(
              sql`UPDATE tax_rate SET ${sql.update(columnsOf(rate))} WHERE store_id = ${storeId} AND id = ${rate.id}`
            )
          ),
        remove: (storeId: string, id: string) =>
          anyRow(sql`DELETE FROM tax_rate WHERE store_id = ${storeId} AND id = ${id} RETURNING id`),
        find: (storeId: string, id: string) =>
          one(sql<TaxRateState>`SELECT ${columns} FROM tax_rate WHERE store_id = ${storeId} AND id = ${id}`),
        count: (storeId: string) =>
          Effect.map(
            one(
              sql<{ readonly count: number }>`SELECT count(*)::int AS count FROM tax_rate WHERE store_id = ${storeId}`
            ),
            (row) => row?.count ?? 0
          ),
        // tax_rate_store_id_created_at_idx gives the order.
        list: (storeId: string) =>
          many(sql<TaxRateState>`SELECT ${columns} FROM tax_rate WHERE store_id = ${storeId} ORDER BY created_at, id`),
        /** undefined: no such store. */
        readRules: (storeId: string) =>
          Effect.map(
            many(sql<Omit<TaxRules, "rates"> & MatchableRate & { readonly id: string | null }>`SELECT s.rules_version,
                  coalesce(s.xmin = pg_current_xact_id_if_assigned()::xid, false) AS uncommitted, t.id, t.name,
                  t.country, t.region, t.postal_code, t.rate::text AS rate, t.is_inclusive, t.priority, t.stackable,
                    t.exception_countries, t.is_active, t.tax_class_id, t.created_at
                FROM store s LEFT JOIN tax_rate t ON t.store_id = s.id AND t.is_active WHERE s.id = ${storeId}`),
            (rows) =>
              rows[0] && {
                rulesVersion: rows[0].rulesVersion,
                uncommitted: rows[0].uncommitted,
                rates: rows.filter(({ id }) => id !== null)
              }
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(TaxRateRepository, TaxRateRepository.make)
}
