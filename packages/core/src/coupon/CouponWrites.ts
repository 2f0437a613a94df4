/** The checks and locks of every write of a coupon, by a request body or by the resolution of a conflict. */
import { Effect, Result } from "effect"
import { checkAll, FieldRejected, rejectFields } from "../kernel/FieldRejected.ts"
import { namesGroups } from "../pricing/LineScope.ts"
import { Regions } from "../store/Regions.ts"
import { SalesChannels } from "../store/SalesChannels.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { Stores } from "../store/Stores.ts"
import { Categories } from "../taxonomy/Categories.ts"
import { ProductChanges } from "../taxonomy/ProductChanges.ts"
import { blankCoupon, type CouponFields, type CouponInput, type CouponPatch, type NamedList } from "./Coupon.ts"
import { changeCoupon } from "./CouponChange.ts"
import { type PlatformWarnings, platformWarnings } from "./CouponPlatforms.ts"

/** The stored fields after a body, and what the platforms that it names do not take. */
export interface CheckedCoupon {
  readonly fields: CouponFields
  readonly warnings: ReadonlyArray<PlatformWarnings>
}

type Ids = ReadonlyArray<string>

/** Ids of sales channels begin so; every other platform is a code of a system outside. */
const channelMark = "vc_"

export const makeCouponWrites = Effect.gen(function* () {
  const stores = yield* Stores
  const regions = yield* Regions
  const channels = yield* SalesChannels
  const categories = yield* Categories
  const products = yield* ProductChanges
  const kinds = { product: products, category: categories, region: regions }

  /** Rejects an id that the store does not have, unless the coupon names it already. */
  const checkIds = (
    storeId: string,
    list: NamedList,
    kind: keyof typeof kinds,
    { before, after }: { readonly before: Ids; readonly after: Ids }
  ) => {
    const added = after.filter((id) => !before.includes(id))
    if (added.length === 0) return Effect.void
    return Effect.flatMap(kinds[kind].existing(storeId, added), (known) => {
      const unknown = added.find((id) => !known.has(id))
      return unknown === undefined ? Effect.void : FieldRejected.at(list, `${unknown} is not a ${kind} of this store`)
    })
  }

  /** Which of the platforms are sales channels of the store; the others are codes. */
  const destinationsOf = Effect.fnUntraced(function* (storeId: string, platforms: Ids) {
    const named = [...new Set(platforms)]
    const ids = named.filter((platform) => platform.startsWith(channelMark))
    const known = ids.length === 0 ? new Set() : new Set((yield* channels.list(storeId)).map(({ id }) => id))
    const unknown = ids.find((id) => !known.has(id))
    if (unknown !== undefined)
      return yield* FieldRejected.at("platforms", `${unknown} is not a sales channel of this store`)
    return { channelIds: ids, codes: named.filter((platform) => !platform.startsWith(channelMark)) }
  })

  const listsOf = (storeId: string, before: CouponFields, body: CouponPatch) => {
    const check = (list: NamedList, kind: keyof typeof kinds) =>
      checkIds(storeId, list, kind, { before: before[list], after: body[list] ?? [] })
    return checkAll({
      applicableProducts: check("applicableProducts", "product"),
      excludedProducts: check("excludedProducts", "product"),
      applicableCategories: check("applicableCategories", "category"),
      excludedCategories: check("excludedCategories", "category"),
      regionIds: check("regionIds", "region")
    })
  }

  /** The fields after the body. `store` holds its currency. */
  const checked = Effect.fnUntraced(function* (
    store: StoreContext,
    body: CouponPatch | CouponInput,
    before: CouponFields = blankCoupon
  ) {
    const read = changeCoupon(before, body, store.currency)
    const named = typeof body.platforms === "undefined" ? undefined : (body.platforms ?? [])
    const { destinations } = yield* checkAll({
      fields: Result.isFailure(read) ? rejectFields(read.failure) : Effect.void,
      lists: listsOf(store.id, before, body),
      destinations: named === undefined ? Effect.undefined : destinationsOf(store.id, named)
    })
    const after = Result.getOrElse(read, () => before)
    const fields = { ...after, channelIds: destinations?.channelIds ?? before.channelIds }
    return { fields, warnings: platformWarnings(fields, destinations?.codes ?? []) } satisfies CheckedCoupon
  })

  return {
    checked,
    destinationsOf,
    /**
     * Called before a coupon that names categories is written: lines are read with their categories from then on. No
     * other coupon changes the store's rules, so that thousands can be made without compiling anything again.
     */
    announce: (store: StoreContext, { applicableCategories, excludedCategories }: CouponFields) =>
      namesGroups({ categories: applicableCategories, excludedCategories })
        ? Effect.asVoid(stores.bumpRules(store, { namesGroups: true }))
        : Effect.void,
    /** The store with its currency, which stays until the transaction ends. */
    holdCurrency: stores.holdCurrency
  }
})
