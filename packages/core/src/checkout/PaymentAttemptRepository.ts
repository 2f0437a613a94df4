/**
 * The SQL of payment_attempt and provider_event. An attempt is begun and ended together with the state of its checkout.
 * Its draft is read by `draftOf` alone: finding, leasing and locking attempts depends on no draft.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { versionAfter } from "../database/Precondition.ts"
import type { ProviderNotice } from "../payment/PaymentProvider.ts"
import { type LineExtras, maxDraftBytes } from "../order/OrderDraft.ts"
import type { CheckoutStatus } from "./Checkout.ts"
import type { PaymentAttempt, PaymentAttemptStatus } from "./PaymentAttempt.ts"

/** An attempt under lock, with the states that decide what its outcome means. */
export interface LockedAttempt extends PaymentAttempt {
  readonly cartId: string
  /** Where the cart went since, or null. */
  readonly mergedInto: string | null
  readonly checkoutStatus: CheckoutStatus
  readonly checkoutExpiresAt: Date
  /** The state of the store's rules and settings that this reading goes with. */
  readonly rulesVersion: bigint
}

/** As it is stored; null where it is larger than any that is written. */
export interface StoredDraft {
  readonly draft: unknown
  /** Of the checkout's lines, by their ids. */
  readonly extras: Readonly<Record<string, LineExtras>> | null
}

export interface AttemptEnd {
  readonly id: string
  readonly status: PaymentAttemptStatus
  readonly externalId: string | null
  readonly captured: bigint
  readonly refunded: bigint
  readonly refunding: bigint
  readonly error: string | null
  /** When the worker looks at it (again); null when nothing is open. */
  readonly checkAt: Date | null
}

export interface KeptNotice {
  readonly provider: string
  readonly notice: ProviderNotice
}

/** From when to when what is due is one worker's. */
export interface Lease {
  readonly now: Date
  readonly end: Date
}

export interface PaymentAttemptRepositoryMethods {
  /**
   * The checkout is PROCESSING and the attempt `calling`. A key that the provider never got is used again for the same
   * amount; false where the key is taken otherwise.
   */
  readonly begin: (
    storeId: string,
    attempt: PaymentAttempt,
    draft: string,
    checkAt: Date,
    now: Date
  ) => Effect.Effect<boolean>
  readonly find: (storeId: string, id: string) => Effect.Effect<PaymentAttempt | undefined>
  readonly findByKey: (
    storeId: string,
    provider: string,
    chargeKey: string
  ) => Effect.Effect<PaymentAttempt | undefined>
  /** Locks cart, checkout and attempt, in this order. */
  readonly lock: (storeId: string, id: string) => Effect.Effect<LockedAttempt | undefined>
  /** The order as it was priced, with what its lines carry. */
  readonly draftOf: (storeId: string, id: string) => Effect.Effect<StoredDraft | undefined>
  readonly end: (storeId: string, end: AttemptEnd, now: Date) => Effect.Effect<void>
  /** The attempt that made the order of a checkout. */
  readonly lockOrdered: (storeId: string, checkoutId: string) => Effect.Effect<void>
  /** What its charge has not taken is not wanted any more: the worker looks at it again. */
  readonly letGoOrdered: (storeId: string, checkoutId: string, externalId: string, now: Date) => Effect.Effect<void>
  /** A refund of all that is captured by now is about to be asked for. */
  readonly beginRefund: (storeId: string, id: string, now: Date) => Effect.Effect<void>
  /**
   * `end`, and the checkout PENDING again with its next attempt number, or CANCELLED where its cart was merged since.
   */
  readonly giveUp: (
    storeId: string,
    end: AttemptEnd,
    checkoutId: string,
    raise: boolean,
    now: Date
  ) => Effect.Effect<void>
  /** The stores that have an open attempt or a notice that is due. */
  readonly storesWithDue: (now: Date) => Effect.Effect<ReadonlyArray<string>>
  /** Takes due attempts for this worker until the lease ends. */
  readonly claimDue: (storeId: string, lease: Lease, limit: number) => Effect.Effect<ReadonlyArray<string>>
  /** False where the notice was kept before. One that is not applied by `checkAt` is due. */
  readonly keepNotice: (storeId: string, kept: KeptNotice, checkAt: Date, now: Date) => Effect.Effect<boolean>
  readonly noticeApplied: (storeId: string, kept: KeptNotice, now: Date) => Effect.Effect<void>
  /** As `claimDue`, notices, the longest due first; each with how often it has failed. */
  readonly claimNotices: (
    storeId: string,
    lease: Lease,
    limit: number
  ) => Effect.Effect<ReadonlyArray<KeptNotice & { readonly checks: number }>>
  /** It could not be acted on: tried again at `checkAt`. */
  readonly noticeFailed: (storeId: string, kept: KeptNotice, checkAt: Date) => Effect.Effect<void>
}

