/**
 * A provider's notice as it is stored until it was acted on: JSON under a version, read through a schema. Notices that
 * were stored before there were versions count as version 1.
 */
import { Option, Schema } from "effect"
import type { ProviderNotice } from "./PaymentProvider.ts"

const version = 1

const StoredNotice = Schema.Struct({
  version: Schema.optionalKey(Schema.Literal(version)),
  eventId: Schema.String,
  type: Schema.Literals(["captured", "failed", "refunded"]),
  chargeKey: Schema.String,
  externalId: Schema.String,
  captured: Schema.BigInt,
  refunded: Schema.BigInt,
  reason: Schema.NullOr(Schema.String)
})

const decode = Schema.decodeUnknownOption(Schema.toCodecJson(StoredNotice))

export const encodeNotice = (notice: ProviderNotice): string =>
  JSON.stringify({ version, ...notice, captured: String(notice.captured), refunded: String(notice.refunded) })

/** From the parsed column; undefined where this release cannot read it. */
export const decodeNotice = (column: unknown): ProviderNotice | undefined =>
  Option.getOrUndefined(Option.map(decode(column), ({ version: _, ...notice }) => notice))
