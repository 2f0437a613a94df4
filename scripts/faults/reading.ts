/** Faults in what storefronts read of products. */
import type { Fault } from "../plantedFaults.ts"

const composed = ["packages/handler/test/catalog/ComposedReads.pg.test.ts"]
const documents = ["packages/core/test/catalog/Documents.prop.test.ts"]

export const readingFaults: ReadonlyArray<Fault> = [
  {
    id: "reading.remembered",
    breaks: "A list shows what it found before a product was written",
    file: "packages/core/src/catalog/StorefrontProducts.ts",
    find: "if (remembered.version === versionOf(reading, query)) {",
    replace: "if (remembered.version >= 0n) {",
    tests: composed
  },
  {
    id: "reading.names",
    breaks: "A renamed category keeps its old name in another process",
    file: "packages/core/src/catalog/StorefrontProducts.ts",
    find: "vocabularies.get(storeId, reading.vocabulary)",
    replace: "vocabularies.get(storeId, 0n)",
    tests: composed
  },
  {
    id: "reading.sale",
    breaks: "A sale price is shown when the sale is over",
    file: "packages/core/src/catalog/internal/documentText.ts",
    find: 'parts[onSale ? 0 : 1] ?? ""',
    replace: 'parts[onSale ? 0 : 0] ?? ""',
    tests: documents
  },
  {
    id: "reading.foreign-writer",
    breaks: "What a release before writes is shown when a worker comes round to it",
    file: "packages/core/src/catalog/internal/settledReading.ts",
    find: "reading.stale && !isJoined()",
    replace: "reading.stale && isJoined()",
    tests: composed
  },
  {
    id: "reading.stock",
    breaks: "A list of what can be bought goes by stock of half a second ago",
    file: "packages/core/src/catalog/internal/listingNow.ts",
    find: "AND n.cause <> 'again')",
    replace: "AND n.cause = 'rows')",
    tests: composed
  }
]
