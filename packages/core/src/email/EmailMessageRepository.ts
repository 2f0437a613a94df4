/**
 * The SQL of email_message: inserting mails, and the log of mails with their status. MailQueueRepository is the queue
 * from which the worker takes them.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { planByIndex } from "../database/PlanByIndex.ts"
import { none, one, page, storesWhoseOldest } from "../database/Repository.ts"
import { offsetOf, type Page } from "../kernel/Pagination.ts"
import type { MessageState, NewMessage } from "./EmailMessage.ts"
import { messageColumns } from "./internal/messageColumns.ts"

export class EmailMessageRepository extends Context.Service<EmailMessageRepository>()(
  "@effect-commerce/core/email/EmailMessageRepository",
  {
    make: Effect.map(Database, ({ sql }) => {
      const columns = sql.literal(messageColumns)

      const inserted = (storeId: string, mails: ReadonlyArray<NewMessage>, at: Date) =>
        sql`INSERT INTO email_message (store_id, id, event_id, event_type, to_address, from_name, from_address,
            reply_to, subject, html, plain_text, sealed, priority, unsubscribe_url, expires_at,
            due_at, created_at, updated_at)
          SELECT ${storeId}, m.id, m."eventId", m."eventType", m."toAddress", m."fromName", m."fromAddress",
            m."replyTo", m.subject, m.html, m."plainText", m.sealed, m.priority, m."unsubscribeUrl",
            m."expiresAt", ${at}, ${at}, ${at}
          FROM jsonb_to_recordset(${JSON.stringify(mails)}::jsonb) AS m (id text, "eventId" text, "eventType" text,
            "toAddress" text, "fromName" text, "fromAddress" text, "replyTo" text, subject text, html text,
            "plainText" text, sealed text, priority smallint, "unsubscribeUrl" text,
            "expiresAt" timestamptz)
          ON CONFLICT (store_id, event_id, event_type) DO NOTHING`

      return {
        /** Skips mails whose event and type are stored already. Inside `Database.write(storeId)`. */
        insert: (storeId: string, mails: ReadonlyArray<NewMessage>, at: Date): Effect.Effect<void> =>
          mails.length === 0
            ? Effect.void
            : Effect.andThen(
                none(inserted(storeId, mails, at)),
                none(sql`INSERT INTO email_pace (store_id, full_at) VALUES (${storeId},
                  ${at}) ON CONFLICT (store_id) DO NOTHING`)
              ),

        find: (storeId: string, id: string) =>
          one(sql<MessageState>`SELECT ${columns} FROM email_message WHERE store_id = ${storeId} AND id = ${id}`),

        /** How many mails were sent by hand after that time, and how many of them are marketing mails. */
        byHandSince: (storeId: string, after: Date) =>
          Effect.map(
            one(sql<{ readonly all: number; readonly campaigns: number }>`SELECT count(*)::int AS "all",
                count(*) FILTER (WHERE event_type = 'MARKETING_CAMPAIGN')::int AS campaigns
              FROM email_message WHERE store_id = ${storeId} AND event_id IS NULL AND created_at > ${after}`),
            (row) => row ?? { all: 0, campaigns: 0 }
          ),

        /** Newest first. */
        list: (storeId: string, at: Page) =>
          page(
            sql<MessageState>`SELECT ${columns} FROM email_message WHERE store_id = ${storeId}
              ORDER BY seq DESC LIMIT ${at.limit} OFFSET ${offsetOf(at)}`,
            sql<{ readonly total: number }>`SELECT count(*)::int AS total FROM email_message
              WHERE store_id = ${storeId}`
          ),

        /** Stores whose oldest mail was queued before. email_message_store_id_seq_idx: the first mail of each store. */
        storesWithOlder: (before: Date) =>
          storesWhoseOldest(
            sql,
            sql`SELECT m.created_at FROM email_message m WHERE m.store_id = s.id ORDER BY m.seq LIMIT 1`,
            sql`oldest.created_at < ${before}`
          ),

        /**
         * Looks at the next `most` mails of a store after `after`, in the order in which they were queued, and removes
         * those that were queued before that time, whatever their status. Returns the place to go on from, undefined
         * where younger ones follow, and how many of those removed were unsent.
         */
        removeOlder: Effect.fnUntraced(function* (
          storeId: string,
          { after, before, most }: { readonly after: bigint; readonly before: Date; readonly most: number }
        ) {
          yield* planByIndex(sql, { waitsForDisk: false })
          const row = yield* one(
            sql<{ readonly last: bigint | null; readonly count: number; readonly unsent: number }>`WITH old AS (
              DELETE FROM email_message WHERE store_id = ${storeId} AND ctid = ANY (ARRAY(
                SELECT m.place FROM (SELECT ctid AS place, created_at FROM email_message
                  WHERE store_id = ${storeId} AND seq > ${after} ORDER BY seq LIMIT ${most}) m
                WHERE m.created_at < ${before})
              ) RETURNING seq, status
            )
            SELECT max(seq) AS last, count(*)::int AS count,
              count(*) FILTER (WHERE status = 'QUEUED')::int AS unsent FROM old`
          )
          return {
            last: row !== undefined && row.count === most ? (row.last ?? undefined) : undefined,
            unsent: row?.unsent ?? 0
          }
        }),

        /**
         * Removes every mail to a customer, queued ones too: to their address, and about their orders to the addresses
         * that those name. Inside `Database.write(storeId)`. email_message_store_id_to_address_counted_at_idx and
         * orders_store_id_customer_id_idx find them.
         */
        forget: (storeId: string, { id, email }: { readonly id: string; readonly email: string }) =>
          none(
            sql`DELETE FROM email_message m WHERE m.store_id = ${storeId} AND (m.to_address = ${email}
              OR m.to_address = ANY (ARRAY(SELECT DISTINCT o.email FROM orders o WHERE o.store_id = ${storeId}
                  AND o.customer_id = ${id} AND o.email IS NOT NULL))
                AND EXISTS (SELECT FROM event e WHERE e.store_id = ${storeId} AND e.id = m.event_id
                  AND e.data->'order'->>'customerId' = ${id}))`
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
