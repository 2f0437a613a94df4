/**
 * The SQL of email_message and email_pace: the queue of mails and its record. A mail is taken by locking the store's pace row, passing over stores that
 * another worker is taking one from; a taken mail is leased by its `due_at`, so that what a killed worker held comes back by itself.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { offsetOf, type Page, type PageOf } from "../kernel/Pagination.ts"
import type { MessageState, MessageStatus, NewMessage } from "./EmailMessage.ts"

/** How fast mails of a store may leave. */
export interface PaceRow {
  readonly fullAt: Date
  readonly hourlyRateLimit: number | null
  /** False: none may leave; null: the store has said nothing. */
  readonly emailsEnabled: boolean | null
}

/** What becomes of an attempt: the mail's state, and when it is tried again while it is QUEUED. */
export interface AttemptEnd {
  readonly status: MessageStatus
  readonly dueAt: Date
  readonly lastError: string | null
  /** Bodies to write in place of the ones there; undefined leaves them. */
  readonly bodies?: { readonly html: string; readonly plainText: string } | undefined
}

export interface EmailMessageRepositoryMethods {
  /** A mail of an event and type that is there already is left out. Inside `Database.write(storeId)`. */
  readonly insert: (storeId: string, mails: ReadonlyArray<NewMessage>, at: Date) => Effect.Effect<void>
  readonly find: (storeId: string, id: string) => Effect.Effect<MessageState | undefined>
  readonly list: (storeId: string, page: Page) => Effect.Effect<PageOf<MessageState>>
  /** Stores with a mail that is due or was never tried and that have not switched their mails off, in the order of their ids. */
  readonly storesWaiting: (now: Date) => Effect.Effect<ReadonlyArray<string>>
  /** The store's pace, held until the transaction ends; undefined where another worker holds it. */
  readonly lockPace: (storeId: string) => Effect.Effect<PaceRow | undefined>
  readonly setPace: (storeId: string, fullAt: Date) => Effect.Effect<void>
  /** The next mail: one that is due again before, where `fresh`, the oldest that was never tried. Held until the transaction ends. */
  readonly lockNext: (storeId: string, now: Date, fresh: boolean) => Effect.Effect<MessageState | undefined>
  /** Counts an attempt and leases the mail until then. */
  readonly lease: (storeId: string, id: string, until: Date) => Effect.Effect<void>
  /** Ends the attempt of that number; nothing where the lease has passed to somebody else. */
  readonly end: (storeId: string, mail: Pick<MessageState, "id" | "attempts">, end: AttemptEnd, at: Date) => Effect.Effect<void>
}

