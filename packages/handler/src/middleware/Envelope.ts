/**
 * The one error envelope: every failure, wherever it is raised, becomes a response in `enveloped`, and nowhere else.
 * The root gives it the table of all errors.
 */
import { classify } from "@effect-commerce/core/database/SqlErrors"
import { Cause, Clock, Context, Effect, Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiError } from "effect/http-api"
import { bounded, shortened } from "./BoundedAnswer.ts"
import { type Code, codes } from "./Codes.ts"
import type { ErrorRow, ErrorTable } from "./ErrorRow.ts"
import { Exchange } from "./Exchange.ts"
import { issuesByField } from "./FieldIssues.ts"
import { fieldErrors } from "./pipelineErrors.ts"

export interface Refusal {
  readonly code: Code
  readonly message: string
  readonly details?: Record<string, unknown>
  readonly headers?: Record<string, string>
  /** The server is at fault and the cause belongs in the log; false for expected errors, whatever their status. */
  readonly incident?: boolean
  /** A line of the log, without a stack, about an error that the merchant should know of. */
  readonly warning?: string
}

const unavailable: Refusal = {
  code: "SERVICE_TEMPORARILY_UNAVAILABLE",
  message: "The database cannot be reached; nothing was processed. Retry shortly",
  headers: { "retry-after": "1" },
  incident: true
}
const outOfRange: Refusal = {
  code: "VALIDATION_FAILED",
  message: "A value is out of the range that can be stored",
  details: { errors: {} }
}
const broken: Refusal = { code: "INTERNAL_SERVER_ERROR", message: "Internal server error", incident: true }

const invalid = (error: HttpApiError.HttpApiSchemaError): Refusal => {
  if (error.kind === "Body" || error.kind === "ResponseHeaders") return broken
  return { code: "VALIDATION_FAILED", ...fieldErrors(issuesByField(error.cause.issue, error.kind.toLowerCase())) }
}

/** An expected error, by its row in the table. */
const listed = (row: ErrorRow<unknown>, error: object): Refusal => {
  const details = row.details?.(error)
  const headers = row.headers?.(error)
  const warning = row.warning?.(error)
  return {
    code: row.code,
    message: row.message(error),
    incident: codes[row.code] === 500 && warning === undefined,
    ...(warning === undefined ? {} : { warning }),
    ...(details === undefined ? {} : { details }),
    ...(headers === undefined ? {} : { headers })
  }
}

/** Turns any failure into the error that the caller gets. An unknown one is 500 and reveals no details. */
const makeRefusalOf =
  (table: ErrorTable) =>
  (error: unknown): Refusal => {
    if (HttpApiError.HttpApiSchemaError.is(error)) return invalid(error)
    if (typeof error === "object" && error !== null && "_tag" in error && typeof error._tag === "string") {
      const row = Object.hasOwn(table, error._tag) ? table[error._tag] : undefined
      if (row !== undefined) return listed(row as ErrorRow<unknown>, error)
    }
    switch (classify(error)) {
      case "unavailable":
        return unavailable
      case "conflict":
        return { code: "CONFLICT", message: "The request conflicts with another change; retry it" }
      case "invalid":
        return outOfRange
      case "bug":
        return broken
    }
  }

export const refusalBody = (refusal: Refusal, path: string, now: number) => {
  const { message, details } = bounded(refusal)
  const told = {
    statusCode: codes[refusal.code],
    code: refusal.code,
    message,
    ...(details === undefined ? {} : { details })
  }
  return { ...told, timestamp: new Date(now).toISOString(), path: shortened(path) }
}

const render = (refusal: Refusal, path: string, now: number) => {
  const body = refusalBody(refusal, path, now)
  return HttpServerResponse.jsonUnsafe(body, {
    status: body.statusCode,
    ...(refusal.headers === undefined ? {} : { headers: refusal.headers })
  })
}

/** Under the request id that the caller was given. */
const logged = ({ code, incident, warning }: Refusal, cause: Cause.Cause<unknown>) =>
  Effect.flatMap(Exchange, ({ id }) => {
    const what = id === "" ? code : `${code} ${id}`
    if (incident === true) return Effect.logError(what, cause)
    return warning === undefined ? Effect.void : Effect.logWarning(`${what}: ${warning}`)
  })

const makeEnvelope = (table: ErrorTable) => {
  const refusalOf = makeRefusalOf(table)
  return {
    /** The error of one row of many: what the route of that row alone would return. */
    rowError: (error: unknown) => {
      const { code, message, details } = refusalOf(error)
      return { code, message, ...(details === undefined ? {} : { details }) }
    },
    /**
     * Turns every failure of the effect into a response. A client that disconnected is not an error and passes through.
     * Only a 500 and an unreachable database are logged with a stack.
     */
    enveloped:
      (path: string) =>
      <E, R>(
        self: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
      ): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R> =>
        Effect.catchCause(self, (cause) => {
          if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
          const refusal = refusalOf(Cause.squash(cause))
          const answer = Effect.map(Clock.currentTimeMillis, (now) => render(refusal, path, now))
          return Effect.andThen(logged(refusal, cause), answer)
        })
  }
}

export class Envelope extends Context.Service<Envelope, ReturnType<typeof makeEnvelope>>()(
  "@effect-commerce/handler/middleware/Envelope"
) {
  static readonly layer = (table: ErrorTable) => Layer.succeed(Envelope, makeEnvelope(table))
}
