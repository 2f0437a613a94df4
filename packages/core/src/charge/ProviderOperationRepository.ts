/**
 * The SQL of provider_operation: operations begin, are found and are settled. Only `detailsOf` reads what a room stored
 * with an operation: finding, leasing and locking operations never depends on it. When operations are looked at again
 * is written by `OperationScheduleRepository`, the refund of unwanted money by `UnwantedMoneyRepository`.
 */
import { Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import { Database } from "../database/Database.ts"
import { anyRow, many, none, one } from "../database/Repository.ts"
import { operationColumns, withCharge } from "./internal/operationColumns.ts"
import type { OperationAccount } from "../payment/PaymentMethod.ts"
import type { OperationKind, OperationState, ProviderOperation } from "./ProviderOperation.ts"

export interface NewOperation extends OperationAccount {
  readonly id: string
  readonly kind: OperationKind
  readonly subjectType: string
  readonly subjectId: string
  /** The operation that made the charge; null if this one makes it. */
  readonly chargeId: string | null
  /** The key of the charge that this operation makes. */
  readonly chargeKey: string | null
  readonly amount: bigint
  readonly currency: string
  /** JSON of the subject's room, with the room's own version. */
  readonly details: string | null
  readonly checkAt: Date
  /** A key that was first sent before this is not recognised any more. */
  readonly keyLives: Date
  readonly now: Date
}

/** What an answer makes of an operation, if its state is one of `from`. */
export interface Settlement {
  readonly from: ReadonlyArray<OperationState>
  readonly to: OperationState
  readonly externalId: string | null
  /** The charge's sums. Null: they stay. */
  readonly sums: { readonly captured: bigint; readonly refunded: bigint } | null
  readonly error: string | null
  /** As stored (`StoredAnswer`). Null: it stays. */
  readonly answer: string | null
  /** Sealed. */
  readonly nextAction: string | null
  readonly expiresAt: Date | null
  /** When it is looked at next; null if it is over. */
  readonly checkAt: Date | null
  /**
   * Nobody waits for it any more: what is reserved, or waits for the shopper, is to be released. A success that comes
   * after that is wanted again.
   */
  readonly isReleased?: boolean
}

export interface OperationToSettle {
  readonly id: string
  /** The statement that locks the subject. */
  readonly lock: Statement.Fragment
  /** Absent: the rows are only locked and read. */
  readonly settlement?: Settlement
  /** If another answer has been applied since, nothing is written. */
  readonly looks?: number | undefined
  readonly now: Date
}

export class ProviderOperationRepository extends Context.Service<ProviderOperationRepository>()(
  "@effect-commerce/core/charge/ProviderOperationRepository",
  {
    make: Effect.gen(function* () {
      const { sql, withCommit } = yield* Database
      const columns = sql.literal(operationColumns)
      const joined = sql.literal(withCharge)

      /** Of what an authorization captures, at most its amount belongs to the room. */
      const settled = (
        { to, externalId, sums, error, answer, nextAction, expiresAt, checkAt, isReleased = false }: Settlement,
        now: Date
      ) =>
        sql`UPDATE provider_operation o SET state = ${to}, error = ${error}, check_at = ${checkAt},
            external_id = coalesce(${externalId}, o.external_id), next_action = ${nextAction},
            expires_at = ${expiresAt}, answer = coalesce(${answer}::jsonb, o.answer), attention = NULL,
            attention_at = NULL, released_at = CASE WHEN ${isReleased} THEN ${now}::timestamptz
              WHEN ${to} = 'succeeded' AND o.state <> 'succeeded' THEN NULL ELSE o.released_at END,
            checks = CASE o.state WHEN ${to} THEN o.checks + 1 ELSE 0 END, looks = o.looks + 1,
            open_since = CASE o.state WHEN ${to} THEN o.open_since ELSE ${now}::timestamptz END, updated_at = ${now}${
              sums === null
                ? sql``
                : sql`, captured = CASE o.kind WHEN 'authorize' THEN least(${sums.captured}, o.amount)
                    ELSE ${sums.captured} END,
                  refunded = CASE o.kind WHEN 'authorize' THEN least(${sums.refunded}, ${sums.captured}, o.amount)
                    ELSE ${sums.refunded} END`
            }`

      /** Whether what the change `o` has moved is in the sums of its charge `c`. */
      const isBooked = sql`CASE o.kind WHEN 'capture' THEN o.captured <= c.captured
        ELSE jsonb_path_exists(c.answer, '$.data.charge.refunds[*] ? (@.key == $key && @.status != "pending")',
          jsonb_build_object('key', 'refund:' || o.id)) END`

      return {
        /**
         * Writes the operation as `calling`. The key of a charge that never arrived, or that waits for the shopper, is
         * used again for the same amount at the same provider. Returns its `looks`; undefined where the key is taken
         * otherwise. `beside` is a statement of the caller that runs as part of this one; it can read the written
         * operation as a row of `begun`, which is empty if none was written.
         *
         * A payment provider of the store is locked, so that it cannot be removed meanwhile: `isSetUp` is false where
         * it has been.
         */
        begin: (storeId: string, op: NewOperation, beside?: Statement.Fragment) =>
          one(
            sql<{ readonly looks: number | null; readonly isSetUp: boolean }>`WITH provider AS MATERIALIZED (
                  SELECT id FROM payment_provider WHERE store_id = ${storeId} AND id = ${op.providerId} FOR KEY SHARE
                ), set_up AS (
                  SELECT ${op.providerId === op.provider} OR EXISTS (SELECT FROM provider) AS is_set_up
                ), begun AS (
                  INSERT INTO provider_operation (store_id, id, kind, subject_type, subject_id, charge_id, charge_key,
                    provider, provider_id, account, mode, state, amount, currency, details, check_at, sent_at,
                    open_since, created_at, updated_at)
                  SELECT ${storeId}, ${op.id}, ${op.kind}, ${op.subjectType}, ${op.subjectId}, ${op.chargeId},
                    ${op.chargeKey}, ${op.provider}, ${op.providerId}, ${op.account}, ${op.mode}, 'calling',
                    ${op.amount}, ${op.currency}, ${op.details}::jsonb, ${op.checkAt}, ${op.now}, ${op.now}, ${op.now},
                    ${op.now}
                  FROM set_up WHERE is_set_up
                  ON CONFLICT (store_id, charge_key) DO UPDATE SET id = EXCLUDED.id, state = 'calling',
                    details = EXCLUDED.details, check_at = EXCLUDED.check_at, checks = 0, error = NULL, answer = NULL,
                    sent_at = CASE provider_operation.state WHEN 'absent' THEN EXCLUDED.sent_at
                      ELSE provider_operation.sent_at END, open_since = EXCLUDED.open_since,
                    looks = provider_operation.looks + 1,
                    updated_at = EXCLUDED.updated_at
                  WHERE provider_operation.state IN ('absent', 'awaiting_shopper')
                    AND provider_operation.sent_at > ${op.keyLives}
                    AND provider_operation.amount = EXCLUDED.amount
                    AND (provider_operation.provider_id, provider_operation.account, provider_operation.mode)
                      = (EXCLUDED.provider_id, EXCLUDED.account, EXCLUDED.mode)
                  RETURNING id, looks
                ) ${beside === undefined ? sql`` : sql`, beside AS (${beside})`}
                SELECT (SELECT looks FROM begun) AS looks, is_set_up FROM set_up`
          ),
        lockCharge: (storeId: string, chargeId: string) =>
          none(sql`SELECT 1 FROM provider_operation WHERE store_id = ${storeId} AND id = ${chargeId} FOR UPDATE`),
        /**
         * What is left of the charge for captures and refunds: those under way count as done, and so do those that are
         * done and not in the books of the charge yet. After `lockCharge`, in a statement of its own: one that has
         * waited for the lock does not see what was begun in the meantime. Undefined where there is no such charge.
         */
        leftOf: (storeId: string, chargeId: string) =>
          one(
            sql<{
              readonly capturable: bigint
              readonly refundable: bigint
            }>`SELECT c.amount - c.captured - coalesce(sum(o.amount) FILTER (WHERE o.kind = 'capture'), 0)::bigint
                AS capturable,
              c.captured - c.refunded - coalesce(sum(o.amount) FILTER (WHERE o.kind = 'refund'), 0)::bigint
                AS refundable
              FROM provider_operation c LEFT JOIN provider_operation o ON o.store_id = ${storeId}
                AND o.charge_id = c.id
                AND (o.state IN ('calling', 'pending') OR (o.state = 'succeeded' AND NOT ${isBooked}))
              WHERE c.store_id = ${storeId} AND c.id = ${chargeId} GROUP BY c.store_id, c.id`
          ),
        find: (storeId: string, id: string) =>
          one(sql<ProviderOperation>`SELECT ${columns} FROM ${joined} WHERE a.store_id = ${storeId} AND a.id = ${id}`),
        findByKey: (storeId: string, chargeKey: string) =>
          one(
            sql<ProviderOperation>`SELECT ${columns} FROM ${joined}
              WHERE a.store_id = ${storeId} AND a.charge_key = ${chargeKey}`
          ),
        // provider_operation_store_id_external_id_idx serves it.
        findByExternalId: (storeId: string, providerId: string, externalId: string) =>
          one(
            sql<ProviderOperation>`SELECT ${columns} FROM ${joined} WHERE a.store_id = ${storeId}
                AND a.kind = 'authorize' AND a.external_id = ${externalId} AND a.provider_id = ${providerId}`
          ),
        // provider_operation_store_id_subject_id_idx serves this, `lockCharges`, `openOf` and `releaseCharge`.
        /** The successful authorization that made this charge of a subject. */
        findCharge: (storeId: string, subjectId: string, externalId: string) =>
          one(
            sql<ProviderOperation>`SELECT ${columns} FROM ${joined}
              WHERE a.store_id = ${storeId} AND a.subject_id = ${subjectId} AND a.kind = 'authorize'
                AND a.state = 'succeeded' AND a.external_id = ${externalId}`
          ),
        /** The authorization of a subject whose outcome is open, with what the shopper has to do next, sealed. */
        openOf: (storeId: string, subjectId: string) =>
          one(
            sql<ProviderOperation & { readonly nextAction: string | null }>`SELECT ${columns}, a.next_action
              FROM ${joined} WHERE a.store_id = ${storeId} AND a.subject_id = ${subjectId} AND a.kind = 'authorize'
                AND a.state IN ('calling', 'awaiting_shopper') ORDER BY a.created_at DESC LIMIT 1`
          ),
        /** The changes of a charge that are under way. */
        changesUnderWay: (storeId: string, chargeId: string) =>
          many(
            sql<ProviderOperation>`SELECT ${columns} FROM ${joined} WHERE a.store_id = ${storeId}
                AND a.charge_id = ${chargeId} AND a.state IN ('calling', 'pending') ORDER BY a.id`
          ),
        // The subject is locked while the rows are joined and the operation after it, both found by their primary keys.
        /**
         * Locks the subject, then the operation, and settles it if its state is one of `from`, all in one statement.
         * Returns both as they were before; undefined where the operation no longer exists.
         */
        settle: <Subject>(storeId: string, { id, lock, settlement, looks, now }: OperationToSettle) =>
          one(
            sql<ProviderOperation & Subject>`WITH subject AS MATERIALIZED (${lock}), before AS MATERIALIZED (
                SELECT ${columns}, subject.* FROM subject CROSS JOIN ${joined}
                WHERE a.store_id = ${storeId} AND a.id = ${id} FOR UPDATE OF a
              ) ${
                settlement === undefined
                  ? sql``
                  : sql`, settled AS (${settled(settlement, now)} FROM before
                WHERE o.store_id = ${storeId} AND o.id = ${id} AND before.state = ANY(${settlement.from}::text[])
                  AND before.looks = coalesce(${looks ?? null}, before.looks))`
              }
              SELECT * FROM before`
          ),
        /** The charge that this change is of is looked at by `at`. In the transaction that settles the change. */
        lookAtCharge: (storeId: string, changeId: string, at: Date) =>
          none(
            sql`UPDATE provider_operation c SET check_at = least(coalesce(c.check_at, ${at}::timestamptz), ${at})
              FROM provider_operation o WHERE o.store_id = ${storeId} AND o.id = ${changeId} AND c.store_id = ${storeId}
                AND c.id = o.charge_id AND c.state = 'succeeded'`
          ),
        /** Stores the provider's answer, before anybody acts on it. */
        answered: (storeId: string, id: string, looks: number, answer: string) =>
          withCommit(
            sql`UPDATE provider_operation SET answer = ${answer}::jsonb
              WHERE store_id = ${storeId} AND id = ${id} AND looks = ${looks} AND state IN ('calling', 'pending')`
          ),
        /** The stored answer of an operation that is not settled. */
        answerOf: (storeId: string, id: string) =>
          Effect.map(
            one(
              sql<{ readonly answer: unknown }>`SELECT answer FROM provider_operation
                WHERE store_id = ${storeId} AND id = ${id} AND state = 'calling' AND answer IS NOT NULL`
            ),
            (row) => row?.answer
          ),
        /** Takes the look at a charge that waits for the shopper, if the last one was before `since`. */
        claimLook: (
          storeId: string,
          id: string,
          { now, end }: { readonly now: Date; readonly end: Date },
          since: Date
        ) =>
          anyRow(
            sql`UPDATE provider_operation SET check_at = ${end}, updated_at = ${now} WHERE store_id = ${storeId}
                AND id = ${id} AND state = 'awaiting_shopper' AND updated_at <= ${since} RETURNING 1`
          ),
        lockCharges: (storeId: string, subjectId: string) =>
          none(
            sql`SELECT 1 FROM provider_operation WHERE store_id = ${storeId} AND subject_id = ${subjectId}
                AND kind = 'authorize' AND state = 'succeeded' FOR UPDATE`
          ),
        /** The uncaptured rest of this charge is no longer wanted: the operation is due at once. */
        releaseCharge: (storeId: string, subjectId: string, externalId: string, now: Date) =>
          none(
            sql`UPDATE provider_operation SET check_at = ${now}, checks = 0, released_at = ${now}, updated_at = ${now}
              WHERE store_id = ${storeId} AND subject_id = ${subjectId} AND kind = 'authorize' AND state = 'succeeded'
                AND external_id = ${externalId}`
          ),
        // Longer JSON is not sent at all: a message of that size would break the connection.
        /** JSON as stored, null where there is none; undefined where it is longer than `longest` characters as text. */
        detailsOf: (storeId: string, id: string, longest: number) =>
          Effect.map(
            one(
              sql<{
                readonly details: unknown
                readonly isTooLong: boolean
              }>`SELECT CASE WHEN octet_length(details::text) <= ${longest} THEN details END AS details,
                  coalesce(octet_length(details::text) > ${longest}, false) AS is_too_long
                FROM provider_operation WHERE store_id = ${storeId} AND id = ${id}`
            ),
            (row) => (row === undefined || row.isTooLong ? undefined : row.details)
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(ProviderOperationRepository, ProviderOperationRepository.make)
}
