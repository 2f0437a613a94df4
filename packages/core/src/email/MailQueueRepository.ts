/**
 * The SQL of email_message as a queue, and of email_pace. A mail is taken by locking the store's pace row, skipping
 * stores whose row another worker has locked; a taken mail is leased by its `due_at`, so that a killed worker's mail
 * becomes due again.
 *
 * A queued mail is in one of three states, each with its own index, so that no backlog is read to find the next mail:
 * fresh (never tried), held (its address has reached its hourly limit) and to be tried again.
 */
import { Context, Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import { Database } from "../database/Database.ts"
import { many, none, one, storesWith } from "../database/Repository.ts"
import { mailPriority, type MessageState, type MessageStatus } from "./EmailMessage.ts"
import { messageColumns } from "./internal/messageColumns.ts"

/** The hourly limit of a store and its state. */
export interface PaceRow {
  readonly fullAt: Date
  readonly hourlyRateLimit: number | null
  /** False: no mail may be sent; null: the store has no settings row. */
  readonly emailsEnabled: boolean | null
  readonly marketingSendingPaused: boolean | null
}

/**
 * Mails to one address in an hour. Mails with a token do not count: their number is limited already (mostTokens), and
 * no flood of other mails may delay them.
 */
const mostPerAddress = 20

const dayMillis = 86_400_000
const givenUp = `its address has had its ${mostPerAddress} mails an hour, and more than a day's worth waits before it`

/** A mail to be sent, or to be postponed if its address has reached its hourly limit. */
export interface NextMail extends MessageState {
  readonly addressFull: boolean
}

/** The result of an attempt: the mail's state, and when it is tried again while it is QUEUED. */
export interface AttemptEnd {
  readonly status: MessageStatus
  readonly dueAt: Date
  readonly lastError: string | null
  /** Bodies that replace the stored ones; undefined leaves them. */
  readonly bodies?: { readonly html: string; readonly plainText: string } | undefined
}

/** Which mails may be tried for the first time: to the merchant, and to others. */
export interface FirstTries {
  readonly merchant: boolean
  readonly others: boolean
}

/** The states of a queued mail as conditions; each is also the condition of an index. */
const conditionsOn = (sql: SqlClient.SqlClient) => ({
  again: (now: Date) => sql`status = 'QUEUED' AND attempts > 0 AND due_at <= ${now}`,
  held: (now: Date) => sql`status = 'QUEUED' AND attempts = 0 AND counted_at IS NOT NULL AND due_at <= ${now}`,
  fresh: sql.literal("status = 'QUEUED' AND attempts = 0 AND counted_at IS NULL"),
  /** Whether a mail has been sent; one that was counted under a clock that has since been set back does not count. */
  hasLeft: (now: Date) => sql`attempts > 0 AND counted_at <= ${now}::timestamptz + interval '1 minute'`
})

export class MailQueueRepository extends Context.Service<MailQueueRepository>()(
  "@effect-commerce/core/email/MailQueueRepository",
  {
    make: Effect.map(Database, ({ sql }) => ({
      /**
       * Stores with a mail that is due or was never tried, unless their mails are switched off, in the order of their
       * ids.
       */
      storesWaiting: (now: Date) => {
        const { again, held, fresh } = conditionsOn(sql)
        return many(
          sql<{ readonly storeId: string }>`SELECT a.store_id FROM ${storesWith(sql, "email_message", again(now))} AS a
              LEFT JOIN email_settings s ON s.store_id = a.store_id
            WHERE s.emails_enabled IS NOT FALSE
            UNION SELECT f.store_id FROM
              (SELECT store_id FROM ${storesWith(sql, "email_message", fresh)} AS never UNION SELECT store_id FROM
              ${storesWith(sql, "email_message", held(now))} AS held) AS f
              LEFT JOIN email_pace p ON p.store_id = f.store_id
              LEFT JOIN email_settings s ON s.store_id = f.store_id
            WHERE s.emails_enabled IS NOT FALSE AND
              (p.full_at IS NULL OR p.full_at > ${now}::timestamptz + interval '1 hour 5 seconds'
              OR p.full_at <= ${now}::timestamptz + interval '1 hour' - interval '1 hour' /
                coalesce(s.hourly_rate_limit, 100))
            ORDER BY store_id`,
          ({ storeId }) => storeId
        )
      },

      /** The store's pace row, locked until the transaction ends; undefined if another worker has locked it. */
      lockPace: (storeId: string) =>
        one(sql<PaceRow>`SELECT p.full_at, s.hourly_rate_limit,
          s.emails_enabled, s.marketing_sending_paused
          FROM email_pace p LEFT JOIN email_settings s ON s.store_id = p.store_id
          WHERE p.store_id = ${storeId} FOR UPDATE OF p SKIP LOCKED`),

      /**
       * The next mail by priority, locked. Within a priority first mails that are due again, then, as far as `may`
       * says, mails that were never tried, in the order they were queued.
       */
      lockNext: (storeId: string, now: Date, may: FirstTries) => lockNext(sql, storeId, now, may),

      /** The oldest mail to the merchant that was never tried, if it was queued before that time; locked. */
      lockWaitingMerchant: (storeId: string, now: Date, before: Date) =>
        one(sql<NextMail>`SELECT ${sql.literal(messageColumns)}, ${addressFull(sql, now)} AS address_full
          FROM email_message m WHERE m.store_id = ${storeId} AND m.id = (
            SELECT w.id FROM email_message w WHERE w.store_id = ${storeId} AND w.priority = ${mailPriority.merchant}
              AND ${conditionsOn(sql).fresh} ORDER BY w.seq LIMIT 1)
            AND m.created_at < ${before} FOR UPDATE OF m SKIP LOCKED`),

      /**
       * Postpones a mail until its address may have another: an hour after the twentieth mail before it, counting those
       * that were sent and those queued ahead of it. A mail of the lowest priority that would wait for more than a day
       * is given up.
       */
      postpone: (
        storeId: string,
        { id, toAddress, priority }: Pick<MessageState, "id" | "toAddress" | "priority">,
        now: Date
      ) => {
        const { hasLeft } = conditionsOn(sql)
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
      },

      /** Leaves a mail out until then; one that was never tried is held as one whose address has had its mails. */
      hold: (storeId: string, id: string, until: Date) =>
        none(sql`UPDATE email_message SET due_at = ${until},
          counted_at = CASE WHEN attempts = 0 THEN ${until} ELSE counted_at END
          WHERE store_id = ${storeId} AND id = ${id}`),

      /** Counts an attempt at `now`, leases the mail until `until`, and sets the store's pace. */
      lease: (
        storeId: string,
        id: string,
        { now, until, fullAt }: { readonly now: Date; readonly until: Date; readonly fullAt: Date }
      ) =>
        none(sql`WITH paced AS (UPDATE email_pace SET full_at = ${fullAt} WHERE store_id = ${storeId})
          UPDATE email_message SET attempts = attempts + 1, due_at = ${until},
            counted_at = CASE WHEN attempts = 0 THEN ${now} ELSE counted_at END
          WHERE store_id = ${storeId} AND id = ${id}`),

      /** Records the end of the attempt of that number; does nothing if another worker has taken the lease. */
      end: (
        storeId: string,
        { id, attempts }: Pick<MessageState, "id" | "attempts">,
        { status, dueAt, lastError, bodies }: AttemptEnd,
        at: Date
      ) =>
        none(
          sql`UPDATE email_message SET ${sql.update({
            status,
            due_at: dueAt,
            last_error: lastError,
            updated_at: at,
            ...(status === "QUEUED" ? {} : { sealed: null }),
            ...(bodies === undefined ? {} : { html: bodies.html, plain_text: bodies.plainText })
          })} WHERE store_id = ${storeId} AND id = ${id} AND status = 'QUEUED' AND attempts = ${attempts}`
        )
    }))
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}

/** Whether the address of the mail `m` has had as many mails as it may. */
const addressFull = (sql: SqlClient.SqlClient, now: Date) =>
  // email_message_store_id_to_address_counted_at_idx counts to twenty.
  sql`m.priority > 0 AND m.attempts = 0 AND ${mostPerAddress} = (SELECT count(*) FROM (
      SELECT 1 FROM email_message o WHERE o.store_id = m.store_id AND o.to_address = m.to_address
        AND o.counted_at > ${now}::timestamptz - interval '1 hour' AND ${conditionsOn(sql).hasLeft(now)} LIMIT
          ${mostPerAddress}) AS counted)`

const lockNext = (sql: SqlClient.SqlClient, storeId: string, now: Date, may: FirstTries) => {
  const { again, held, fresh } = conditionsOn(sql)

  /** The first mail in a state, by priority, in the order of that state's index. */
  const firstOf = (turn: number, condition: ReturnType<typeof again> | typeof fresh, order: string) =>
    sql`(SELECT w.id, ${sql.literal(String(turn))} AS turn FROM email_message w
      WHERE w.store_id = ${storeId} AND w.priority = p.priority AND ${condition} ORDER BY ${sql.literal(order)}
        LIMIT 1)`

  const due = firstOf(0, again(now), "w.due_at, w.seq")
  const first = may.merchant ? mailPriority.merchant : mailPriority.other
  const isFirst = sql`p.priority <= ${first}`
  const waiting = may.others
    ? sql`${due} UNION ALL (SELECT h.id, h.turn FROM ${firstOf(1, held(now), "w.due_at, w.seq")} h WHERE ${isFirst})
        UNION ALL (SELECT f.id, f.turn FROM ${firstOf(2, fresh, "w.seq")} f WHERE ${isFirst})`
    : due
  return one(sql<NextMail>`SELECT ${sql.literal(messageColumns)}, ${addressFull(sql, now)} AS address_full
        FROM email_message m WHERE m.store_id = ${storeId} AND m.id = (
          SELECT next.id FROM generate_series(0, ${mailPriority.merchant}) AS p (priority),
            LATERAL (${waiting}) AS next ORDER BY p.priority, next.turn LIMIT 1)
        FOR UPDATE OF m SKIP LOCKED`)
}
