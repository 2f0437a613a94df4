/** Secrets of an installed app: names with sealed values that no route returns. */
import { Schema } from "effect"
import { manyProblem, problemsOf } from "../kernel/FieldErrors.ts"
import { type FieldRejected, fieldsRejected } from "../kernel/FieldRejected.ts"
import { described, timestamp } from "../kernel/Fields.ts"

/** Of one installation, after merging. */
export const mostSecrets = 50
/** Of one value, in UTF-8. */
const mostValueBytes = 4_096
const keyPattern = /^[A-Z][A-Z0-9_]{0,63}$/

/** A body can remove as many as there may be, and write as many. */
const mostChanges = 2 * mostSecrets

export const SecretsInput = Schema.Struct({
  secrets: described(
    Schema.Record(Schema.String, Schema.NullOr(Schema.String)),
    "Values by name; null removes one. Names are capital letters, digits and underscores, at most 64 and a letter " +
      "first; a value has at most 4,096 bytes of UTF-8; there are at most 50 afterwards. Names that are absent stay.",
    { API_KEY: "k_live_1", OLD_KEY: null }
  )
}).annotate({ identifier: "PutSecrets", description: "Secrets of an app to write or remove." })
export type SecretsInput = typeof SecretsInput.Type

export const SecretsView = Schema.Struct({
  keys: described(
    Schema.Array(Schema.String),
    "The names of all secrets, in alphabetical order. Their values are never returned.",
    ["API_KEY"]
  ),
  updatedAt: timestamp("When they last changed. It is the version that If-Match names.")
}).annotate({ identifier: "Secrets", description: "The names of an app's secrets." })
export type SecretsView = typeof SecretsView.Type

/** What is wrong with the changes of a body. Says nothing of a value. */
export const secretsProblem = (secrets: SecretsInput["secrets"]): FieldRejected | undefined => {
  const entries = Object.entries(secrets)
  const many = manyProblem(entries.length, mostChanges)
  if (many !== undefined) return fieldsRejected({ secrets: many })
  return fieldsRejected(
    problemsOf(Object.fromEntries(entries.map(([key, value]) => [`secrets.${key}`, problemOf(key, value)])))
  )
}

const problemOf = (key: string, value: string | null): string | undefined => {
  if (!keyPattern.test(key)) return "is no name of a secret: capital letters, digits and underscores, a letter first"
  return value !== null && Buffer.byteLength(value) > mostValueBytes
    ? `must be at most ${mostValueBytes} bytes in UTF-8`
    : undefined
}
