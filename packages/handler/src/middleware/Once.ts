/**
 * Runs a request once per Idempotency-Key: every 2xx and 4xx and a 500 of the handler are stored and replayed byte for
 * byte; 401, 429 and 503 are never stored. While one request runs, another one with the same key is an error at once.
 */
import type { ClaimUnavailable } from "@effect-commerce/core/database/DatabaseErrors"
import type { IdempotencyKey, IdempotencyRecords, SavedResponse } from "@effect-commerce/core/guard/IdempotencyRecords"
import { sha256Hex } from "@effect-commerce/core/crypto/Hashing"
import { classify } from "@effect-commerce/core/database/SqlErrors"
import { Cause, Effect, Schedule } from "effect"
import { HttpServerResponse } from "effect/http"
import { IdempotencyKeyInFlight, IdempotencyKeyReused } from "./Refusals.ts"

export const maxKeyLength = 255

/** What makes a request the same request: method, path and the exact bytes of its body. */
export const fingerprint = (method: string, path: string, bytes: Uint8Array): string => {
  const head = Buffer.from(`${method}\n${path}\n`)
  return sha256Hex(Buffer.concat([head, bytes]))
}

/** Names the request that is sent under this key with this fingerprint (core's `RequestKey`). */
export const requestKeyOf = ({ credential, key }: IdempotencyKey, print: string): string =>
  sha256Hex(JSON.stringify([credential, key, print]))

const notKept = new Set([401, 429, 503])

/** A response that asks for a retry (Retry-After) is not the request's outcome and is not stored. */
const isPassing = (response: HttpServerResponse.HttpServerResponse): boolean =>
  notKept.has(response.status) || response.headers["retry-after"] !== undefined

/** Stores a response under the key of this run. */
export type Keep = (response: HttpServerResponse.HttpServerResponse) => Effect.Effect<void>

/**
 * `run` may store its response itself, in the transaction of its writes, so that a crash leaves both or neither; any
 * other response is stored here.
 */
export const once = (
  records: IdempotencyRecords["Service"],
  key: IdempotencyKey,
  print: string,
  owner: string,
  run: (keep: Keep) => Effect.Effect<HttpServerResponse.HttpServerResponse>
): Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  IdempotencyKeyReused | IdempotencyKeyInFlight | ClaimUnavailable
> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(
      records.claim(key, print, owner),
      (claim): Effect.Effect<HttpServerResponse.HttpServerResponse, IdempotencyKeyReused | IdempotencyKeyInFlight> => {
        switch (claim._tag) {
          case "Reused":
            return Effect.fail(new IdempotencyKeyReused())
          case "InFlight":
            return Effect.fail(new IdempotencyKeyInFlight())
          case "Saved":
            return Effect.succeed(replay(claim.response))
          case "Mine": {
            let isKept = false
            const keep: Keep = (response) => {
              const saved = savedOf(response)
              isKept = saved !== undefined && !isPassing(response)
              return saved === undefined || isPassing(response)
                ? records.release(key, owner)
                : records.save(key, owner, saved)
            }
            return restore(run(keep)).pipe(
              Effect.onInterrupt(() => records.release(key, owner)),
              Effect.tap((response) => {
                // The response was stored in the transaction of its writes. A later error was not: it rolled the
                // transaction back, with the stored response.
                if (isKept && response.status < 400) return Effect.void
                // The caller gets the response even if it cannot be stored, because its writes are committed. Until the
                // lease ends, a retry is an error.
                return Effect.catchCause(response.status < 400 ? patiently(keep(response)) : keep(response), (cause) =>
                  Effect.logError("The response under an Idempotency-Key could not be stored", cause)
                )
              })
            )
          }
        }
      }
    )
  )

/**
 * How often, at which interval in milliseconds, storing the response is tried again if the connection to the database
 * was just lost: for 5 s.
 */
const keepAgain = { schedule: Schedule.spaced(100), times: 50 }

/**
 * A shopper whose purchase was committed just before an outage waits for its end, and a retry under the same key gets
 * the same response.
 */
const patiently = (keep: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.sandbox(keep).pipe(
    Effect.retry({ ...keepAgain, while: (cause) => classify(Cause.squash(cause)) === "unavailable" }),
    Effect.catch(Effect.failCause)
  )

const replay = (saved: SavedResponse): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.uint8Array(saved.body, {
    status: saved.status,
    contentType: saved.contentType,
    headers: { "idempotency-replayed": "true" }
  })

const savedOf = (response: HttpServerResponse.HttpServerResponse): SavedResponse | undefined => {
  const { body, status } = response
  if (body._tag === "Uint8Array") return { status, contentType: body.contentType, body: body.body }
  return body._tag === "Empty" ? { status, contentType: "application/json", body: new Uint8Array(0) } : undefined
}
