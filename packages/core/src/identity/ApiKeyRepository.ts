/** The SQL of api_key (a platform table). */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { RowReader } from "../guard/RateLimits.ts"
import { anyRow, many, none, one } from "../database/Repository.ts"
import { countLocked } from "../database/StoreLocks.ts"
import type { KeyTier } from "./ApiKey.ts"
import { apiKeyBound } from "./ApiKey.ts"

export interface ApiKeyRow {
  readonly id: string
  readonly accountId: string
  readonly storeId: string | null
  readonly name: string
  readonly keyHash: string
  readonly keyPrefix: string
  readonly scopes: ReadonlyArray<string>
  readonly tier: KeyTier
  readonly rateLimit: number | null
  readonly expiresAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/**
 * Keys of an account, of a store, or, `withAccountWide`, of a store and those of its account that are bound to none.
 */
export interface KeyFilter {
  readonly accountId?: string | undefined
  readonly storeId?: string | undefined
  readonly withAccountWide?: boolean | undefined
}

/** A row with the highest tier of its account's active keys. */
export type HeldKeyRow = ApiKeyRow & { readonly accountTier: KeyTier }

export interface ApiKeyRepositoryMethods {
  /**
   * How many keys that work the store has, or the account that are for all of it; nobody else adds one until the
   * transaction ends.
   */
  readonly countToAdd: (owner: Pick<ApiKeyRow, "accountId" | "storeId">, now: Date) => Effect.Effect<number>
  readonly insert: (row: ApiKeyRow) => Effect.Effect<void>
  readonly findByHash: <E>(hash: string, now: Date, read: RowReader<E>) => Effect.Effect<HeldKeyRow | undefined, E>
  readonly find: (id: string) => Effect.Effect<ApiKeyRow | undefined>
  /** Keeps its end as it is until the transaction ends. */
  readonly hold: (id: string) => Effect.Effect<ApiKeyRow | undefined>
  /** Those that work, and of those that have ended the newest. */
  readonly list: (filter: KeyFilter, now: Date) => Effect.Effect<ReadonlyArray<ApiKeyRow>>
  /** Ends the key at `at`, never later than it would end anyway. */
  readonly endAt: (id: string, at: Date, now: Date) => Effect.Effect<void>
  readonly revoke: (id: string, at: Date) => Effect.Effect<boolean>
}

/** Every key that works of a store and of its account, and as many that have ended. */
const mostListed = 4 * apiKeyBound.most

export class ApiKeyRepository extends Context.Service<ApiKeyRepository, ApiKeyRepositoryMethods>()(
  "@effect-commerce/core/identity/ApiKeyRepository"
) {
  static readonly layer = Layer.effect(
    ApiKeyRepository,
    Effect.gen(function* () {
      const { sql } = yield* Database
      const columns = sql.literal(
        "id, account_id, store_id, name, key_hash, key_prefix, scopes, tier, rate_limit, expires_at, created_at, " +
          "updated_at"
      )

      return ApiKeyRepository.of({
        // api_key_account_id_live_idx
        countToAdd: ({ accountId, storeId }, now) =>
          countLocked(sql, {
            table: "api_key",
            ownerId: storeId ?? accountId,
            which: sql`account_id = ${accountId} AND ${
              storeId === null
                ? sql`store_id IS NULL`
                : sql`store_id =
              ${storeId}`
            } AND revoked_at IS NULL
              AND (expires_at IS NULL OR expires_at > ${now})`
          }),
        insert: (row) =>
          none(
            sql`INSERT INTO api_key ${sql.insert({
              id: row.id,
              account_id: row.accountId,
              store_id: row.storeId,
              name: row.name,
              key_hash: row.keyHash,
              key_prefix: row.keyPrefix,
              scopes: row.scopes,
              tier: row.tier,
              rate_limit: row.rateLimit,
              expires_at: row.expiresAt,
              created_at: row.createdAt,
              updated_at: row.updatedAt
            })}`
          ),
        // Only what is valid now: what is not is not found.
        findByHash: (hash, now, read) =>
          read<HeldKeyRow>(sql`SELECT ${columns}, (
              SELECT a.tier FROM api_key a
              WHERE a.account_id = k.account_id AND a.revoked_at IS NULL AND
                (a.expires_at IS NULL OR a.expires_at > ${now})
              ORDER BY array_position(ARRAY['ENTERPRISE', 'GROWTH', 'PRO', 'FREE'], a.tier) LIMIT 1
            ) AS account_tier
            FROM api_key k WHERE key_hash = ${hash} AND revoked_at IS NULL AND
              (expires_at IS NULL OR expires_at > ${now})`),
        find: (id) => one(sql<ApiKeyRow>`SELECT ${columns} FROM api_key WHERE id = ${id} AND revoked_at IS NULL`),
        hold: (id) =>
          one(sql<ApiKeyRow>`SELECT ${columns} FROM api_key WHERE id = ${id} AND revoked_at IS NULL FOR SHARE`),
        list: (filter, now) =>
          many(sql<ApiKeyRow>`SELECT ${columns} FROM (SELECT ${columns} FROM api_key WHERE ${sql.and([
            sql`revoked_at IS NULL`,
            ...(filter.accountId === undefined ? [] : [sql`account_id = ${filter.accountId}`]),
            ...(filter.storeId === undefined
              ? []
              : [
                  filter.withAccountWide === true
                    ? sql`(store_id = ${filter.storeId} OR store_id IS NULL)`
                    : sql`store_id = ${filter.storeId}`
                ])
          ])} ORDER BY coalesce(expires_at <= ${now}, false), created_at DESC,
              id DESC LIMIT ${mostListed}) AS listed ORDER BY created_at, id`),
        endAt: (id, at, now) =>
          none(sql`UPDATE api_key SET expires_at = least(expires_at, ${at}), updated_at = ${now} WHERE id = ${id}`),
        revoke: (id, at) =>
          anyRow(sql`UPDATE api_key SET revoked_at = ${at},
                updated_at = ${at} WHERE id = ${id} AND revoked_at IS NULL RETURNING id`)
      })
    })
  )
}
