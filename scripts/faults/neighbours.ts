/** Faults by which one store's callers would harm another store. */
import type { Fault } from "../plantedFaults.ts"

const core = (path: string) => [`packages/core/test/${path}.test.ts`]

export const neighbourFaults: ReadonlyArray<Fault> = [
  {
    id: "neighbours.write-share",
    breaks: "One store whose writes wait for a lock has every connection for writes",
    file: "packages/core/src/database/internal/transactions.ts",
    find: "Math.floor((connections * 3) / 4)",
    replace: "connections",
    tests: core("database/WriteTurns.race"),
    noticedBy: "have three quarters of the connections"
  },
  {
    id: "neighbours.password-turns",
    breaks: "Logins of every store wait behind a flood of logins of one",
    file: "packages/core/src/identity/PasswordHashes.ts",
    find: "hash: (owner: string, password: string) => outOfTurn(turns.run(owner)",
    replace: `hash: (owner: string, password: string) => outOfTurn(turns.run("")`,
    tests: core("identity/PasswordHashes"),
    noticedBy: "take turns between stores"
  },
  {
    id: "neighbours.background-turns",
    breaks: "Background work of one store that cannot be done keeps that of all stores behind it from being done",
    file: "packages/core/src/database/StoreTurns.ts",
    find: "Effect.map(guarded(storeId), (isMore) => (isMore ? undefined : done.add(storeId)))",
    replace: "Effect.map(Effect.repeat(piece(storeId), { while: (isMore) => isMore }), () => done.add(storeId))",
    tests: core("database/StoreTurns"),
    noticedBy: "one piece of each in turn"
  },
  {
    id: "feed.pending-after",
    breaks: "What a worker relays while the feed is read is missing from its answer",
    file: "packages/core/src/webhook/EventFeed.ts",
    find: `let isMore = yield* events.hasPending(store.id)
        const found = [...(yield* read(position, limit))]`,
    replace: `const found = [...(yield* read(position, limit))]
        let isMore = yield* events.hasPending(store.id)`,
    tests: core("webhook/EventFeed.pg"),
    noticedBy: "also where a worker relays it just then"
  },
  {
    id: "neighbours.stuck-reader",
    breaks: "Who asks for much and reads nothing keeps his connection, and what was written for him, for ever",
    file: "packages/handler/src/adapters/connections.ts",
    find: "return connection.looks >= looks",
    replace: "return connection.looks < 0",
    tests: ["packages/handler/test/edge/SlowReaders.test.ts"],
    noticedBy: "is cut off when it takes nothing of it"
  },
  {
    id: "neighbours.slow-reader",
    breaks: "A shopper on a slow line is cut off in the middle of a page that he goes on reading",
    file: "packages/handler/src/adapters/connections.ts",
    find: "._handle?.writeQueueSize ?? 0",
    replace: "._handle?.writeQueueSize === undefined ? 1 : 0",
    tests: ["packages/handler/test/edge/SlowReaders.test.ts"],
    noticedBy: "gets all of it, however slowly it reads"
  },
  {
    id: "lists.fitting-pages",
    breaks: "A page of a list is as large as its rows make it, or is not answered at all",
    file: "packages/handler/src/middleware/FittingPages.ts",
    find: "bytes <= mostAnswer ||",
    replace: "bytes <= 2 * mostAnswer ||",
    tests: ["packages/handler/test/middleware/FittingPages.pg.test.ts"],
    noticedBy: "has fewer on each page where they do not fit"
  },
  {
    id: "lists.one-limit",
    breaks: "Pages of one list have different limits, so that a client that reads them one by one misses rows",
    file: "packages/handler/src/middleware/FittingPages.ts",
    find: "Math.min(asked, known.rows)",
    replace: "asked",
    tests: ["packages/handler/test/middleware/FittingPages.pg.test.ts"],
    noticedBy: "has no more on pages that would fit"
  },
  {
    id: "neighbours.unread-answers",
    breaks: "What is made for callers who read nothing fills the memory of the process",
    file: "packages/handler/src/middleware/AnswerBytes.ts",
    find: "bytesUnderWay.fits(sharers, bytes)",
    replace: "bytesUnderWay.fits([], bytes)",
    tests: ["packages/handler/test/edge/UnreadAnswers.pg.test.ts"],
    noticedBy: "are held up to half of what the process holds for one store"
  },
  {
    id: "sums.not-on-change",
    breaks: "Translations that are added later make every list of a store fail for good",
    file: "packages/core/migrations/0003_store.sql",
    find: "UNION ALL SELECT g.store_id, -shared_bytes(to_jsonb(g), TG_ARGV[0]) FROM gone g) c",
    replace: "UNION ALL SELECT g.store_id, 0 FROM gone g WHERE false) c WHERE false",
    tests: ["packages/handler/test/storefront/SharedSize.pg.test.ts"],
    noticedBy: "have 8 MiB together"
  },
  {
    id: "sums.shrinking-refused",
    breaks: "A store that has too much can neither be made smaller nor changed",
    file: "packages/core/migrations/0003_store.sql",
    find: "IF growth > 0 AND thing IS NOT NULL",
    replace: "IF thing IS NOT NULL",
    tests: ["packages/handler/test/storefront/SharedSize.pg.test.ts"],
    noticedBy: "may shrink and be renamed"
  },
  {
    id: "sums.audit-ends",
    breaks: "One store that cannot be read ends the audit of all that come behind it",
    file: "packages/core/src/audit/Audit.ts",
    find: `Cause.hasInterruptsOnly(cause) || classify(Cause.squash(cause)) === "unavailable"`,
    replace: "cause.reasons.length > 0",
    tests: ["packages/handler/test/audit/UnreadableStore.pg.test.ts"],
    noticedBy: "goes on behind a store"
  },
  {
    id: "sums.group-outgrows-product",
    breaks: "A modifier group that grows makes a product so large that it can no longer be changed",
    file: "packages/core/src/modifier/ModifierGroups.ts",
    find: "yield* checkProducts(store.id, id)",
    replace: "yield* Effect.void",
    tests: ["packages/handler/test/product/ProductBounds.pg.test.ts"],
    noticedBy: "weighs at most 256 KiB"
  },
  {
    id: "neighbours.bodies",
    breaks: "Large bodies that are sent slowly fill the memory of the process",
    file: "packages/handler/src/middleware/BodyBytes.ts",
    find: "if (!bytes.fits(sharers, size))",
    replace: "if (size > most)",
    tests: ["packages/handler/test/edge/LargeBodies.pg.test.ts"],
    noticedBy: "are read as far as a share of the process goes"
  },
  {
    id: "neighbours.connections",
    breaks: "One address that opens connections keeps everybody else out",
    file: "packages/handler/src/adapters/httpServer.ts",
    find: "if (ofAddress > connections / 2)",
    replace: "if (ofAddress > connections)",
    tests: ["packages/handler/test/edge/HttpServer.test.ts"],
    noticedBy: "half of them of one address"
  },
  {
    id: "neighbours.turns",
    breaks: "A store whose requests take long has all of them worked on at once, and everybody else waits",
    file: "packages/handler/src/middleware/RequestTurns.ts",
    find: "return Math.min(mostAtOnce,",
    replace: "return Math.max(mostAtOnce,",
    tests: ["packages/handler/test/middleware/RequestTurns.test.ts"],
    noticedBy: "fewer the longer they take"
  },
  {
    id: "neighbours.outside",
    breaks: "A store's requests wait while one of them waits for a payment provider",
    file: "packages/core/src/kernel/RequestTurn.ts",
    find: "Effect.andThen(leave, wait)",
    replace: "Effect.andThen(Effect.void, wait)",
    tests: ["packages/handler/test/middleware/RequestTurns.test.ts"],
    noticedBy: "waits for something outside"
  },
  {
    id: "neighbours.turnless",
    breaks: "No request takes a turn",
    file: "packages/handler/src/middleware/Guard.ts",
    find: "settings.storeTurns ?",
    replace: "!settings.storeTurns ?",
    tests: ["packages/handler/test/middleware/StoreTurns.pg.test.ts"],
    noticedBy: "not those of another"
  }
]
