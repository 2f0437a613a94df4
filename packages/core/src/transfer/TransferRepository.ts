/**
 * The SQL of moving a store: what the catalogue says of its tables, its rows as a cursor over one snapshot, and rows
 * that are inserted. It knows no table by its columns: the names and types come from the catalogue.
 */
import { Context, Deferred, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Database } from "../database/Database.ts"
import { anyRow, many, none, one } from "../database/Repository.ts"
import type { TableFacts } from "./TableFacts.ts"
import { countOf, insertOf, rowsOf } from "./internal/rowSelection.ts"
import type { Again } from "./TransferFormat.ts"

const catalogue = `SELECT c.relname AS name,
    (SELECT jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
        'required', a.attnotnull, 'made', a.attidentity <> '' OR a.attgenerated <> '', 'counts', a.attidentity <> '')
        ORDER BY a.attnum)
      FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
    (SELECT jsonb_agg(a.attname ORDER BY k.place) FROM pg_index i, unnest(i.indkey::int[]) WITH ORDINALITY k (n, place)
      JOIN pg_attribute a ON a.attnum = k.n
      WHERE i.indrelid = c.oid AND i.indisprimary AND a.attrelid = c.oid) AS key,
    (SELECT coalesce(jsonb_agg(DISTINCT f.relname), '[]') FROM pg_constraint k JOIN pg_class f ON f.oid = k.confrelid
      WHERE k.conrelid = c.oid AND k.contype = 'f' AND k.confrelid <> c.oid) AS needs,
    (SELECT a.attname FROM pg_constraint k JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.conkey[2]
      WHERE k.conrelid = c.oid AND k.contype = 'f' AND k.confrelid = c.oid) AS parent
  FROM pg_class c
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  ORDER BY c.relname COLLATE "C"`

export interface CarriedRow {
  /** Its JSON. */
  readonly row: string
  /** The bytes of the rows that come next, `rowsAhead` of them. */
  readonly ahead: number
}

/** Payments that the installation goes on with, by how far they are. */
export interface UnderWay {
  /** The provider is called, or its answer was lost. */
  readonly calling: number
  readonly awaitingShopper: number
  /** A change that is not final, or money that is to be given back. */
  readonly unsettled: number
}

export interface LibraryFile {
  readonly id: string
  readonly key: string
  readonly thumbnailKey: string | null
  readonly mimeType: string
}

