/** The SQL of oauth_provider. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { versionAfter } from "../database/Precondition.ts"
import { many, none, one, storedJson } from "../database/Repository.ts"
import { constraintViolations } from "../database/SqlErrors.ts"
import { countLocked } from "../database/StoreLocks.ts"
import { type LoginProviderState, ProviderConfig } from "./LoginProvider.ts"
import { LoginProviderTaken } from "./OauthErrors.ts"

type Row = Omit<LoginProviderState, "providerConfig"> & { readonly providerConfig: unknown }

const readConfig = storedJson("oauth_provider.provider_config", ProviderConfig)
const toState = (row: Row): LoginProviderState => ({ ...row, providerConfig: readConfig(row.providerConfig) })

export class LoginProviderRepository extends Context.Service<LoginProviderRepository>()(
  "@effect-commerce/core/oauth/LoginProviderRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const columns = sql.literal(
        `p.id, p.provider, p.client_id, p.client_secret, p.is_enabled, p.provider_config, p.created_at, p.updated_at`
      )
      const taken = (provider: string) =>
        constraintViolations({ oauth_provider_store_id_provider_key: () => new LoginProviderTaken({ provider }) })

      return {
        /** Counts under a lock, for the bound. */
        countToAdd: (storeId: string) =>
          countLocked(sql, { table: "oauth_provider", ownerId: storeId, which: sql`store_id = ${storeId}` }),
        insert: (storeId: string, row: LoginProviderState) =>
          none(
            taken(row.provider)(
              sql`INSERT INTO oauth_provider (store_id, id, provider, client_id, client_secret, is_enabled,
                  provider_config, created_at, updated_at)
                VALUES (${storeId}, ${row.id}, ${row.provider}, ${row.clientId}, ${row.clientSecret},
                  ${row.isEnabled}, ${JSON.stringify(row.providerConfig)}::jsonb, ${row.createdAt}, ${row.updatedAt})`
            )
          ),
        update: (storeId: string, row: LoginProviderState, now: Date) =>
          one(
            sql<Row>`UPDATE oauth_provider p SET client_id = ${row.clientId}, client_secret = ${row.clientSecret},
                is_enabled = ${row.isEnabled}, provider_config = ${JSON.stringify(row.providerConfig)}::jsonb,
                updated_at = ${versionAfter(sql, now, "p.updated_at")}
              WHERE p.store_id = ${storeId} AND p.id = ${row.id} RETURNING ${columns}`,
            toState
          ),
        remove: (storeId: string, id: string) =>
          none(sql`DELETE FROM oauth_provider WHERE store_id = ${storeId} AND id = ${id}`),
        // oauth_provider_store_id_provider_key finds the row of a code.
        find: (storeId: string, provider: string) =>
          one(
            sql<Row>`SELECT ${columns} FROM oauth_provider p
              WHERE p.store_id = ${storeId} AND p.provider = ${provider}`,
            toState
          ),
        lock: (storeId: string, provider: string) =>
          one(
            sql<Row>`SELECT ${columns} FROM oauth_provider p
              WHERE p.store_id = ${storeId} AND p.provider = ${provider} FOR UPDATE`,
            toState
          ),
        /** Oldest first. */
        list: (storeId: string) =>
          many(
            sql<Row>`SELECT ${columns} FROM oauth_provider p WHERE p.store_id = ${storeId} ORDER BY p.created_at, p.id`,
            toState
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(LoginProviderRepository, LoginProviderRepository.make)
}
