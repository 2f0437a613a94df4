/** Admin API keys: shown once, stored as a hash, identified for people by their first 12 characters. */
import { Schema } from "effect"
import {
  arrayOf,
  clearable,
  described,
  listed,
  nullableInteger,
  nullableString,
  nullableTimestamp,
  optional,
  string,
  text,
  timestamp
} from "../kernel/Fields.ts"
import { mintableScopes, ScopeName } from "./Scope.ts"
import type { StoreBound } from "../kernel/StoreBound.ts"

/**
 * Revoked and expired keys do not count. Keys for a whole account are counted separately, for the account.
 */
export const apiKeyBound: StoreBound = {
  field: "apiKeys",
  most: 500,
  words: "API keys",
  says: "API keys that work, and those of an account that are for all its stores"
}

export const KeyTier = Schema.Literals(["FREE", "PRO", "GROWTH", "ENTERPRISE"])
export type KeyTier = typeof KeyTier.Type

/** Requests a minute of one key. */
export const tierLimits: Record<KeyTier, number> = { FREE: 60, PRO: 500, GROWTH: 2_000, ENTERPRISE: 10_000 }

export const keyPrefixLength = 12

/** How every admin key begins. */
export const keyMark = "svc_"

const keyFields = {
  id: string("Id of the key; not the key itself."),
  accountId: string("The account that the key belongs to."),
  storeId: nullableString("The store that the key is valid for; null: every store of the account."),
  name: string("Name for the merchant.", "erp"),
  keyPrefix: string("The first 12 characters of the key, to recognise it by.", "svc_p1PETlKz"),
  scopes: arrayOf(ScopeName, "What the key may do, such as products:read or inventory:*."),
  tier: described(
    KeyTier,
    "How many requests a minute the key may make: FREE 60, PRO 500, GROWTH 2000, ENTERPRISE 10000."
  ),
  rateLimit: nullableInteger("Requests a minute in place of the tier's; null: the tier's."),
  expiresAt: nullableTimestamp("When the key ends; null: never."),
  lastUsedAt: nullableTimestamp("When the key was last sent, written within a minute of it; null: never."),
  createdAt: timestamp("When the key was created."),
  updatedAt: timestamp("When it last changed. It is the version that If-Match names.")
}

export const ApiKey = Schema.Struct(keyFields).annotate({
  identifier: "ApiKey",
  description: "An admin API key, without its secret."
})
export type ApiKey = typeof ApiKey.Type

/** A key with its secret, as it is returned once, at creation and rotation. */
export const MintedApiKey = Schema.Struct({
  ...keyFields,
  key: string(
    "The key. It is shown in this response and never again.",
    "svc_p1PETlKzMSr9tVRg-_jBjW5K16CSArhhvWeCiTeEfDU"
  )
}).annotate({ identifier: "CreatedApiKey", description: "A new admin API key, with its secret." })
export type MintedApiKey = typeof MintedApiKey.Type

export const NewApiKey = Schema.Struct({
  name: described(
    Schema.NonEmptyString.pipe(Schema.check(Schema.isMaxLength(200))),
    "Name for the merchant, at most 200 characters.",
    "erp"
  ),
  scopes: arrayOf(
    described(
      listed(mintableScopes).pipe(Schema.check(Schema.isMaxLength(100))),
      "A resource with read, write or * for both.",
      "orders:read"
    ),
    "What the key may do. The calling key must have every one of them; * alone cannot be given."
  ).pipe(Schema.check(Schema.isMinLength(1), Schema.isMaxLength(200))),
  expiresAt: clearable(
    text(100).annotate({ format: "date-time" }),
    "When the key expires: ISO 8601. Never by default; not later than the calling key.",
    "2027-01-01T00:00:00.000Z"
  )
}).annotate({ identifier: "NewApiKey", description: "An admin API key to create." })
export type NewApiKey = typeof NewApiKey.Type

export const RotateApiKey = Schema.Struct({
  overlapHours: optional(
    Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 0, maximum: 8_760 }))),
    "For how many hours the old key keeps working: 24 by default; 0 ends it at once.",
    24
  )
}).annotate({ identifier: "RotateApiKey", description: "How long the old key keeps working." })
export type RotateApiKey = typeof RotateApiKey.Type

/**
 * The holder of a valid key. `accountTier` is the highest tier among the account's active keys; it sets the account's
 * rate limit.
 */
export interface KeyHolder extends Pick<ApiKey, "accountId" | "storeId" | "name" | "scopes" | "tier" | "rateLimit"> {
  readonly keyId: string
  readonly accountTier: KeyTier
}
