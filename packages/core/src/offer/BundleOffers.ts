/**
 * The use cases of bundle offers, order bumps and upgrades. Writers of one store take turns, so that active offers
 * never lead from a product back to itself: in such a circle two products would each be the reason for the other's
 * discount.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { orFail } from "../database/Repository.ts"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import { makeId } from "../kernel/Ids.ts"
import { mapItems, type Page } from "../kernel/Pagination.ts"
import type { BundleOfferView } from "../pricing/BundleOffer.ts"
import { ProductReadModel } from "../product/ProductReadModel.ts"
import { checkRoom } from "../store/StoreBounds.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { Stores } from "../store/Stores.ts"
import {
  bundleOfferBound,
  type BundleOfferFields,
  type BundleOfferInput,
  type BundleOfferPatch
} from "./BundleOffer.ts"
import { BundleOfferRepository, type OfferFilter } from "./BundleOfferRepository.ts"
import type { OfferPlace } from "./OfferedRows.ts"
import { BundleOfferNotFound } from "./OfferErrors.ts"
import { namedInOffer, offerFields } from "./OfferInputs.ts"
import type { OfferKind } from "./OfferTerms.ts"
import { canBeOffered, savingOf, toAdminOffer, toOfferView } from "./offerViews.ts"

export class BundleOffers extends Context.Service<BundleOffers>()("@effect-commerce/core/offer/BundleOffers", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* BundleOfferRepository
    const stores = yield* Stores
    const readModel = yield* ProductReadModel

    const notFound = (id: string) => () => new BundleOfferNotFound({ id })

    const read = Effect.fnUntraced(function* (store: StoreContext, id: string, now: number) {
      return toAdminOffer(store, yield* orFail(repository.find(store.id, id, new Date(now)), notFound(id)), now)
    })

    /** The fields after the body, checked against what the store has, with the products locked. */
    const checked = Effect.fnUntraced(function* (
      store: StoreContext,
      id: string,
      current: BundleOfferFields | undefined,
      body: BundleOfferInput | BundleOfferPatch
    ) {
      const { currency } = yield* stores.holdCurrency(store)
      const { triggerProductId, productIds, pinnedVariants } = namedInOffer(current, body)
      const before = current === undefined ? [] : [current.triggerProductId]
      const known = yield* repository.known(
        store.id,
        [...new Set([...before, triggerProductId, ...productIds])],
        Object.values(pinnedVariants)
      )
      const fields = yield* offerFields(current, body, { currency, known })
      if (fields.isActive && (yield* repository.leadsBack(store.id, id, fields)))
        return yield* FieldRejected.at("productIds", "other active offers lead from these products back to this one")
      return fields
    })

    /** The number of offers of a product is shown with it. */
    const recount = (store: StoreContext, now: number, ...offers: ReadonlyArray<BundleOfferFields>) =>
      readModel.rebuild(store, [...new Set(offers.map(({ triggerProductId }) => triggerProductId))], now)

    const create = Effect.fn("BundleOffers.create")(function* (store: StoreContext, input: BundleOfferInput) {
      const now = yield* Clock.currentTimeMillis
      const id = makeId("offer", now)
      return yield* database.write(store.id)(
        Effect.gen(function* () {
          yield* checkRoom(bundleOfferBound, yield* repository.countToAdd(store.id))
          const fields = yield* checked(store, id, undefined, input)
          yield* repository.insert(store.id, id, fields, new Date(now))
          yield* recount(store, now, fields)
          return yield* Effect.orDie(read(store, id, now))
        })
      )
    })

    const update = Effect.fn("BundleOffers.update")(function* (
      store: StoreContext,
      id: string,
      patch: BundleOfferPatch
    ) {
      const now = yield* Clock.currentTimeMillis
      return yield* database.write(store.id)(
        Effect.gen(function* () {
          const current = yield* orFail(repository.lock(store.id, id), notFound(id))
          const fields = yield* checked(store, id, current, patch)
          yield* repository.update(store.id, id, fields, new Date(now))
          yield* recount(store, now, current, fields)
          return yield* read(store, id, now)
        })
      )
    })

    /** Lines of carts that were taken from the offer cost their own prices from now on. */
    const remove = Effect.fn("BundleOffers.remove")(function* (store: StoreContext, id: string) {
      const now = yield* Clock.currentTimeMillis
      yield* database.write(store.id)(
        Effect.gen(function* () {
          const current = yield* orFail(repository.lock(store.id, id), notFound(id))
          yield* repository.remove(store.id, id)
          yield* recount(store, now, current)
        })
      )
    })

    return {
      create,
      update,
      remove,
      get: (store: StoreContext, id: string) => Effect.flatMap(Clock.currentTimeMillis, (now) => read(store, id, now)),
      list: (store: StoreContext, page: Page, filter: OfferFilter) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          mapItems(repository.list(store.id, page, filter, new Date(now)), (offer) => toAdminOffer(store, offer, now))
        ),
      /**
       * The active offers of these kinds that the products bring up, and whose own products can all be bought at this
       * place; those that save most come first. One statement.
       */
      broughtUpBy: Effect.fnUntraced(function* (
        store: StoreContext,
        place: OfferPlace,
        productIds: ReadonlyArray<string>,
        kinds: ReadonlyArray<OfferKind>
      ) {
        if (productIds.length === 0 || kinds.length === 0) return [] as ReadonlyArray<typeof BundleOfferView.Type>
        const now = yield* Clock.currentTimeMillis
        const found = yield* repository.broughtUpBy(store.id, place, { productIds, kinds }, new Date(now))
        return found
          .filter(canBeOffered)
          .map((offer) => ({ offer, saving: savingOf(offer, now) }))
          .sort((a, b) => (a.saving === b.saving ? 0 : a.saving > b.saving ? -1 : 1))
          .map(({ offer }) => toOfferView(store, offer, { now, forShopper: true }))
      }),
      /** An offer as it can be taken at this place; undefined for an unknown one. One statement. */
      taken: (store: StoreContext, place: OfferPlace, id: string, now: Date) =>
        repository.taken(store.id, place, id, now)
    }
  })
}) {
  static readonly layer = Layer.effect(BundleOffers, BundleOffers.make).pipe(Layer.provide(BundleOfferRepository.layer))
}
