/** The SQL of provider_event: notices that providers send by themselves, stored until they are applied. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { anyRow, many, none } from "../database/Repository.ts"
import type { ProviderNotice } from "./PaymentProvider.ts"
import type { Lease } from "./ProviderOperationRepository.ts"
import { encodeNotice } from "./StoredNotice.ts"

export interface KeptNotice {
  readonly provider: string
  readonly notice: ProviderNotice
}

/** What identifies a stored notice within its store. */
export interface NoticeName {
  readonly provider: string
  readonly eventId: string
}

export interface DueNotice extends NoticeName {
  /** As stored (`StoredNotice`). */
  readonly stored: unknown
  /** How often applying it has failed. */
  readonly checks: number
}

export class ProviderNoticeRepository extends Context.Service<ProviderNoticeRepository>()(
  "@effect-commerce/core/payment/ProviderNoticeRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const named = (storeId: string, { provider, eventId }: NoticeName) =>
        sql`store_id = ${storeId} AND provider = ${provider} AND event_id = ${eventId} AND applied_at IS NULL`
      return {
        /** False where the notice was stored before. If it is not applied by `checkAt`, it is due. */
        keep: (storeId: string, { provider, notice }: KeptNotice, checkAt: Date, now: Date) =>
          anyRow(
            sql`INSERT INTO provider_event (store_id, provider, event_id, type, notice, check_at, received_at)
              VALUES (${storeId}, ${provider}, ${notice.eventId}, ${notice.type}, ${encodeNotice(notice)}::jsonb,
                ${checkAt}, ${now})
              ON CONFLICT (store_id, provider, event_id) DO NOTHING RETURNING 1`
          ),
        applied: (storeId: string, name: NoticeName, now: Date) =>
          none(sql`UPDATE provider_event SET applied_at = ${now} WHERE ${named(storeId, name)}`),
        // provider_event_store_id_check_at_idx serves it.
        /** Leases due notices to this worker, the longest due first. */
        claimDue: (storeId: string, { now, end }: Lease, limit: number) =>
          many(
            sql<DueNotice>`WITH due AS (
                SELECT provider, event_id FROM provider_event WHERE store_id = ${storeId} AND applied_at IS NULL
                  AND set_aside IS NULL AND coalesce(check_at, received_at) <= ${now}
                ORDER BY coalesce(check_at, received_at) LIMIT ${limit} FOR UPDATE SKIP LOCKED
              )
              UPDATE provider_event e SET check_at = ${end} FROM due
              WHERE e.store_id = ${storeId} AND e.provider = due.provider AND e.event_id = due.event_id
              RETURNING e.provider, e.event_id, e.notice AS stored, e.checks`
          ),
        /** It could not be applied: it is due again at `checkAt`. */
        postpone: (storeId: string, name: NoticeName, checkAt: Date) =>
          none(sql`UPDATE provider_event SET check_at = ${checkAt}, checks = checks + 1 WHERE ${named(storeId, name)}`),
        /** It cannot be read: it is never due again. */
        setAside: (storeId: string, name: NoticeName, reason: string) =>
          none(sql`UPDATE provider_event SET set_aside = ${reason} WHERE ${named(storeId, name)}`)
      }
    })
  }
) {
  static readonly layer = Layer.effect(ProviderNoticeRepository, ProviderNoticeRepository.make)
}
