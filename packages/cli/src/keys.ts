import type { KeyTier } from "@effect-commerce/core/identity/ApiKey"
import { ApiKeys } from "@effect-commerce/core/identity/ApiKeys"
import { Stores } from "@effect-commerce/core/store/Stores"
import { Effect } from "effect"
import { withCore } from "./openCore.ts"
import { WrongUsage } from "./Refused.ts"
import type { Settings } from "./Settings.ts"

export interface KeyAsked {
  readonly storeId?: string | undefined
  readonly accountId?: string | undefined
  readonly name: string
  readonly scopes: ReadonlyArray<string>
  readonly tier: KeyTier
  readonly rateLimit?: number | undefined
  readonly expiresAt?: string | undefined
}

const expiryOf = (text: string | undefined): Date | undefined => {
  if (text === undefined) return undefined
  const at = new Date(text)
  if (!/^\d{4}-\d\d-\d\dT/.test(text) || Number.isNaN(at.getTime())) throw new WrongUsage("--expires-at: must be an ISO 8601 time")
  return at
}

/** Exactly one of store and account decides what the key works for. */
const checkAsked = (asked: KeyAsked): void => {
  if ((asked.storeId === undefined) === (asked.accountId === undefined)) throw new WrongUsage("give --store or --account, one of the two")
  if (asked.rateLimit !== undefined && asked.rateLimit < 1) throw new WrongUsage("--rate-limit: must be at least 1")
}

export const createKey = (settings: Settings, asked: KeyAsked) => {
  checkAsked(asked)
  const { storeId, accountId, name, scopes, tier, rateLimit } = asked
  const expiresAt = expiryOf(asked.expiresAt)
  return withCore(
    settings,
    Effect.gen(function* () {
      const owner = storeId === undefined ? accountId : (yield* (yield* Stores).context(storeId)).accountId
      const keys = yield* ApiKeys
      return yield* keys
        .mint({ accountId: owner ?? "", storeId: storeId ?? null, name, scopes, tier, rateLimit, expiresAt })
        .pipe(Effect.catchTag("ScopeUnknown", ({ scope }) => Effect.die(new Error(`${scope} is not a scope that can be minted`))))
    })
  )
}

export const listKeys = (settings: Settings, realm: { readonly storeId?: string | undefined; readonly accountId?: string | undefined }) =>
  withCore(settings, Effect.flatMap(ApiKeys, (keys) => keys.list(realm)))

export const rotateKey = (settings: Settings, id: string, overlapHours: number) => {
  if (overlapHours < 0) throw new WrongUsage("--overlap-hours: must not be negative")
  return withCore(settings, Effect.flatMap(ApiKeys, (keys) => keys.rotate({}, id, overlapHours)))
}

export const revokeKey = (settings: Settings, id: string) =>
  withCore(settings, Effect.as(Effect.flatMap(ApiKeys, (keys) => keys.revoke({}, id)), { id, revoked: true }))
