/** The one error about values of a body that every room shares; callers get it as VALIDATION_FAILED. */
import { Effect, Result, Schema } from "effect"
import { blankProblem, type FieldErrors, problemsOf } from "./FieldErrors.ts"

/** Values that are well-formed and yet cannot be accepted; `field` is the path of the body's field. */
export class FieldRejected extends Schema.TaggedError<FieldRejected>()("FieldRejected", {
  field: Schema.String,
  reason: Schema.String,
  /** What is wrong with other fields, path to reason. */
  others: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
}) {
  /** What is wrong with one field. Like every tagged error it is also an effect that fails with itself. */
  static at(field: string, reason: string): FieldRejected {
    return new FieldRejected({ field, reason })
  }
}

/** Every field that was refused, path to reason. */
export const rejectedFields = ({ field, reason, others }: FieldRejected): FieldErrors => ({
  [field]: reason,
  ...others
})

/** The error that names these fields; undefined where there are none. */
export const fieldsRejected = (errors: FieldErrors): FieldRejected | undefined => {
  const [first, ...others] = Object.entries(errors)
  if (first === undefined) return undefined
  const [field, reason] = first
  return new FieldRejected({ field, reason, ...(others.length === 0 ? {} : { others: Object.fromEntries(others) }) })
}

/** Fails with all that is wrong, if anything is. */
export const rejectFields = (errors: FieldErrors): Effect.Effect<void, FieldRejected> => {
  const rejected = fieldsRejected(errors)
  return rejected === undefined ? Effect.void : Effect.fail(rejected)
}

/** Refuses text that says nothing, where it is given at all. */
export const checkFilled = (field: string, given: string | undefined): Effect.Effect<void, FieldRejected> =>
  rejectFields(problemsOf({ [field]: blankProblem(given) }))

/** In the order in which they were found; for a field that was rejected twice the first reason is reported. */
const together = (errors: FieldErrors, more: FieldErrors): FieldErrors => ({ ...errors, ...more, ...errors })

type Values<Checks> = { [K in keyof Checks]: Checks[K] extends Effect.Effect<infer A, infer _E, infer _R> ? A : never }
type Failures<Checks> = Checks[keyof Checks] extends Effect.Effect<infer _A, infer E, infer _R> ? E : never
type Needs<Checks> = Checks[keyof Checks] extends Effect.Effect<infer _A, infer _E, infer R> ? R : never

/** What the checks made, in their order. */
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
 * Runs checks that do not need each other, in their order, and answers what they made. What several of them reject is
 * one error that names every field. Any other error ends it at once; where it comes behind rejected fields, these are
 * the answer.
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
 * A check whose result others need. Where it rejects fields, `others` are tried without that result, only for the
 * fields that they reject besides.
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
