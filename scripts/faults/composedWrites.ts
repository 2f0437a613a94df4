/** Faults in how products are written, and composed from their rows. */
import type { Fault } from "../plantedFaults.ts"

const tests = ["packages/handler/test/product/WrittenProducts.pg.test.ts"]

export const composedWriteFaults: ReadonlyArray<Fault> = [
  {
    id: "catalog.rewrite-of-components",
    breaks: "The price of a kit stays when its component's changes",
    file: "packages/core/src/product/internal/productChanges.ts",
    find: "Effect.andThen(readModel.markKitsStale(store.id, ids), announced(",
    replace: "Effect.andThen(Effect.void, announced(",
    tests,
    noticedBy: "and its kits"
  },
  {
    id: "catalog.rewrite-early-version",
    breaks:
      "Two changes within one millisecond have one version, and If-Match lets the second overwrite what it has not seen",
    file: "packages/core/src/database/StoreTable.ts",
    find: "${sql.update(record(fields))}, updated_at = ${versionAfter(sql, now)}",
    replace: "${sql.update(record(fields))}, updated_at = ${now}",
    tests: ["packages/handler/test/product/WrittenProducts.pg.test.ts"]
  },
  {
    id: "database.unpinned-trigger",
    breaks: "A host's own SQL on a table of ours fails where its search_path is not ours",
    file: "packages/core/migrations/0016_storefront.sql",
    find: "SELECT pin_function(f) FROM",
    replace: "SELECT f FROM",
    tests: ["packages/handler/test/embedding/HostPool.pg.test.ts"],
    noticedBy: "what the host writes of a product behind a change of it"
  },
  {
    id: "catalog.documents-alone-unversioned",
    breaks: "A page that nothing has changed is read again at each request, because its check compares something else",
    file: "packages/core/src/storefront/internal/shownRows.ts",
    find: "SELECT string_agg(d.digest,",
    replace: "SELECT string_agg(d.product_id,",
    tests: ["packages/handler/test/storefront/PageCache.pg.test.ts"],
    noticedBy: "is one statement, and two when its products"
  },
  {
    id: "catalog.creation-knows-no-definitions",
    breaks: "A new product begins without the values and the fields that its store gives every product",
    file: "packages/core/src/product/NewProductRepository.ts",
    find: "WITH valued AS (${firstValues(sql, storeId, ids, now)})",
    replace: "WITH valued AS (SELECT 1)",
    tests: ["packages/handler/test/metafield/MetafieldValues.pg.test.ts"]
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
    file: "packages/core/src/product/internal/createProducts.ts",
    find: "const store = yield* holdCurrency(known)",
    replace: "const store = known",
    tests: ["packages/handler/test/store/TwoProcesses.pg.test.ts"],
    noticedBy: "the currency that a store was given before it had products"
  },
  {
    id: "search.words-known-too-early",
    breaks: "A word of a product whose creation was taken back is never found by who misspells it",
    file: "packages/core/src/storefront/SearchWordRepository.ts",
    find: "return Effect.andThen(none(statement(written(storeId, missing))), rememberAfterCommit(storeId, missing))",
    replace: "remember(storeId, missing); return none(statement(written(storeId, missing)))",
    tests,
    noticedBy: "is found by who misspells it"
  }
]
