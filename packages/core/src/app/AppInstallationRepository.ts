/** The SQL of app_installation, of app_token (a platform table) and of app_secret. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { versionAfter } from "../database/Precondition.ts"
import { anyRow, many, none, one, page, storesWith } from "../database/Repository.ts"
import { uniqueViolation } from "../database/SqlErrors.ts"
import { countLocked } from "../database/StoreLocks.ts"
import type { RowReader } from "../guard/RateLimits.ts"
import { offsetOf, type Page } from "../kernel/Pagination.ts"
import { AppAlreadyInstalled } from "./AppErrors.ts"
import type { AppHolder, AppInstallationState } from "./AppInstallation.ts"

/** An installation as its writers lock it: what it has of rows, and the version of its secrets. */
export interface HeldInstallation {
  readonly id: string
  readonly mappings: number
  readonly mappingBytes: number
  readonly secretsUpdatedAt: Date
}

export interface SealedSecret {
  readonly key: string
  readonly value: string
}

export class AppInstallationRepository extends Context.Service<AppInstallationRepository>()(
  "@effect-commerce/core/app/AppInstallationRepository",
  {
    make: Effect.map(Database, ({ sql }) => {
      const columns = sql.literal("id, name, slug, tier, scopes, token_prefix, created_at, updated_at")
      const present = (storeId: string, id: string) => sql`store_id = ${storeId} AND id = ${id} AND deleted_at IS NULL`
      return {
        /** Counts the installed apps; no other transaction can add one until this one ends. */
        countToAdd: (storeId: string) =>
          countLocked(sql, {
            table: "app_installation",
            ownerId: storeId,
            which: sql`store_id = ${storeId} AND deleted_at IS NULL`
          }),

        insert: (storeId: string, row: AppInstallationState) =>
          none(
            uniqueViolation(
              "app_installation_store_id_slug_key",
              () => new AppAlreadyInstalled({ name: row.name })
            )(sql`INSERT INTO app_installation (store_id, ${columns}, secrets_updated_at)
              VALUES (${storeId}, ${row.id}, ${row.name}, ${row.slug}, ${row.tier}, ${row.scopes}::text[],
                ${row.tokenPrefix}, ${row.createdAt}, ${row.updatedAt}, ${row.createdAt})`)
          ),

        find: (storeId: string, id: string) =>
          one(sql<AppInstallationState>`SELECT ${columns} FROM app_installation WHERE ${present(storeId, id)}`),

        /** Newest first. */
        list: (storeId: string, at: Page) =>
          page(
            sql<AppInstallationState>`SELECT ${columns} FROM app_installation
              WHERE store_id = ${storeId} AND deleted_at IS NULL
              ORDER BY created_at DESC, id DESC LIMIT ${at.limit} OFFSET ${offsetOf(at)}`,
            sql<{ readonly total: number }>`SELECT count(*)::int AS total FROM app_installation
              WHERE store_id = ${storeId} AND deleted_at IS NULL`
          ),

        /** Writers of an installation's mappings, secrets and events take turns by this lock, which comes first. */
        hold: (storeId: string, id: string) =>
          one(
            sql<Omit<HeldInstallation, "mappingBytes"> & { readonly mappingBytes: bigint }>`SELECT id, mappings,
                mapping_bytes, secrets_updated_at FROM app_installation
              WHERE ${present(storeId, id)} FOR NO KEY UPDATE`,
            (row): HeldInstallation => ({ ...row, mappingBytes: Number(row.mappingBytes) })
          ),

        // app_token_pkey finds it: a token is shown before its store is known.
        findByToken: <E>(hash: string, read: RowReader<E>) =>
          read<AppHolder>(sql`SELECT i.id AS installation_id, i.store_id, i.name, i.tier, i.scopes
            FROM app_token t JOIN app_installation i ON i.store_id = t.store_id AND i.id = t.installation_id
            WHERE t.token_hash = ${hash} AND i.deleted_at IS NULL`),

        insertToken: (storeId: string, id: string, hash: string) =>
          none(sql`INSERT INTO app_token (token_hash, store_id, installation_id) VALUES (${hash}, ${storeId}, ${id})`),

        /** Puts a token in the place of the one before. Returns the installation as it is then. */
        replaceToken: (
          storeId: string,
          id: string,
          { hash, prefix }: { readonly hash: string; readonly prefix: string },
          now: Date
        ) =>
          one(sql<AppInstallationState>`WITH replaced AS (UPDATE app_token SET token_hash = ${hash}
              WHERE store_id = ${storeId} AND installation_id = ${id})
            UPDATE app_installation SET token_prefix = ${prefix}, updated_at = ${versionAfter(sql, now)}
            WHERE ${present(storeId, id)} RETURNING ${columns}`),

        /** How many regions list the installation. */
        countRegions: (storeId: string, id: string) =>
          Effect.map(
            one(
              sql<{ readonly n: number }>`SELECT count(*)::int AS n FROM region
                WHERE store_id = ${storeId} AND ${id} = ANY(provider_installation_ids)`
            ),
            (row) => row?.n ?? 0
          ),

        /** Ends it: its token and its secrets are deleted at once, the rest by the worker. */
        end: (storeId: string, id: string, now: Date) =>
          none(sql`WITH token AS (DELETE FROM app_token WHERE store_id = ${storeId} AND installation_id = ${id}),
              secret AS (DELETE FROM app_secret WHERE store_id = ${storeId} AND installation_id = ${id})
            UPDATE app_installation SET deleted_at = ${now} WHERE ${present(storeId, id)}`),

        // app_installation_store_id_deleted_at_idx
        /** The stores that have an installation which is not deleted whole yet. */
        storesWithEnded: many(
          sql<{ readonly storeId: string }>`SELECT store_id
            FROM ${storesWith(sql, "app_installation", sql`w.deleted_at IS NOT NULL`)} s ORDER BY store_id`,
          ({ storeId }) => storeId
        ),
        /** One that has ended, longest ago first; no other worker takes it until the transaction ends. */
        takeEnded: (storeId: string) =>
          one(sql<{ readonly id: string }>`SELECT id FROM app_installation
            WHERE store_id = ${storeId} AND deleted_at IS NOT NULL ORDER BY deleted_at, id LIMIT 1
            FOR UPDATE SKIP LOCKED`),
        remove: (storeId: string, id: string) =>
          anyRow(sql`DELETE FROM app_installation
            WHERE store_id = ${storeId} AND id = ${id} AND deleted_at IS NOT NULL RETURNING id`),

        secretKeys: (storeId: string, id: string) =>
          many(
            sql<{ readonly key: string }>`SELECT key FROM app_secret
              WHERE store_id = ${storeId} AND installation_id = ${id} ORDER BY key`,
            ({ key }) => key
          ),
        secrets: (storeId: string, id: string) =>
          many(sql<SealedSecret>`SELECT key, value FROM app_secret
            WHERE store_id = ${storeId} AND installation_id = ${id} ORDER BY key`),
        /** Writes and removes secrets of a held installation; returns the version of them. */
        putSecrets: (
          storeId: string,
          id: string,
          { put, removed }: { readonly put: ReadonlyArray<SealedSecret>; readonly removed: ReadonlyArray<string> },
          now: Date
        ) =>
          one(
            sql<{ readonly updatedAt: Date }>`WITH gone AS (DELETE FROM app_secret
                WHERE store_id = ${storeId} AND installation_id = ${id} AND key = ANY(${removed}::text[])),
              written AS (INSERT INTO app_secret (store_id, installation_id, key, value, updated_at)
                SELECT ${storeId}, ${id}, p.key, p.value, ${now}
                FROM unnest(${put.map(({ key }) => key)}::text[], ${put.map(({ value }) => value)}::text[])
                  AS p (key, value)
                ON CONFLICT (store_id, installation_id, key)
                  DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at)
              UPDATE app_installation SET secrets_updated_at = ${versionAfter(sql, now, "secrets_updated_at")}
              WHERE ${present(storeId, id)} RETURNING secrets_updated_at AS updated_at`,
            ({ updatedAt }) => updatedAt
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
