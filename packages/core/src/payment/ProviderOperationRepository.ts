/**
 * The SQL of provider_operation, and the only place that writes it. Only `detailsOf` reads what a room stored with an
 * operation: finding, leasing and locking operations never depends on it.
 */
import { Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import { Database } from "../database/Database.ts"
import { anyRow, many, none, one } from "../database/Repository.ts"
import type {
  OperationDone,
  OperationKind,
  OperationRefusal,
  OperationState,
  ProviderOperation
} from "./ProviderOperation.ts"

export interface NewOperation {
  readonly id: string
  readonly kind: OperationKind
  readonly subjectType: string
  readonly subjectId: string
  /** The operation that made the charge; null if this one makes it. */
  readonly chargeId: string | null
  /** The key of the charge that this operation makes. */
  readonly chargeKey: string | null
  readonly provider: string
  readonly amount: bigint
  readonly currency: string
  /** JSON of the subject's room, with the room's own version. */
  readonly details: string | null
  readonly checkAt: Date
  readonly now: Date
}

/** The states that the outcome applies to, and the state that it leads to. */
export interface Settlement {
  readonly from: ReadonlyArray<OperationState>
  readonly to: ({ readonly state: "succeeded" } & Omit<OperationDone, "state">) | OperationRefusal
}

export interface OperationToSettle {
  readonly id: string
  /** The statement that locks the subject. */
  readonly lock: Statement.Fragment
  /** Absent: the rows are only locked and read. */
  readonly settlement?: Settlement
  readonly now: Date
}

/** Money that no order wants, as sums of its charge. */
export interface UnwantedMoney {
  readonly id: string
  readonly externalId: string
  readonly captured: bigint
  readonly refunded: bigint
  readonly refunding: bigint
  readonly reason: string
}

/** The operation as it was read; if it has changed since, nothing is written. */
export type SeenOperation = Pick<ProviderOperation, "id" | "state" | "captured">

/** Due operations belong to one worker from `now` until `end`. */
export interface Lease {
  readonly now: Date
  readonly end: Date
}

export class ProviderOperationRepository extends Context.Service<ProviderOperationRepository>()(
  "@effect-commerce/core/payment/ProviderOperationRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const columns = sql.literal(
        `a.id, a.kind, a.subject_type, a.subject_id, coalesce(a.charge_key, c.charge_key) AS charge_key, a.provider,
          a.state, coalesce(a.external_id, c.external_id) AS external_id, a.amount, a.captured, a.refunded, a.refunding,
          a.currency, a.checks, a.created_at`
      )
      const withCharge = sql.literal(
        "provider_operation a LEFT JOIN provider_operation c ON c.store_id = a.store_id AND c.id = a.charge_id"
      )

      /** Of what an authorization captures, at most its amount belongs to the room. */
      const settled = ({ to }: Settlement) =>
        to.state === "succeeded"
          ? sql`external_id = ${to.externalId}, error = NULL, refunded = ${to.refunded},
              captured = CASE o.kind WHEN 'authorize' THEN least(${to.captured}, o.amount) ELSE ${to.captured} END`
          : sql`error = ${to.reason}`

      return {
        /**
         * Writes the operation as `calling`. A charge key whose request never arrived is used again for the same
         * amount; false where the key is already taken otherwise. `beside` is a statement of the caller that runs as
         * part of this one; it can read the written operation as a row of `begun`, which is empty if none was written.
         */
        begin: (storeId: string, op: NewOperation, beside?: Statement.Fragment) =>
          anyRow(
            sql`WITH begun AS (
                  INSERT INTO provider_operation (store_id, id, kind, subject_type, subject_id, charge_id, charge_key,
                    provider, state, amount, currency, details, check_at, created_at, updated_at)
                  VALUES (${storeId}, ${op.id}, ${op.kind}, ${op.subjectType}, ${op.subjectId}, ${op.chargeId},
                    ${op.chargeKey}, ${op.provider}, 'calling', ${op.amount}, ${op.currency}, ${op.details}::jsonb,
                    ${op.checkAt}, ${op.now}, ${op.now})
                  ON CONFLICT (store_id, charge_key) DO UPDATE SET id = EXCLUDED.id, state = 'calling',
                    details = EXCLUDED.details, check_at = EXCLUDED.check_at, checks = 0, error = NULL,
                    updated_at = EXCLUDED.updated_at
                  WHERE provider_operation.state = 'absent' AND provider_operation.amount = EXCLUDED.amount
                    AND provider_operation.provider = EXCLUDED.provider
                  RETURNING id
                ) ${beside === undefined ? sql`` : sql`, beside AS (${beside})`}
                SELECT 1 FROM begun`
          ),
        find: (storeId: string, id: string) =>
          one(
            sql<ProviderOperation>`SELECT ${columns} FROM ${withCharge} WHERE a.store_id = ${storeId} AND a.id = ${id}`
          ),
        findByKey: (storeId: string, provider: string, chargeKey: string) =>
          one(
            sql<ProviderOperation>`SELECT ${columns} FROM ${withCharge}
              WHERE a.store_id = ${storeId} AND a.charge_key = ${chargeKey} AND a.provider = ${provider}`
          ),
        // provider_operation_store_id_subject_id_idx serves this, `lockCharges` and `releaseCharge`.
        /** The successful authorization that made this charge of a subject. */
        findCharge: (storeId: string, subjectId: string, externalId: string) =>
          one(
            sql<ProviderOperation>`SELECT ${columns} FROM ${withCharge}
              WHERE a.store_id = ${storeId} AND a.subject_id = ${subjectId} AND a.kind = 'authorize'
                AND a.state = 'succeeded' AND a.external_id = ${externalId}`
          ),
        // The subject is locked while the rows are joined and the operation after it, both found by their primary keys.
        /**
         * Locks the subject, then the operation, and settles it if its state is one of `from`, all in one statement.
         * Returns both as they were before; undefined where the operation no longer exists.
         */
        settle: <Subject>(storeId: string, { id, lock, settlement, now }: OperationToSettle) =>
          one(
            sql<ProviderOperation & Subject>`WITH subject AS MATERIALIZED (${lock}), before AS MATERIALIZED (
                SELECT ${columns}, subject.* FROM subject CROSS JOIN ${withCharge}
                WHERE a.store_id = ${storeId} AND a.id = ${id} FOR UPDATE OF a
              ) ${
                settlement === undefined
                  ? sql``
                  : sql`, settled AS (
                UPDATE provider_operation o SET state = ${settlement.to.state}, ${settled(settlement)}, check_at = NULL,
                  checks = o.checks + 1, updated_at = ${now} FROM before
                WHERE o.store_id = ${storeId} AND o.id = ${id} AND before.state = ANY(${settlement.from}::text[]))`
              }
              SELECT * FROM before`
          ),
        /** Sets `refund_due`. Under lock. */
        markUnwanted: (
          storeId: string,
          { id, externalId, captured, refunded, refunding, reason }: UnwantedMoney,
          now: Date
        ) =>
          none(
            sql`UPDATE provider_operation SET state = 'refund_due', external_id = ${externalId}, captured = ${captured},
                refunded = ${refunded}, refunding = ${refunding}, error = ${reason}, check_at = ${now},
                checks = checks + 1, updated_at = ${now} WHERE store_id = ${storeId} AND id = ${id}`
          ),
        /** It is checked again at `checkAt`. */
        postpone: (
          storeId: string,
          seen: SeenOperation,
          { error, checkAt, now }: { readonly error: string; readonly checkAt: Date; readonly now: Date }
        ) =>
          none(
            sql`UPDATE provider_operation SET error = ${error}, check_at = ${checkAt}, checks = checks + 1,
                updated_at = ${now}
              WHERE store_id = ${storeId} AND id = ${seen.id} AND state = ${seen.state} AND captured = ${seen.captured}`
          ),
        /** Nothing is left to check. `state` is unchanged unless given. */
        close: (
          storeId: string,
          seen: SeenOperation,
          {
            state = seen.state,
            error,
            now
          }: { readonly state?: OperationState; readonly error: string | null; readonly now: Date }
        ) =>
          none(
            sql`UPDATE provider_operation SET state = ${state}, error = ${error}, check_at = NULL, checks = checks + 1,
                updated_at = ${now}
              WHERE store_id = ${storeId} AND id = ${seen.id} AND state = ${seen.state} AND captured = ${seen.captured}`
          ),
        /**
         * Records that a refund of all captured money is about to be requested, unless one is under way. Returns the
         * sum that the refund brings `refunded` up to; undefined where the operation has changed.
         */
        beginRefund: (storeId: string, { id, refunded }: Pick<ProviderOperation, "id" | "refunded">, now: Date) =>
          Effect.map(
            one(
              sql<{ readonly refunding: bigint }>`UPDATE provider_operation SET updated_at = ${now},
                  refunding = CASE WHEN refunding <= refunded THEN captured ELSE refunding END
                WHERE store_id = ${storeId} AND id = ${id} AND state = 'refund_due' AND refunded = ${refunded}
                RETURNING refunding`
            ),
            (row) => row?.refunding
          ),
        /**
         * Records that `refunded` of the unwanted money has been refunded. Returns the operation if that is new and all
         * of it is.
         */
        recordRefund: (storeId: string, id: string, refunded: bigint, now: Date) =>
          one(
            sql<ProviderOperation>`WITH recorded AS (
                UPDATE provider_operation SET refunded = least(${refunded}, captured), error = NULL,
                  state = CASE WHEN ${refunded} >= captured THEN 'refunded' ELSE state END,
                  check_at = CASE WHEN ${refunded} >= captured THEN NULL ELSE ${now}::timestamptz END,
                  checks = checks + 1, updated_at = ${now}
                WHERE store_id = ${storeId} AND id = ${id} AND state = 'refund_due' AND refunded < ${refunded}
                RETURNING *)
              SELECT ${columns} FROM recorded a LEFT JOIN provider_operation c
                ON c.store_id = a.store_id AND c.id = a.charge_id WHERE a.state = 'refunded'`
          ),
        lockCharges: (storeId: string, subjectId: string) =>
          none(
            sql`SELECT 1 FROM provider_operation WHERE store_id = ${storeId} AND subject_id = ${subjectId}
                AND kind = 'authorize' AND state = 'succeeded' FOR UPDATE`
          ),
        /** The uncaptured rest of this charge is no longer wanted: the operation is due at once. */
        releaseCharge: (storeId: string, subjectId: string, externalId: string, now: Date) =>
          none(
            sql`UPDATE provider_operation SET check_at = ${now}, checks = 0, updated_at = ${now}
              WHERE store_id = ${storeId} AND subject_id = ${subjectId} AND kind = 'authorize' AND state = 'succeeded'
                AND external_id = ${externalId}`
          ),
        // Longer JSON is not sent at all: a message of that size would break the connection.
        /** JSON as stored; undefined where it is longer than `longest` characters as text. */
        detailsOf: (storeId: string, id: string, longest: number) =>
          Effect.map(
            one(
              sql<{ readonly details: unknown }>`SELECT CASE WHEN octet_length(details::text) <= ${longest} THEN details
                  END AS details FROM provider_operation WHERE store_id = ${storeId} AND id = ${id}`
            ),
            (row) => row?.details ?? undefined
          ),
        /** The stores with a due operation or a due notice. */
        storesWithDue: (now: Date) =>
          many(
            sql<{ readonly storeId: string }>`SELECT store_id FROM provider_operation WHERE check_at <= ${now}
                UNION SELECT store_id FROM provider_event WHERE applied_at IS NULL AND set_aside IS NULL
                  AND coalesce(check_at, received_at) <= ${now}`,
            ({ storeId }) => storeId
          ),
        // provider_operation_store_id_check_at_idx serves it.
        /** Leases due operations to this worker. */
        claimDue: (storeId: string, { now, end }: Lease, limit: number) =>
          many(
            sql<{ readonly id: string }>`WITH due AS (
                  SELECT id FROM provider_operation WHERE store_id = ${storeId} AND check_at <= ${now}
                  ORDER BY check_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
                )
                UPDATE provider_operation a SET check_at = ${end} FROM due
                WHERE a.store_id = ${storeId} AND a.id = due.id RETURNING a.id`,
            ({ id }) => id
          )
      }
    })
  }
) {
  static readonly layer = Layer.effect(ProviderOperationRepository, ProviderOperationRepository.make)
}
