/** The error for invalid values in a body, shared by all rooms; callers get it as VALIDATION_FAILED. */
import { Effect, Result, Schema } from "effect"
import { blankProblem, type FieldErrors, problemsOf } from "./FieldErrors.ts"

/** A well-formed value that cannot be accepted; `field` is its path in the body. */
export class FieldRejected extends Schema.TaggedError<FieldRejected>()("FieldRejected", {
  field: Schema.String,
  reason: Schema.String,
  /** The errors of other fields, path to reason. */
  others: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
}) {
  /** The error of one field. Like every tagged error it is also an effect that fails with itself. */
  static at(field: string, reason: string): FieldRejected {
    return new FieldRejected({ field, reason })
  }
}

/** Every rejected field, path to reason. */
export const rejectedFields = ({ field, reason, others }: FieldRejected): FieldErrors => ({
  [field]: reason,
  ...others
})

/** The error for these fields; undefined if there are none. */
export const fieldsRejected = (errors: FieldErrors): FieldRejected | undefined => {
  const [first, ...others] = Object.entries(errors)
  if (first === undefined) return undefined
  const [field, reason] = first
  return new FieldRejected({ field, reason, ...(others.length === 0 ? {} : { others: Object.fromEntries(others) }) })
}

/** Fails with one error for all these fields, if there are any. */
export const rejectFields = (errors: FieldErrors): Effect.Effect<void, FieldRejected> => {
  const rejected = fieldsRejected(errors)
  return rejected === undefined ? Effect.void : Effect.fail(rejected)
}

/** Rejects blank text; undefined passes. */
export const checkFilled = (field: string, given: string | undefined): Effect.Effect<void, FieldRejected> =>
  rejectFields(problemsOf({ [field]: blankProblem(given) }))

/** Merges errors in the order in which they were found; of two reasons for a field the first is kept. */
const together = (errors: FieldErrors, more: FieldErrors): FieldErrors => ({ ...errors, ...more, ...errors })

type Values<Checks> = { [K in keyof Checks]: Checks[K] extends Effect.Effect<infer A, infer _E, infer _R> ? A : never }
type Failures<Checks> = Checks[keyof Checks] extends Effect.Effect<infer _A, infer E, infer _R> ? E : never
type Needs<Checks> = Checks[keyof Checks] extends Effect.Effect<infer _A, infer _E, infer R> ? R : never

/** Runs the checks in order and collects their results. */
const collected = Effect.fnUntraced(function* <A, E, R>(
  checks: Iterable<Effect.Effect<A, E, R>>
): Effect.fn.Return<ReadonlyArray<A>, E | FieldRejected, R> {
  const values: Array<A> = []
  let errors: FieldErrors = {}
  for (const check of checks) {
    const result = yield* Effect.result(check)
    if (Result.isSuccess(result)) values.push(result.success)
    else if (result.failure instanceof FieldRejected) errors = together(errors, rejectedFields(result.failure))
    else if (Object.keys(errors).length === 0) return yield* Effect.fail(result.failure)
    else break
  }
  yield* rejectFields(errors)
  return values
})

/**
 * Runs independent checks in order and returns their results. All fields that they reject become one error. Any other
 * error ends the checks at once; if fields were rejected before it, their error is returned instead.
 */
export const checkAll = <const Checks extends Readonly<Record<string, Effect.Effect<unknown, unknown, unknown>>>>(
  checks: Checks
): Effect.Effect<Values<Checks>, Failures<Checks> | FieldRejected, Needs<Checks>> => {
  const names = Object.keys(checks)
  return Effect.map(collected(Object.values(checks)), (values) =>
    Object.fromEntries(names.map((name, i) => [name, values[i]]))
  ) as Effect.Effect<never, never, never>
}

/** The same for each item of a list: every item is checked, even after one that is rejected. */
export const checkEach = <A, B, E, R>(
  items: ReadonlyArray<A>,
  check: (item: A, index: number) => Effect.Effect<B, E, R>
): Effect.Effect<ReadonlyArray<B>, E | FieldRejected, R> =>
  collected(items.map((item, i) => Effect.suspend(() => check(item, i))))

/**
 * A check whose result others need. If it rejects fields, `others` are run without that result, only to add the fields
 * that they reject.
 */
export const checkBeside = <A, E, R, E2, R2>(
  check: Effect.Effect<A, E, R>,
  others: Effect.Effect<unknown, E2, R2>
): Effect.Effect<A, E | FieldRejected, R | R2> =>
  Effect.catch(
    check,
    (failure): Effect.Effect<A, E | FieldRejected, R2> =>
      failure instanceof FieldRejected
        ? Effect.matchEffect(others, {
            onSuccess: () => Effect.fail(failure),
            onFailure: (other) =>
              Effect.fail(
                (other instanceof FieldRejected
                  ? fieldsRejected(together(rejectedFields(failure), rejectedFields(other)))
                  : undefined) ?? failure
              )
          })
        : Effect.fail(failure)
  )
