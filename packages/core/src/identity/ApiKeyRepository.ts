/** The SQL of api_key (a platform table). */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { RowReader } from "../guard/RateLimits.ts"
import { anyRow, many, none, one } from "../database/Repository.ts"
import { countLocked } from "../database/StoreLocks.ts"
import { type ApiKey, apiKeyBound, type KeyTier } from "./ApiKey.ts"

export interface ApiKeyRow extends Omit<ApiKey, "expiresAt" | "lastUsedAt" | "createdAt" | "updatedAt"> {
  readonly keyHash: string
  readonly expiresAt: Date | null
  readonly lastUsedAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/**
 * Keys of an account, of a store, or, with `withAccountWide`, of a store together with the keys for its whole account.
 */
export interface KeyFilter {
  readonly accountId?: string | undefined
  readonly storeId?: string | undefined
  readonly withAccountWide?: boolean | undefined
}

/** A row with the highest tier of its account's active keys. */
export type HeldKeyRow = ApiKeyRow & { readonly accountTier: KeyTier }

/** Enough for all valid keys of a store and of its account, and as many expired ones. */
const mostListed = 4 * apiKeyBound.most

const usedAt = ([id, at]: readonly [keyId: string, at: number]) => ({ id, at: new Date(at).toISOString() })

export class ApiKeyRepository extends Context.Service<ApiKeyRepository>()(
  "@effect-commerce/core/identity/ApiKeyRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const columns = sql.literal(
        "id, account_id, store_id, name, key_hash, key_prefix, scopes, tier, rate_limit, expires_at, last_used_at, " +
          "created_at, updated_at"
      )

      return {
        // api_key_account_id_live_idx
        /**
         * Counts the valid keys of the store, or those for the whole account; no other transaction can add one until
         * this one ends.
         */
        countToAdd: ({ accountId, storeId }: Pick<ApiKeyRow, "accountId" | "storeId">, now: Date) =>
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
        insert: (row: ApiKeyRow) =>
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
        // Finds only keys that are valid now.
        findByHash: <E>(hash: string, now: Date, read: RowReader<E>) =>
          read<HeldKeyRow>(sql`SELECT ${columns}, (
              SELECT a.tier FROM api_key a
              WHERE a.account_id = k.account_id AND a.revoked_at IS NULL AND
                (a.expires_at IS NULL OR a.expires_at > ${now})
              ORDER BY array_position(ARRAY['ENTERPRISE', 'GROWTH', 'PRO', 'FREE'], a.tier) LIMIT 1
            ) AS account_tier
            FROM api_key k WHERE key_hash = ${hash} AND revoked_at IS NULL AND
              (expires_at IS NULL OR expires_at > ${now})`),
        find: (id: string) =>
          one(sql<ApiKeyRow>`SELECT ${columns} FROM api_key WHERE id = ${id} AND revoked_at IS NULL`),
        /** Reads the key and keeps its expiry from changing until the transaction ends. */
        hold: (id: string) =>
          one(sql<ApiKeyRow>`SELECT ${columns} FROM api_key WHERE id = ${id} AND revoked_at IS NULL FOR SHARE`),
        /** The valid keys and the newest expired ones. */
        list: (filter: KeyFilter, now: Date) =>
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
        /** Makes the key expire at `at`, never later than before. */
        endAt: (id: string, at: Date, now: Date) =>
          none(sql`UPDATE api_key SET expires_at = least(expires_at, ${at}), updated_at = ${now} WHERE id = ${id}`),
        /** In the order of the keys, so that processes that write at once do not wait for each other in a circle. */
        used: (uses: ReadonlyArray<readonly [keyId: string, at: number]>) =>
          none(sql`UPDATE api_key k SET last_used_at = greatest(k.last_used_at, u.at) FROM (
              SELECT l.id, n.at FROM jsonb_to_recordset(${JSON.stringify(uses.map(usedAt))}::jsonb)
                AS n (id text, at timestamptz) JOIN api_key l ON l.id = n.id ORDER BY l.id FOR NO KEY UPDATE OF l) u
              WHERE k.id = u.id`),
        revoke: (id: string, at: Date) =>
          anyRow(sql`UPDATE api_key SET revoked_at = ${at},
                updated_at = ${at} WHERE id = ${id} AND revoked_at IS NULL RETURNING id`)
      }
    })
  }
) {
  static readonly layer = Layer.effect(ApiKeyRepository, ApiKeyRepository.make)
}
