/** The use cases of coupons. A code is unique in its store; a deleted coupon frees it. */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { orFail } from "../database/Repository.ts"
import type { FieldRejected } from "../kernel/FieldRejected.ts"
import { makeId } from "../kernel/Ids.ts"
import { mapItems, type Page } from "../kernel/Pagination.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { PlatformsRequired } from "../taxonomy/TaxonomyErrors.ts"
import { type CouponFields, type CouponInput, type CouponPatch, type CouponType, ownSource } from "./Coupon.ts"
import { randomCode } from "./CouponCode.ts"
import { CouponConflictRepository } from "./CouponConflictRepository.ts"
import { CouponConflicting, CouponNotFound, CouponTaken } from "./CouponErrors.ts"
import { type CouponFilter, CouponRepository } from "./CouponRepository.ts"
import { type CouponView, toCouponView } from "./CouponView.ts"
import { makeCouponWrites } from "./CouponWrites.ts"

/** A coupon for one shopper, such as the one that a newsletter promises. */
export interface MintedCoupon {
  /** What the random code begins with. */
  readonly prefix?: string
  readonly title: string
  readonly type: CouponType
  /** A percentage, or an amount in the store's currency: see `readCouponValue`. */
  readonly value: string
  readonly endsAt: Date | null
  /** In the store's currency; null: none. */
  readonly minimumOrderAmount: string | null
  /** 1 by default. */
  readonly usageLimit?: number
}

/** A random code is taken once in a very long time; more often than this is a mistake. */
const mostTries = 3

/** Where there is no connector, nothing is sent to a platform. */
const notQueued = { queued: false, platforms: [] as ReadonlyArray<string> }

