/**
 * The field schemas that every room shares, so that one kind of value has one bound, one shape and one description in
 * the API document. Lengths are of UTF-16 code units.
 */
import { Schema } from "effect"

/** Text of at most `max` characters: whatever is stored, looked up or repeated has a bound. */
export const text = (max: number) => Schema.String.pipe(Schema.check(Schema.isMaxLength(max)))

/** Text that may be absent, or null to remove it. */
export const optionalText = (max: number) => Schema.optionalKey(Schema.NullOr(text(max)))

/** An id, a token or a code as a caller gives it: longer ones name nothing. */
export const Reference = Schema.NonEmptyString.pipe(Schema.check(Schema.isMaxLength(200)))

/**
 * The same schema with its description, and a real value, for the API document. A description is a sentence for a
 * person who integrates a shop: what the value means, its unit, when it is null.
 */
export const described = <S extends Schema.Top>(schema: S, description: string, example?: S["Encoded"]): S["Rebuild"] =>
  schema.annotate(example === undefined ? { description } : ({ description, examples: [example] } as never))

/** An amount in an answer: a decimal string in the currency of what it belongs to, such as "19.99". */
export const money = (description: string, example = "19.99") => described(Schema.String, description, example)

/** An amount that may be unknown or not apply. */
export const nullableMoney = (description: string, example = "19.99") =>
  described(Schema.NullOr(Schema.String), description, example)

/** Text in an answer. */
export const string = (description: string, example?: string) => described(Schema.String, description, example)

/** Text in an answer that may be null. */
export const nullableString = (description: string, example?: string) =>
  described(Schema.NullOr(Schema.String), description, example)

/** A whole number in an answer. */
export const integer = (description: string, example?: number) => described(Schema.Int, description, example)

/** A whole number that may be null. */
export const nullableInteger = (description: string, example?: number) =>
  described(Schema.NullOr(Schema.Int), description, example)

/** A number in an answer. */
export const number = (description: string, example?: number) => described(Schema.Number, description, example)

/** A number that may be null. */
export const nullableNumber = (description: string, example?: number) =>
  described(Schema.NullOr(Schema.Number), description, example)

export const boolean = (description: string, example?: boolean) => described(Schema.Boolean, description, example)

/** An object whose keys are the caller's own. */
export const json = (description: string) => described(Schema.Record(Schema.String, Schema.Unknown), description)

/** A list in an answer. */
export const arrayOf = <S extends Schema.Top>(item: S, description: string) =>
  described(Schema.Array(item), description)

/** A value or null. */
export const nullable = <S extends Schema.Top>(schema: S, description: string) =>
  described(Schema.NullOr(schema), description)

/** One of a closed set of words. */
export const oneOf = <const L extends ReadonlyArray<string>>(words: L, description: string) =>
  described(Schema.Literals(words), description)

/** A field of a body that may be left out. */
export const optional = <S extends Schema.Top>(schema: S, description: string, example?: S["Encoded"]) =>
  Schema.optionalKey(described(schema, description, example))

/** A field of a body that may be left out; null clears it. */
export const clearable = <S extends Schema.Top>(schema: S, description: string, example?: S["Encoded"]) =>
  Schema.optionalKey(described(Schema.NullOr(schema), description, example))

/** A moment in an answer: ISO 8601 in UTC with milliseconds. */
export const timestamp = (description: string) => described(Schema.String, description, "2026-01-31T12:00:00.000Z")

/** A moment that may not have come. */
export const nullableTimestamp = (description: string) =>
  described(Schema.NullOr(Schema.String), description, "2026-01-31T12:00:00.000Z")
