/**
 * The field schemas that every room shares, so that one kind of value has one bound, one shape and one description in
 * the API document. Lengths are in UTF-16 code units.
 */
import { Schema, SchemaAST } from "effect"
import { blankProblem, maxInt4 } from "./FieldErrors.ts"

/** Text of at most `max` characters: all text that is stored, looked up or returned has a bound. */
export const text = (max: number) => Schema.String.pipe(Schema.check(Schema.isMaxLength(max)))

/** Text of at most `max` characters that is not blank. */
export const filledText = (max: number) =>
  text(max).pipe(Schema.check(Schema.makeFilter((value: string) => blankProblem(value) ?? true)))

/** A whole number that a column of type int4 holds, such as the position of an item in its list. */
export const int4 = Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: -maxInt4 - 1, maximum: maxInt4 })))

/** A body with every field set: absent fields have been filled with defaults or previous values. */
export type Complete<Body> = { readonly [Field in keyof Body]-?: Exclude<Body[Field], undefined> }

/** A number in a body that may be sent as a decimal string. */
export const Decimal = Schema.Union([Schema.Finite, Schema.String])

/** A language in a body. */
export const languageTag = text(35).pipe(
  Schema.check(
    Schema.isPattern(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, { message: "must be a language tag such as de or pt-BR" })
  )
)

/** An id, a token or a code from a caller: none of ours is longer. */
export const Reference = Schema.NonEmptyString.pipe(Schema.check(Schema.isMaxLength(200)))

/**
 * Annotates a schema for the API document. If its last check is our own filter without a JSON Schema, the annotations
 * would be dropped: the filter gets an empty one.
 */
const annotated = <S extends Schema.Top>(schema: S, annotations: object): S["Rebuild"] => {
  const last = schema.ast.checks?.at(-1)
  const isSilent = last?._tag === "Filter" && last.annotations?.toJsonSchema === undefined
  return schema.annotate({ ...annotations, ...(isSilent ? { toJsonSchema: () => [{}, true] } : {}) } as never)
}

/**
 * The same schema with its description, and a real value, for the API document. A description is a sentence for a
 * person who integrates a shop: what the value means, its unit, when it is null.
 */
export const described = <S extends Schema.Top>(schema: S, description: string, example?: S["Encoded"]): S["Rebuild"] =>
  annotated(schema, example === undefined ? { description } : { description, examples: [example] })

/** The same schema under a name: the API document writes it once and refers to it. */
export const named = <S extends Schema.Top>(identifier: string, description: string, schema: S): S["Rebuild"] =>
  annotated(schema, { identifier, description })

/** An amount in a response: a decimal string in the currency of the order, cart or store, such as "19.99". */
export const money = (description: string, example = "19.99") => described(Schema.String, description, example)

/** An amount that may be unknown or not apply. */
export const nullableMoney = (description: string, example = "19.99") =>
  described(Schema.NullOr(Schema.String), description, example)

/** Text in a response. */
export const string = (description: string, example?: string) => described(Schema.String, description, example)

/** Text in a response that may be null. */
export const nullableString = (description: string, example?: string) =>
  described(Schema.NullOr(Schema.String), description, example)

/** A whole number in a response. */
export const integer = (description: string, example?: number) => described(Schema.Int, description, example)

/** A whole number that may be null. */
export const nullableInteger = (description: string, example?: number) =>
  described(Schema.NullOr(Schema.Int), description, example)

/** A number in a response. */
export const number = (description: string, example?: number) => described(Schema.Finite, description, example)

/** A number that may be null. */
export const nullableNumber = (description: string, example?: number) =>
  described(Schema.NullOr(Schema.Finite), description, example)

export const boolean = (description: string, example?: boolean) => described(Schema.Boolean, description, example)

/** An object with free keys. */
export const json = (description: string) => described(Schema.Record(Schema.String, Schema.Unknown), description)

/** A list in a response. */
export const arrayOf = <S extends Schema.Top>(item: S, description: string) =>
  described(Schema.Array(item), description)

/** A value or null. */
export const nullable = <S extends Schema.Top>(schema: S, description: string) =>
  described(Schema.NullOr(schema), description)

/** One of a closed set of values. */
export const oneOf = <const L extends ReadonlyArray<string>>(words: L, description: string) =>
  described(Schema.Literals(words), description)

