/** Faults of what storefronts find: searches, facets, and answers that caches keep. */
import type { Fault } from "../plantedFaults.ts"

const handler = (path: string) => [`packages/handler/test/${path}.pg.test.ts`]

export const storefrontFaults: ReadonlyArray<Fault> = [
  {
    id: "storefront.rank",
    breaks: "A product whose name only begins with the searched word stands before one that has the word itself",
    file: "packages/core/src/catalog/internal/searchConditions.ts",
    find: "WHEN ${within(levels.name)} THEN 2",
    replace: "WHEN ${within(levels.name)} THEN 1",
    tests: handler("catalog/Search"),
    noticedBy: "is in the order of where it is found, unless another is asked for"
  },
  {
    id: "storefront.renamed-brand",
    breaks: "A brand that was renamed is found by its old name where somebody has searched for that before",
    file: "packages/core/src/catalog/StorefrontProducts.ts",
    find: "listing : listing + vocabulary",
    replace: "listing : listing",
    tests: handler("catalog/Search"),
    noticedBy: "follows a brand that is renamed in another process"
  },
  {
    id: "storefront.facet-under-its-own-filter",
    breaks: "Whoever has chosen a category is told that all others are empty",
    file: "packages/core/src/catalog/Facets.ts",
    find: "(bit === 0 ? 0 : (misses?.get(bit) ?? 0))",
    replace: "0",
    tests: handler("catalog/Facets"),
    noticedBy: "are what counting every product gives, for random filters of a random catalogue"
  },
  {
    id: "storefront.filed-twice",
    breaks: "A product in two categories counts twice in the one above them",
    file: "packages/core/src/catalog/internal/facetCounts.ts",
    find: "SELECT DISTINCT m.i, m.miss, m.n, u.above",
    replace: "SELECT m.i, m.miss, m.n, u.above",
    tests: handler("catalog/Facets"),
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
    find: `export const answerVaries = "Origin, Accept-Language"`,
    replace: `export const answerVaries = "Accept-Language"`,
    tests: handler("middleware/Cached"),
    noticedBy: "answers a tag, and 304 to whoever has what it stands for"
  }
]
