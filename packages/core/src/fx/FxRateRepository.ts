/** The SQL of fx_rate. `readRules` reads the store's rules version and its rates in one statement. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { many, none, one, page } from "../database/Repository.ts"
import { offsetOf, type Page } from "../kernel/Pagination.ts"
import type { VersionedRules } from "../store/compiledRules.ts"
import type { FxRateState } from "./ExchangeRate.ts"

export interface FxRules extends VersionedRules {
  readonly rates: ReadonlyArray<FxRateState>
}

type Pair = Pick<FxRateState, "base" | "quote">

export class FxRateRepository extends Context.Service<FxRateRepository>()("@effect-commerce/core/fx/FxRateRepository", {
  make: Effect.gen(function* () {
    const { sql } = yield* Database
    const columns = sql.literal(`f.base, f.quote, trim_scale(f.rate)::text AS rate,
      trim_scale(f.buffer_percent)::text AS buffer_percent, f.updated_at`)

    return {
      /** By currency. */
      list: (storeId: string, at: Page) =>
        page(
          sql<FxRateState>`SELECT ${columns} FROM fx_rate f WHERE f.store_id = ${storeId}
            ORDER BY f.base, f.quote LIMIT ${at.limit} OFFSET ${offsetOf(at)}`,
          sql<{ readonly total: number }>`SELECT count(*)::int AS total FROM fx_rate WHERE store_id = ${storeId}`
        ),
      find: (storeId: string, { base, quote }: Pair) =>
        one(sql<FxRateState>`SELECT ${columns} FROM fx_rate f
          WHERE f.store_id = ${storeId} AND f.base = ${base} AND f.quote = ${quote}`),
      save: (storeId: string, { base, quote, rate, bufferPercent, updatedAt }: FxRateState) =>
        none(
          sql`INSERT INTO fx_rate (store_id, base, quote, rate, buffer_percent, updated_at)
            VALUES (${storeId}, ${base}, ${quote}, ${rate}::numeric, ${bufferPercent}::numeric, ${updatedAt})
            ON CONFLICT (store_id, base, quote) DO UPDATE SET rate = EXCLUDED.rate,
              buffer_percent = EXCLUDED.buffer_percent, updated_at = EXCLUDED.updated_at`
        ),
      remove: (storeId: string, { base, quote }: Pair) =>
        none(sql`DELETE FROM fx_rate WHERE store_id = ${storeId} AND base = ${base} AND quote = ${quote}`),
      readRules: (storeId: string) =>
        Effect.map(
          many(
            sql<Omit<FxRules, "rates"> & Omit<FxRateState, "quote"> & { readonly quote: string | null }>`
              SELECT s.rules_version, coalesce(s.xmin = pg_current_xact_id_if_assigned()::xid, false) AS uncommitted,
                ${columns} FROM store s LEFT JOIN fx_rate f ON f.store_id = s.id WHERE s.id = ${storeId}`
          ),
          (rows): FxRules | undefined =>
            rows[0] && {
              rulesVersion: rows[0].rulesVersion,
              uncommitted: rows[0].uncommitted,
              rates: rows.flatMap(({ quote, base, rate, bufferPercent, updatedAt }) =>
                quote === null ? [] : [{ quote, base, rate, bufferPercent, updatedAt }]
              )
            }
        )
    }
  })
}) {
  static readonly layer = Layer.effect(FxRateRepository, FxRateRepository.make)
}
