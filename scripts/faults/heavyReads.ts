/**
 * Faults in what keeps expensive reads away from others: which connection a statement gets, and what a search or a plan
 * reads.
 */
import type { Fault } from "../plantedFaults.ts"

const heavyReads = ["packages/core/test/database/HeavyReads.pg.test.ts"]

export const heavyReadFaults: ReadonlyArray<Fault> = [
  {
    id: "reads.busy-connection-preferred",
    breaks: "A cheap read is sent behind a slow one while a connection is idle",
    file: "packages/core/src/database/internal/sharedConnections.ts",
    find: "other.underWay < one.underWay ||",
    replace: "other.underWay > one.underWay ||",
    tests: heavyReads,
    noticedBy: "go to an idle connection before a busy one"
  },
  {
    id: "reads.all-turns-for-one-store",
    breaks: "The searches of one store take every connection that searches have",
    file: "packages/core/src/database/internal/heavyLane.ts",
    find: "ofOwner: Math.max(1, Math.floor(connections / 2)),",
    replace: "ofOwner: connections,",
    tests: heavyReads,
    noticedBy: "of one store leave a connection to those of another"
  },
  {
    id: "search.unknown-word-scans",
    breaks: "A word that nobody knows reads every product of the store",
    file: "packages/core/migrations/0016_storefront.sql",
    find: "WHERE l.store_id || '' = store AND l.status || '' = ANY(shown)",
    replace: "WHERE l.store_id = store AND l.status = ANY(shown)",
    tests: ["packages/core/test/storefront/SearchCosts.pg.test.ts"],
    noticedBy: "sixteen words that nobody knows"
  },
  {
    id: "loads.bulk-without-statistics",
    breaks: "After products were created in bulk a search reads every product until autovacuum comes",
    file: "packages/core/src/product/ProductImports.ts",
    find: "if (sizes.size > 0) yield* analyzeGrown(database)",
    replace: "if (sizes.size < 0) yield* analyzeGrown(database)",
    tests: ["packages/handler/test/storefront/LoadedStatistics.pg.test.ts"],
    noticedBy: "of thousands of products in bulk"
  },
  {
    id: "loads.counted-by-an-index-alone",
    breaks: "A table that a migration has filled and indexed passes for analysed",
    file: "packages/core/migrations/0001_database.sql",
    find: "pg_stat_get_autoanalyze_count(c.oid) = 0 THEN 0 ELSE c.relpages END",
    replace: "pg_stat_get_autoanalyze_count(c.oid) = 0 THEN c.relpages ELSE c.relpages END",
    tests: ["packages/core/test/database/TableStatistics.pg.test.ts"],
    noticedBy: "where a new index has counted their pages alone"
  },
  {
    id: "loads.entries-that-wait",
    breaks: "After a load a search passes its index by, because entries still wait for their place in it",
    file: "packages/core/migrations/0001_database.sql",
    find: "WHERE i.indrelid = grown AND m.amname = 'gin'",
    replace: "WHERE i.indrelid = grown AND m.amname = 'hash'",
    tests: ["packages/handler/test/storefront/LoadedStatistics.pg.test.ts"],
    noticedBy: "of thousands of products in bulk"
  }
]
