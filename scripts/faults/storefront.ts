/** Faults in storefront lists: searches, facets, and cached responses. */
import type { Fault } from "../plantedFaults.ts"

const handler = (path: string) => [`packages/handler/test/${path}.pg.test.ts`]

export const storefrontFaults: ReadonlyArray<Fault> = [
  {
    id: "storefront.rank",
    breaks: "A product that has the searched word in its number or tags stands before one whose name has it",
    file: "packages/core/src/storefront/internal/searchConditions.ts",
    find: "[levels.wholeWordsOfName, levels.name, levels.nameNumberTagBrand]",
    replace: "[levels.wholeWordsOfName, levels.nameNumberTagBrand, levels.name]",
    tests: handler("storefront/Search"),
    noticedBy: "is in the order of where it is found, unless another is asked for"
  },
  {
    id: "storefront.fat-rows",
    breaks: "A search for a common word reads the words of every product that it finds to count them",
    file: "packages/core/src/storefront/ListingRepository.ts",
    find: 'const searchOrSame = ["search", "filler"].map(',
    replace: 'const searchOrSame = ["search"].map(',
    tests: handler("storefront/Search"),
    noticedBy: "lie outside of its row, however few they are, and stay there when it changes"
  },
  {
    id: "storefront.set-unfiled",
    breaks: "A product of a bulk call is filed under a category that the store does not have, and takes others with it",
    file: "packages/core/src/product/internal/createProducts.ts",
    find: "references: checkReferences(known, input)",
    replace: "references: Effect.void",
    tests: handler("product/BulkSets"),
    noticedBy: "fail alone for what the store has, with the answer of their own route, wherever they stand"
  },
  {
    id: "storefront.set-incomplete",
    breaks: "A bulk call creates active products without what the store requires of them",
    file: "packages/core/src/product/internal/createProducts.ts",
    find: 'for (const product of products) if (product.status === "active") yield* checkRequired(product.metafields)',
    replace: "",
    tests: handler("product/BulkSets"),
    noticedBy: "fail alone for what the store has, with the answer of their own route, wherever they stand"
  },
  {
    id: "storefront.renamed-brand",
    breaks: "A brand that was renamed is found by its old name where somebody has searched for that before",
    file: "packages/core/src/storefront/internal/listQuery.ts",
    find: "some(([name]) => !unlabelled.has(name)) ? labels : 0n",
    replace: "some(([name]) => !unlabelled.has(name)) ? 0n : 0n",
    tests: handler("storefront/Search"),
    noticedBy: "follows a brand that is renamed in another process"
  },
  {
    id: "storefront.facet-under-its-own-filter",
    breaks: "Whoever has chosen a category is told that all others are empty",
    file: "packages/core/src/storefront/Facets.ts",
    find: "(bit === 0 ? 0 : (counts?.get(bit) ?? 0))",
    replace: "0",
    tests: handler("storefront/Facets"),
    noticedBy: "are what counting every product gives, for random filters of a random catalogue"
  },
  {
    id: "storefront.filed-twice",
    breaks: "A product in two categories counts twice in the one above them",
    file: "packages/core/src/storefront/internal/facetCounts.ts",
    find: "SELECT DISTINCT m.i, m.miss, m.n, u.above",
    replace: "SELECT m.i, m.miss, m.n, u.above",
    tests: handler("storefront/Facets"),
    noticedBy: "are what counting every product gives, for random filters of a random catalogue"
  },
  {
    id: "storefront.kept-refusal",
    breaks: "A CDN goes on answering that a product is unknown after it was published",
    file: "packages/handler/src/middleware/Ring.ts",
    find: `if (response.headers["cache-control"] === undefined) headers["cache-control"] = "no-store"`,
    replace: "",
    tests: handler("middleware/Cached"),
    noticedBy: "a product that is unknown"
  },
  {
    id: "storefront.kept-for-other-origins",
    breaks: "A CDN gives the page of one origin an answer that only another may read",
    file: "packages/handler/src/middleware/CacheFacts.ts",
    find: `export const answerVaries = "Origin, Accept-Language, Accept-Encoding"`,
    replace: `export const answerVaries = "Accept-Language, Accept-Encoding"`,
    tests: handler("middleware/Cached"),
    noticedBy: "answers a tag, and 304 to whoever has what it stands for"
  },
  {
    id: "storefront.modifier-of-hidden-product",
    breaks: "A storefront names a product that is not published yet, by the modifier that refers to it",
    file: "packages/core/src/storefront/internal/shownProduct.ts",
    find: "return id === null || links.has(id) ? modifier :",
    replace: "return id === null || links.size >= 0 ? modifier :",
    tests: handler("storefront/HiddenThings"),
    noticedBy: "is named nowhere, at once, and everywhere again"
  },
  {
    id: "storefront.category-below-hidden",
    breaks: "A product names a category whose page is 404, because one above it is inactive",
    file: "packages/core/src/storefront/internal/sharedLabels.ts",
    find: "return parent !== undefined && this.#isShown(parent, channelId)",
    replace: "return parent !== undefined",
    tests: handler("storefront/HiddenThings"),
    noticedBy: "lies below an inactive one"
  }
]
