/**
 * The SQL of provider_notice: notices as they arrived, until the charges that they name were looked at. The table
 * belongs to no store: a notice to a provider that serves every store says whose it is only when it is interpreted.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { anyRow, many, none, one } from "../database/Repository.ts"
import type { Lease } from "../payment/PaymentPolicy.ts"

/** What identifies a notice. */
export interface NoticeName {
  readonly providerId: string
  readonly eventId: string
}

export interface NewNotice extends NoticeName {
  readonly storeId: string | null
  readonly body: Uint8Array
  /** Whether the same body may come again and mean something new, because the provider gives its notices no names. */
  readonly isRepeatable: boolean
}

export interface StoredNotice extends NoticeName {
  readonly storeId: string | null
  readonly body: Uint8Array
  readonly version: number
  readonly receivedAt: Date
  /** How often it was looked at in vain. */
  readonly checks: number
}

export type NoticeEnd = "applied" | "foreign" | "set_aside"

/** How notices are stored by this release. */
const version = 1

export class ProviderNoticeRepository extends Context.Service<ProviderNoticeRepository>()(
  "@effect-commerce/core/notice/ProviderNoticeRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const columns = sql.literal("n.provider_id, n.event_id, n.store_id, n.body, n.version, n.received_at, n.checks")
      const named = ({ providerId, eventId }: NoticeName) =>
        sql`provider_id = ${providerId} AND event_id = ${eventId} AND state = 'open'`
      return {
        /**
         * Stores a notice as it arrived, due at `end`. Undefined where it is there already. One without a name says
         * something new each time: while it is being looked at, that look is no longer the end of it.
         */
        keep: ({ providerId, eventId, storeId, body, isRepeatable }: NewNotice, { now, end }: Lease) =>
          one(
            sql<StoredNotice>`INSERT INTO provider_notice AS n (provider_id, event_id, store_id, body, version,
                received_at, check_at)
              VALUES (${providerId}, ${eventId}, ${storeId}, ${body}, ${version}, ${now}, ${end})
              ON CONFLICT (provider_id, event_id) DO UPDATE SET state = 'open', check_at = ${end},
                checks = CASE n.state WHEN 'open' THEN n.checks + 1 ELSE 0 END,
                received_at = CASE n.state WHEN 'open' THEN n.received_at ELSE ${now}::timestamptz END,
                reason = CASE n.state WHEN 'open' THEN n.reason END
                WHERE ${isRepeatable}
              RETURNING ${columns}`
          ),
        isOpen: (name: NoticeName) => anyRow(sql`SELECT 1 FROM provider_notice WHERE ${named(name)}`),
        // provider_notice_provider_id_check_at_idx serves it: it stops at the bound.
        /** How many notices of a provider are open, counted up to `most`. */
        openOf: (providerId: string, most: number) =>
          one(
            sql<{ readonly count: number }>`SELECT count(*)::int AS count FROM (SELECT FROM provider_notice
              WHERE provider_id = ${providerId} AND state = 'open' LIMIT ${most}) n`,
            ({ count }) => count
          ),
        // One probe of provider_notice_provider_id_check_at_idx for each provider.
        /** The providers that have a due notice. */
        due: (now: Date) =>
          many(
            sql<{ readonly providerId: string }>`WITH RECURSIVE found AS (
                (SELECT provider_id FROM provider_notice WHERE state = 'open' ORDER BY provider_id LIMIT 1)
                UNION ALL
                SELECT (SELECT n.provider_id FROM provider_notice n WHERE n.state = 'open'
                  AND n.provider_id > f.provider_id ORDER BY n.provider_id LIMIT 1)
                FROM found f WHERE f.provider_id IS NOT NULL
              )
              SELECT f.provider_id FROM found f WHERE EXISTS (SELECT FROM provider_notice n
                WHERE n.provider_id = f.provider_id AND n.state = 'open' AND n.check_at <= ${now})`,
            ({ providerId }) => providerId
          ),
        /** Leases due notices of a provider to this worker, the longest due first. */
        claim: (providerId: string, { now, end }: Lease, limit: number) =>
          many(
            sql<StoredNotice>`WITH due AS (
                SELECT event_id FROM provider_notice WHERE provider_id = ${providerId} AND state = 'open'
                  AND check_at <= ${now} ORDER BY check_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
              )
              UPDATE provider_notice n SET check_at = ${end} FROM due
              WHERE n.provider_id = ${providerId} AND n.event_id = due.event_id RETURNING ${columns}`
          ),
        /** It stays open, and is looked at again at `checkAt`. */
        postpone: (name: NoticeName, reason: string, checkAt: Date) =>
          none(
            sql`UPDATE provider_notice SET reason = ${reason}, check_at = ${checkAt}, checks = checks + 1
              WHERE ${named(name)}`
          ),
        /** Nothing is left to do about it, if it has not come again; what was set aside waits for a person. */
        end: (notice: StoredNotice, state: NoticeEnd, reason: string | null) =>
          none(
            sql`UPDATE provider_notice SET state = ${state}, reason = ${reason}, check_at = NULL,
                attention_at = CASE ${state} WHEN 'set_aside' THEN attention_at END
              WHERE ${named(notice)} AND checks = ${notice.checks}`
          ),
        /** Marks notices that have been open since `since` or longer. Returns how many are newly marked. */
        neglect: (since: Date, now: Date) =>
          many(
            sql<NoticeName & { readonly reason: string | null }>`UPDATE provider_notice n SET attention_at = ${now}
              WHERE n.state = 'open' AND n.attention_at IS NULL AND n.received_at <= ${since} AND n.checks > 0
              RETURNING n.provider_id, n.event_id, n.reason`
          ),
        // provider_notice_attention_idx holds these rows alone.
        needingAttention: (limit: number) =>
          many(
            sql<{
              readonly id: string
              readonly storeId: string | null
              readonly provider: string
              readonly state: "open" | "set_aside"
              readonly reason: string
              readonly since: Date
            }>`SELECT event_id AS id, store_id, provider_id AS provider, state, coalesce(reason, '') AS reason,
                received_at AS since FROM provider_notice
              WHERE state = 'set_aside' OR (state = 'open' AND attention_at IS NOT NULL)
              ORDER BY received_at LIMIT ${limit}`
          ),
        /** Opens what was set aside again: all, or one. */
        reopen: (name: { readonly [Name in keyof NoticeName]?: string | undefined }, now: Date) =>
          many(
            sql<NoticeName>`UPDATE provider_notice SET state = 'open', check_at = ${now}, checks = 0, reason = NULL,
                attention_at = NULL, received_at = ${now}
              WHERE state = 'set_aside' AND provider_id = coalesce(${name.providerId ?? null}, provider_id)
                AND event_id = coalesce(${name.eventId ?? null}, event_id) RETURNING provider_id, event_id`
          ),
        // provider_notice_received_at_idx serves it.
        /** Deletes a part of what was dealt with before `before`; returns whether there may be more. */
        forget: (before: Date, limit: number) =>
          Effect.map(
            many(
              sql`DELETE FROM provider_notice n USING (SELECT provider_id, event_id FROM provider_notice
                  WHERE state IN ('applied', 'foreign') AND received_at <= ${before}
                  ORDER BY received_at LIMIT ${limit}) d
                WHERE n.provider_id = d.provider_id AND n.event_id = d.event_id RETURNING 1`
            ),
            (rows) => rows.length === limit
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(ProviderNoticeRepository, ProviderNoticeRepository.make)
}
