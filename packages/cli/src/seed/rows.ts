/**
 * Reads rows of a store description: the API's create bodies plus `externalId`. An error of a row names all fields that
 * are wrong with it.
 */
import { makeBodyKeys } from "@effect-commerce/core/body/BodyKeys"
import { issueWords } from "@effect-commerce/core/body/IssueWords"
import { Result, Schema } from "effect"
import { Refused } from "../Refused.ts"

export const optional = Schema.optionalKey
export const nullable = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** The row as the use cases take it. Names that are no fields of it, nor `also` known to its loader, are refused. */
export const readRow = <S extends Schema.Top & Schema.ConstraintDecoder<unknown>>(
  schema: S,
  kind: string,
  row: { readonly externalId: string },
  also: ReadonlyArray<string> = []
): Result.Result<S["Type"], Refused> => {
  const { value, errors } = makeBodyKeys([schema], [], { also: ["externalId", ...also] })(row)
  const read = Schema.decodeUnknownResult(schema, { errors: "all" })(value)
  const unknown = Object.entries(errors).map(([field, words]) => `${field}: ${words}`)
  const wrong = Result.isFailure(read) ? [...issueWords(read.failure.issue)] : []
  const problems = [...unknown, ...wrong.map(([field, words]) => `${field} ${words}`)]
  return Result.isFailure(read) || problems.length > 0
    ? Result.fail(refusedRow(kind, row.externalId, problems.join("; ")))
    : Result.succeed(read.success)
}

export const refusedRow = (kind: string, externalId: string, why: string): Refused =>
  new Refused(`${kind} ${externalId}: ${why.replaceAll(/\s*\n\s*/g, " ")}; nothing was loaded`)
