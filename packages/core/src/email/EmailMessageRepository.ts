/**
 * The SQL of email_message and email_pace: the queue of mails and its record. A mail is taken by locking the store's
 * pace row, passing over stores that another worker is taking one from; a taken mail is leased by its `due_at`, so that
 * what a killed worker held comes back by itself.
 *
 * A queued mail is in one of three states, each with an index of its own, so that no backlog is read to find the next:
 * fresh (never looked at), held (its address has had its mails of the hour) and to be tried again.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { planByIndex } from "../database/PlanByIndex.ts"
import { many, none, one, page, storesWhoseOldest, storesWith } from "../database/Repository.ts"
import { offsetOf, type Page, type PageOf } from "../kernel/Pagination.ts"
import { mailPriority, type MessageState, type MessageStatus, type NewMessage } from "./EmailMessage.ts"

/** How fast mails of a store may leave. */
export interface PaceRow {
  readonly fullAt: Date
  readonly hourlyRateLimit: number | null
  /** False: none may leave; null: the store has said nothing. */
  readonly emailsEnabled: boolean | null
}

/**
 * Mails to one address in an hour, those with a token aside: they are few by themselves (mostTokens), and no flood of
 * others may keep one away.
 */
export const mostPerAddress = 20

const dayMillis = 86_400_000
const givenUp = `its address has had its ${mostPerAddress} mails an hour, and more than a day's worth waits before it`

/** A mail to be sent, unless its address has had as many as it may: then it is to be postponed. */
export interface NextMail extends MessageState {
  readonly addressFull: boolean
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
  /**
   * Stores with a mail that is due or was never tried and that have not switched their mails off, in the order of their
   * ids.
   */
  readonly storesWaiting: (now: Date) => Effect.Effect<ReadonlyArray<string>>
  /** The store's pace, held until the transaction ends; undefined where another worker holds it. */
  readonly lockPace: (storeId: string) => Effect.Effect<PaceRow | undefined>
  readonly setPace: (storeId: string, fullAt: Date) => Effect.Effect<void>
  /**
   * The next mail by priority: within one, what is due again, and where `fresh`, what was never tried, in the order it
   * was queued. Locked.
   */
  readonly lockNext: (storeId: string, now: Date, fresh: boolean) => Effect.Effect<NextMail | undefined>
  /**
   * Lets a mail wait until its address may have another; one of the lowest priority that would wait for more than a day
   * is given up.
   */
  readonly postpone: (
    storeId: string,
    mail: Pick<MessageState, "id" | "toAddress" | "priority">,
    now: Date
  ) => Effect.Effect<void>
  /** Counts an attempt at this moment and leases the mail until then. */
  readonly lease: (storeId: string, id: string, now: Date, until: Date) => Effect.Effect<void>
  /** Ends the attempt of that number; nothing where the lease has passed to somebody else. */
  readonly end: (
    storeId: string,
    mail: Pick<MessageState, "id" | "attempts">,
    end: AttemptEnd,
    at: Date
  ) => Effect.Effect<void>
  /** Stores whose oldest mail was queued before. */
  readonly storesWithOlder: (before: Date) => Effect.Effect<ReadonlyArray<string>>
  /**
   * Removes the oldest mails of a store that were queued before, at most `most`, whatever became of them; answers how
   * many, and how many of them had not left.
   */
  readonly removeOlder: (
    storeId: string,
    before: Date,
    most: number
  ) => Effect.Effect<{ readonly removed: number; readonly unsent: number }>
  /** Removes every mail to an address, those that wait too. Inside `Database.write(storeId)`. */
  readonly forget: (storeId: string, address: string) => Effect.Effect<void>
}

