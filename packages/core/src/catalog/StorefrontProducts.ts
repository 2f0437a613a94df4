/**
 * What storefronts read of products: JSON text, made of composed documents (decision 0024). A page of a list is one
 * statement where the list was asked for before and nothing of the store's listing has changed since, and two at most.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { type Page, toEnvelope } from "../kernel/Pagination.ts"
import { VersionedCache } from "../kernel/VersionedCache.ts"
import { defaultLanguage, type StoreContext } from "../store/StoreContext.ts"
import { ProductNotFound } from "./CatalogErrors.ts"
import { type FacetContext, type Facets, type MetafieldFacet, toFacets } from "./Facets.ts"
import { type RememberedDocument, RememberedDocuments, type ShownText } from "./internal/rememberedDocuments.ts"
import type { FacetRows } from "./internal/facetCounts.ts"
import { filteredFacets } from "./internal/facetFilters.ts"
import { blockOf, FoundLists } from "./internal/foundLists.ts"
import { parseSearch } from "./internal/searchQuery.ts"
import { settledReading } from "./internal/settledReading.ts"
import { compileVocabulary, type VocabularyPieces } from "./internal/vocabularyPieces.ts"
import type { ListingSort } from "./Product.ts"
import { type ProductFilter, ProductRepository } from "./ProductRepository.ts"
import { isOnChannel, publicReader, type StorefrontReader } from "./Publication.ts"
import { StaleProducts } from "./StaleProducts.ts"
import { type Reading, StorefrontProductRepository, type Which } from "./StorefrontProductRepository.ts"

export interface StorefrontQuery {
  readonly page: Page
  readonly filter: Omit<ProductFilter, "now" | "statuses" | "channelId">
  /** Undefined: by relevance where something is searched, else in menu order. */
  readonly sortBy?: ListingSort | undefined
  readonly descending: boolean
  /** What the list can be narrowed by is told beside it. */
  readonly facets?: boolean | undefined
}

/** JSON, and a text that tells it from every other answer to the same request, in every process. */
export interface StorefrontAnswer {
  readonly json: string
  readonly tag: string
}

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
  /**
   * JSON of the products that go with one, in a list: what it names (related, cross-sells, upsells), then others of its
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
/** Products recommended beside one. */
const maxRecommended = 8

