/**
 * What storefronts read of products: JSON text, made from composed documents (decision 0024). A list is found (its ids
 * and total), its products are rendered, and their JSON makes the page. Each of the three is cached with what it
 * depends on. A page takes one statement if it was read before and none of that has changed, else two (a third if a
 * label was renamed).
 */
import { Clock, Context, Effect, Layer } from "effect"
import { ProductStates } from "../product/ProductStates.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { isOnChannel, publicReader, type StorefrontReader } from "../taxonomy/Publication.ts"
import { ProductNotFound } from "../taxonomy/TaxonomyErrors.ts"
import { ListCache } from "./internal/ListCache.ts"
import { listPages } from "./internal/listPages.ts"
import { addressVersionOf, productKeyOf, filterNow, type StorefrontQuery } from "./internal/listQuery.ts"
import { answerOf, isStill, PageCache, productsAnswer, type StorefrontAnswer } from "./internal/PageCache.ts"
import { inOrder, showsProducts } from "./internal/showsProducts.ts"
import { pagePartsOf } from "./internal/storefrontReading.ts"
import { ListingRepair } from "./ListingRepair.ts"
import { StorefrontProductRepository } from "./StorefrontProductRepository.ts"

export type { StorefrontAnswer }

/** Maximum number of products recommended beside others. */
const maxRecommended = 8

export class StorefrontProducts extends Context.Service<StorefrontProducts>()(
  "@effect-commerce/core/storefront/StorefrontProducts",
  {
    make: Effect.gen(function* () {
      const repository = yield* StorefrontProductRepository
      const products = yield* ProductStates
      const repair = yield* ListingRepair
      const lists = new ListCache()
      const pages = new PageCache()
      const shows = showsProducts({ ...repository, mark: repair.mark, repair: repair.repair })
      const { known: knownOf, readFresh, shownOf } = shows
      const pageOf = listPages({ ...shows, check: repository.check, lists, pages })

      /** JSON of a page in its envelope. No use case here finds unpublished or deleted products. */
      const list = (store: StoreContext, query: StorefrontQuery, reader: StorefrontReader = publicReader) =>
        Effect.map(pageOf(store, query, reader), ({ answer }) => answer)

      /** The filterable metafields that products have values of, each value with its number of products. */
      const metafieldFilters = (store: StoreContext, reader: StorefrontReader = publicReader) =>
        Effect.map(
          pageOf(store, { page: { page: 1, limit: 1 }, filter: {}, descending: false, facets: true }, reader),
          ({ facets }) => facets?.metafields ?? []
        )

      /** The cached response of a product; undefined if it may have changed. */
      const productAgain = Effect.fnUntraced(function* (store: StoreContext, key: string, now: number) {
        const found = lists.get(key, now)
        const page = found === undefined ? undefined : pages.get(key, found)
        if (page === undefined) return undefined
        const checked = yield* repository.check(store.id, page, new Date(now), false)
        return found?.version === addressVersionOf(checked.versions) && isStill(page, checked, now)
          ? page.answer
          : undefined
      })

      /** JSON of one product, its texts in the first of `languages` that has a translation. */
      const get = Effect.fnUntraced(function* (
        store: StoreContext,
        by: { readonly id: string } | { readonly slug: string },
        reader: StorefrontReader = publicReader
      ) {
        const now = yield* Clock.currentTimeMillis
        const key = productKeyOf(store, by, reader)
        const again = yield* productAgain(store, key, now)
        if (again !== undefined) return again
        const known = knownOf(store.id, "id" in by ? [by.id] : (lists.get(key, now)?.ids ?? []))
        const one = "id" in by ? by : { slug: by.slug, languages: reader.languages }
        const which = { one, channelId: reader.channelId, known: [...known.keys()] }
        const reading = yield* readFresh(store, which, now)
        const [first] = yield* shownOf(store, reading, { now, reader, known })
        if (first === undefined) return yield* new ProductNotFound({ id: "id" in by ? by.id : by.slug })
        const [id, shown] = first
        const { text, tag, since, until } = shown.text
        const found = { ids: [id], total: 1, facets: undefined, since: now, until: Number.POSITIVE_INFINITY }
        const { serial } = lists.set(key, { ...found, version: addressVersionOf(reading.versions) })
        const answer = answerOf(text, tag)
        const parts = pagePartsOf(reading.products, shown.known.stockKeys)
        pages.set(key, {
          answer,
          facets: undefined,
          since,
          until,
          ...parts,
          found: serial,
          labels: reading.versions.labels
        })
        return answer
      })

      /** JSON of `{products}` recommended with all of these, without these themselves; one statement. */
      const beside = Effect.fnUntraced(function* (
        store: StoreContext,
        ids: ReadonlyArray<string>,
        reader: StorefrontReader
      ) {
        const now = yield* Clock.currentTimeMillis
        const whole = { offset: 0, length: maxRecommended }
        const filter = filterNow({ beside: ids }, reader, now)
        const which = { filter, sortBy: "beside" as const, descending: false, block: whole, page: whole }
        const reading = yield* readFresh(store, which, now)
        const shown = inOrder(yield* shownOf(store, reading, { now, reader }), reading.found?.ids ?? [])
        return productsAnswer(shown.map(({ text }) => text))
      })

      /**
       * JSON of `{products}` recommended with one product: those that it links to (related, cross-sells, upsells), then
       * others of its categories.
       */
      const recommendations = Effect.fnUntraced(function* (
        store: StoreContext,
        id: string,
        reader: StorefrontReader = publicReader
      ) {
        const product = yield* products.find(store.id, { id }, true)
        if (product === undefined || !isOnChannel(product.salesChannelIds, reader.channelId))
          return yield* new ProductNotFound({ id })
        return yield* beside(store, [id], reader)
      })

      return { list, metafieldFilters, get, beside, recommendations }
    })
  }
) {
  static readonly layer = Layer.effect(StorefrontProducts, StorefrontProducts.make).pipe(
    Layer.provide([StorefrontProductRepository.layer, ProductStates.layer, ListingRepair.layer])
  )
}