export class TransferRepository extends Context.Service<TransferRepository>()(
  "@effect-commerce/core/transfer/TransferRepository",
  {
    make: Effect.gen(function* () {
      const { sql, platform } = yield* Database

      return {
        /** One read-only snapshot, without a timeout: whoever reads the file may be slow. */
        snapshot: <A, E, R>(body: Effect.Effect<A, E, R>) =>
          Effect.provideService(
            platform(Effect.andThen(Effect.orDie(unhurried(sql)), body)),
            SqlClient.BeginTransaction,
            "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
          ),
        /** Takes the timeouts from the transaction that is open. */
        unhurried: none(unhurried(sql)),
        tables: many(sql.unsafe<TableFacts>(catalogue)),
        /** The newest migration. */
        schema: one(
          sql<{ readonly id: number; readonly name: string }>`SELECT id, name FROM commerce_migration
            ORDER BY id DESC LIMIT 1`
        ),
        /**
         * Whether the store is this caller's to import until the scope ends: a lock says so, in a transaction of its
         * own that stays open meanwhile.
         */
        alone: Effect.fnUntraced(function* (storeId: string) {
          const told = yield* Deferred.make<boolean>()
          const held = Effect.gen(function* () {
            yield* none(unhurried(sql))
            const lock = yield* one(
              sql<{ readonly mine: boolean }>`SELECT
                pg_try_advisory_xact_lock(hashtextextended(${`store_import ${storeId}`}::text, 0)) AS mine`
            )
            yield* Deferred.succeed(told, lock?.mine === true)
            return yield* Effect.never
          })
          yield* Effect.forkScoped(Effect.onExit(platform(held), (exit) => Deferred.done(told, exit)))
          return yield* Deferred.await(told)
        }),
        storeName: (id: string) =>
          one(sql<{ readonly name: string }>`SELECT name FROM store WHERE id = ${id}`, ({ name }) => name),
        accountExists: (id: string) => anyRow(sql`SELECT 1 FROM account WHERE id = ${id}`),
        count: (table: TableFacts, storeId: string, anonymised: boolean) =>
          Effect.map(
            one(sql.unsafe<{ readonly n: number }>(countOf(table, anonymised), [storeId])),
            (row) => row?.n ?? 0
          ),
        /** Opens the cursor of a table's rows. */
        open: (table: TableFacts, storeId: string, at: Date, anonymised: boolean) => {
          const rows = rowsOf(table, anonymised)
          const given = rows.includes("$2") ? [storeId, at] : [storeId]
          return none(sql.unsafe(`DECLARE carried NO SCROLL CURSOR FOR ${rows}`, given))
        },
        /** The next rows of the cursor. */
        next: (most: number) => many(sql.unsafe<CarriedRow>(`FETCH ${most} FROM carried`)),
        close: none(sql`CLOSE carried`),
        /** Inserts rows in a savepoint; a failure of the database stays one, and the transaction goes on. */
        insert: (table: TableFacts, rows: string) => sql.withTransaction(sql.unsafe(insertOf(table), [rows])),
        /** The next event of the installation gets a greater number than those of the store; false if it cannot. */
        numberEventsAfter: (storeId: string) =>
          one(
            sql<{ readonly can: boolean }>`SELECT number_events_after(coalesce(max(seq), 0)) AS can FROM event
              WHERE store_id = ${storeId}`,
            ({ can }) => can
          ),
        /** Files of the library whose bytes are there, after the id; with people made up only the merchant's own. */
        files: (storeId: string, after: string, at: Date, anonymised: boolean) =>
          many(sql<LibraryFile>`SELECT id, key, thumbnail_key, mime_type FROM media_file
            WHERE store_id = ${storeId} AND id > ${after} AND ready AND deleted_at IS NULL AND created_at <= ${at}
              AND (purpose = 'library' OR NOT ${anonymised}) ORDER BY id LIMIT 100`),
        /** Requests to payment providers whose end is open. */
        underWay: (storeId: string) =>
          one(
            sql<UnderWay>`SELECT count(*) FILTER (WHERE state = 'calling')::int AS calling,
                count(*) FILTER (WHERE state = 'awaiting_shopper')::int AS awaiting_shopper,
                count(*) FILTER (WHERE state IN ('pending', 'refund_due'))::int AS unsettled
              FROM provider_operation WHERE store_id = ${storeId}
                AND state IN ('calling', 'awaiting_shopper', 'pending', 'refund_due')`
          ),
        again: (storeId: string) => Effect.map(many(sql.unsafe<Counted>(again, [storeId])), listed),
        sealed: (storeId: string) => Effect.map(many(sql.unsafe<Counted>(sealed, [storeId])), listed)
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}

const unhurried = (sql: SqlClient.SqlClient) => sql`SELECT set_config('statement_timeout', '0', true),
  set_config('idle_in_transaction_session_timeout', '0', true)`

/** The most of a list; `total` says how many there are. */
const mostAgain = 200
type Counted = Again & { readonly total: number }

const listed = (found: ReadonlyArray<Counted>): ReadonlyArray<Again> => {
  const items = found.map(({ what, name }) => ({ what, name }))
  const more = (found[0]?.total ?? 0) - items.length
  return more > 0 ? [...items, { what: "and more of these", name: String(more) }] : items
}

/** Credentials of the installation: what is to be made again. */
const again = `SELECT what, name, count(*) OVER ()::int AS total FROM (
    SELECT 1 AS place, 'API key' AS what, name, id FROM api_key WHERE store_id = $1 AND revoked_at IS NULL
    UNION ALL SELECT 2, 'API key of the whole account', k.name, k.id FROM api_key k JOIN store s ON s.id = $1
      WHERE k.account_id = s.account_id AND k.store_id IS NULL AND k.revoked_at IS NULL
    UNION ALL SELECT 3, 'token of the app', name, id FROM app_installation WHERE store_id = $1 AND deleted_at IS NULL
    UNION ALL SELECT 4, 'people of the dashboard', count(*)::text, '' FROM team_member WHERE store_id = $1
      HAVING count(*) > 0) a
  ORDER BY place, id LIMIT ${mostAgain}`

/** What only the root secret opens. */
const sealed = `SELECT what, name, count(*) OVER ()::int AS total FROM (
    SELECT 1 AS place, 'credentials of the payment provider' AS what, name, id FROM payment_provider
      WHERE store_id = $1 AND credentials IS NOT NULL
    UNION ALL SELECT 2, 'client secret of the login provider', provider, id FROM oauth_provider WHERE store_id = $1
    UNION ALL SELECT 3, 'secret of the webhook subscription', id, id FROM webhook_subscription WHERE store_id = $1
    UNION ALL SELECT 4, 'domain that mails come from', domain, id FROM email_domain WHERE store_id = $1
    UNION ALL SELECT DISTINCT 5, 'secrets of the app', i.name, i.id FROM app_installation i
      JOIN app_secret s ON s.store_id = i.store_id AND s.installation_id = i.id WHERE i.store_id = $1
    UNION ALL SELECT 6, 'gift cards, whose codes are found by the root secret', count(*)::text, '' FROM gift_card
      WHERE store_id = $1 HAVING count(*) > 0) s
  ORDER BY place, id LIMIT ${mostAgain}`
