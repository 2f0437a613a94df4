/**
 * What storefronts read of products: JSON text, made of composed documents (decision 0024). A list is found (its ids
 * and its total), its products are shown, and they make the bytes of a page. Each of the three is remembered with what
 * it depends on. A page takes one statement where it was read before and nothing of that has changed, and two at most.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { isJoined } from "../kernel/JoinedTransaction.ts"
import { VersionedCache } from "../kernel/VersionedCache.ts"
import { ProductStates } from "../product/ProductStates.ts"
import { defaultLanguage, type StoreContext } from "../store/StoreContext.ts"
import { isOnChannel, publicReader, type StorefrontReader } from "../taxonomy/Publication.ts"
import { ProductNotFound } from "../taxonomy/TaxonomyErrors.ts"
import { toFacets } from "./Facets.ts"
import { DocumentCache, type KnownDocument, type ShownText } from "./internal/DocumentCache.ts"
import { FindsUnderWay } from "./internal/FindsUnderWay.ts"
import { filteredFacets } from "./internal/facetFilters.ts"
import { type FoundBlock, ListCache } from "./internal/ListCache.ts"
import {
  addressVersionOf,
  type ListQuery,
  listQueryOf,
  productKeyOf,
  shownNow,
  type StorefrontQuery,
  versionOf
} from "./internal/listQuery.ts"
import {
  answerOf,
  type KnownPage,
  pageAnswer,
  PageCache,
  productsAnswer,
  type StorefrontAnswer
} from "./internal/PageCache.ts"
import { repairedReading } from "./internal/repairedReading.ts"
import { SharedLabels } from "./internal/sharedLabels.ts"
import { type PageCheck, pagePartsOf, type Reading, shownIn, type Which } from "./internal/storefrontReading.ts"
import { ListingRepair } from "./ListingRepair.ts"
import { StorefrontProductRepository } from "./StorefrontProductRepository.ts"

export type { StorefrontAnswer }

/** Bytes of the labels of all stores in this process. */
const labelBytes = 67_108_864
/** Products recommended beside others. */
const maxRecommended = 8

/** Who reads, at which moment. `known`: documents whose digests the reading was given. */
interface ShownFor {
  readonly now: number
  readonly reader: StorefrontReader
  readonly known?: ReadonlyMap<string, KnownDocument>
}

/** A product of a reading as it is shown. */
interface Shown {
  readonly known: KnownDocument
  readonly text: ShownText
}

const noneKnown: ReadonlyMap<string, KnownDocument> = new Map()
const nothingFound = { ids: [], total: 0, until: null, facets: undefined }

/** Of what is found of a list, the page that is asked for. */
const pageIds = ({ at: { page } }: ListQuery, ids: ReadonlyArray<string>) =>
  ids.slice(page.offset, page.offset + page.length)

const facetsOf = ({ filter, facetContext }: ListQuery, { facets }: Pick<FoundBlock, "facets">) =>
  facets === undefined ? undefined : toFacets(facets, filteredFacets(filter), facetContext)

/** Whether a page, of a list that holds, is what would be answered now. */
const isStill = (page: KnownPage, { stale, versions, state }: PageCheck, now: number): boolean =>
  !stale && page.labels === versions.labels && page.state === state && page.since <= now && now < page.until

