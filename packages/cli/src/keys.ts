/** The work of `commerce keys`. */
import type { ApiKey, KeyTier } from "@effect-commerce/core/identity/ApiKey"
import { ApiKeys } from "@effect-commerce/core/identity/ApiKeys"
import { everyScope, isMintable } from "@effect-commerce/core/identity/Scope"
import { parseIsoTime } from "@effect-commerce/core/kernel/IsoTime"
import { Stores } from "@effect-commerce/core/store/Stores"
import { Clock, Effect } from "effect"
import { listExisting, withExisting } from "./existingDatabase.ts"
import { onlyStore } from "./openCore.ts"
import { Refused, WrongUsage } from "./Refused.ts"
import type { Settings } from "./Settings.ts"

/** A key without the key. */
export interface KeyRow
  extends Pick<
    ApiKey,
    "id" | "keyPrefix" | "scopes" | "tier" | "expiresAt" | "lastUsedAt" | "name" | "storeId" | "accountId"
  > {}

export interface KeyAsked {
  readonly storeId?: string | undefined
  readonly accountId?: string | undefined
  readonly name: string
  readonly scopes: ReadonlyArray<string>
  /** In place of `scopes`. */
  readonly everyScope: boolean
  readonly tier: KeyTier
  readonly rateLimit?: number | undefined
  readonly expiresAt?: string | undefined
}

const mostRequests = 1_000_000_000
/** Ten years. */
const longestOverlap = 87_600

const rowOf = ({ id, keyPrefix, scopes, tier, expiresAt, lastUsedAt, name, storeId, accountId }: ApiKey): KeyRow => ({
  id,
  keyPrefix,
  scopes,
  tier,
  expiresAt,
  lastUsedAt,
  name,
  storeId,
  accountId
})

const mintedRow = ({ key, ...row }: ApiKey & { readonly key: string }) => {
  const { id, ...rest } = rowOf(row)
  return { id, key, ...rest }
}

const expiryOf = (text: string | undefined): Date | undefined => {
  const at = text === undefined ? undefined : parseIsoTime(text)
  if (text !== undefined && at === undefined)
    throw new WrongUsage("--expires-at: must be an ISO 8601 time such as 2030-01-31T12:00:00Z")
  return at
}

const checkScopes = (scopes: ReadonlyArray<string>, isEvery: boolean): void => {
  if (isEvery === scopes.length > 0)
    throw new WrongUsage(`--scope and --every-scope: ${isEvery ? "give one of the two" : "one of the two is required"}`)
  const wrong = scopes.find((scope) => !isMintable(scope))
  if (wrong !== undefined)
    throw new Refused(
      `--scope: ` +
        `${wrong} is refused; a scope is <resource>:read, <resource>:write or <resource>:*, such as products:read`
    )
}

const checkAsked = ({ storeId, accountId, name, rateLimit, ...asked }: KeyAsked): void => {
  if (storeId !== undefined && accountId !== undefined)
    throw new WrongUsage("--store and --account: give one of the two")
  if (name.trim() === "") throw new WrongUsage("--name: must not be empty")
  checkScopes(asked.scopes, asked.everyScope)
  if (rateLimit !== undefined && (rateLimit < 1 || rateLimit > mostRequests))
    throw new WrongUsage(`--rate-limit: must be a whole number from 1 to ${mostRequests}`)
}

const knownAccount = Effect.fnUntraced(function* (accountId: string) {
  const known = yield* (yield* Stores).hasAccount(accountId)
  if (!known) return yield* Effect.fail(new Refused(`no such account: ${accountId}`))
})

/** The holder of the key: a store and its account, or an account. */
const holderOf = Effect.fnUntraced(function* ({ storeId, accountId }: KeyAsked) {
  const stores = yield* Stores
  if (accountId === undefined) {
    const store = yield* storeId === undefined ? onlyStore("--store or --account") : stores.context(storeId)
    return { accountId: store.accountId, storeId: store.id }
  }
  yield* knownAccount(accountId)
  return { accountId, storeId: null }
})

export const createKey = (settings: Settings, asked: KeyAsked) => {
  checkAsked(asked)
  const { name, tier, rateLimit } = asked
  const scopes = asked.everyScope ? everyScope : asked.scopes
  const expiresAt = expiryOf(asked.expiresAt)
  return withExisting(
    settings,
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      if (expiresAt !== undefined && expiresAt.getTime() <= now)
        return yield* Effect.fail(new Refused("--expires-at: lies in the past"))
      const holder = yield* holderOf(asked)
      return mintedRow(yield* (yield* ApiKeys).mint({ ...holder, name, scopes, tier, rateLimit, expiresAt }))
    })
  )
}

export const listKeys = (
  settings: Settings,
  realm: { readonly storeId?: string | undefined; readonly accountId?: string | undefined }
) =>
  listExisting(
    settings,
    Effect.gen(function* () {
      if (realm.storeId !== undefined) yield* (yield* Stores).context(realm.storeId)
      if (realm.accountId !== undefined) yield* knownAccount(realm.accountId)
      return (yield* (yield* ApiKeys).list(realm)).map(rowOf)
    })
  )

export const rotateKey = (settings: Settings, id: string, overlapHours: number) => {
  if (overlapHours < 0 || overlapHours > longestOverlap)
    throw new WrongUsage(`--overlap-hours: must be a whole number from 0 to ${longestOverlap}`)
  return withExisting(
    settings,
    Effect.map(
      Effect.flatMap(ApiKeys, (keys) => keys.rotate({}, id, { overlapHours })),
      mintedRow
    )
  )
}

export const revokeKey = (settings: Settings, id: string) =>
  withExisting(
    settings,
    Effect.as(
      Effect.flatMap(ApiKeys, (keys) => keys.revoke({}, id)),
      { id, revoked: true }
    )
  )
