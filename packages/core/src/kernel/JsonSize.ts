/** How large a value is as JSON in UTF-8, and schemas that are bounded by it. */
import { Schema } from "effect"

/** Bytes of the value as JSON, without spaces, in UTF-8. */
export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? "")

/** What a resource may carry of fields that are nobody's but the caller's, in bytes. */
export const maxFreeForm = 64 * 1_024

/** Refuses a value whose JSON has more bytes. */
export const jsonOfAtMost =
  (bytes: number) =>
  <S extends Schema.Top>(schema: S) =>
    schema.pipe(
      Schema.check(
        Schema.makeFilter((value: S["Type"]) => jsonBytes(value) <= bytes || `must be at most ${bytes} bytes as JSON`, {
          // JSON Schema has no word for this rule; without this the field's description would be dropped with it.
          toJsonSchema: () => ({})
        })
      )
    )

/** An object of any shape, of at most so many bytes of JSON. */
export const freeForm = (maxBytes = maxFreeForm) =>
  Schema.Record(Schema.String, Schema.Unknown).pipe(jsonOfAtMost(maxBytes))
