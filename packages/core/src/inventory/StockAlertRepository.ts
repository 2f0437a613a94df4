/** The SQL of stock_watch (the awaited items) and stock_alert (who awaits them). */
import { Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import { Database } from "../database/Database.ts"
import { many, none, storesWith } from "../database/Repository.ts"
import { maxAlertsOfAddress, maxAlertsOfStore } from "./StockAlert.ts"

/** An awaited item on a channel. */
export interface Awaited {
  readonly salesChannelId: string
  readonly key: string
}

export interface NewAlert extends Awaited {
  readonly productId: string
  readonly variantId: string | null
  readonly email: string
  readonly locale: string | null
}

/** An alert that is due, with the data of its mail. */
export interface DueAlert {
  readonly email: string
  readonly locale: string | null
  readonly salesChannelId: string
  readonly productId: string
  readonly variantId: string | null
  readonly productName: string
  readonly variantName: string | null
  readonly slug: string
}

export class StockAlertRepository extends Context.Service<StockAlertRepository>()(
  "@effect-commerce/core/inventory/StockAlertRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database

      const rowsOf = (awaited: ReadonlyArray<Awaited>): Statement.Fragment =>
        sql`jsonb_to_recordset(${JSON.stringify(awaited)}::jsonb) AS w ("salesChannelId" text, key text)`
      const locked = (storeId: string, which: Statement.Fragment, most: number) =>
        many(sql<Awaited>`SELECT w.sales_channel_id, w.key FROM stock_watch w WHERE w.store_id = ${storeId} AND ${which}
          ORDER BY w.sales_channel_id, w.key LIMIT ${most} FOR UPDATE OF w SKIP LOCKED`)

      return {
        /**
         * Stores the alert if it `isWanted` and the limits allow it, else writes nothing: one statement in each case.
         */
        keep: (storeId: string, alert: NewAlert, isWanted: boolean, now: Date) =>
          none(sql`WITH wanted AS MATERIALIZED (
              SELECT WHERE ${isWanted}
                AND (SELECT count(*) FROM stock_alert a WHERE a.store_id = ${storeId} AND a.email = ${alert.email})
                  < ${maxAlertsOfAddress}
                AND (SELECT count(*) FROM (SELECT FROM stock_alert a WHERE a.store_id = ${storeId}
                  LIMIT ${maxAlertsOfStore}) a) < ${maxAlertsOfStore}
            ), watched AS (
              INSERT INTO stock_watch (store_id, sales_channel_id, key, product_id, variant_id)
              SELECT ${storeId}, ${alert.salesChannelId}, ${alert.key}, ${alert.productId}, ${alert.variantId}
              FROM wanted
              ON CONFLICT (store_id, sales_channel_id, key) DO UPDATE SET product_id = EXCLUDED.product_id
            ) INSERT INTO stock_alert (store_id, sales_channel_id, key, email, locale, created_at)
              SELECT ${storeId}, ${alert.salesChannelId}, ${alert.key}, ${alert.email}, ${alert.locale}, ${now}
              FROM wanted ON CONFLICT DO NOTHING`),
        // Walks from store to store along the primary key: every step is one probe.
        stores: many(
          sql<{ readonly storeId: string }>`SELECT store_id FROM ${storesWith(sql, "stock_watch")} waiting`,
          (row) => row.storeId
        ),
        // Rows that another transaction is writing are left to it, or to the next pass: so no deadlock can occur.
        /**
         * Records for every awaited item of the store whether it can be bought, and since when. The trigger
         * `stock_flipped` does so at once where stock runs out or comes back; this covers the other causes: states,
         * channels, kits, expired reservations.
         */
        observe: (storeId: string, now: Date) =>
          none(sql`UPDATE stock_watch w SET available_since = CASE WHEN w.available_since IS NULL THEN
              ${now}::timestamptz END
            FROM (SELECT c.sales_channel_id, c.key FROM stock_watch c WHERE c.store_id = ${storeId} AND
              (c.available_since IS NOT NULL) <> stock_watch_is_available(c, ${now}) FOR UPDATE SKIP LOCKED) changed
            WHERE w.store_id = ${storeId} AND w.sales_channel_id = changed.sales_channel_id AND w.key = changed.key`),
        /** Locks at most `most` items that have been available since `since` or longer. */
        lockDue: (storeId: string, since: Date, most: number) =>
          locked(storeId, sql`w.available_since <= ${since}`, most),
        /** Deletes and returns at most `most` alerts for these locked items. */
        take: (storeId: string, awaited: ReadonlyArray<Awaited>, most: number) =>
          many(sql<DueAlert>`WITH due AS MATERIALIZED (
              SELECT a.sales_channel_id, a.key, a.email FROM ${rowsOf(awaited)}
              JOIN stock_alert a ON a.store_id = ${storeId} AND a.sales_channel_id = w."salesChannelId" AND a.key =
                w.key
              LIMIT ${most}
            ), taken AS (
              DELETE FROM stock_alert a USING due d WHERE a.store_id = ${storeId} AND a.sales_channel_id =
                d.sales_channel_id AND a.key = d.key AND a.email = d.email RETURNING a.*
            ) SELECT t.email, t.locale, t.sales_channel_id, w.product_id, w.variant_id, p.name AS product_name,
                v.name AS variant_name, p.slug
              FROM taken t JOIN stock_watch w ON w.store_id = t.store_id AND w.sales_channel_id = t.sales_channel_id AND
                w.key = t.key
              JOIN product p ON p.store_id = w.store_id AND p.id = w.product_id
              LEFT JOIN product_variant v ON v.store_id = w.store_id AND v.id = w.variant_id`),
        /** Deletes those of these locked items that nobody awaits any more. */
        forget: (storeId: string, awaited: ReadonlyArray<Awaited>) =>
          none(sql`DELETE FROM stock_watch s USING ${rowsOf(awaited)} WHERE s.store_id = ${storeId} AND
            s.sales_channel_id = w."salesChannelId" AND s.key = w.key AND NOT EXISTS (SELECT FROM stock_alert a
            WHERE a.store_id = s.store_id AND a.sales_channel_id = s.sales_channel_id AND a.key = s.key)`),
        /** Deletes at most `most` alerts older than `before`; returns the items they awaited, locked. */
        removeOlder: (storeId: string, before: Date, most: number) =>
          Effect.flatMap(
            locked(
              storeId,
              sql`EXISTS (SELECT FROM stock_alert a WHERE a.store_id = w.store_id AND a.sales_channel_id =
                w.sales_channel_id AND a.key = w.key AND a.created_at < ${before})`,
              most
            ),
            (awaited) =>
              Effect.as(
                none(sql`DELETE FROM stock_alert a USING ${rowsOf(awaited)} WHERE a.store_id = ${storeId} AND
                  a.sales_channel_id = w."salesChannelId" AND a.key = w.key AND a.created_at < ${before}`),
                awaited
              )
          ),
        // stock_alert_store_id_email_idx; an address has at most `maxAlertsOfAddress`.
        /** Deletes the alerts of an address; returns the items they awaited, locked. */
        removeOf: (storeId: string, email: string) =>
          Effect.tap(
            many(sql<Awaited>`SELECT w.sales_channel_id, w.key FROM stock_watch w WHERE w.store_id = ${storeId}
              AND (w.sales_channel_id, w.key) IN (SELECT a.sales_channel_id, a.key FROM stock_alert a
                WHERE a.store_id = ${storeId} AND a.email = ${email})
              ORDER BY w.sales_channel_id, w.key FOR UPDATE OF w`),
            () => none(sql`DELETE FROM stock_alert WHERE store_id = ${storeId} AND email = ${email}`)
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(StockAlertRepository, StockAlertRepository.make)
}
