/**
 * What storefronts read of products: JSON text, made of composed documents (decision 0024). A page of a list, or a
 * product, is one statement where it was asked for before and nothing of the store's listing has changed since, and two
 * at most.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { coalesced } from "../kernel/Coalesced.ts"
import { VersionedCache } from "../kernel/VersionedCache.ts"
import { defaultLanguage, type StoreContext } from "../store/StoreContext.ts"
import { ProductNotFound } from "../taxonomy/TaxonomyErrors.ts"
import { type MetafieldFacet, toFacets } from "./Facets.ts"
import {
  type AskedList,
  askedList,
  askedProduct,
  shownNow,
  type StorefrontQuery,
  versionOf
} from "./internal/askedList.ts"
import { filteredFacets } from "./internal/facetFilters.ts"
import { type FoundBlock, FoundLists } from "./internal/foundLists.ts"
import { pageAnswer, productsAnswer } from "./internal/listAnswer.ts"
import { type RememberedDocument, RememberedDocuments, type ShownText } from "./internal/rememberedDocuments.ts"
import { answerOf, type RememberedPage, RememberedPages, type StorefrontAnswer } from "./internal/rememberedPages.ts"
import { settledReading } from "./internal/settledReading.ts"
import { type PageCheck, pageStock, type Reading, type Which } from "./internal/storefrontReading.ts"
import { compileVocabulary, type VocabularyPieces } from "./internal/vocabularyPieces.ts"
import { ProductRepository } from "../product/ProductRepository.ts"
import { isOnChannel, publicReader, type StorefrontReader } from "../taxonomy/Publication.ts"
import { StaleProducts } from "./StaleProducts.ts"
import { StorefrontProductRepository } from "./StorefrontProductRepository.ts"

export type { StorefrontAnswer, StorefrontQuery }

export interface StorefrontProductsMethods {
  /** JSON of a page in its envelope. Drafts and deleted products are unknown here, as in all of these. */
  readonly list: (
    store: StoreContext,
    query: StorefrontQuery,
    reader?: StorefrontReader
  ) => Effect.Effect<StorefrontAnswer>
  /** The filterable fields that products have values of, each value with its number of products. */
  readonly metafieldFilters: (
    store: StoreContext,
    reader?: StorefrontReader
  ) => Effect.Effect<ReadonlyArray<MetafieldFacet>>
  /** JSON of one product, its texts in the first of `languages` there is. */
  readonly get: (
    store: StoreContext,
    by: { readonly id: string } | { readonly slug: string },
    reader?: StorefrontReader
  ) => Effect.Effect<StorefrontAnswer, ProductNotFound>
  /** JSON of `{products}` that go with all of these, which are none of them; one statement. */
  readonly beside: (
    store: StoreContext,
    ids: ReadonlyArray<string>,
    reader: StorefrontReader
  ) => Effect.Effect<StorefrontAnswer>
  /**
   * JSON of `{products}` that go with one: what it names (related, cross-sells, upsells), then others of its
   * categories.
   */
  readonly recommendations: (
    store: StoreContext,
    id: string,
    reader?: StorefrontReader
  ) => Effect.Effect<StorefrontAnswer, ProductNotFound>
}

/** Bytes of the compiled vocabularies of all stores in this process. */
const vocabularyBytes = 67_108_864
/** Pages of a store that one statement checks. */
const pagesChecked = 16
/** Products recommended beside others. */
const maxRecommended = 8

