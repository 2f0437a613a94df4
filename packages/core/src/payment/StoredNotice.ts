/**
 * A provider's notice as it is stored until it is applied: versioned JSON, read through a schema (kernel/StoredData).
 */
import { type Effect, Schema } from "effect"
import { type StoredDataUnreadable, storedReader, versionOf } from "../kernel/StoredData.ts"
import type { ProviderNotice } from "./PaymentProvider.ts"

const StoredNotice = Schema.Struct({
  eventId: Schema.String,
  type: Schema.Literals(["captured", "failed", "refunded"]),
  chargeKey: Schema.String,
  externalId: Schema.String,
  captured: Schema.BigIntFromString,
  refunded: Schema.BigIntFromString,
  reason: Schema.NullOr(Schema.String)
})

const read = storedReader(StoredNotice)

export const encodeNotice = (notice: ProviderNotice): string =>
  JSON.stringify({
    version: versionOf([]),
    ...notice,
    captured: String(notice.captured),
    refunded: String(notice.refunded)
  })

/** From the parsed column. */
export const decodeNotice = (column: unknown): Effect.Effect<ProviderNotice, StoredDataUnreadable> => {
  const version = typeof column === "object" && column !== null && "version" in column ? column.version : undefined
  return read(typeof version === "number" ? { data: column, version } : { data: column })
}
