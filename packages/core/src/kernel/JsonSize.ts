/** How large a value is as JSON in UTF-8, and objects of any shape that are bounded by it. */
import { Schema } from "effect"

const encoder = new TextEncoder()

/** Bytes of the value as JSON, without spaces, in UTF-8. */
export const jsonBytes = (value: unknown): number => encoder.encode(JSON.stringify(value) ?? "").length

/** What a resource may carry of fields that are nobody's but the caller's (completions.md, Bounds). */
export const maxFreeForm = 64 * 1_024

/** An object of any shape, of at most so many bytes of JSON. */
export const freeForm = (maxBytes = maxFreeForm) =>
  Schema.Record(Schema.String, Schema.Unknown).pipe(
    Schema.check(Schema.makeFilter((value: object) => jsonBytes(value) <= maxBytes || `must be at most ${maxBytes} bytes as JSON`))
  )
