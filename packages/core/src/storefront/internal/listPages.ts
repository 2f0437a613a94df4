/** Pages of lists: finds ids, renders products and builds the response; each step is cached with its dependencies. */
import { Clock, Effect } from "effect"
import type { StoreContext } from "../../store/StoreContext.ts"
import type { StorefrontReader } from "../../taxonomy/Publication.ts"
import { toFacets } from "../Facets.ts"
import { filteredFacets } from "./facetFilters.ts"
import type { FoundBlock, ListCache } from "./ListCache.ts"
import { type ListQuery, listQueryOf, type StorefrontQuery, versionOf } from "./listQuery.ts"
import { isStill, pageAnswer, type PageCache } from "./PageCache.ts"
import { inOrder, type ShownFor, type showsProducts } from "./showsProducts.ts"
import { type PageCheck, type PageParts, pagePartsOf } from "./storefrontReading.ts"

interface Reads extends Pick<ReturnType<typeof showsProducts>, "known" | "readFresh" | "shownOf"> {
  readonly check: (storeId: string, page: PageParts, now: Date, isByStock: boolean) => Effect.Effect<PageCheck>
  readonly lists: ListCache
  readonly pages: PageCache
}

const nothingFound = { ids: [], total: 0, until: null, facets: undefined }

/** The ids of the requested page, out of the block that was found. */
const pageIds = ({ at: { page } }: ListQuery, ids: ReadonlyArray<string>) =>
  ids.slice(page.offset, page.offset + page.length)

const facetsOf = ({ filter, facetContext }: ListQuery, { facets }: Pick<FoundBlock, "facets">) =>
  facets === undefined ? undefined : toFacets(facets, filteredFacets(filter), facetContext)

export const listPages = ({ known: knownOf, readFresh, shownOf, check, lists, pages }: Reads) => {
  /** A page of a list that was found before; undefined if the list may have changed. */
  const pageAgain = Effect.fnUntraced(function* (store: StoreContext, query: ListQuery, { now, reader }: ShownFor) {
    const found = lists.get(query.key, now)
    if (found === undefined) return undefined
    const page = pages.get(query.pageKey, found)
    if (page !== undefined) {
      const checked = yield* check(store.id, page, new Date(now), query.isByStock)
      if (found.version !== versionOf(checked, query)) return undefined
      if (isStill(page, checked, now)) return page
    }
    const ids = pageIds(query, found.ids)
    const known = knownOf(store.id, ids)
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

  /** Caches the list only: the page itself is cached at the second request, since most new lists are requested once. */
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

  /** A page of a list: from the cache while that is valid, else found now. */
  return Effect.fnUntraced(function* (store: StoreContext, asked: StorefrontQuery, reader: StorefrontReader) {
    const now = yield* Clock.currentTimeMillis
    const query = listQueryOf(store, asked, reader, now)
    const shownFor = { now, reader }
    return (yield* pageAgain(store, query, shownFor)) ?? (yield* pageFound(store, query, shownFor))
  })
}