export class StorefrontProducts extends Context.Service<StorefrontProducts, StorefrontProductsMethods>()(
  "@effect-commerce/core/storefront/StorefrontProducts"
) {
  static readonly layer = Layer.effect(
    StorefrontProducts,
    Effect.gen(function* () {
      const repository = yield* StorefrontProductRepository
      const products = yield* ProductRepository
      const stale = yield* StaleProducts
      const vocabularies = new VersionedCache<VocabularyPieces>(vocabularyBytes, ({ bytes }) => bytes)
      const lists = new FoundLists()
      const documents = new RememberedDocuments()
      const pages = new RememberedPages()

      /** Reads, and composes first what somebody has written without composing it. */
      const readFresh = (store: StoreContext, which: Which, now: number) => {
        const known = vocabularies.get(store.id, 0n) !== undefined
        const read = repository.read(store.id, which, new Date(now), !known)
        return settledReading(which, read, (toShow) => stale.settle(store, toShow))
      }

      /** The vocabulary of the reading's version: read with it, remembered, or read now. */
      const vocabularyOf = Effect.fnUntraced(function* (storeId: string, { vocabulary, words }: ReadProducts) {
        const remembered = words === undefined ? vocabularies.get(storeId, vocabulary) : undefined
        if (remembered !== undefined) return remembered
        const read = words === undefined ? yield* repository.words(storeId) : { version: vocabulary, words }
        const compiled = compileVocabulary(read.words)
        vocabularies.set(storeId, read.version, compiled)
        return compiled
      })

      /** The products of a reading, by id. `known` is what the reading was told. */
      const shown = Effect.fnUntraced(function* (
        store: StoreContext,
        reading: ReadProducts,
        { now, reader, known = noneKnown }: ShownFor
      ) {
        const { channelId, languages: wanted = [] } = reader
        const language = wanted.length === 0 ? undefined : { wanted, own: defaultLanguage(store) }
        const vocabulary = (yield* vocabularyOf(store.id, reading)).on(channelId, language)
        const context = { now, vocabulary, vocabularyVersion: reading.vocabulary, reading: language }
        return new Map(
          reading.products.map((product) => [product.id, documents.show(store.id, product, known, context)])
        )
      })

      const inOrder = (texts: ReadonlyMap<string, ShownText>, ids: ReadonlyArray<string>) =>
        ids.flatMap((id) => texts.get(id) ?? [])

      const toldFacets = ({ filter, facetContext }: AskedList, { facets }: Pick<FoundBlock, "facets">) =>
        facets === undefined ? undefined : toFacets(facets, filteredFacets(filter), facetContext)

      /** How pages of a store are now, asked for all that wait. */
      const check = coalesced(pagesChecked, (storeId: string, asked: ReadonlyArray<CheckedPage>) => {
        const now = Math.max(...asked.map((one) => one.now))
        const known = [...new Set(asked.map(({ page }) => page))]
        const withStock = asked.some(({ isByStock }) => isByStock)
        const read = repository.check(
          storeId,
          known.map((page) => page.asked),
          new Date(now),
          withStock
        )
        return Effect.map(read, ({ states, ...versions }) => ({
          ...versions,
          now,
          states: new Map(known.map((page, at) => [page, states[at]]))
        }))
      })

      /** A page of a list that was found before; undefined where it may be another one by now. */
      const findAgain = Effect.fnUntraced(function* (store: StoreContext, asked: AskedList, { now, reader }: ShownFor) {
        const found = lists.get(asked.key, now)
        if (found === undefined) return undefined
        const holds = (versions: Versions) => found.version === versionOf(versions, asked)
        const page = pages.get(asked.pageKey, found)
        if (page !== undefined) {
          const checked = yield* check(store.id, { page, now, isByStock: asked.isByStock })
          if (!holds(checked) || checked.now >= found.until) return undefined
          if (isStill(page, checked)) return page
        }
        const ids = pageIds(asked, found.ids)
        const known = documents.of(store.id, ids)
        const reading = yield* readFresh(store, { ids, channelId: reader.channelId, known: [...known.keys()] }, now)
        if (!holds(reading)) return undefined
        const texts = inOrder(yield* shown(store, reading, { now, reader, known }), ids)
        const answered = pageAnswer(asked.page, found.total, texts, toldFacets(asked, found))
        pages.set(asked.pageKey, {
          ...answered,
          found: found.serial,
          ...pageStock(
            reading.products,
            texts.flatMap(({ document }) => document.stockKeys)
          ),
          vocabulary: reading.vocabulary
        })
        return answered
      })

      /** A page of a list as it is found, or as it is remembered where that still holds. */
      const find = Effect.fnUntraced(function* (store: StoreContext, query: StorefrontQuery, reader: StorefrontReader) {
        const now = yield* Clock.currentTimeMillis
        const asked = askedList(store, query, reader, now)
        const again = yield* findAgain(store, asked, { now, reader })
        if (again !== undefined) return again
        const { filter, sortBy, descending, facets, at } = asked
        const reading = yield* readFresh(store, { filter, sortBy, descending, facets, ...at }, now)
        const { ids, total, until, facets: counts } = reading.found ?? nothingFound
        const version = versionOf(reading, asked)
        const texts = inOrder(yield* shown(store, reading, { now, reader }), pageIds(asked, ids))
        const found = { ids, total, facets: counts, since: now, until: until ?? Number.POSITIVE_INFINITY }
        if (version !== undefined) lists.set(asked.key, { ...found, version })
        return pageAnswer(asked.page, total, texts, toldFacets(asked, found))
      })

      const list: StorefrontProductsMethods["list"] = (store, query, reader = publicReader) =>
        Effect.map(find(store, query, reader), ({ answer }) => answer)

      const metafieldFilters: StorefrontProductsMethods["metafieldFilters"] = (store, reader = publicReader) =>
        Effect.map(
          find(store, { page: { page: 1, limit: 1 }, filter: {}, descending: false, facets: true }, reader),
          ({ facets }) => facets?.metafields ?? []
        )

      /** A product that was answered before; undefined where it may be another one by now. */
      const getAgain = Effect.fnUntraced(function* (store: StoreContext, key: string, now: number) {
        const found = lists.get(key, now)
        const page = found === undefined ? undefined : pages.get(key, found)
        if (page === undefined) return undefined
        const checked = yield* check(store.id, { page, now, isByStock: false })
        return found?.version === checked.listing && isStill(page, checked) ? page.answer : undefined
      })

      const get: StorefrontProductsMethods["get"] = Effect.fnUntraced(function* (store, by, reader = publicReader) {
        const now = yield* Clock.currentTimeMillis
        const key = askedProduct(store, by, reader)
        const again = yield* getAgain(store, key, now)
        if (again !== undefined) return again
        const known = "id" in by ? documents.of(store.id, [by.id]) : documents.ofSlug(store.id, by.slug)
        const one = "id" in by ? by : { slug: by.slug, languages: reader.languages }
        const which = { one, channelId: reader.channelId, known: [...known.keys()] }
        const reading = yield* readFresh(store, which, now)
        const [first] = yield* shown(store, reading, { now, reader, known })
        if (first === undefined) return yield* new ProductNotFound({ id: "id" in by ? by.id : by.slug })
        const [id, product] = first
        if ("slug" in by) documents.rememberSlug(store.id, by.slug, id)
        const { listing: version, vocabulary } = reading
        const { serial } = lists.set(key, { ...foundOne, version, ids: [id], since: now })
        const { text, tag, since, until } = product
        const answer = answerOf(text, tag)
        const shownStock = pageStock(reading.products, product.document.stockKeys)
        pages.set(key, { answer, facets: undefined, since, until, found: serial, ...shownStock, vocabulary })
        return answer
      })

      const beside: StorefrontProductsMethods["beside"] = Effect.fnUntraced(function* (store, ids, reader) {
        const now = yield* Clock.currentTimeMillis
        const whole = { offset: 0, length: maxRecommended }
        const filter = shownNow({ beside: ids }, reader, now)
        const which = { filter, sortBy: "beside" as const, descending: false, block: whole, page: whole }
        const reading = yield* readFresh(store, which, now)
        return productsAnswer(inOrder(yield* shown(store, reading, { now, reader }), reading.found?.ids ?? []))
      })

      const recommendations: StorefrontProductsMethods["recommendations"] = Effect.fnUntraced(function* (
        store,
        id,
        reader = publicReader
      ) {
        const product = yield* products.find(store.id, { id }, true)
        if (product === undefined || !isOnChannel(product.salesChannelIds, reader.channelId))
          return yield* new ProductNotFound({ id })
        return yield* beside(store, [id], reader)
      })

      return StorefrontProducts.of({ list, metafieldFilters, get, beside, recommendations })
    })
  ).pipe(Layer.provide([StorefrontProductRepository.layer, ProductRepository.layer, StaleProducts.layer]))
}

