/** Faults in products that were not written by this release, counts of facets, hidden names and old uploads. */
import type { Fault } from "../plantedFaults.ts"

const handler = (path: string) => [`packages/handler/test/${path}.test.ts`]
const filterKeys = handler("metafield/MetafieldFilterKeys.pg")
const uploads = handler("media/CartUploads.pg")
const sqlWrites = handler("storefront/SqlWrites.pg")

export const catalogPointFaults: ReadonlyArray<Fault> = [
  {
    id: "listing.filter-keys-of-all",
    breaks: "Facets of a large store count values of every metafield, also of those that nobody filters by",
    file: "packages/core/src/metafield/MetafieldValue.ts",
    find: "filterable && filterableTypes.has(type)",
    replace: "filterableTypes.has(type)",
    tests: filterKeys,
    noticedBy: "has them composed again by the worker when it ceases"
  },
  {
    id: "listing.filterable-unbounded",
    breaks: "A store has as many filterable metafields as it has metafields",
    file: "packages/core/src/metafield/internal/definitionChecks.ts",
    find: "if (fields.filterable && current?.filterable !== true) yield* checkRoom",
    replace: "if (fields.filterable && current?.filterable === true) yield* checkRoom",
    tests: handler("metafield/MetafieldDefinitions.pg"),
    noticedBy: "may be filterable together with 49 others"
  },
  {
    id: "listing.refiltered-unnoted",
    breaks: "A field that becomes filterable finds no product that has its value already",
    file: "packages/core/migrations/0016_storefront.sql",
    find: "WHEN (OLD.filterable <> NEW.filterable)",
    replace: "WHEN (OLD.filterable AND NOT NEW.filterable)",
    tests: filterKeys,
    noticedBy: "all others when the worker has composed them"
  },
  {
    id: "listing.facet-of-the-past",
    breaks: "Facets count values of a field that is filterable no more, which nobody is shown",
    file: "packages/core/src/storefront/internal/facetCounts.ts",
    find: "WHERE d.store_id = ${storeId} AND d.filterable AND d.is_active)) GROUP BY",
    replace: "WHERE d.store_id = ${storeId})) GROUP BY",
    tests: filterKeys,
    noticedBy: "has them composed again by the worker when it ceases"
  },
  {
    id: "listing.deleted-definition-composed",
    breaks: "Who deletes a definition with its values makes the next reader compose up to 200 products",
    file: "packages/core/migrations/0016_storefront.sql",
    find: `CREATE FUNCTION metafield_stale() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO product_stale (store_id, product_id, cause)
  SELECT DISTINCT c.store_id, c.product_id, CASE WHEN TG_OP <> 'DELETE' OR`,
    replace: `CREATE FUNCTION metafield_stale() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO product_stale (store_id, product_id, cause)
  SELECT DISTINCT c.store_id, c.product_id, CASE WHEN true OR`,
    tests: filterKeys,
    noticedBy: "is gone from every answer at once"
  },
  {
    id: "listing.deleted-values-unnoticed",
    breaks: "Values that somebody deletes by SQL are shown until a worker has composed the product",
    file: "packages/core/migrations/0016_storefront.sql",
    find: `metafield_stale() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO product_stale (store_id, product_id, cause)
  SELECT DISTINCT c.store_id, c.product_id, CASE WHEN TG_OP <> 'DELETE' OR EXISTS (SELECT FROM metafield_definition d
    WHERE d.store_id = c.store_id AND d.id = c.definition_id)`,
    replace: `metafield_stale() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO product_stale (store_id, product_id, cause)
  SELECT DISTINCT c.store_id, c.product_id, CASE WHEN TG_OP <> 'DELETE' `,
    tests: filterKeys,
    noticedBy: "whose values somebody deletes by statements of their own"
  },
  {
    id: "stale.others-first",
    breaks: "After a large write by SQL a shopper is shown a product as it was, because others are composed first",
    file: "packages/core/src/storefront/StaleProductRepository.ts",
    find: "sql`n.product_id IN (${shownBy(storeId, reader)}) DESC,`",
    replace: "sql``",
    tests: handler("storefront/StaleReads.pg"),
    noticedBy: "shows a product as it is, whichever it is, by its id"
  },
  {
    id: "stale.new-slug",
    breaks: "After a large write by SQL a product is not found by the slug that it has now",
    file: "packages/core/src/storefront/internal/storefrontReading.ts",
    find: "{ ids, slug: which.one.slug }",
    replace: "{ ids }",
    tests: handler("storefront/StaleReads.pg"),
    noticedBy: "finds it by the slug that it has now"
  },
  {
    id: "stale.component",
    breaks: "After a large write by SQL a kit is shown at the price that its component had before",
    file: "packages/core/src/storefront/StaleProductRepository.ts",
    find: "AND kc.kit_id = ANY(${ids}::text[])",
    replace: "AND kc.kit_id = ANY(${ids}::text[]) AND false",
    tests: handler("storefront/StaleReads.pg"),
    noticedBy: "shows a kit at the price that its component has now"
  },
  {
    id: "stale.one-turn",
    breaks: "Products that come to a page because others leave it are shown as they were",
    file: "packages/core/src/storefront/internal/repairedReading.ts",
    find: "const mostTurns = 5",
    replace: "const mostTurns = 1",
    tests: handler("storefront/StaleReads.pg"),
    noticedBy: "shows those as they are, too, that come to the page"
  },
  {
    id: "listing.clock-ahead",
    breaks: "A list by price is remembered past the beginning of a sale, where a process with a clock ahead wrote it",
    file: "packages/core/src/storefront/internal/listingNow.ts",
    find: "AND l.price_since > '-infinity'",
    replace: "AND l.price_since > 'infinity'",
    tests: handler("storefront/ComposedReads.pg"),
    noticedBy: "is right for a reader whose clock is behind"
  },
  {
    id: "uploads.order-forgotten",
    breaks: "A picture that an order names is removed with the cart it came from",
    file: "packages/core/src/CommerceCore.ts",
    find: "Effect.all([cartUploads, checkoutUploads, orderUploads])",
    replace: "Effect.all([cartUploads, checkoutUploads])",
    tests: uploads,
    noticedBy: "is kept for good, and not asked about again"
  },
  {
    id: "uploads.late-money",
    breaks: "Money that comes late makes an order of pictures that are gone",
    file: "packages/core/src/checkout/CheckoutUploads.ts",
    find: "OR k.status <> 'COMPLETED' AND EXISTS",
    replace: "OR k.status = 'COMPLETED' AND EXISTS",
    tests: uploads,
    noticedBy: "was kept while the payment was declined"
  },
  {
    id: "uploads.kept-for-good",
    breaks: "Pictures of abandoned carts count against the store's quota for ever",
    file: "packages/core/src/cart/CartUploads.ts",
    find: "AND c.expires_at > ${now}::timestamptz - interval '1 day'",
    replace: "",
    tests: uploads,
    noticedBy: "lives a day longer than the cart"
  },
  {
    id: "uploads.unlocked",
    breaks: "A picture is removed while a shopper puts it into a cart",
    file: "packages/core/src/media/MediaFileRepository.ts",
    find: `AND \${keptUploads} AND f.review_at <= \${now} ORDER BY f.review_at
              LIMIT \${most} FOR UPDATE SKIP LOCKED`,
    replace: `AND \${keptUploads} AND f.review_at <= \${now} ORDER BY f.review_at
              LIMIT \${most}`,
    tests: uploads
  },
  {
    id: "listing.asked-of-all-stock",
    breaks: "Each product of a bulk call into a new store asks all stock of the store whether it can be bought",
    file: "packages/core/migrations/0016_storefront.sql",
    find: "stock_sells_at(s, 1, at) OFFSET 0))",
    replace: "stock_sells_at(s, 1, at)))",
    tests: handler("product/BulkPlans.pg"),
    noticedBy: "not those of all"
  },
  {
    id: "search.hidden-names",
    breaks: "A search tells a channel of a brand that is hidden from it",
    file: "packages/core/migrations/0016_storefront.sql",
    find: "AND (reader IS NULL OR n.channel_ids IS NULL OR reader = ANY(n.channel_ids))",
    replace: "",
    tests: handler("taxonomy/Publishing.pg"),
    noticedBy: "finds its products where it is shown, and there alone"
  },
  {
    id: "search.hidden-later",
    breaks: "A brand that is taken off a channel is found there until it is renamed",
    file: "packages/core/migrations/0016_storefront.sql",
    find: "UPDATE search_name n SET channel_ids = NEW.channel_ids",
    replace: "UPDATE search_name n SET channel_ids = n.channel_ids",
    tests: handler("taxonomy/Publishing.pg"),
    noticedBy: "finds its products where it is shown, and there alone"
  },
  {
    id: "audit.first-chunk",
    breaks: "The audit compares the first 200 documents of a store alone",
    file: "packages/core/src/storefront/DocumentChecks.ts",
    find: "after = stored.at(-1)?.productId ?? after",
    replace: "break",
    tests: handler("audit/Documents.pg"),
    noticedBy: "a price of a sale that is to come"
  },
  {
    id: "audit.false-alarm",
    breaks: "The audit calls each product wrong that was filed under a category which is gone",
    file: "packages/core/src/storefront/DocumentChecks.ts",
    find: "difference(asText(labels, expected.document), asText(labels, document))",
    replace: "difference(expected.document, document)",
    tests: handler("audit/Documents.pg"),
    noticedBy: "says nothing of a document that is only written otherwise"
  },
  {
    id: "listing.slugs-by-sql",
    breaks: "A slug by language that somebody writes by SQL finds nothing",
    file: "packages/core/src/storefront/ListingRepair.ts",
    find: "yield* products.restoreSlugs(store.id, ids, states)",
    replace: "",
    tests: sqlWrites,
    noticedBy: "find their product at once, and are free again where it is deleted"
  },
  {
    id: "listing.version-shared",
    breaks:
      "Of two writers at once one is not counted, and a list that was found between them is taken for a later one",
    file: "packages/core/migrations/0016_storefront.sql",
    find: "VALUES (store, what, floor(random() * 9007199254740992)::bigint, 1)",
    replace: "VALUES (store, what, floor(random() * 9007199254740992)::bigint, 0)",
    tests: handler("storefront/Listing.race"),
    noticedBy: "counts every one of several writers"
  },
  {
    id: "listing.flip-unnoted",
    breaks: "A product is offered although its variants ran out one beside the other",
    file: "packages/core/migrations/0016_storefront.sql",
    find: `stock_flipped AFTER UPDATE ON stock FOR EACH ROW
  WHEN ((OLD.`,
    replace: `stock_flipped AFTER UPDATE ON stock FOR EACH ROW
  WHEN (NEW.total > 0 AND (OLD.`,
    tests: handler("storefront/Listing.race"),
    noticedBy: "ends right where its two variants run out and come back at once"
  }
]