export class StorefrontProducts extends Context.Service<StorefrontProducts, StorefrontProductsMethods>()(
  "@effect-commerce/core/catalog/StorefrontProducts"
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

      /** Reads, and composes first what somebody has written without composing it. */
      const readFresh = (store: StoreContext, which: Which, now: number) => {
        const known = vocabularies.get(store.id, 0n) !== undefined
        const read = repository.read(store.id, which, new Date(now), !known)
        return settledReading(which, read, (toShow) => stale.settle(store, toShow))
      }

      /** The vocabulary of the reading's version: read with it, remembered, or read now. */
      const vocabularyOf = Effect.fnUntraced(function* (storeId: string, reading: Reading) {
        const remembered = reading.words === undefined ? vocabularies.get(storeId, reading.vocabulary) : undefined
        if (remembered !== undefined) return remembered
        const { version, words } =
          reading.words === undefined
            ? yield* repository.words(storeId)
            : { version: reading.vocabulary, words: reading.words }
        const compiled = compileVocabulary(words)
        vocabularies.set(storeId, version, compiled)
        return compiled
      })

      /** The products of a reading, by id. `known` is what the reading was told. */
      const shown = Effect.fnUntraced(function* (
        store: StoreContext,
        reading: Reading,
        { now, reader, known = noneKnown }: ShownFor
      ) {
        const { channelId, languages: wanted = [] } = reader
        const vocabulary = (yield* vocabularyOf(store.id, reading)).on(channelId)
        const language = wanted.length === 0 ? undefined : { wanted, own: defaultLanguage(store) }
        const context = { now, vocabulary, vocabularyVersion: reading.vocabulary, reading: language }
        return new Map(
          reading.products.map((product) => [product.id, documents.show(store.id, product, known, context)])
        )
      })

      const inOrder = (texts: ReadonlyMap<string, ShownText>, ids: ReadonlyArray<string>) =>
        ids.flatMap((id) => texts.get(id) ?? [])

      /** A page of a list as it was found, or as it is remembered where that still holds. */
      const find = Effect.fnUntraced(function* (store: StoreContext, query: StorefrontQuery, reader: StorefrontReader) {
        const now = yield* Clock.currentTimeMillis
        const { page, descending, facets = false } = query
        const sortBy = query.sortBy ?? (parseSearch(query.filter.search) === undefined ? "menuOrder" : "relevance")
        const filter = shownNow(query.filter, reader, now)
        const at = blockOf(page)
        const key = listKey(store.id, reader.channelId, query, at.block.offset)
        const remembered = lists.get(key, now)
        const told = (counts: FacetRows | undefined) =>
          counts === undefined
            ? undefined
            : toFacets(counts, filteredFacets(filter), facetContext(store, reader.languages))
        const pageIds = (ids: ReadonlyArray<string>) => ids.slice(at.page.offset, at.page.offset + at.page.length)
        if (remembered !== undefined) {
          const ids = pageIds(remembered.ids)
          const known = documents.of(store.id, ids)
          const reading = yield* readFresh(store, { ids, known: [...known.keys()] }, now)
          if (remembered.version === versionOf(reading, query)) {
            const texts = inOrder(yield* shown(store, reading, { now, reader, known }), ids)
            return { total: remembered.total, texts, facets: told(remembered.facets) }
          }
        }
        const reading = yield* readFresh(store, { filter, sortBy, descending, facets, ...at }, now)
        const { ids, total, until, facets: counts } = reading.found ?? nothingFound
        const version = versionOf(reading, query)
        if (version !== undefined)
          lists.set(key, {
            version,
            ids,
            total,
            facets: counts,
            since: now,
            until: until ?? Number.POSITIVE_INFINITY
          })
        const texts = inOrder(yield* shown(store, reading, { now, reader }), pageIds(ids))
        return { total, texts, facets: told(counts) }
      })

      const list: StorefrontProductsMethods["list"] = (store, query, reader = publicReader) =>
        Effect.map(find(store, query, reader), ({ total, texts, facets }) => envelope(query.page, total, texts, facets))

      const metafieldFilters: StorefrontProductsMethods["metafieldFilters"] = (store, reader = publicReader) =>
        Effect.map(
          find(store, { page: { page: 1, limit: 1 }, filter: {}, descending: false, facets: true }, reader),
          ({ facets }) => facets?.metafields ?? []
        )

      const get: StorefrontProductsMethods["get"] = Effect.fnUntraced(function* (store, by, reader = publicReader) {
        const now = yield* Clock.currentTimeMillis
        const known = "id" in by ? documents.of(store.id, [by.id]) : documents.ofSlug(store.id, by.slug)
        const one = "id" in by ? by : { slug: by.slug, languages: reader.languages }
        const which = { one, channelId: reader.channelId, known: [...known.keys()] }
        const reading = yield* readFresh(store, which, now)
        const [first] = yield* shown(store, reading, { now, reader, known })
        if (first === undefined) return yield* new ProductNotFound({ id: "id" in by ? by.id : by.slug })
        const [id, { text, tag }] = first
        if ("slug" in by) documents.rememberSlug(store.id, by.slug, id)
        return { json: text, tag }
      })

      const recommendations: StorefrontProductsMethods["recommendations"] = Effect.fnUntraced(function* (
        store,
        id,
        reader = publicReader
      ) {
        const now = yield* Clock.currentTimeMillis
        const links = yield* products.find(store.id, { id }, true)
        if (links === undefined || !isOnChannel(links.salesChannelIds, reader.channelId))
          return yield* new ProductNotFound({ id })
        const { related, crossSells, upsells, categories } = links
        const named = [...new Set([...related, ...crossSells, ...upsells])].filter((other) => other !== id)
        const some = Effect.fnUntraced(function* (
          length: number,
          sortBy: "named" | "menuOrder",
          filter: Omit<ProductFilter, "now" | "statuses" | "channelId">
        ) {
          const whole = { offset: 0, length }
          const which = { filter: shownNow(filter, reader, now), sortBy, descending: false, block: whole, page: whole }
          const reading = yield* readFresh(store, which, now)
          return inOrder(yield* shown(store, reading, { now, reader }), reading.found?.ids ?? [])
        })
        const first = named.length === 0 ? [] : yield* some(maxRecommended, "named", { ids: named })
        const filed = categories
          .filter(({ isActive, channelIds }) => isActive && isOnChannel(channelIds, reader.channelId))
          .map((category) => category.id)
        const left = maxRecommended - first.length
        if (left === 0 || filed.length === 0) return listOf(first)
        const others = yield* some(left, "menuOrder", { categories: filed, except: [id, ...named] })
        return listOf([...first, ...others])
      })

      return StorefrontProducts.of({ list, metafieldFilters, get, recommendations })
    })
  ).pipe(Layer.provide([StorefrontProductRepository.layer, ProductRepository.layer, StaleProducts.layer]))
}

