/**
 * Mints, rotates and revokes admin keys, and recognises the key of a request. `recognise` is called on every admin
 * request and is cached: a valid key for `crossProcessDelay`, an invalid one for `absenceDelay`.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { randomSecret, sha256Hex } from "../crypto/Hashing.ts"
import { Database } from "../database/Database.ts"
import type { RowReader } from "../guard/RateLimits.ts"
import { makeId } from "../kernel/Ids.ts"
import { checkRoom } from "../store/StoreBounds.ts"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import { absenceDelay, crossProcessDelay, TimedCache } from "../cache/TimedCache.ts"
import {
  type ApiKey,
  type KeyHolder,
  keyMark,
  keyPrefixLength,
  type KeyTier,
  type NewApiKey,
  type RotateApiKey,
  apiKeyBound
} from "./ApiKey.ts"
import { ApiKeyRepository, type ApiKeyRow, type KeyFilter } from "./ApiKeyRepository.ts"
import { ApiKeyEnded, ApiKeyNotFound, ScopeNotHeld } from "./IdentityErrors.ts"
import { KeyUses } from "./KeyUses.ts"
import { grants, isMintable } from "./Scope.ts"

export interface MintInput extends Pick<NewApiKey, "name" | "scopes"> {
  readonly accountId: string
  /** null: the key works for every store of the account. */
  readonly storeId: string | null
  readonly tier?: KeyTier | undefined
  /** Requests a minute, instead of the tier's. */
  readonly rateLimit?: number | undefined
  readonly expiresAt?: Date | undefined
  /** The key that asks; absent for the operator. */
  readonly mintedBy?: Minter | undefined
}

/** The key that mints others: they get no more scopes than it has, and none outlives it. */
export interface Minter {
  readonly keyId: string
  readonly scopes: ReadonlyArray<string>
}

/**
 * Which keys a caller may see and change: those of a store, and with a key for a whole account also the other keys for
 * the whole account.
 */
export interface KeyRealm extends KeyFilter {
  /** The key that asks; absent for the operator. */
  readonly mintedBy?: Minter | undefined
}

interface Recognised extends KeyHolder {
  readonly expiresAt: number
}