/**
 * Text whose usual values are listed in the API document, while others are accepted: the check only carries the list
 * into the document.
 */
export const listed = (words: ReadonlyArray<string>) =>
  Schema.String.pipe(Schema.check(Schema.makeFilter(() => true, { toJsonSchema: () => ({ enum: words }) })))

export const listedText = (words: ReadonlyArray<string>, description: string) => described(listed(words), description)

/** JSON that is decoded later, item by item; in the API document each item has the named schema. */
export const jsonOf = (schema: Schema.Top) => {
  const name = SchemaAST.resolveIdentifier(schema.ast)
  const $ref = `#/components/schemas/${name}`
  return Schema.Json.pipe(Schema.check(Schema.makeFilter(() => true, { toJsonSchema: () => [{ $ref }, true] })))
}

/** Annotations of a check that put the JSON Schema of `schema` into the API document. */
export const documentedAs = (schema: Schema.Top): Schema.Annotations.Filter => ({
  representation: { id: "@effect-commerce/core/kernel/Fields/documentedAs", payload: null, schemas: [schema.ast] },
  toJsonSchema: ({ schemas }) => [schemas[0] ?? {}, true]
})

const todayAs = (schema: Schema.Top) => Schema.makeFilter(() => true, documentedAs(schema))

/**
 * A stored value that responses carry undecoded, even if an earlier release stored another shape; the API document
 * shows today's schema.
 */
export const storedAs = (schema: Schema.Top): Schema.Codec<unknown> =>
  Schema.Json.pipe(Schema.check(todayAs(schema))) as Schema.Codec<unknown>

/** `storedAs` for an object. */
export const storedObject = (schema: Schema.Top) =>
  Schema.Record(Schema.String, Schema.Unknown).pipe(Schema.check(todayAs(schema)))

/** Texts by a key, such as slugs by language. Stored values are returned undecoded. */
export const textMap = (description: string) =>
  described(storedObject(Schema.Record(Schema.String, Schema.String)), description)

/** Timestamps by a key, such as a platform. Stored values are returned undecoded. */
export const timestampMap = (description: string) =>
  described(storedObject(Schema.Record(Schema.String, Moment)), description)

/** Any JSON, null included. For `Schema.Unknown` the API document would drop even the description. */
export const AnyJson = Schema.Json as Schema.Codec<unknown>

/** A field of a body that may be left out. */
export const optional = <S extends Schema.Top>(schema: S, description: string, example?: S["Encoded"]) =>
  Schema.optionalKey(described(schema, description, example))

/** A field of a body that may be left out; null clears it. */
export const clearable = <S extends Schema.Top>(schema: S, description: string, example?: S["Encoded"]) =>
  Schema.optionalKey(described(Schema.NullOr(schema), description, example))

/** Text with a format in the API document that no schema checks. */
const formatted = (format: "date-time" | "date" | "uri" | "uri-reference" | "email") =>
  Schema.String.annotate({ format })

const Url = formatted("uri")
const FileUrl = formatted("uri-reference")
const EmailAddress = formatted("email")

/** A web address in a response. */
export const url = (description: string, example?: string) => described(Url, description, example)
export const nullableUrl = (description: string, example?: string) =>
  described(Schema.NullOr(Url), description, example)

/** The address of a picture or a file: a web address, or a path on this server. */
export const fileUrl = (description: string, example?: string) => described(FileUrl, description, example)
export const nullableFileUrl = (description: string, example?: string) =>
  described(Schema.NullOr(FileUrl), description, example)

/** An e-mail address in a response. */
export const email = (description: string, example = "ada@example.com") => described(EmailAddress, description, example)
export const nullableEmail = (description: string, example = "ada@example.com") =>
  described(Schema.NullOr(EmailAddress), description, example)

/** A moment: ISO 8601. */
export const Moment = formatted("date-time")

/** A timestamp in a response: ISO 8601 in UTC with milliseconds. */
export const timestamp = (description: string) => described(Moment, description, "2026-01-31T12:00:00.000Z")

/** A timestamp that may be null. */
export const nullableTimestamp = (description: string) =>
  described(Schema.NullOr(Moment), description, "2026-01-31T12:00:00.000Z")