export class EmailMessageRepository extends Context.Service<EmailMessageRepository, EmailMessageRepositoryMethods>()(
  "@effect-commerce/core/email/EmailMessageRepository"
) {
  static readonly layer = Layer.effect(
    EmailMessageRepository,
    Effect.gen(function* () {
      const { sql } = yield* Database
      const columns = sql.literal(
        `id, event_id, event_type, to_address, from_name, from_address, reply_to, subject, html, plain_text, sealed, status, attempts, created_at`
      )
      const again = (now: Date) => sql`status = 'QUEUED' AND attempts > 0 AND due_at <= ${now}`
      const fresh = sql.literal("status = 'QUEUED' AND attempts = 0")
      const first = <A>(rows: ReadonlyArray<A>): A | undefined => rows[0]

      const insert = Effect.fnUntraced(function* (storeId: string, mails: ReadonlyArray<NewMessage>, at: Date) {
        const rows = JSON.stringify(mails)
        yield* sql`INSERT INTO email_message (store_id, id, event_id, event_type, to_address, from_name, from_address, reply_to, subject, html, plain_text, sealed,
            due_at, created_at, updated_at)
          SELECT ${storeId}, m.id, m."eventId", m."eventType", m."toAddress", m."fromName", m."fromAddress", m."replyTo", m.subject, m.html, m."plainText", m.sealed,
            ${at}, ${at}, ${at}
          FROM jsonb_to_recordset(${rows}::jsonb) AS m (id text, "eventId" text, "eventType" text, "toAddress" text, "fromName" text, "fromAddress" text,
            "replyTo" text, subject text, html text, "plainText" text, sealed text)
          ON CONFLICT (store_id, event_id, event_type) DO NOTHING`
        yield* sql`INSERT INTO email_pace (store_id, full_at) VALUES (${storeId}, ${at}) ON CONFLICT (store_id) DO NOTHING`
      }, Effect.orDie)

      const list = Effect.fnUntraced(function* (storeId: string, page: Page) {
        const counted = yield* sql<{ readonly total: number }>`SELECT count(*)::int AS total FROM email_message WHERE store_id = ${storeId}`
        const items = yield* sql<MessageState>`SELECT ${columns} FROM email_message WHERE store_id = ${storeId}
          ORDER BY seq DESC LIMIT ${page.limit} OFFSET ${offsetOf(page)}`
        return { items, total: counted[0]?.total ?? 0 }
      }, Effect.orDie)

      /** One probe for each store that has such a mail; the index of the same condition, which begins with store_id, serves each. */
      const storesWith = (condition: ReturnType<typeof again> | typeof fresh) => sql`(WITH RECURSIVE found AS (
          (SELECT m.store_id FROM email_message m WHERE ${condition} ORDER BY m.store_id LIMIT 1)
          UNION ALL
          SELECT (SELECT m.store_id FROM email_message m WHERE ${condition} AND m.store_id > f.store_id ORDER BY m.store_id LIMIT 1)
          FROM found f WHERE f.store_id IS NOT NULL
        ) SELECT store_id FROM found WHERE store_id IS NOT NULL)`

      const lockNext = Effect.fnUntraced(function* (storeId: string, now: Date, freshToo: boolean) {
        const due = yield* sql<MessageState>`SELECT ${columns} FROM email_message WHERE store_id = ${storeId} AND ${again(now)}
          ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED`
        if (due.length > 0 || !freshToo) return due[0]
        return first(
          yield* sql<MessageState>`SELECT ${columns} FROM email_message WHERE store_id = ${storeId} AND ${fresh} ORDER BY seq LIMIT 1 FOR UPDATE SKIP LOCKED`
        )
      }, Effect.orDie)

      return EmailMessageRepository.of({
        insert: (storeId, mails, at) => (mails.length === 0 ? Effect.void : insert(storeId, mails, at)),
        find: (storeId, id) =>
          Effect.orDie(Effect.map(sql<MessageState>`SELECT ${columns} FROM email_message WHERE store_id = ${storeId} AND id = ${id}`, first)),
        list,
        storesWaiting: (now) =>
          Effect.orDie(
            Effect.map(
              sql<{ readonly storeId: string }>`SELECT a.store_id FROM ${storesWith(again(now))} AS a
                  LEFT JOIN email_settings s ON s.store_id = a.store_id
                WHERE s.emails_enabled IS NOT FALSE
                UNION SELECT f.store_id FROM ${storesWith(fresh)} AS f
                  LEFT JOIN email_pace p ON p.store_id = f.store_id
                  LEFT JOIN email_settings s ON s.store_id = f.store_id
                WHERE s.emails_enabled IS NOT FALSE AND (p.full_at IS NULL OR p.full_at > ${now}::timestamptz + interval '1 hour 5 seconds'
                  OR p.full_at <= ${now}::timestamptz + interval '1 hour' - interval '1 hour' / coalesce(s.hourly_rate_limit, 100))
                ORDER BY store_id`,
              (rows) => rows.map(({ storeId }) => storeId)
            )
          ),
        lockPace: (storeId) =>
          Effect.orDie(
            Effect.map(
              sql<PaceRow>`SELECT p.full_at, s.hourly_rate_limit, s.emails_enabled FROM email_pace p LEFT JOIN email_settings s ON s.store_id = p.store_id
                WHERE p.store_id = ${storeId} FOR UPDATE OF p SKIP LOCKED`,
              first
            )
          ),
        setPace: (storeId, fullAt) => Effect.orDie(Effect.asVoid(sql`UPDATE email_pace SET full_at = ${fullAt} WHERE store_id = ${storeId}`)),
        lockNext,
        lease: (storeId, id, until) =>
          Effect.orDie(Effect.asVoid(sql`UPDATE email_message SET attempts = attempts + 1, due_at = ${until} WHERE store_id = ${storeId} AND id = ${id}`)),
        end: (storeId, { id, attempts }, { status, dueAt, lastError, bodies }, at) =>
          Effect.orDie(
            Effect.asVoid(
              sql`UPDATE email_message SET ${sql.update({
                status,
                due_at: dueAt,
                last_error: lastError,
                updated_at: at,
                ...(status === "QUEUED" ? {} : { sealed: null }),
                ...(bodies === undefined ? {} : { html: bodies.html, plain_text: bodies.plainText })
              })} WHERE store_id = ${storeId} AND id = ${id} AND status = 'QUEUED' AND attempts = ${attempts}`
            )
          )
      })
    })
  )
}
