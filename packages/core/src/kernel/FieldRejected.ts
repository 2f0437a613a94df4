/** The one refusal of values that every room shares (interface.md, Errors: VALIDATION_FAILED). */
import { Effect, Result, Schema } from "effect"
import type { FieldErrors } from "./FieldErrors.ts"

/** Values that are well-formed and yet cannot be accepted; `field` is the path of the body's field. */
export class FieldRejected extends Schema.TaggedError<FieldRejected>()("FieldRejected", {
  field: Schema.String,
  reason: Schema.String,
  /** What is wrong with other fields, path to reason. */
  others: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
}) {}

/** Every field that was refused, path to reason. */
export const rejectedFields = ({ field, reason, others }: FieldRejected): FieldErrors => ({
  [field]: reason,
  ...others
})

/** Fails with all that is wrong, if anything is. */
export const rejectFields = (errors: FieldErrors): Effect.Effect<void, FieldRejected> => {
  const [first, ...others] = Object.entries(errors)
  if (first === undefined) return Effect.void
  const [field, reason] = first
  return Effect.fail(
    new FieldRejected({ field, reason, ...(others.length === 0 ? {} : { others: Object.fromEntries(others) }) })
  )
}

type Values<Checks> = { [K in keyof Checks]: Checks[K] extends Effect.Effect<infer A, infer _E, infer _R> ? A : never }
type Failures<Checks> = Checks[keyof Checks] extends Effect.Effect<infer _A, infer E, infer _R> ? E : never
type Needs<Checks> = Checks[keyof Checks] extends Effect.Effect<infer _A, infer _E, infer R> ? R : never

/**
 * Runs checks that do not need each other, in their order, and answers what they made. What several of them reject is
 * one error that names every field; any other error ends it at once.
 */
export const checkAll = <const Checks extends Readonly<Record<string, Effect.Effect<unknown, unknown, unknown>>>>(
  checks: Checks
): Effect.Effect<Values<Checks>, Failures<Checks> | FieldRejected, Needs<Checks>> =>
  Effect.gen(function* () {
    const values: Record<string, unknown> = {}
    let errors: FieldErrors = {}
    for (const [name, check] of Object.entries(checks)) {
      const result = yield* Effect.result(check)
      if (Result.isSuccess(result)) values[name] = result.success
      else if (result.failure instanceof FieldRejected) errors = { ...rejectedFields(result.failure), ...errors }
      else return yield* Effect.fail(result.failure)
    }
    yield* rejectFields(errors)
    return values
  }) as Effect.Effect<never, never, never>