export class ApiKeys extends Context.Service<ApiKeys>()("@effect-commerce/core/identity/ApiKeys", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* ApiKeyRepository
    const cache = new TimedCache<Recognised>(crossProcessDelay, 10_000)
    const unknown = new TimedCache<true>(absenceDelay, 10_000)
    const uses = yield* KeyUses

    /** The key is used: that is noted, and written later. */
    const used = (holder: Recognised, now: number): KeyHolder => {
      uses.note(holder.keyId, now)
      return holder
    }

    /**
     * The holder of a key that is valid now, or undefined. `read` reads the row if neither the key nor its absence is
     * cached.
     */
    const recognise = <E>(plainKey: string, read: RowReader<E>) =>
      Effect.clockWith((clock) =>
        Effect.flatMap(clock.currentTimeMillis, (now): Effect.Effect<KeyHolder | undefined, E> => {
          const hash = sha256Hex(plainKey)
          const cached = cache.get(hash, now)
          if (cached !== undefined) return Effect.succeed(cached.expiresAt > now ? used(cached, now) : undefined)
          if (unknown.get(hash, now) === true) return Effect.undefined
          const { generation } = cache
          return Effect.map(repository.findByHash(hash, new Date(now), read), (row) => {
            if (row === undefined) {
              unknown.set(hash, true, now)
              return undefined
            }
            const { id: keyId, accountId, storeId, name, scopes, tier, rateLimit, accountTier } = row
            const expiresAt = row.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY
            const holder: Recognised = {
              keyId,
              accountId,
              storeId,
              name,
              scopes,
              tier,
              rateLimit,
              accountTier: accountTier ?? tier,
              expiresAt
            }
            cache.set(hash, holder, now, generation)
            return used(holder, now)
          })
        })
      )

    const store = Effect.fnUntraced(function* (
      rights: Omit<ApiKeyRow, "id" | "keyHash" | "keyPrefix" | "lastUsedAt" | "createdAt" | "updatedAt">
    ) {
      const now = yield* Clock.currentTimeMillis
      yield* checkRoom(apiKeyBound, yield* repository.countToAdd(rights, new Date(now)))
      const key = randomSecret(keyMark, 32)
      const row: ApiKeyRow = {
        ...rights,
        id: makeId("key", now),
        keyHash: sha256Hex(key),
        keyPrefix: key.slice(0, keyPrefixLength),
        lastUsedAt: null,
        createdAt: new Date(now),
        updatedAt: new Date(now)
      }
      yield* repository.insert(row)
      return { ...toApiKey(row), key }
    })

    /** Without `expiresAt` the new key expires with the key that mints it; a later expiry is rejected. */
    const mint = Effect.fn("ApiKeys.mint")(function* (input: MintInput) {
      yield* checkScopes(input.scopes)
      yield* checkHeld(input.mintedBy?.scopes, input.scopes)
      const { accountId, storeId, name } = input
      return yield* database.platform(
        Effect.gen(function* () {
          const end = yield* endOf(input.mintedBy)
          const asked = input.expiresAt ?? null
          if (end !== null && asked !== null && asked > end) {
            const reason = `must not be later than the end of the key that mints it: ${end.toISOString()}`
            return yield* FieldRejected.at("expiresAt", reason)
          }
          const rights = {
            scopes: [...new Set(input.scopes)],
            tier: input.tier ?? ("FREE" as const),
            rateLimit: input.rateLimit ?? null
          }
          return yield* store({ accountId, storeId, name, ...rights, expiresAt: asked ?? end })
        })
      )
    })

    /**
     * When the calling key expires, and the keys it mints at the latest: read now, not from when it was recognised.
     */
    const endOf = Effect.fnUntraced(function* (minter: Minter | undefined) {
      if (minter === undefined) return null
      const now = yield* Clock.currentTimeMillis
      const row = yield* repository.hold(minter.keyId)
      if (row === undefined || (row.expiresAt !== null && row.expiresAt.getTime() <= now))
        return yield* new ApiKeyEnded({ id: minter.keyId })
      return row.expiresAt
    })

    const forget = Effect.sync(() => cache.clear())

    const within = Effect.fnUntraced(function* (realm: KeyRealm, id: string) {
      const row = yield* repository.find(id)
      const visible =
        row !== undefined &&
        (realm.accountId === undefined || row.accountId === realm.accountId) &&
        (realm.storeId === undefined ||
          row.storeId === realm.storeId ||
          (realm.withAccountWide === true && row.storeId === null))
      return visible ? row : yield* new ApiKeyNotFound({ id })
    })

    /**
     * Makes a new key with the same rights; the old one stays valid for `overlapHours`, 0 ends it at once. An expired
     * key cannot be rotated. The caller must have these rights itself, because the response grants them. The new key
     * expires with the old one or with the caller's key, whichever is first.
     */
    const rotate = Effect.fn("ApiKeys.rotate")(function* (
      realm: KeyRealm,
      id: string,
      { overlapHours = 24 }: RotateApiKey
    ) {
      const now = yield* Clock.currentTimeMillis
      const minted = yield* database.platform(
        Effect.gen(function* () {
          const end = yield* endOf(realm.mintedBy)
          const old = yield* within(realm, id)
          if (old.expiresAt !== null && old.expiresAt.getTime() <= now) return yield* new ApiKeyNotFound({ id })
          yield* checkHeld(realm.mintedBy?.scopes, old.scopes)
          yield* repository.endAt(id, new Date(now + overlapHours * 3_600_000), new Date(now))
          yield* database.afterCommit(forget)
          const { accountId, storeId, name, scopes, tier, rateLimit, expiresAt } = old
          return yield* store({
            accountId,
            storeId,
            name,
            scopes,
            tier,
            rateLimit,
            expiresAt: earlier(expiresAt, end)
          })
        })
      )
      yield* forget
      return minted
    })

    const revoke = Effect.fn("ApiKeys.revoke")(function* (realm: KeyRealm, id: string) {
      const now = yield* Clock.currentTimeMillis
      const ended = Effect.andThen(within(realm, id), repository.revoke(id, new Date(now)))
      yield* database.platform(Effect.andThen(ended, database.afterCommit(forget)))
      yield* forget
    })

    const list = (realm: KeyRealm) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.map(repository.list(realm, new Date(now)), (rows) => rows.map(toApiKey))
      )

    return { mint, rotate, revoke, list, recognise }
  })
}) {
  static readonly layer = Layer.effect(ApiKeys, ApiKeys.make).pipe(
    Layer.provide([ApiKeyRepository.layer, KeyUses.layer])
  )
}

/** The earlier of two expiries; null is never. */
const earlier = (one: Date | null, other: Date | null): Date | null => {
  if (one === null || other === null) return one ?? other
  return one < other ? one : other
}

const holds = (held: ReadonlyArray<string>, scope: string): boolean => {
  if (held.includes(scope)) return true
  const resource = scope.slice(0, scope.indexOf(":"))
  return scope.endsWith(":*")
    ? grants(held, `${resource}:read`) && grants(held, `${resource}:write`)
    : grants(held, scope)
}

/** Rejects scopes that no key can have. */
export const checkScopes = (scopes: ReadonlyArray<string>): Effect.Effect<void, FieldRejected> => {
  const unknown = scopes.find((scope) => !isMintable(scope))
  return unknown === undefined
    ? Effect.void
    : FieldRejected.at("scopes", `${unknown} is not a scope that can be minted`)
}

/** A key grants no more scopes than it has; `held` is absent for the operator. */
const checkHeld = (
  held: ReadonlyArray<string> | undefined,
  scopes: ReadonlyArray<string>
): Effect.Effect<void, ScopeNotHeld> => {
  const scope = held === undefined ? undefined : scopes.find((one) => !holds(held, one))
  return scope === undefined ? Effect.void : Effect.fail(new ScopeNotHeld({ scope }))
}

const toApiKey = (row: ApiKeyRow): ApiKey => ({
  id: row.id,
  accountId: row.accountId,
  storeId: row.storeId,
  name: row.name,
  keyPrefix: row.keyPrefix,
  scopes: row.scopes,
  tier: row.tier,
  rateLimit: row.rateLimit,
  expiresAt: row.expiresAt?.toISOString() ?? null,
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString()
})