const shownNow = (filter: StorefrontQuery["filter"], { channelId }: StorefrontReader, now: number): ProductFilter => ({
  ...filter,
  channelId,
  statuses: ["active"],
  now: new Date(now)
})

/** Filters that ask for things of the vocabulary by name, or by their place in it. */
const byPrice = new Set(["minPrice", "maxPrice", "inStock"])

/**
 * What a list that was found stays the same with; undefined where it cannot be remembered, because stock is about to
 * change what it finds.
 */
const versionOf = (
  { listing, vocabulary, unsettled }: Reading,
  { filter, facets }: StorefrontQuery
): bigint | undefined => {
  if ((filter.inStock !== undefined || facets === true) && unsettled) return undefined
  const asked = Object.entries(filter).filter(([, value]) => value !== undefined)
  // Both only grow, and so does their sum: it is another one where either is.
  return facets !== true && asked.every(([name]) => byPrice.has(name)) ? listing : listing + vocabulary
}

const nothingFound = { ids: [], total: 0, until: null, facets: undefined }

const facetContext = (store: StoreContext, wanted: ReadonlyArray<string> = []): FacetContext => ({
  currency: store.currency,
  reading: wanted.length === 0 ? undefined : { wanted, own: defaultLanguage(store) }
})

const noneKnown: ReadonlyMap<string, RememberedDocument> = new Map()

interface ShownFor {
  readonly now: number
  readonly reader: StorefrontReader
  readonly known?: ReadonlyMap<string, RememberedDocument>
}

const listOf = (products: ReadonlyArray<ShownText>): StorefrontAnswer => ({
  json: `[${products.map(({ text }) => text).join(",")}]`,
  tag: products.map(({ tag }) => tag).join("\n")
})

const envelope = (
  page: Page,
  total: number,
  products: ReadonlyArray<ShownText>,
  facets: Facets | undefined
): StorefrontAnswer => {
  const { meta } = toEnvelope(page, { items: [], total })
  const beside = facets === undefined ? "" : `,"facets":${JSON.stringify(facets)}`
  const end = `"meta":${JSON.stringify(meta)}${beside}}`
  const { json, tag } = listOf(products)
  return { json: `{"data":${json},${end}`, tag: `${tag}\n${end}` }
}

/** Amounts are bigint, which JSON does not know. */
const listKey = (
  storeId: string,
  channelId: string | null,
  { filter, sortBy, descending, facets, page }: StorefrontQuery,
  offset: number
): string =>
  JSON.stringify(
    [storeId, channelId, filter, sortBy, descending, facets === true, page.limit, offset],
    (_, value: unknown) => (typeof value === "bigint" ? String(value) : value)
  )