export class StorefrontProducts extends Context.Service<StorefrontProducts>()(
  "@effect-commerce/core/storefront/StorefrontProducts",
  {
    make: Effect.gen(function* () {
      const repository = yield* StorefrontProductRepository
      const products = yield* ProductStates
      const repair = yield* ListingRepair
      const labels = new VersionedCache<SharedLabels>(labelBytes, ({ bytes }) => bytes)
      const lists = new ListCache()
      const finds = new FindsUnderWay()
      const documents = new DocumentCache()
      const pages = new PageCache()

      /** Reads, and composes first what somebody has written without composing it, or so that nobody can read it. */
      const readFresh = Effect.fnUntraced(function* (store: StoreContext, which: Which, now: number) {
        const isLabelled = labels.get(store.id, 0n) !== undefined
        const read = repository.read(store.id, which, new Date(now), !isLabelled)
        const first = yield* read
        // Marked once by each reader: a document that stays unreadable is a defect, and not marked for others to meet.
        const unreadable = isJoined() ? [] : documents.unreadable(store.id, first.products)
        if (unreadable.length > 0) yield* repair.mark(store.id, unreadable)
        return yield* repairedReading({ ...first, stale: first.stale || unreadable.length > 0 }, read, {
          shownIn: (reading) => shownIn(which, reading),
          repair: (shown) => repair.repair(store, shown),
          turnsWhileJoined: 0
        })
      })

      /** The labels of the reading's version: read with it, remembered, or read now. */
      const labelsOf = Effect.fnUntraced(function* (storeId: string, { versions, labels: rows }: Reading) {
        const remembered = rows === undefined ? labels.get(storeId, versions.labels) : undefined
        if (remembered !== undefined) return remembered
        const read = rows === undefined ? yield* repository.labels(storeId) : { version: versions.labels, labels: rows }
        const compiled = new SharedLabels(read.labels)
        labels.set(storeId, read.version, compiled)
        return compiled
      })

      /** The products of a reading, by id. */
      const shownOf = Effect.fnUntraced(function* (
        store: StoreContext,
        reading: Reading,
        { now, reader, known = noneKnown }: ShownFor
      ) {
        const { channelId, languages: wanted = [] } = reader
        const context = {
          now,
          labels: yield* labelsOf(store.id, reading),
          labelsVersion: reading.versions.labels,
          channelId,
          reading: wanted.length === 0 ? undefined : { wanted, own: defaultLanguage(store) }
        }
        return new Map(
          reading.products.map((row): readonly [string, Shown] => {
            const document = documents.documentOf(store.id, row, known)
            return [row.id, { known: document, text: documents.textOf(store.id, document, row, context) }]
          })
        )
      })

      const inOrder = (shown: ReadonlyMap<string, Shown>, ids: ReadonlyArray<string>) =>
        ids.flatMap((id) => shown.get(id) ?? [])

      /** A page of a list that was found before; undefined where the list may be another one by now. */
      const pageAgain = Effect.fnUntraced(function* (store: StoreContext, query: ListQuery, { now, reader }: ShownFor) {
        const found = lists.get(query.key, now)
        if (found === undefined) return undefined
        const page = pages.get(query.pageKey, found)
        if (page !== undefined) {
          const checked = yield* repository.check(store.id, page, new Date(now), query.isByStock)
          if (found.version !== versionOf(checked, query)) return undefined
          if (isStill(page, checked, now)) return page
        }
        const ids = pageIds(query, found.ids)
        const known = documents.of(store.id, ids)
        const reading = yield* readFresh(store, { ids, channelId: reader.channelId, known: [...known.keys()] }, now)
        if (found.version !== versionOf(reading, query)) return undefined
        const shown = inOrder(yield* shownOf(store, reading, { now, reader, known }), ids)
        const texts = shown.map(({ text }) => text)
        const answered = pageAnswer(query.page, found.total, texts, facetsOf(query, found))
        const stockKeys = shown.flatMap((one) => one.known.stockKeys)
        pages.set(query.pageKey, {
          ...answered,
          ...pagePartsOf(reading.products, stockKeys),
          found: found.serial,
          labels: reading.versions.labels
        })
        return answered
      })

      const pageFound = Effect.fnUntraced(function* (store: StoreContext, query: ListQuery, { now, reader }: ShownFor) {
        const { filter, sortBy, descending, facets, at } = query
        const reading = yield* readFresh(store, { filter, sortBy, descending, facets, ...at }, now)
        const { ids, total, until, facets: counts } = reading.found ?? nothingFound
        const version = versionOf(reading, query)
        const shown = inOrder(yield* shownOf(store, reading, { now, reader }), pageIds(query, ids))
        const found = { ids, total, facets: counts, since: now, until: until ?? Number.POSITIVE_INFINITY }
        if (version !== undefined) lists.set(query.key, { ...found, version })
        const texts = shown.map(({ text }) => text)
        return pageAnswer(query.page, total, texts, facetsOf(query, found))
      })

      /** A page of a list: remembered where that still holds, or found now. */
      const pageOf = Effect.fnUntraced(function* (
        store: StoreContext,
        asked: StorefrontQuery,
        reader: StorefrontReader
      ) {
        const now = yield* Clock.currentTimeMillis
        const query = listQueryOf(store, asked, reader, now)
        const again = pageAgain(store, query, { now, reader })
        const page = (yield* again) ?? ((yield* finds.wait(query.key)) ? yield* again : undefined)
        return page ?? (yield* finds.during(query.key, pageFound(store, query, { now, reader })))
      })

      /** JSON of a page in its envelope. Drafts and deleted products are not found here, as in all of these. */
      const list = (store: StoreContext, query: StorefrontQuery, reader: StorefrontReader = publicReader) =>
        Effect.map(pageOf(store, query, reader), ({ answer }) => answer)

      /** The filterable fields that products have values of, each value with its number of products. */
      const metafieldFilters = (store: StoreContext, reader: StorefrontReader = publicReader) =>
        Effect.map(
          pageOf(store, { page: { page: 1, limit: 1 }, filter: {}, descending: false, facets: true }, reader),
          ({ facets }) => facets?.metafields ?? []
        )

      /** A product that was answered before; undefined where it may be another one by now. */
      const productAgain = Effect.fnUntraced(function* (store: StoreContext, key: string, now: number) {
        const found = lists.get(key, now)
        const page = found === undefined ? undefined : pages.get(key, found)
        if (page === undefined) return undefined
        const checked = yield* repository.check(store.id, page, new Date(now), false)
        return found?.version === addressVersionOf(checked.versions) && isStill(page, checked, now)
          ? page.answer
          : undefined
      })

      /** JSON of one product, its texts in the first of `languages` that there is. */
      const get = Effect.fnUntraced(function* (
        store: StoreContext,
        by: { readonly id: string } | { readonly slug: string },
        reader: StorefrontReader = publicReader
      ) {
        const now = yield* Clock.currentTimeMillis
        const key = productKeyOf(store, by, reader)
        const again = yield* productAgain(store, key, now)
        if (again !== undefined) return again
        const known = documents.of(store.id, "id" in by ? [by.id] : (lists.get(key, now)?.ids ?? []))
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

      /** JSON of `{products}` that go with all of these, which are none of them; one statement. */
      const beside = Effect.fnUntraced(function* (
        store: StoreContext,
        ids: ReadonlyArray<string>,
        reader: StorefrontReader
      ) {
        const now = yield* Clock.currentTimeMillis
        const whole = { offset: 0, length: maxRecommended }
        const filter = shownNow({ beside: ids }, reader, now)
        const which = { filter, sortBy: "beside" as const, descending: false, block: whole, page: whole }
        const reading = yield* readFresh(store, which, now)
        const shown = inOrder(yield* shownOf(store, reading, { now, reader }), reading.found?.ids ?? [])
        return productsAnswer(shown.map(({ text }) => text))
      })

      /**
       * JSON of `{products}` that go with one: what it names (related, cross-sells, upsells), then others of its
       * categories.
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
