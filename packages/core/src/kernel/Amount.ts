/** Amounts of money in the bodies of requests: a number or a decimal string, read as minor units of a currency. */
import { Effect, Schema } from "effect"
import { FieldRejected } from "./FieldRejected.ts"
import { text } from "./Fields.ts"
import { parseAmount } from "./Money.ts"

/** A number or decimal string; the currency decides how many decimals it may have. */
export const Amount = Schema.Union([Schema.Finite, text(100)])

/** Reads an amount that a body gives for a field, in minor units; undefined where it gives none, or null. */
export const amounts = (currency: string) => (field: string, given: number | string | null | undefined) => {
  if (given === undefined || given === null) return Effect.undefined
  const minor = parseAmount(given, currency)
  return typeof minor === "bigint" ? Effect.succeed(minor) : FieldRejected.at(field, minor.message)
}
