/** The size of a value as JSON in UTF-8, and schemas that limit it. */
import { Schema } from "effect"

/** Bytes of the value as JSON, without spaces, in UTF-8. */
export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? "")

/** Size limit of a field with free content, such as `metadata`, in bytes. */
export const maxFreeForm = 64 * 1_024

/** Rejects a value whose JSON has more bytes. */
export const jsonOfAtMost =
  (bytes: number) =>
  <S extends Schema.Top>(schema: S) =>
    schema.pipe(
      Schema.check(
        Schema.makeFilter((value: S["Type"]) => jsonBytes(value) <= bytes || `must be at most ${bytes} bytes as JSON`, {
          // JSON Schema cannot express this rule; without an empty one the field's description would be dropped too.
          toJsonSchema: () => ({})
        })
      )
    )

/** An object of any shape, of at most `maxBytes` of JSON. */
export const freeForm = (maxBytes = maxFreeForm) =>
  Schema.Record(Schema.String, Schema.Unknown).pipe(jsonOfAtMost(maxBytes))
