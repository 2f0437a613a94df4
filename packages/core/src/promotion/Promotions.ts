/**
 * The promotions of a store, and the matcher compiled from them. Every write raises the store's rules version in its
 * transaction and does so first: the store's row then serialises the writers, and a version always names one state of
 * the rules.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { orFail } from "../database/Repository.ts"
import { checkAll, checkFilled, rejectFields } from "../kernel/FieldRejected.ts"
import { makeId } from "../kernel/Ids.ts"
import { checkNamedIds, type NamedId } from "../kernel/NamedIds.ts"
import { mapItems, type Page } from "../kernel/Pagination.ts"
import { namesGroups } from "../pricing/LineScope.ts"
import { compiledRules } from "../store/compiledRules.ts"
import { checkRoom } from "../store/StoreBounds.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { Stores } from "../store/Stores.ts"
import { Brands } from "../taxonomy/Brands.ts"
import { Categories } from "../taxonomy/Categories.ts"
import { ProductChanges } from "../taxonomy/ProductChanges.ts"
import { blankPromotion, changePromotion } from "./internal/changePromotion.ts"
import {
  promotionBound,
  type PromotionFields,
  type PromotionInput,
  type PromotionPatch,
  toPromotionView
} from "./Promotion.ts"
import { PromotionNotFound } from "./PromotionErrors.ts"
import { compilePromotions, type PromotionMatcher } from "./PromotionMatcher.ts"
import { PromotionRepository } from "./PromotionRepository.ts"
import { namedInConfig, type PromotionTerms } from "./PromotionTerms.ts"

/** The ids that were not named before, each with its field. */
const newIds = (field: string, after: ReadonlyArray<string>, before: ReadonlyArray<string>): ReadonlyArray<NamedId> => {
  const known = new Set(before)
  return after.flatMap((id, i) => (known.has(id) ? [] : [[`${field}.${i}`, id]]))
}

const bumping = ({ applicableCategories, applicableBrands }: PromotionPatch) => ({
  namesGroups: namesGroups({ categories: applicableCategories ?? [], brands: applicableBrands ?? [] })
})

export class Promotions extends Context.Service<Promotions>()("@effect-commerce/core/promotion/Promotions", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* PromotionRepository
    const stores = yield* Stores
    const [products, categories, brands] = [yield* ProductChanges, yield* Categories, yield* Brands]
    const zones = { existing: repository.existingShipping("shipping_zone") }
    const rates = { existing: repository.existingShipping("shipping_rate") }

    /** The store's active rules at `rulesVersion` or later. */
    const matcher: (storeId: string, rulesVersion: bigint) => Effect.Effect<PromotionMatcher> = compiledRules({
      read: repository.readRules,
      compile: compilePromotions,
      none: () => compilePromotions({ rules: [], currency: "USD" })
    })

    const read = (store: StoreContext, id: string) =>
      Effect.map(
        orFail(repository.find(store.id, id), () => new PromotionNotFound({ id })),
        (promotion) => toPromotionView(store, promotion)
      )

    /** Ids that the promotion had before may have been deleted since: it keeps them. */
    const checkIds = (
      storeId: string,
      terms: PromotionTerms | undefined,
      after: PromotionPatch,
      before: PromotionFields
    ) => {
      const named = terms === undefined ? { zones: [], rates: [] } : namedInConfig(terms)
      const isNew =
        (field: "zoneIds" | "rateIds") =>
        ([, id]: readonly [path: string, id: string]): boolean => {
          const kept = before.config[field]
          return !Array.isArray(kept) || !kept.includes(id)
        }
      const listed = (field: "applicableProducts" | "applicableCategories" | "applicableBrands") =>
        newIds(field, after[field] ?? [], before[field])
      return checkAll({
        products: checkNamedIds(products, storeId, "product", listed("applicableProducts")),
        categories: checkNamedIds(categories, storeId, "category", listed("applicableCategories")),
        brands: checkNamedIds(brands, storeId, "brand", listed("applicableBrands")),
        zones: checkNamedIds(zones, storeId, "shipping zone", named.zones.filter(isNew("zoneIds"))),
        rates: checkNamedIds(rates, storeId, "shipping rate", named.rates.filter(isNew("rateIds")))
      })
    }

    /** What the promotion becomes by a body; all fields that are wrong are one error. */
    const changed = Effect.fnUntraced(function* (
      store: Pick<StoreContext, "id" | "currency">,
      current: PromotionFields,
      patch: PromotionPatch
    ) {
      const result = changePromotion(current, patch, store.currency)
      const isRead = result._tag === "Success"
      const terms = isRead && patch.config !== undefined ? result.success.terms : undefined
      yield* checkAll({
        name: checkFilled("name", patch.name),
        fields: isRead ? Effect.void : rejectFields(result.failure),
        ids: checkIds(store.id, terms, patch, current)
      })
      return isRead ? result.success.fields : current
    })

    const create = Effect.fn("Promotions.create")(function* (known: StoreContext, input: PromotionInput) {
      const now = yield* Clock.currentTimeMillis
      const id = makeId("promo", now)
      return yield* database.write(known.id)(
        Effect.gen(function* () {
          const store = yield* stores.bumpRules(known, bumping(input))
          const fields = yield* changed(store, blankPromotion(input), input)
          yield* checkRoom(promotionBound, (yield* repository.count(store.id)) ?? 0)
          yield* repository.insert(store.id, id, fields, new Date(now))
          return yield* Effect.orDie(read(store, id))
        })
      )
    })

    const update = Effect.fn("Promotions.update")(function* (known: StoreContext, id: string, patch: PromotionPatch) {
      const now = new Date(yield* Clock.currentTimeMillis)
      return yield* database.write(known.id)(
        Effect.gen(function* () {
          const store = yield* stores.bumpRules(known, bumping(patch))
          const current = yield* orFail(repository.find(store.id, id), () => new PromotionNotFound({ id }))
          yield* repository.update(store.id, id, yield* changed(store, current, patch), now)
          return yield* read(store, id)
        })
      )
    })

    /** Orders keep what it took off them. */
    const remove = Effect.fn("Promotions.remove")(function* (store: StoreContext, id: string) {
      yield* database.write(store.id)(
        Effect.gen(function* () {
          yield* stores.bumpRules(store)
          if (!(yield* repository.remove(store.id, id))) return yield* new PromotionNotFound({ id })
        })
      )
    })

    return {
      create,
      update,
      remove,
      get: read,
      /** In the order in which they are applied. */
      list: (store: StoreContext, page: Page) =>
        mapItems(repository.list(store.id, page), (promotion) => toPromotionView(store, promotion)),
      matcher,
      /** How often a promotion may be used, as stored now. */
      limits: repository.limits
    }
  })
}) {
  static readonly layer = Layer.effect(Promotions, Promotions.make).pipe(Layer.provide(PromotionRepository.layer))
}
