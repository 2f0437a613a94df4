/** Faults in the writes of single products, which are composed without being read back. */
import type { Fault } from "../plantedFaults.ts"

const tests = ["packages/handler/test/product/PlainPatches.pg.test.ts"]
const listing = "packages/core/src/storefront/ListingRepository.ts"

export const composedWriteFaults: ReadonlyArray<Fault> = [
  {
    id: "catalog.rewrite-goes-on",
    breaks: "What a host's SQL changes behind a PATCH, in its transaction, is never shown",
    file: listing,
    find: "WHERE store_id = ${storeId} AND product_id = ${row.product_id} ) ${ends}",
    replace: "WHERE store_id = ${storeId} AND product_id = ${row.product_id} ) SELECT 1",
    tests,
    noticedBy: "leaves what its transaction writes behind it"
  },
  {
    id: "catalog.making-goes-on",
    breaks: "What a host's SQL changes behind the creation of a product, in its transaction, is never shown",
    file: listing,
    find: "${shown} ${ends}",
    replace: "${shown} SELECT 1",
    tests,
    noticedBy: "leaves what its transaction writes behind it"
  },
  {
    id: "catalog.making-sets-goes-on",
    breaks: "What a host's SQL changes behind the creation of products, in its transaction, is never shown",
    file: listing,
    find: "RETURNING 1 ) ${ends}, CASE",
    replace: "RETURNING 1 ) SELECT 1, CASE",
    tests,
    noticedBy: "leaves what its transaction writes behind it"
  },
  {
    id: "catalog.rewrite-of-noted",
    breaks: "A product that a host has renamed by SQL is not found by its name after a change of its price",
    file: listing,
    find: "SELECT NOT EXISTS (SELECT FROM done)",
    replace: "SELECT true",
    tests,
    noticedBy: "brings in what a host's own SQL has changed"
  },
  {
    id: "catalog.rewrite-of-components",
    breaks: "The price of a kit stays when its component's changes",
    file: "packages/core/src/product/ProductRepository.ts",
    find: "AND NOT EXISTS (SELECT FROM kit_component WHERE store_id = ${storeId} AND product_id = ${id})",
    replace: "",
    tests,
    noticedBy: "and its kits"
  },
  {
    id: "catalog.rewrite-under-triggers",
    breaks: "Shops show what was sent where a host's trigger keeps something else",
    file: "packages/core/src/product/ProductRepository.ts",
    find: 'AND ${sql.literal(keptAsSent("product"))}',
    replace: "",
    tests,
    noticedBy: "what a host's triggers make of it"
  },
  {
    id: "catalog.making-under-triggers",
    breaks: "Shops show a new product as it was sent where a host's trigger keeps something else",
    file: "packages/core/src/product/ProductSetRepository.ts",
    find: "isKeptAsSent: row?.isKeptAsSent ?? false",
    replace: "isKeptAsSent: true",
    tests,
    noticedBy: "what a host's triggers make of it"
  },
  {
    id: "catalog.composing-of-hosts",
    breaks: "What a host's trigger changes beneath a write of a product is never shown",
    file: "packages/core/migrations/0042_conditions_written_out.sql",
    find: "IS DISTINCT FROM ''on'' OR pg_trigger_depth() > 0'",
    replace: "IS DISTINCT FROM ''on'''",
    tests,
    noticedBy: "what a host's triggers make of it"
  },
  {
    id: "catalog.rewrite-without-words",
    breaks: "A product that is renamed is found by its name of before",
    file: "packages/core/src/storefront/internal/searchVector.ts",
    find: "texts.every((text, i) => text === fields[level]?.[i])",
    replace: "texts.every(() => true)",
    tests,
    noticedBy: "what composing the product from its rows would"
  },
  {
    id: "catalog.rewrite-early-version",
    breaks:
      "Two changes within one millisecond have one version, and If-Match lets the second overwrite what it has not seen",
    file: "packages/core/src/product/internal/plainChanges.ts",
    find: "const updatedAt = nextVersion(before.updatedAt, now)",
    replace: "const updatedAt = new Date(now)",
    tests: ["packages/handler/test/product/PlainPatches.pg.test.ts"]
  },
  {
    id: "database.unpinned-trigger",
    breaks: "A host's own SQL on a table of ours fails where its search_path is not ours",
    file: "packages/core/migrations/0041_composed_writes.sql",
    find: "SELECT pin_function(f) FROM",
    replace: "SELECT f FROM",
    tests: ["packages/handler/test/embedding/HostPool.pg.test.ts"],
    noticedBy: "what the host writes of a product behind a change of it"
  },
  {
    id: "database.planning-left",
    breaks: "A host's statements are planned by index, row by row, after it has created products in its transaction",
    file: "packages/core/src/database/PlanByIndex.ts",
    find: "if (before !== undefined) yield* send(sql, before)",
    replace: "",
    tests: ["packages/handler/test/embedding/HostPool.pg.test.ts"],
    noticedBy: "leaves how the host's statements are planned as it was"
  },
  {
    id: "catalog.made-of-drafts",
    breaks: "A list of what can be bought shows a new product whose only stock is that of a variant nobody is shown",
    file: "packages/core/src/storefront/ProductDocuments.ts",
    find: 'variant.status === "active" && canPurchase(variant.stock)',
    replace: "canPurchase(variant.stock)",
    tests,
    noticedBy: "whatever its stock"
  },
  {
    id: "catalog.documents-alone-unversioned",
    breaks: "A process that did not compose a product goes on showing the texts that it had before",
    file: listing,
    find: "THEN raise_catalog_version(${storeId}, 'listing')::text END",
    replace: "THEN NULL END",
    tests: ["packages/handler/test/storefront/RememberedPages.pg.test.ts"],
    noticedBy: "shows texts that nothing is listed by"
  },
  {
    id: "catalog.another-shape",
    breaks: "A PATCH of a product takes its modifiers off what shoppers see",
    file: "packages/core/src/product/internal/productRows.ts",
    find: 'modifier_groups: "NOT p.has_modifier_groups"',
    replace: 'modifier_groups: "true"',
    tests,
    noticedBy: "leaves a product what it has, whatever the one before it had"
  },
  {
    id: "catalog.page-of-uncounted-stock",
    breaks: "A page goes on showing that a product was never counted when it has been",
    file: "packages/core/src/storefront/internal/storefrontReading.ts",
    find: "asked: missing.length === 0 ? places :",
    replace: "asked: missing.length >= 0 ? places :",
    tests: ["packages/handler/test/storefront/RememberedPages.pg.test.ts"],
    noticedBy: "shows stock that begins to be counted, and stock whose rows were moved"
  },
  {
    id: "catalog.parts-never-enough",
    breaks: "Products whose categories were deleted are read twice by every PATCH",
    file: "packages/core/src/product/internal/plainChanges.ts",
    find: "more.size === expected.length ? allParts : allParts.filter",
    replace: "allParts.filter",
    tests,
    noticedBy: "reads a product twice only where it has what none before it had"
  },
  {
    id: "catalog.creation-knows-no-definitions",
    breaks: "A new product begins without the values and the fields that its store gives every product",
    file: "packages/core/src/product/ProductSetRepository.ts",
    find: "if (row?.hasFirstValues !== null) return",
    replace: "if (row !== null) return",
    tests: ["packages/handler/test/product/BulkSets.pg.test.ts"]
  },
  {
    id: "database.statements-kept",
    breaks: "Texts and parameters of statements outlive their requests until a major collection",
    file: "packages/core/src/database/internal/transactionalClient.ts",
    find: "const compiler = forgetful(PgClient.makeCompiler(undefined, false))",
    replace: "const compiler = PgClient.makeCompiler(undefined, false)",
    tests: ["packages/core/test/database/Database.pg.test.ts"]
  },
  {
    id: "catalog.creation-trusts-currency",
    breaks: "A product is priced in the currency that its store had before",
    file: "packages/core/src/product/internal/draftWrites.ts",
    find: "if (known.currency !== store.currency) {",
    replace: 'if (known.currency === "") {',
    tests: ["packages/handler/test/store/TwoProcesses.pg.test.ts"],
    noticedBy: "the currency that a store was given before it had products"
  },
  {
    id: "catalog.creation-unheld-refused",
    breaks: "A price of the new currency is refused by a process that knows the currency of before",
    file: "packages/core/src/product/Products.ts",
    find: "isTrusted ? Effect.catch(drafted(seen), () => held) : drafted(seen)",
    replace: "drafted(seen)",
    tests: ["packages/handler/test/store/TwoProcesses.pg.test.ts"],
    noticedBy: "the currency that a store was given before it had products"
  },
  {
    id: "catalog.creation-without-first-values",
    breaks: "A product that is created alone begins without the values of its metafields",
    file: "packages/core/src/product/internal/draftWrites.ts",
    find: "if (firstValues === undefined || !known.hasFirstValues) return known",
    replace: "if (firstValues !== undefined || !known.hasFirstValues) return known",
    tests: ["packages/handler/test/metafield/MetafieldValues.pg.test.ts"],
    noticedBy: "default"
  },
  {
    id: "search.words-known-too-early",
    breaks: "A word of a product whose creation was taken back is never found by who misspells it",
    file: "packages/core/src/storefront/SearchWordRepository.ts",
    find: "return Effect.andThen(withCommit(statement(written(storeId, missing))), remember(storeId, missing))",
    replace:
      "for (const word of missing) known.add(keyOf(storeId, word)); return withCommit(statement(written(storeId, missing)))",
    tests,
    noticedBy: "is found by who misspells it"
  }
]
