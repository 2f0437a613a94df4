/**
 * One record per Idempotency-Key of a credential and store: the first response is kept for 24 hours and replayed. A
 * claim is a lease: a process that dies while it runs a request blocks the key for `lease` at most.
 */
import { Cause, Clock, Context, Effect, Layer } from "effect"
import { SqlError } from "effect/sql"
import { Database } from "../database/Database.ts"
import { ClaimUnavailable } from "../database/DatabaseErrors.ts"
import { none } from "../database/Repository.ts"
import { sweepInBatches } from "./internal/sweepInBatches.ts"
import { replayWindow } from "./RequestKey.ts"

export interface IdempotencyKey {
  readonly storeId: string
  readonly credential: string
  readonly key: string
}

export interface SavedResponse {
  readonly status: number
  readonly contentType: string
  readonly body: Uint8Array
}

/**
 * The result of a claim. `Mine`: the request may run. `Saved`: the response of an earlier run. `InFlight`: the same
 * request is still running. `Reused`: another request was sent under the key.
 */
export type Claim =
  | { readonly _tag: "Mine" }
  | { readonly _tag: "Saved"; readonly response: SavedResponse }
  | { readonly _tag: "InFlight" }
  | { readonly _tag: "Reused" }

/** Milliseconds. */
const lease = 30_000

interface Row {
  readonly mine: boolean
  readonly fingerprint: string
  readonly status: number | null
  readonly contentType: string | null
  readonly body: Uint8Array | null
}

export class IdempotencyRecords extends Context.Service<IdempotencyRecords>()(
  "@effect-commerce/core/guard/IdempotencyRecords",
  {
    make: Effect.map(Database, ({ sql, withCommit }) => {
      const where = (key: IdempotencyKey, owner: string) =>
        sql`store_id = ${key.storeId} AND credential = ${key.credential} AND key = ${key.key} AND owner = ${owner}`

      return {
        /**
         * Claims the key for `owner`, or reads its record, in one statement: DO UPDATE sees a row that was committed
         * meanwhile, DO NOTHING with a SELECT would not. A record is taken over when its 24 hours are over, or when its
         * owner's lease ended before a response was saved.
         */
        claim: Effect.fnUntraced(function* (
          key: IdempotencyKey,
          fingerprint: string,
          owner: string
        ): Effect.fn.Return<Claim, ClaimUnavailable> {
          const now = yield* Clock.currentTimeMillis
          const at = new Date(now)
          const free = sql`(i.expires_at <= ${at} OR
            (i.status IS NULL AND i.claimed_until <= ${at} AND i.fingerprint = EXCLUDED.fingerprint))`
          const rows = yield* unavailable(
            sql<Row>`INSERT INTO idempotency AS i (store_id, credential, key, fingerprint, owner, claimed_until,
              expires_at)
              VALUES (${key.storeId}, ${key.credential}, ${key.key}, ${fingerprint}, ${owner}, ${new Date(now + lease)},
                ${new Date(now + replayWindow)})
              ON CONFLICT (store_id, credential, key) DO UPDATE SET
                owner = CASE WHEN ${free} THEN EXCLUDED.owner ELSE i.owner END,
                fingerprint = CASE WHEN ${free} THEN EXCLUDED.fingerprint ELSE i.fingerprint END,
                status = CASE WHEN ${free} THEN NULL ELSE i.status END,
                content_type = CASE WHEN ${free} THEN NULL ELSE i.content_type END,
                body = CASE WHEN ${free} THEN NULL ELSE i.body END,
                claimed_until = CASE WHEN ${free} THEN EXCLUDED.claimed_until ELSE i.claimed_until END,
                expires_at = CASE WHEN ${free} THEN EXCLUDED.expires_at ELSE i.expires_at END
              RETURNING owner = ${owner} AS mine, fingerprint, status, content_type, body`
          )
          return claimOf(rows[0], fingerprint)
        }),

        save: (key: IdempotencyKey, owner: string, response: SavedResponse): Effect.Effect<void> =>
          withCommit(
            sql`UPDATE idempotency SET status = ${response.status}, content_type = ${response.contentType},
              body = ${response.body}
              WHERE ${where(key, owner)} AND status IS NULL`
          ),

        /** Releases the key, as if it had never been sent. */
        release: (key: IdempotencyKey, owner: string): Effect.Effect<void> =>
          none(sql`DELETE FROM idempotency WHERE ${where(key, owner)} AND status IS NULL`),

        /** Removes records whose 24 hours are over. */
        sweep: Effect.flatMap(Clock.currentTimeMillis, (now) =>
          sweepInBatches(
            (most) =>
              // idempotency_expires_at_idx
              sql`DELETE FROM idempotency WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM idempotency WHERE expires_at <= ${new Date(now)} LIMIT ${most} FOR UPDATE SKIP LOCKED))
                  RETURNING 1`
          )
        )
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}

/** Any failure of the database, also one that the driver throws, means that no key was claimed. */
const unavailable = <A>(self: Effect.Effect<A, SqlError.SqlError>): Effect.Effect<A, ClaimUnavailable> =>
  Effect.catchCause(self, (cause) => {
    const failure = Cause.squash(cause)
    return SqlError.isSqlError(failure)
      ? Effect.fail(new ClaimUnavailable({ cause: failure }))
      : Effect.failCause(cause as Cause.Cause<never>)
  })

const claimOf = (row: Row | undefined, fingerprint: string): Claim => {
  if (row === undefined) return { _tag: "InFlight" }
  if (row.mine) return { _tag: "Mine" }
  if (row.fingerprint !== fingerprint) return { _tag: "Reused" }
  if (row.status === null || row.body === null) return { _tag: "InFlight" }
  return {
    _tag: "Saved",
    response: { status: row.status, contentType: row.contentType ?? "application/json", body: row.body }
  }
}