type NoticeJson = Omit<ProviderNotice, "captured" | "refunded"> & {
  readonly captured: string
  readonly refunded: string
}

export class PaymentAttemptRepository extends Context.Service<
  PaymentAttemptRepository,
  PaymentAttemptRepositoryMethods
>()("@effect-commerce/core/checkout/PaymentAttemptRepository") {
  static readonly layer = Layer.effect(
    PaymentAttemptRepository,
    Effect.gen(function* () {
      const { sql } = yield* Database
      const columns = sql.literal(
        "a.id, a.checkout_id, a.attempt, a.charge_key, a.provider, a.status, a.external_id, a.amount, a.captured, " +
          "a.refunded, a.refunding, a.currency, a.checks, a.created_at"
      )
      const first = <A>(rows: ReadonlyArray<A>): A | undefined => rows[0]
      const orDieVoid = <A, E>(self: Effect.Effect<A, E>): Effect.Effect<void> => Effect.asVoid(Effect.orDie(self))

      const ended = (storeId: string, end: AttemptEnd, now: Date) =>
        sql`UPDATE payment_attempt SET status = ${end.status}, external_id = coalesce(${end.externalId}, external_id),
          captured = ${end.captured}, refunded = ${end.refunded}, refunding = ${end.refunding}, error = ${end.error},
            check_at = ${end.checkAt}, checks = checks + 1,
            updated_at = ${now} WHERE store_id = ${storeId} AND id = ${end.id}`

      return PaymentAttemptRepository.of({
        begin: (storeId, attempt, draft, checkAt, now) =>
          Effect.orDie(
            Effect.map(
              sql`WITH begun AS (
                  INSERT INTO payment_attempt (store_id, id, checkout_id, attempt, charge_key, provider, status, amount,
                    currency, draft, check_at, created_at, updated_at)
                  VALUES (${storeId}, ${attempt.id}, ${attempt.checkoutId}, ${attempt.attempt}, ${attempt.chargeKey},
                    ${attempt.provider}, 'calling', ${attempt.amount}, ${attempt.currency}, ${draft}::jsonb, ${checkAt},
                      ${now}, ${now})
                  ON CONFLICT (store_id, charge_key) DO UPDATE SET id = EXCLUDED.id, status = 'calling',
                    draft = EXCLUDED.draft, check_at = EXCLUDED.check_at, checks = 0, error = NULL,
                      updated_at = EXCLUDED.updated_at
                  WHERE payment_attempt.status = 'absent' AND payment_attempt.amount = EXCLUDED.amount AND
                    payment_attempt.provider = EXCLUDED.provider
                  RETURNING attempt
                )
                UPDATE checkout SET status = 'PROCESSING', attempt = begun.attempt,
                  updated_at = ${versionAfter(sql, now)} FROM begun
                WHERE store_id = ${storeId} AND id = ${attempt.checkoutId} RETURNING 1`,
              (rows) => rows.length > 0
            )
          ),
        find: (storeId, id) =>
          Effect.orDie(
            Effect.map(
              sql<PaymentAttempt>`SELECT ${columns} FROM payment_attempt a WHERE a.store_id = ${storeId} AND a.id =
                ${id}`,
              first
            )
          ),
        findByKey: (storeId, provider, chargeKey) =>
          Effect.orDie(
            Effect.map(
              sql<PaymentAttempt>`SELECT ${columns} FROM payment_attempt a WHERE a.store_id = ${storeId} AND
                a.charge_key = ${chargeKey} AND a.provider = ${provider}`,
              first
            )
          ),
        lock: (storeId, id) =>
          // The locks are taken in the order FOR UPDATE names them; each is a row found by its primary key.
          Effect.orDie(
            Effect.map(
              sql<LockedAttempt>`SELECT ${columns}, k.cart_id, c.merged_into, k.status AS checkout_status,
                  k.expires_at AS checkout_expires_at,
                    (SELECT rules_version FROM store WHERE id = a.store_id) AS rules_version
                FROM payment_attempt a
                JOIN checkout k ON k.store_id = a.store_id AND k.id = a.checkout_id
                JOIN cart c ON c.store_id = k.store_id AND c.id = k.cart_id
                WHERE a.store_id = ${storeId} AND a.id = ${id} FOR UPDATE OF c, k, a`,
              first
            )
          ),
        // What is too large for any draft of ours is not sent at all: the message would take the connection with it.
        draftOf: (storeId, id) =>
          Effect.orDie(
            Effect.map(
              sql<StoredDraft>`SELECT CASE WHEN octet_length(a.draft::text) <= ${longestStored} THEN a.draft END AS
                  draft, CASE WHEN l.size <= ${longestStored} THEN l.extras END AS extras
                FROM payment_attempt a CROSS JOIN LATERAL (
                  SELECT coalesce(json_object_agg(i.id,
                    json_build_object('metadata', i.metadata, 'customizations', i.customizations, 'modifiers',
                      i.modifiers)), '{}') AS extras,
                      coalesce(sum(octet_length(i.metadata::text) + octet_length(i.customizations::text) +
                      octet_length(i.modifiers::text)), 0)::bigint AS size
                  FROM checkout_line i WHERE i.store_id = a.store_id AND i.checkout_id = a.checkout_id) l
                WHERE a.store_id = ${storeId} AND a.id = ${id}`,
              first
            )
          ),
        end: (storeId, end, now) => orDieVoid(ended(storeId, end, now)),
        // payment_attempt_store_id_checkout_id_idx serves both.
        lockOrdered: (storeId, checkoutId) =>
          orDieVoid(
            sql`SELECT 1 FROM payment_attempt WHERE store_id = ${storeId} AND checkout_id = ${checkoutId} AND status =
              'ordered' FOR UPDATE`
          ),
        letGoOrdered: (storeId, checkoutId, externalId, now) =>
          orDieVoid(
            sql`UPDATE payment_attempt SET check_at = ${now}, checks = 0, updated_at = ${now}
              WHERE store_id = ${storeId} AND checkout_id = ${checkoutId} AND status = 'ordered' AND external_id =
                ${externalId}`
          ),
        beginRefund: (storeId, id, now) =>
          orDieVoid(
            sql`UPDATE payment_attempt SET refunding = captured,
              updated_at = ${now} WHERE store_id = ${storeId} AND id = ${id}`
          ),
        giveUp: (storeId, end, checkoutId, raise, now) =>
          // An earlier release merged carts that were being paid for: what they held is bought from another cart.
          orDieVoid(
            sql`WITH ended AS (${ended(storeId, end, now)} RETURNING attempt)
              UPDATE checkout SET status = CASE
                (SELECT c.status FROM cart c WHERE c.store_id = checkout.store_id AND c.id = checkout.cart_id)
                WHEN 'MERGED' THEN 'CANCELLED' ELSE 'PENDING' END, attempt = ended.attempt + ${raise ? 1 : 0},
                  updated_at = ${versionAfter(sql, now)} FROM ended
              WHERE store_id = ${storeId} AND id = ${checkoutId} AND status = 'PROCESSING'`
          ),
        storesWithDue: (now) =>
          Effect.orDie(
            Effect.map(
              sql<{ readonly storeId: string }>`SELECT store_id FROM payment_attempt WHERE check_at <= ${now}
                UNION SELECT store_id FROM provider_event WHERE applied_at IS NULL AND coalesce(check_at,
                  received_at) <= ${now}`,
              (rows) => rows.map((row) => row.storeId)
            )
          ),
        claimDue: (storeId, { now, end }, limit) =>
          Effect.orDie(
            Effect.map(
              sql<{ readonly id: string }>`WITH due AS (
                  SELECT id FROM payment_attempt WHERE store_id = ${storeId} AND check_at <= ${now} ORDER BY check_at
                    LIMIT ${limit} FOR UPDATE SKIP LOCKED
                )
                UPDATE payment_attempt a SET check_at = ${end} FROM due WHERE a.store_id = ${storeId} AND a.id = due.id
                  RETURNING a.id`,
              (rows) => rows.map((row) => row.id)
            )
          ),
        keepNotice: (storeId, { provider, notice }, checkAt, now) =>
          Effect.orDie(
            Effect.map(
              sql`INSERT INTO provider_event (store_id, provider, event_id, type, notice, check_at, received_at)
                VALUES (${storeId}, ${provider}, ${notice.eventId}, ${notice.type},
                  ${JSON.stringify(toJson(notice))}::jsonb, ${checkAt}, ${now})
                ON CONFLICT (store_id, provider, event_id) DO NOTHING RETURNING 1`,
              (rows) => rows.length > 0
            )
          ),
        noticeApplied: (storeId, { provider, notice }, now) =>
          orDieVoid(
            sql`UPDATE provider_event SET applied_at = ${now} WHERE store_id = ${storeId} AND provider = ${provider} AND
              event_id = ${notice.eventId} AND applied_at IS NULL`
          ),
        // provider_event_store_id_check_at_idx serves it.
        claimNotices: (storeId, { now, end }, limit) =>
          Effect.orDie(
            Effect.map(
              sql<{ readonly provider: string; readonly notice: NoticeJson; readonly checks: number }>`WITH due AS (
                  SELECT provider,
                    event_id FROM provider_event WHERE store_id = ${storeId} AND applied_at IS NULL AND
                    coalesce(check_at, received_at) <= ${now}
                  ORDER BY coalesce(check_at, received_at) LIMIT ${limit} FOR UPDATE SKIP LOCKED
                )
                UPDATE provider_event e SET check_at = ${end} FROM due
                WHERE e.store_id = ${storeId} AND e.provider = due.provider AND e.event_id = due.event_id RETURNING
                  e.provider, e.notice, e.checks`,
              (rows) => rows.map(({ provider, notice, checks }) => ({ provider, notice: fromJson(notice), checks }))
            )
          ),
        noticeFailed: (storeId, { provider, notice }, checkAt) =>
          orDieVoid(
            sql`UPDATE provider_event SET check_at = ${checkAt}, checks = checks + 1
              WHERE store_id = ${storeId} AND provider = ${provider} AND event_id = ${notice.eventId} AND applied_at IS
                NULL`
          )
      })
    })
  )
}

/** PostgreSQL writes a space behind each colon and comma. */
const longestStored = 2 * maxDraftBytes

const toJson = (notice: ProviderNotice): NoticeJson => ({
  ...notice,
  captured: String(notice.captured),
  refunded: String(notice.refunded)
})
const fromJson = (notice: NoticeJson): ProviderNotice => ({
  ...notice,
  captured: BigInt(notice.captured),
  refunded: BigInt(notice.refunded)
})
