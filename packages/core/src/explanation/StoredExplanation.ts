/**
 * An explanation as it is stored with its order: versioned JSON, decoded by a schema. It is written once, when the
 * order is placed.
 */
import { Effect, Schema } from "effect"
import { storedReader } from "../kernel/StoredData.ts"
import { ExplanationView } from "./Explanation.ts"

/**
 * In UTF-8 bytes: room for thousands of entries. What is larger is not stored, and the order is explained by its own
 * rows.
 */
export const maxExplanationBytes = 1_048_576

const version = 1

const Stored = Schema.Struct({ version: Schema.Int, explanation: Schema.Unknown })
const decodeStored = Schema.decodeUnknownOption(Stored)
const read = storedReader(ExplanationView)

/** The explanation, or null if it is too large to be stored. */
export const ifStorable = (explanation: ExplanationView): ExplanationView | null =>
  Buffer.byteLength(JSON.stringify(explanation)) > maxExplanationBytes ? null : explanation

/** The JSON of the column. */
export const encodeExplanation = (explanation: ExplanationView | null): string | null =>
  explanation === null ? null : JSON.stringify({ version, explanation })

/** From the column; null where none was stored, or none that this release can read, which is logged. */
export const decodeExplanation = (column: unknown, orderId: string): Effect.Effect<ExplanationView | null> => {
  if (column === null || column === undefined) return Effect.succeed(null)
  const stored = decodeStored(column)
  const found =
    stored._tag === "Some"
      ? read({ data: stored.value.explanation, version: stored.value.version })
      : read({ data: column, version })
  return Effect.catchTag(found, "StoredDataUnreadable", ({ reason }) =>
    Effect.as(Effect.logError(`The explanation of the order ${orderId} cannot be read: ${reason}`), null)
  )
}