const foundOne = { total: 1, facets: undefined, until: Number.POSITIVE_INFINITY }
const nothingFound = { ids: [], total: 0, until: null, facets: undefined }

/** Of what is found of a list, the page that is asked for. */
const pageIds = ({ at: { page } }: AskedList, ids: ReadonlyArray<string>) =>
  ids.slice(page.offset, page.offset + page.length)

const noneKnown: ReadonlyMap<string, RememberedDocument> = new Map()

interface ReadProducts extends Pick<Reading, "vocabulary" | "products"> {
  readonly words?: Reading["words"]
}

interface CheckedPage {
  readonly page: RememberedPage
  readonly now: number
  readonly isByStock: boolean
}

interface CheckedPages extends Omit<PageCheck, "states"> {
  readonly now: number
  readonly states: ReadonlyMap<RememberedPage, string | undefined>
}

/** Whether a page, of a list that holds, is what would be answered now. */
const isStill = (page: RememberedPage, { stale, vocabulary, states, now }: CheckedPages): boolean =>
  !stale && page.vocabulary === vocabulary && page.state === states.get(page) && page.since <= now && now < page.until

type Versions = Pick<PageCheck, "listing" | "vocabulary" | "unsettled">

interface ShownFor {
  readonly now: number
  readonly reader: StorefrontReader
  readonly known?: ReadonlyMap<string, RememberedDocument>
}
