/**
 * Admin API keys (interface.md, Authentication rule 1): shown once, kept as a hash, recognised later by their first 12
 * characters.
 */
import { Schema } from "effect"

export const KeyTier = Schema.Literals(["FREE", "PRO", "GROWTH", "ENTERPRISE"])
export type KeyTier = typeof KeyTier.Type

/** Requests a minute of one key (interface.md, Rate limits 2). */
export const tierLimits: Record<KeyTier, number> = { FREE: 60, PRO: 500, GROWTH: 2_000, ENTERPRISE: 10_000 }

export const keyPrefixLength = 12

/** `prefix` of every admin key. */
export const keyMark = "svc_"

export const ApiKey = Schema.Struct({
  id: Schema.String,
  accountId: Schema.String,
  storeId: Schema.NullOr(Schema.String),
  name: Schema.String,
  keyPrefix: Schema.String,
  scopes: Schema.Array(Schema.String),
  tier: KeyTier,
  rateLimit: Schema.NullOr(Schema.Int),
  expiresAt: Schema.NullOr(Schema.String),
  createdAt: Schema.String,
  updatedAt: Schema.String
})
export type ApiKey = typeof ApiKey.Type

/** A key as it is answered once, at creation and rotation. */
export const MintedApiKey = Schema.Struct({ ...ApiKey.fields, key: Schema.String })
export type MintedApiKey = typeof MintedApiKey.Type

/**
 * Who holds a valid key. `accountTier` is the highest tier among the account's active keys; it sets the account's
 * ceiling.
 */
export interface KeyHolder {
  readonly keyId: string
  readonly accountId: string
  readonly storeId: string | null
  readonly scopes: ReadonlyArray<string>
  readonly tier: KeyTier
  readonly rateLimit: number | null
  readonly accountTier: KeyTier
}
