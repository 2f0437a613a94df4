/** Faults in what storefronts read of products. */
import type { Fault } from "../plantedFaults.ts"

const composed = ["packages/handler/test/storefront/ComposedReads.pg.test.ts"]
const pages = ["packages/handler/test/storefront/PageCache.pg.test.ts"]
const documents = ["packages/core/test/storefront/Documents.prop.test.ts"]

export const readingFaults: ReadonlyArray<Fault> = [
  {
    id: "reading.remembered",
    breaks: "A list shows what it found before a product was written",
    file: "packages/core/src/storefront/internal/listPages.ts",
    find: "if (found.version !== versionOf(checked, query)) return undefined",
    replace: "if (versionOf(checked, query) === undefined) return undefined",
    tests: composed
  },
  {
    id: "reading.names",
    breaks: "A renamed category keeps its old name in another process",
    file: "packages/core/src/storefront/internal/showsProducts.ts",
    find: "labels.get(storeId, versions.labels)",
    replace: "labels.get(storeId, 0n)",
    tests: composed
  },
  {
    id: "reading.sale",
    breaks: "A sale price is shown when the sale is over",
    file: "packages/core/src/storefront/internal/shownProduct.ts",
    find: 'audience: "storefront", channelId, now, reading }',
    replace: 'audience: "storefront", channelId, now: 0, reading }',
    tests: documents
  },
  {
    id: "reading.foreign-writer",
    breaks: "What somebody writes by SQL is shown when a worker comes round to it",
    file: "packages/core/src/storefront/internal/repairedReading.ts",
    find: "turn < turns && reading.stale",
    replace: "turn < turns && !reading.stale",
    tests: composed
  },
  {
    id: "reading.stock",
    breaks: "A list of what can be bought goes by stock of half a second ago",
    file: "packages/core/src/storefront/internal/listingNow.ts",
    find: "AND n.cause <> 'again')",
    replace: "AND n.cause = 'rows')",
    tests: composed
  },
  {
    id: "pages.stock",
    breaks: "A cached page of products shows stock that has changed since",
    file: "packages/core/src/storefront/internal/PageCache.ts",
    find: "&& page.state === state &&",
    replace: "&&",
    tests: pages,
    noticedBy: "shows stock as it is"
  },
  {
    id: "pages.names",
    breaks: "A remembered page of products shows names that have changed since",
    file: "packages/core/src/storefront/internal/PageCache.ts",
    find: "page.labels === versions.labels &&",
    replace: "",
    tests: pages,
    noticedBy: "shows products, names and prices as they are"
  },
  {
    id: "pages.sale",
    breaks: "A remembered page of products does not show a sale that has begun since",
    file: "packages/core/src/storefront/internal/PageCache.ts",
    find: "page.since <= now && now < page.until",
    replace: "page.since <= now",
    tests: pages,
    noticedBy: "shows products, names and prices as they are"
  },
  {
    id: "pages.expired-holds",
    breaks: "Units of an expired hold stay reserved on cached pages",
    file: "packages/core/migrations/0015_inventory.sql",
    find: "r.key = stock_key AND r.expires_at <= at",
    replace: "r.key = stock_key AND r.expires_at <= at - interval '1 day'",
    tests: pages,
    noticedBy: "shows stock as it is"
  },
  {
    id: "coalesced.begun-before",
    breaks: "After a merchant's change, a shopper still gets the result of a read that started before it",
    file: "packages/core/src/cache/Coalesced.ts",
    find: "for (const { answered } of batch) Deferred.doneUnsafe(answered, exit)",
    replace: "for (const { answered } of [...batch, ...queue.splice(0)]) Deferred.doneUnsafe(answered, exit)",
    tests: ["packages/core/test/cache/Coalesced.test.ts"]
  },
  {
    id: "coalesced.unbounded",
    breaks: "When shoppers request many products at once, a single statement reads them all, however many there are",
    file: "packages/core/src/cache/Coalesced.ts",
    find: "queue.splice(0, beyond === -1 ? queue.length : beyond)",
    replace: "queue.splice(0, queue.length)",
    tests: ["packages/core/test/cache/Coalesced.test.ts"]
  },
  {
    id: "inventory.of-another-transaction",
    breaks: "A shopper sees stock that a host's transaction has written and may roll back",
    file: "packages/core/src/inventory/StorefrontStock.ts",
    find: "isJoined() ?",
    replace: "productIds.length === 0 ?",
    tests: ["packages/handler/test/embedding/HostPool.pg.test.ts"]
  },
  {
    id: "inventory.of-another-channel",
    breaks: "A shopper is told of the stock of what another channel shows",
    file: "packages/core/src/inventory/StorefrontStock.ts",
    find: "together(`${store.id} ${channelId}`, ask)",
    replace: "together(`${store.id} ${channels.first ??= channelId}`, ask)",
    tests: ["packages/handler/test/inventory/StorefrontStock.pg.test.ts"]
  },
  {
    id: "edge.cancelled-form",
    breaks: "A form that is too large ends the process of the host",
    file: "packages/handler/src/middleware/Body.ts",
    find: "reader.releaseLock()",
    replace: "await reader.cancel()",
    tests: ["packages/handler/test/middleware/WebBody.test.ts"]
  },
  {
    id: "pages.old-address",
    breaks: "A slug leads to the product that it led to before",
    file: "packages/core/src/storefront/StorefrontProducts.ts",
    find: "return found?.version === addressVersionOf(checked.versions) && isStill",
    replace: "return isStill",
    tests: pages,
    noticedBy: "where its address leads there now"
  },
  {
    id: "reading.secrets-compressed",
    breaks: "An answer that shows a key is compressed, so that its length tells what was guessed of it",
    file: "packages/handler/src/middleware/Guard.ts",
    find: "secretAnswer === true || channelScope",
    replace: "channelScope",
    tests: ["packages/handler/test/middleware/Compression.pg.test.ts"],
    noticedBy: "where it shows a secret for the first time, however long it is"
  },
  {
    id: "reading.hidden-links",
    breaks: "A product that is on another channel is named by those that refer to it",
    file: "packages/core/src/storefront/internal/shownRows.ts",
    find: "k.status = 'active'\n    AND ${shownOn(sql, \"k.channel_ids\", channelId)}",
    replace: "k.status = 'active'",
    tests: ["packages/handler/test/storefront/WholeLanguage.pg.test.ts"]
  },
  {
    id: "reading.sorted-by-name",
    breaks: "A list sorted by name keeps its order after a product was renamed",
    file: "packages/core/src/storefront/internal/listQuery.ts",
    find: "byText.has(sortBy) || filter.search !== undefined ? text : 0n",
    replace: "filter.search !== undefined ? text : 0n",
    tests: ["packages/handler/test/storefront/ListVersions.pg.test.ts"],
    noticedBy: "sortBy=name is abc"
  },
  {
    id: "reading.sorted-by-price",
    breaks: "A list sorted by price keeps its order after a price was changed",
    file: "packages/core/src/storefront/internal/listQuery.ts",
    find: "filter.maxPrice !== undefined || byPrice.has(sortBy)",
    replace: "filter.maxPrice !== undefined",
    tests: ["packages/handler/test/storefront/ListVersions.pg.test.ts"],
    noticedBy: "sortBy=basePrice is abc"
  },
  {
    id: "sold.began-empty",
    breaks: "A row of stock that begins with nothing to sell is taken for one that has something",
    file: "packages/core/migrations/0016_storefront.sql",
    find: "WHEN (NEW.tracking_mode <> 'DISABLED' AND (NEW.tracking_mode = 'UNTRACKED' OR NEW.backorder_mode = 'ALLOW'",
    replace: "WHEN (NEW.tracking_mode = 'DISABLED' OR (NEW.tracking_mode = 'UNTRACKED' OR NEW.backorder_mode = 'ALLOW'",
    tests: ["packages/core/test/storefront/SoldAndPriced.pg.prop.test.ts"]
  },
  {
    id: "sold.flipped-untracked",
    breaks: "A list goes on saying sold out of stock that is not counted any more",
    file: "packages/core/migrations/0016_storefront.sql",
    find: "<> (NEW.tracking_mode <> 'DISABLED' AND (NEW.tracking_mode = 'UNTRACKED' OR NEW.backorder_mode = 'ALLOW'",
    replace: "<> (NEW.tracking_mode <> 'DISABLED' AND (NEW.backorder_mode = 'ALLOW'",
    tests: ["packages/core/test/storefront/SoldAndPriced.pg.prop.test.ts"]
  },
  {
    id: "priced.until-the-end",
    breaks: "Lists show the sale price still at the moment at which the sale ends",
    file: "packages/core/migrations/0014_product.sql",
    find: "(ends_at IS NULL OR ends_at > at)",
    replace: "(ends_at IS NULL OR ends_at >= at)",
    tests: ["packages/core/test/storefront/SoldAndPriced.pg.prop.test.ts"]
  },
  {
    id: "sold.kit-of-drafts",
    breaks: "Lists offer a kit of which shoppers cannot see a component",
    file: "packages/core/migrations/0014_product.sql",
    find: "deleted_at) AND product_status = 'active'",
    replace: "deleted_at)",
    tests: ["packages/core/test/storefront/SoldAndPriced.pg.prop.test.ts"]
  },
  {
    id: "listing.created-unversioned",
    breaks: "A list sorted by age keeps its order after a host has changed by SQL when a product was created",
    file: "packages/core/migrations/0016_storefront.sql",
    find: "o.menu_order, o.created_at)",
    replace: "o.menu_order, n.created_at)",
    tests: ["packages/handler/test/storefront/ListVersions.pg.test.ts"],
    noticedBy: "sortBy=createdAt"
  },
  {
    id: "reading.price-finds-all-again",
    breaks: "Each change of a price makes every list of the store be found and counted again",
    file: "packages/core/src/storefront/internal/listQuery.ts",
    find: "facets || isPriced ? price : 0n",
    replace: "price",
    tests: ["packages/handler/test/storefront/ListVersions.pg.test.ts"],
    noticedBy: "is not found again for a change that it does not go by"
  },
  {
    id: "reading.links-remembered",
    breaks: "A product that was read before goes on naming one that was hidden since",
    file: "packages/core/src/storefront/internal/DocumentCache.ts",
    find: "`${known.digest} ${stock} ${links} ",
    replace: "`${known.digest} ${stock} ",
    tests: ["packages/handler/test/storefront/WholeLanguage.pg.test.ts"]
  },
  {
    id: "reading.every-translation",
    breaks: "A shopper downloads a product's name and description in every language of the store",
    file: "packages/core/src/product/productViews.ts",
    find: "translations: askedTranslations(product.translations, reading?.wanted)",
    replace: "translations: product.translations",
    tests: ["packages/handler/test/storefront/AskedTranslations.pg.test.ts"],
    noticedBy: "are those of a locale"
  }
]
