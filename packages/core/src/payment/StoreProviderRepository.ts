/**
 * The SQL of payment_provider and payment_provider_store. `readRules` reads the store's version and its providers in
 * one statement: one snapshot, so they belong together.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { versionAfter } from "../database/Precondition.ts"
import { anyRow, many, none, one, page } from "../database/Repository.ts"
import { constraintViolations } from "../database/SqlErrors.ts"
import { offsetOf, type Page } from "../kernel/Pagination.ts"
import type { VersionedRules } from "../store/compiledRules.ts"
import type { StoreProviderState } from "./StoreProvider.ts"
import { PaymentProviderTaken } from "./StoreProviderErrors.ts"

/** The providers of a store, the oldest first, and the regions that do not take all of them. */
export interface ProviderRules extends VersionedRules {
  readonly providers: ReadonlyArray<StoreProviderState>
  /** By region: the providers that serve it. A region that is not here is served by all. */
  readonly regions: Readonly<Record<string, ReadonlyArray<string>>>
}

export class StoreProviderRepository extends Context.Service<StoreProviderRepository>()(
  "@effect-commerce/core/payment/StoreProviderRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const columns = sql.literal(
        `p.id, p.type, p.name, p.is_enabled, p.account, p.mode, p.credentials, p.credential_fields,
         p.credentials_updated_at, p.previous_credentials, p.previous_valid_until, p.created_at, p.updated_at`
      )
      const columnsOf = (row: StoreProviderState) => ({
        name: row.name,
        is_enabled: row.isEnabled,
        credentials: row.credentials,
        credential_fields: row.credentialFields,
        credentials_updated_at: row.credentialsUpdatedAt,
        previous_credentials: row.previousCredentials,
        previous_valid_until: row.previousValidUntil
      })
      const taken = ({ type, account }: StoreProviderState) =>
        constraintViolations({
          payment_provider_store_id_type_account_mode_key: () => new PaymentProviderTaken({ type, account })
        })

      return {
        count: (storeId: string) =>
          Effect.map(
            one(
              sql<{ readonly n: number }>`SELECT count(*)::int AS n FROM payment_provider WHERE store_id = ${storeId}`
            ),
            (row) => row?.n ?? 0
          ),
        /** The provider, and the row by which a notice to it finds the store. */
        insert: (storeId: string, row: StoreProviderState) =>
          Effect.andThen(
            none(
              taken(row)(
                sql`INSERT INTO payment_provider ${sql.insert({
                  store_id: storeId,
                  id: row.id,
                  type: row.type,
                  account: row.account,
                  mode: row.mode,
                  ...columnsOf(row),
                  created_at: row.createdAt,
                  updated_at: row.updatedAt
                })}`
              )
            ),
            none(sql`INSERT INTO payment_provider_store (provider_id, store_id) VALUES (${row.id}, ${storeId})`)
          ),
        /** Writes what can be changed, with the next version; the account and its mode stay what they are. */
        update: (storeId: string, row: StoreProviderState, now: Date) =>
          one(
            sql<StoreProviderState>`UPDATE payment_provider p SET ${sql.update(columnsOf(row))},
              updated_at = ${versionAfter(sql, now, "p.updated_at")}
              WHERE p.store_id = ${storeId} AND p.id = ${row.id} RETURNING ${columns}`
          ),
        remove: (storeId: string, id: string) =>
          Effect.andThen(
            none(sql`DELETE FROM payment_provider WHERE store_id = ${storeId} AND id = ${id}`),
            none(sql`DELETE FROM payment_provider_store WHERE provider_id = ${id} AND store_id = ${storeId}`)
          ),
        find: (storeId: string, id: string) =>
          one(
            sql<StoreProviderState>`SELECT ${columns} FROM payment_provider p
              WHERE p.store_id = ${storeId} AND p.id = ${id}`
          ),
        /** Waits for operations that are being written for the provider, and keeps others from beginning. */
        lock: (storeId: string, id: string) =>
          one(
            sql<StoreProviderState>`SELECT ${columns} FROM payment_provider p
              WHERE p.store_id = ${storeId} AND p.id = ${id} FOR UPDATE`
          ),
        // payment_provider_store_id_created_at_idx gives the order.
        list: (storeId: string, at: Page) =>
          page(
            sql<StoreProviderState>`SELECT ${columns} FROM payment_provider p WHERE p.store_id = ${storeId}
              ORDER BY p.created_at, p.id LIMIT ${at.limit} OFFSET ${offsetOf(at)}`,
            sql<{ readonly total: number }>`SELECT count(*)::int AS total FROM payment_provider
              WHERE store_id = ${storeId}`
          ),
        /**
         * Whether an operation of the provider still awaits something of it;
         * provider_operation_store_id_provider_id_check_at_idx has those that do.
         */
        hasOpenOperations: (storeId: string, id: string) =>
          anyRow(
            sql`SELECT 1 FROM provider_operation
              WHERE store_id = ${storeId} AND provider_id = ${id} AND check_at IS NOT NULL LIMIT 1`
          ),
        /** How many regions list the provider. */
        countRegions: (storeId: string, id: string) =>
          Effect.map(
            one(
              sql<{ readonly n: number }>`SELECT count(*)::int AS n FROM region
                WHERE store_id = ${storeId} AND ${id} = ANY(provider_installation_ids)`
            ),
            (row) => row?.n ?? 0
          ),
        /** The store whose provider it is; the only statement that is not given a store. */
        storeOf: (id: string) =>
          one(
            sql<{ readonly storeId: string }>`SELECT store_id FROM payment_provider_store WHERE provider_id = ${id}`,
            ({ storeId }) => storeId
          ),
        /** undefined: no such store. */
        readRules: (storeId: string): Effect.Effect<ProviderRules | undefined> =>
          Effect.map(
            many(
              sql<Omit<ProviderRules, "providers"> & Omit<StoreProviderState, "id"> & { readonly id: string | null }>`
                SELECT s.rules_version, coalesce(s.xmin = pg_current_xact_id_if_assigned()::xid, false) AS uncommitted,
                  (SELECT coalesce(jsonb_object_agg(r.id, r.provider_installation_ids), '{}') FROM region r
                    WHERE r.store_id = s.id AND r.provider_installation_ids <> '{}') AS regions, ${columns}
                FROM store s LEFT JOIN payment_provider p ON p.store_id = s.id
                WHERE s.id = ${storeId} ORDER BY p.created_at, p.id`
            ),
            (rows) =>
              rows[0] && {
                rulesVersion: rows[0].rulesVersion,
                uncommitted: rows[0].uncommitted,
                regions: rows[0].regions,
                providers: rows.flatMap(({ id, ...row }) => (id === null ? [] : [{ ...row, id }]))
              }
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(StoreProviderRepository, StoreProviderRepository.make)
}