export class EmailMessageRepository extends Context.Service<EmailMessageRepository, EmailMessageRepositoryMethods>()(
  "@effect-commerce/core/email/EmailMessageRepository"
) {
  static readonly layer = Layer.effect(
    EmailMessageRepository,
    Effect.gen(function* () {
      const { sql } = yield* Database
      const columns = sql.literal(
        `id, event_id, event_type, to_address, from_name, from_address, reply_to, subject, html, plain_text, sealed,
          priority, expires_at, status, attempts, created_at`
      )
      const again = (now: Date) => sql`status = 'QUEUED' AND attempts > 0 AND due_at <= ${now}`
      const held = (now: Date) =>
        sql`status = 'QUEUED' AND attempts = 0 AND counted_at IS NOT NULL AND due_at <= ${now}`
      const fresh = sql.literal("status = 'QUEUED' AND attempts = 0 AND counted_at IS NULL")
      // Written under a clock that was set back since, it says nothing.
      const hasLeft = (now: Date) => sql`attempts > 0 AND counted_at <= ${now}::timestamptz + interval '1 minute'`

      const insert = Effect.fnUntraced(function* (storeId: string, mails: ReadonlyArray<NewMessage>, at: Date) {
        const rows = JSON.stringify(mails)
        yield* sql`INSERT INTO email_message (store_id, id, event_id, event_type, to_address, from_name, from_address,
            reply_to, subject, html, plain_text, sealed, priority, expires_at, due_at, created_at, updated_at)
          SELECT ${storeId}, m.id, m."eventId", m."eventType", m."toAddress", m."fromName", m."fromAddress",
            m."replyTo", m.subject, m.html, m."plainText", m.sealed, m.priority, m."expiresAt", ${at}, ${at}, ${at}
          FROM jsonb_to_recordset(${rows}::jsonb) AS m (id text, "eventId" text, "eventType" text, "toAddress" text,
            "fromName" text, "fromAddress" text, "replyTo" text, subject text, html text, "plainText" text, sealed text,
              priority smallint, "expiresAt" timestamptz)
          ON CONFLICT (store_id, event_id, event_type) DO NOTHING`
        yield* sql`INSERT INTO email_pace (store_id, full_at) VALUES (${storeId},
          ${at}) ON CONFLICT (store_id) DO NOTHING`
      }, Effect.orDie)

      const list = (storeId: string, at: Page) =>
        page(
          sql<MessageState>`SELECT ${columns} FROM email_message WHERE store_id = ${storeId}
          ORDER BY seq DESC LIMIT ${at.limit} OFFSET ${offsetOf(at)}`,
          sql<{ readonly total: number }>`SELECT count(*)::int AS total FROM email_message WHERE store_id = ${storeId}`
        )

      /** The index of the same condition serves each. */
      const storesWithMails = (condition: ReturnType<typeof again> | typeof fresh) =>
        storesWith(sql, "email_message", condition)

      /** The first of a kind in each priority, in the order of the index that holds that kind. */
      const firstOf = (
        storeId: string,
        turn: number,
        condition: ReturnType<typeof again> | typeof fresh,
        order: string
      ) =>
        sql`(SELECT w.id, ${sql.literal(String(turn))} AS turn FROM email_message w
          WHERE w.store_id = ${storeId} AND w.priority = p.priority AND ${condition} ORDER BY ${sql.literal(order)}
            LIMIT 1)`

      const lockNext = (storeId: string, now: Date, freshToo: boolean) => {
        const due = firstOf(storeId, 0, again(now), "w.due_at, w.seq")
        const waiting = freshToo
          ? sql`${due} UNION ALL ${firstOf(storeId, 1, held(now), "w.due_at, w.seq")} UNION ALL
            ${firstOf(storeId, 2, fresh, "w.seq")}`
          : due
        // email_message_store_id_to_address_counted_at_idx counts to twenty.
        return one(sql<NextMail>`SELECT ${columns},
            m.priority > 0 AND m.attempts = 0 AND ${mostPerAddress} = (SELECT count(*) FROM (
                SELECT 1 FROM email_message o WHERE o.store_id = m.store_id AND o.to_address = m.to_address
                  AND o.counted_at > ${now}::timestamptz - interval '1 hour' AND ${hasLeft(now)} LIMIT
                    ${mostPerAddress}) AS counted) AS address_full
              FROM email_message m WHERE m.store_id = ${storeId} AND m.id = (
                SELECT next.id FROM generate_series(0, 2) AS p (priority),
                  LATERAL (${waiting}) AS next ORDER BY p.priority, next.turn LIMIT 1)
              FOR UPDATE OF m SKIP LOCKED`)
      }

      /**
       * An hour after the mail that is the twentieth before it: of those that have left, and of those that wait and go
       * before it.
       */
      const postpone: EmailMessageRepositoryMethods["postpone"] = (storeId, { id, toAddress, priority }, now) => {
        const isPatient = priority < mailPriority.other
        const patience = new Date(now.getTime() + dayMillis)
        return none(sql`WITH slot AS (
              SELECT o.counted_at + interval '1 hour' AS at FROM email_message o WHERE o.store_id = ${storeId} AND
                o.to_address = ${toAddress} AND o.id <> ${id}
                AND o.counted_at IS NOT NULL AND
                  (${hasLeft(now)} OR o.status = 'QUEUED' AND o.attempts = 0 AND o.priority <= ${priority})
              ORDER BY o.counted_at DESC OFFSET ${mostPerAddress - 1} LIMIT 1)
            UPDATE email_message m SET counted_at = slot.at, due_at = slot.at, updated_at = ${now},
              status = CASE WHEN ${isPatient} OR slot.at <= ${patience} THEN 'QUEUED' ELSE 'FAILED' END,
              last_error = CASE WHEN ${isPatient} OR slot.at <= ${patience} THEN NULL ELSE ${givenUp} END
            FROM slot WHERE m.store_id = ${storeId} AND m.id = ${id}`)
      }

      const removeOlder: EmailMessageRepositoryMethods["removeOlder"] = Effect.fnUntraced(function* (
        storeId,
        before,
        most
      ) {
        yield* planByIndex(sql, { waitsForDisk: false })
        // `seq > 0`, which all are, tells the planner by which index to begin where it has no figures of the table yet.
        const [row] = yield* sql<{ readonly removed: number; readonly unsent: number }>`WITH old AS (
            DELETE FROM email_message WHERE store_id = ${storeId} AND ctid = ANY (ARRAY(
              SELECT m.ctid FROM (SELECT ctid,
                created_at FROM email_message WHERE store_id = ${storeId} AND seq > 0 ORDER BY seq LIMIT ${most}) m
              WHERE m.created_at < ${before})
            ) RETURNING status
          )
          SELECT count(*)::int AS removed, count(*) FILTER (WHERE status = 'QUEUED')::int AS unsent FROM old`
        return row ?? { removed: 0, unsent: 0 }
      }, Effect.orDie)

      return EmailMessageRepository.of({
        insert: (storeId, mails, at) => (mails.length === 0 ? Effect.void : insert(storeId, mails, at)),
        find: (storeId, id) =>
          one(sql<MessageState>`SELECT ${columns} FROM email_message WHERE store_id = ${storeId} AND id = ${id}`),
        list,
        storesWaiting: (now) =>
          many(
            sql<{ readonly storeId: string }>`SELECT a.store_id FROM ${storesWithMails(again(now))} AS a
                  LEFT JOIN email_settings s ON s.store_id = a.store_id
                WHERE s.emails_enabled IS NOT FALSE
                UNION SELECT f.store_id FROM
                  (SELECT store_id FROM ${storesWithMails(fresh)} AS never UNION SELECT store_id FROM
                  ${storesWithMails(held(now))} AS held) AS f
                  LEFT JOIN email_pace p ON p.store_id = f.store_id
                  LEFT JOIN email_settings s ON s.store_id = f.store_id
                WHERE s.emails_enabled IS NOT FALSE AND
                  (p.full_at IS NULL OR p.full_at > ${now}::timestamptz + interval '1 hour 5 seconds'
                  OR p.full_at <= ${now}::timestamptz + interval '1 hour' - interval '1 hour' /
                    coalesce(s.hourly_rate_limit, 100))
                ORDER BY store_id`,
            ({ storeId }) => storeId
          ),
        lockPace: (storeId) =>
          one(sql<PaceRow>`SELECT p.full_at, s.hourly_rate_limit,
                s.emails_enabled FROM email_pace p LEFT JOIN email_settings s ON s.store_id = p.store_id
                WHERE p.store_id = ${storeId} FOR UPDATE OF p SKIP LOCKED`),
        setPace: (storeId, fullAt) => none(sql`UPDATE email_pace SET full_at = ${fullAt} WHERE store_id = ${storeId}`),
        lockNext,
        postpone,
        lease: (storeId, id, now, until) =>
          none(sql`UPDATE email_message SET attempts = attempts + 1, due_at = ${until},
                counted_at = CASE WHEN attempts = 0 THEN ${now} ELSE counted_at END
                WHERE store_id = ${storeId} AND id = ${id}`),
        end: (storeId, { id, attempts }, { status, dueAt, lastError, bodies }, at) =>
          none(
            sql`UPDATE email_message SET ${sql.update({
              status,
              due_at: dueAt,
              last_error: lastError,
              updated_at: at,
              ...(status === "QUEUED" ? {} : { sealed: null }),
              ...(bodies === undefined ? {} : { html: bodies.html, plain_text: bodies.plainText })
            })} WHERE store_id = ${storeId} AND id = ${id} AND status = 'QUEUED' AND attempts = ${attempts}`
          ),
        // email_message_store_id_seq_idx: the first mail of each store.
        storesWithOlder: (before) =>
          storesWhoseOldest(
            sql,
            sql`SELECT m.created_at FROM email_message m WHERE m.store_id = s.id ORDER BY m.seq LIMIT 1`,
            sql`oldest.created_at < ${before}`
          ),
        removeOlder,
        // email_message_store_id_to_address_counted_at_idx
        forget: (storeId, address) =>
          none(sql`DELETE FROM email_message WHERE store_id = ${storeId} AND to_address = ${address}`)
      })
    })
  )
}
