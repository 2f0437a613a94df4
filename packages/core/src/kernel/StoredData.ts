/**
 * Data that one release stores and another release reads: a schema with a version number. Reading checks the version,
 * upgrades older data and decodes the result, so that no release works with a shape that it does not know.
 */
import { Effect, Result, Schema, SchemaIssue } from "effect"

/** Stored data that this release cannot read; `reason` completes the sentence "It cannot be read: ...". */
export class StoredDataUnreadable extends Schema.TaggedError<StoredDataUnreadable>()("StoredDataUnreadable", {
  reason: Schema.String
}) {}

/** Upgrades the data of one version to the next. */
export type Upgrade = (data: unknown) => unknown

export interface Stored {
  readonly data: unknown
  /** Absent: written before versions were stored, so version 1. */
  readonly version?: number | null
}

/** The version that data are written with; `upgrades[0]` turns version 1 into version 2, and so on. */
export const versionOf = (upgrades: ReadonlyArray<Upgrade>): number => upgrades.length + 1

const firstIssue = SchemaIssue.makeFormatterStandardSchemaV1()

const whyNot = (error: Schema.SchemaError): string => {
  const [issue] = firstIssue(error.issue).issues
  const path = (issue?.path ?? []).map((part) => String(typeof part === "object" ? part.key : part)).join(".")
  return `its data have another shape${path === "" ? "" : `, at ${path}`}`
}

/** Applies the upgrades; one that throws has got data that do not match their version. */
const upgraded = (data: unknown, upgrades: ReadonlyArray<Upgrade>, from: number) =>
  Effect.try({
    try: () => upgrades.slice(from - 1).reduce((older, upgrade) => upgrade(older), data),
    catch: () =>
      new StoredDataUnreadable({
        reason: `its data cannot be brought from version ${from} to version ${versionOf(upgrades)}`
      })
  })

/**
 * Reads stored data by `schema`, the newest version's or a part of it. The reason of a failure names the field and not
 * its value, so that it can be logged.
 */
export const storedReader = <S extends Schema.ConstraintDecoder<unknown>>(
  schema: S,
  upgrades: ReadonlyArray<Upgrade> = []
): ((stored: Stored) => Effect.Effect<S["Type"], StoredDataUnreadable>) => {
  const decode = Schema.decodeUnknownResult(schema)
  const newest = versionOf(upgrades)
  return ({ data, version }) => {
    const from = version ?? 1
    if (from > newest) {
      const reason = `it has version ${from}, and this release reads versions up to ${newest}`
      return Effect.fail(new StoredDataUnreadable({ reason }))
    }
    return Effect.flatMap(upgraded(data, upgrades, from), (current) =>
      Effect.fromResult(
        Result.mapError(decode(current), (error) => new StoredDataUnreadable({ reason: whyNot(error) }))
      )
    )
  }
}