export class Coupons extends Context.Service<Coupons>()("@effect-commerce/core/coupon/Coupons", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* CouponRepository
    const conflicts = yield* CouponConflictRepository
    const writes = yield* makeCouponWrites

    const notFound = (id: string) => () => new CouponNotFound({ id })
    const read = Effect.fnUntraced(function* (store: StoreContext, id: string) {
      const coupon = yield* orFail(repository.find(store.id, id), notFound(id))
      return toCouponView(store, coupon, yield* Clock.currentTimeMillis)
    })

    /**
     * The conflict of a coupon that another system sends with a code that a coupon of another source has. Undefined if
     * the code is free, or of the same source.
     */
    const conflictOf = Effect.fnUntraced(function* (
      storeId: string,
      { source, sourceExternalId, codeKey }: CouponFields,
      input: CouponInput,
      now: number
    ) {
      if (source === ownSource || sourceExternalId === null) return undefined
      const existing = yield* repository.lockByKey(storeId, codeKey)
      if (existing === undefined || existing.source === source) return undefined
      const id = makeId("cpnconf", now)
      const found = { id, sourcePlatform: source, sourceExternalId, sourceData: input, existingCouponId: existing.id }
      return yield* conflicts.open(storeId, found, new Date(now))
    })

    const create = Effect.fn("Coupons.create")(function* (known: StoreContext, input: CouponInput) {
      const now = yield* Clock.currentTimeMillis
      const id = makeId("coupon", now)
      const made = yield* database.write(known.id)(
        Effect.gen(function* () {
          const store = yield* writes.holdCurrency(known)
          const { fields, warnings } = yield* writes.checked(store, input)
          const conflictId = yield* conflictOf(store.id, fields, input, now)
          if (conflictId !== undefined) return { conflictId }
          yield* writes.announce(store, fields)
          yield* repository.insert(store.id, id, fields, new Date(now))
          return { view: { ...(yield* Effect.orDie(read(store, id))), validationWarnings: warnings } }
        })
      )
      // The conflict is kept although the request fails: its transaction has ended well.
      if (made.conflictId !== undefined)
        return yield* new CouponConflicting({ code: input.code, conflictId: made.conflictId })
      return made.view
    })

    const update = Effect.fn("Coupons.update")(function* (known: StoreContext, id: string, patch: CouponPatch) {
      const now = new Date(yield* Clock.currentTimeMillis)
      return yield* database.write(known.id)(
        Effect.gen(function* () {
          const store = yield* writes.holdCurrency(known)
          const current = yield* orFail(repository.lock(store.id, id), notFound(id))
          const { fields, warnings } = yield* writes.checked(store, patch, current)
          yield* writes.announce(store, fields)
          yield* repository.update(store.id, id, fields, now)
          return { ...(yield* read(store, id)), validationWarnings: warnings }
        })
      )
    })

    /** Its open conflicts end too: the code is free, and the other system can send its coupon again. */
    const remove = Effect.fn("Coupons.remove")(function* (store: StoreContext, id: string) {
      const removed = yield* database.write(store.id)(
        Effect.tap(repository.remove(store.id, id), () => conflicts.dropOpen(store.id, id))
      )
      if (!removed) return yield* new CouponNotFound({ id })
    })

    const mintOnce = (known: StoreContext, { prefix, endsAt, usageLimit = 1, ...minted }: MintedCoupon) =>
      create(known, {
        ...minted,
        code: randomCode(prefix),
        endsAt: endsAt?.toISOString() ?? null,
        usageLimit
      })

    /**
     * Makes a coupon with a random code, inside the caller's transaction if one is open. Fails only where its value or
     * its minimum is none of the store's currency.
     */
    const mint = (store: StoreContext, minted: MintedCoupon): Effect.Effect<CouponView, FieldRejected> =>
      database.write(store.id)(
        database
          .savepoint(mintOnce(store, minted))
          .pipe(
            Effect.retry({ times: mostTries, while: (error) => error instanceof CouponTaken }),
            Effect.catchTags({ CouponTaken: Effect.die, CouponConflicting: Effect.die })
          )
      )

    /** Adds sales channels to those that it is published to. Connected platforms have no connector yet. */
    const publish = Effect.fn("Coupons.publish")(function* (
      store: StoreContext,
      id: string,
      platforms: ReadonlyArray<string>
    ) {
      const now = new Date(yield* Clock.currentTimeMillis)
      return yield* database.write(store.id)(
        Effect.gen(function* () {
          const current = yield* orFail(repository.lock(store.id, id), notFound(id))
          if (platforms.length === 0) return yield* new PlatformsRequired()
          const { channelIds } = yield* writes.destinationsOf(store.id, platforms)
          const added = channelIds.filter((channelId) => !current.channelIds.includes(channelId))
          if (added.length > 0)
            yield* repository
              .update(store.id, id, { ...current, channelIds: [...current.channelIds, ...added] }, now)
              .pipe(Effect.orDie)
          return notQueued
        })
      )
    })

    return {
      create,
      update,
      remove,
      mint,
      publish,
      /** Fails for a coupon or a channel that does not exist; else nothing is to be done without a connector. */
      sync: (store: StoreContext, id: string, platforms: ReadonlyArray<string>) =>
        Effect.as(Effect.andThen(read(store, id), writes.destinationsOf(store.id, platforms)), notQueued),
      get: read,
      list: Effect.fnUntraced(function* (store: StoreContext, page: Page, filter: CouponFilter) {
        const now = yield* Clock.currentTimeMillis
        return yield* mapItems(repository.list(store.id, page, filter, new Date(now)), (coupon) =>
          toCouponView(store, coupon, now)
        )
      }),
      /** Those that can be used now, the newest first. */
      available: Effect.fnUntraced(function* (store: StoreContext, page: Page) {
        const now = yield* Clock.currentTimeMillis
        const filter = { statuses: ["ACTIVE"], onlyUsable: true } as const
        const coupons = yield* repository.rows(store.id, page, filter, new Date(now))
        return coupons.map((coupon) => toCouponView(store, coupon, now))
      }),
      /** Maps codes to ids; codes that no coupon has are left out. */
      idsByCode: Effect.fnUntraced(function* (store: StoreContext, keys: ReadonlyArray<string>) {
        const found = yield* repository.byKeys(store.id, keys)
        return new Map(found.map(({ codeKey, id }) => [codeKey, id]))
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Coupons, Coupons.make).pipe(
    Layer.provide([CouponRepository.layer, CouponConflictRepository.layer])
  )
}
