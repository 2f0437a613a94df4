/** Conflicts between coupons of other systems and those of the store: listed, resolved, ignored. */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { checkVersion } from "../database/Precondition.ts"
import { orFail } from "../database/Repository.ts"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import { makeId } from "../kernel/Ids.ts"
import type { Page } from "../kernel/Pagination.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { blankCoupon, type CouponFields, type CouponInput } from "./Coupon.ts"
import { type CouponConflictState, type ResolveCouponConflict, toCouponConflict } from "./CouponConflict.ts"
import { CouponConflictRepository, type CouponSettlement } from "./CouponConflictRepository.ts"
import { CouponConflictNotFound, CouponConflictSettled, CouponResolutionRequired } from "./CouponErrors.ts"
import { CouponRepository } from "./CouponRepository.ts"
import { toCouponView } from "./CouponView.ts"
import { makeCouponWrites } from "./CouponWrites.ts"

interface Locked {
  readonly conflict: CouponConflictState
  /** The coupon that has the code; undefined where it was deleted. */
  readonly existing: CouponFields | undefined
}

export class CouponConflicts extends Context.Service<CouponConflicts>()(
  "@effect-commerce/core/coupon/CouponConflicts",
  {
    make: Effect.gen(function* () {
      const database = yield* Database
      const repository = yield* CouponConflictRepository
      const coupons = yield* CouponRepository
      const writes = yield* makeCouponWrites

      const notFound = (id: string) => () => new CouponConflictNotFound({ id })

      /** An open conflict, locked after the coupon it is about. */
      const locked = Effect.fnUntraced(function* (storeId: string, id: string) {
        const { existingCouponId } = yield* orFail(repository.find(storeId, id), notFound(id))
        const existing = yield* coupons.lock(storeId, existingCouponId)
        const conflict = yield* orFail(repository.lock(storeId, id), notFound(id))
        yield* checkVersion(conflict.updatedAt)
        if (conflict.status !== "PENDING") return yield* new CouponConflictSettled({ id, status: conflict.status })
        return { conflict, existing } satisfies Locked
      })

      const shown = Effect.fnUntraced(function* (store: StoreContext, states: ReadonlyArray<CouponConflictState>) {
        const ids = [...new Set(states.map(({ existingCouponId }) => existingCouponId))]
        const found = ids.length === 0 ? [] : yield* coupons.findAll(store.id, ids)
        const now = yield* Clock.currentTimeMillis
        const views = new Map(found.map((coupon) => [coupon.id, toCouponView(store, coupon, now)]))
        return states.map((state) => toCouponConflict(state, views.get(state.existingCouponId) ?? null))
      })

      const settled = Effect.fnUntraced(function* (
        store: StoreContext,
        id: string,
        settlement: CouponSettlement,
        now: Date
      ) {
        yield* repository.settle(store.id, id, settlement, now)
        const state = yield* Effect.orDie(orFail(repository.find(store.id, id), notFound(id)))
        const [view] = yield* shown(store, [state])
        return view ?? toCouponConflict(state, null)
      })

      /** The coupon of the other system, as it was sent; what it names must still exist. */
      const fromSource = Effect.fnUntraced(function* (store: StoreContext, body: CouponInput) {
        const { fields } = yield* writes.checked(store, body, blankCoupon)
        yield* writes.announce(store, fields)
        return fields
      })

      /** The store's coupon gets what the other system sent; its uses stay counted. One that was deleted is made. */
      const takeSource = Effect.fnUntraced(function* (
        store: StoreContext,
        { conflict, existing }: Locked,
        now: number
      ) {
        const fields = yield* fromSource(store, conflict.sourceData)
        yield* existing === undefined
          ? coupons.insert(store.id, makeId("coupon", now), fields, new Date(now))
          : coupons.update(store.id, conflict.existingCouponId, fields, new Date(now))
      })

      const rename = Effect.fnUntraced(function* (
        store: StoreContext,
        { conflict }: Locked,
        code: string | undefined,
        now: number
      ) {
        if (code === undefined) return yield* FieldRejected.at("code", "is needed with rename")
        const fields = yield* fromSource(store, { ...conflict.sourceData, code })
        yield* coupons.insert(store.id, makeId("coupon", now), fields, new Date(now))
      })

      const resolve = Effect.fn("CouponConflicts.resolve")(function* (
        known: StoreContext,
        id: string,
        { resolution, code }: ResolveCouponConflict
      ) {
        const now = yield* Clock.currentTimeMillis
        return yield* database.write(known.id)(
          Effect.gen(function* () {
            const store = yield* writes.holdCurrency(known)
            const found = yield* locked(store.id, id)
            if (resolution === undefined || resolution === null) return yield* new CouponResolutionRequired()
            if (resolution === "use_source") yield* takeSource(store, found, now)
            if (resolution === "rename") yield* rename(store, found, code, now)
            return yield* settled(store, id, { status: "RESOLVED", resolution }, new Date(now))
          })
        )
      })

      /** Nothing changes, and the same coupon from that system opens no further conflict. */
      const ignore = Effect.fn("CouponConflicts.ignore")(function* (store: StoreContext, id: string) {
        const now = new Date(yield* Clock.currentTimeMillis)
        return yield* database.write(store.id)(
          Effect.andThen(locked(store.id, id), settled(store, id, { status: "IGNORED", resolution: null }, now))
        )
      })

      return {
        /** The open ones, the newest first. */
        list: (store: StoreContext, page: Page) =>
          Effect.flatMap(repository.list(store.id, page), (states) => shown(store, states)),
        resolve,
        ignore
      }
    })
  }
) {
  static readonly layer = Layer.effect(CouponConflicts, CouponConflicts.make).pipe(
    Layer.provide([CouponRepository.layer, CouponConflictRepository.layer])
  )
}
