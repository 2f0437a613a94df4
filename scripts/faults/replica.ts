/** Faults of the replica beside the primary, and of what lets a schema be distributed. */
import type { Fault } from "../plantedFaults.ts"

const watched = ["packages/core/test/replica/ReplicaWatch.test.ts"]
const beside = ["packages/core/test/replica/ReadReplica.pg.test.ts"]
const shown = ["packages/handler/test/storefront/ReadReplica.pg.test.ts"]
const watch = "packages/core/src/replica/internal/ReplicaWatch.ts"

export const replicaFaults: ReadonlyArray<Fault> = [
  {
    id: "replica.lag-ignored",
    breaks: "Storefronts go on reading from a replica that lags",
    file: watch,
    find: `this.#why = this.#lag > this.#maxLag ? "it lags" : undefined`,
    replace: `this.#why = undefined`,
    tests: watched,
    noticedBy: "stays away from one that reaches each position too late"
  },
  {
    id: "replica.lag-between-looks",
    breaks: "A replica that stops replaying is read until the next look has waited for it",
    file: watch,
    find: `if (now - (this.#awaited?.at ?? now) > this.#maxLag) return "it lags"`,
    replace: `if (now - (this.#awaited?.at ?? now) > 100 * this.#maxLag) return "it lags"`,
    tests: watched,
    noticedBy: "leaves it at the bound by itself"
  },
  {
    id: "replica.not-looked-at",
    breaks: "A process that stood still for minutes reads what the replica had before",
    file: watch,
    find: `return now - this.#seenUpTo > this.#maxLag + lookEvery ?`,
    replace: `return now - this.#seenUpTo > this.#maxLag + 1e9 * lookEvery ?`,
    tests: watched,
    noticedBy: "leaves it when no look has come"
  },
  {
    id: "replica.unreadable",
    breaks: "A product whose document cannot be read answers 500 for as long as the replica is behind its repair",
    file: "packages/core/src/storefront/internal/showsProducts.ts",
    find: `if (first.stale || unreadable.length > 0) yield* goToPrimary`,
    replace: `if (first.stale) yield* goToPrimary`,
    tests: shown,
    noticedBy: "shows a product whose document cannot be read"
  },
  {
    id: "replica.every-write-marks",
    breaks: "A store whose stock is synchronised every second never reads from the replica",
    file: "packages/handler/src/middleware/Guard.ts",
    find: `named.some(changesShown)`,
    replace: `named.some((scope) => scope !== undefined)`,
    tests: shown,
    noticedBy: "goes on from the replica while stock is synchronised"
  },
  {
    id: "replica.refusals-mark",
    breaks: "Requests that are refused keep a store from the replica",
    file: "packages/handler/src/middleware/Guard.ts",
    find: `storeId === undefined || isRefused(exit) ?`,
    replace: `storeId === undefined || Exit.isInterrupted(exit) ?`,
    tests: shown,
    noticedBy: "goes on from the replica while stock is synchronised"
  },
  {
    id: "replica.own-writes",
    breaks: "A merchant's change is not in the shop when it has been answered: the replica does not have it yet",
    file: watch,
    find: `this.#whyNot(now) === undefined && written < this.#seenUpTo`,
    replace: `this.#whyNot(now) === undefined && written < Number.POSITIVE_INFINITY`,
    tests: watched,
    noticedBy: "does not read a store from it that was written here"
  },
  {
    id: "replica.own-writes-unmarked",
    breaks: "No request of a merchant tells the process that storefronts must see its write",
    file: "packages/handler/src/middleware/Guard.ts",
    find: `  return surface === "admin" && method !== "GET" &&`,
    replace: `  return surface === "admin" && method === "GET" &&`,
    tests: shown,
    noticedBy: "shows a merchant's write at once in the process that made it"
  },
  {
    id: "replica.back-in-time",
    breaks: "A request that has read from the primary reads an older state from the replica afterwards",
    file: "packages/core/src/replica/ReplicaReads.ts",
    find: `  if (request !== undefined) request.isOnPrimary = true`,
    replace: `  if (request !== undefined) request.isOnPrimary = false`,
    tests: beside,
    noticedBy: "stay on the primary for the rest of a request"
  },
  {
    id: "replica.lost-unnoticed",
    breaks: "One session that is ended keeps all storefronts from the replica",
    file: "packages/core/src/replica/internal/besideReplica.ts",
    find: `failures(cause).some(isLost) ? lookNow : Effect.void`,
    replace: `failures(cause).some(isLost) ? Effect.sync(() => watch.unfit("lost")) : Effect.void`,
    tests: beside,
    noticedBy: "a session of the replica is ended"
  },
  {
    id: "replica.conflict",
    breaks: "A page fails where replaying on the replica cancels its statement",
    file: "packages/core/src/replica/internal/besideReplica.ts",
    find: `          isFinal(cause) ? Effect`,
    replace: `          isFinal(cause) || !failures(cause).some(isLost) ? Effect`,
    tests: beside,
    noticedBy: "are asked of the primary once more where replaying cancels them"
  },
  {
    id: "replica.promoted",
    breaks: "Storefronts read from a server that was promoted and has gone its own way",
    file: "packages/core/src/replica/ReplicaIdentity.ts",
    find: `  if (!replica.isInRecovery) return`,
    replace: `  if (replica.isInRecovery === undefined) return`,
    tests: beside,
    noticedBy: "leave a replica that is promoted"
  },
  {
    id: "replica.other-database",
    breaks: "Storefronts read from a replica of another database",
    file: "packages/core/src/replica/ReplicaIdentity.ts",
    find: `  if (replica.identity !== primary.identity) return`,
    replace: `  if (replica.identity === "") return`,
    tests: beside,
    noticedBy: "refuse a server that is no replica, and another database"
  },
  {
    id: "replica.primary-only",
    breaks: "The replica takes nothing off the primary",
    file: "packages/handler/src/middleware/Guard.ts",
    find: `underCache(policy.cached, request)(fromReplica(who.storeId)(answered))`,
    replace: `underCache(policy.cached, request)(answered)`,
    tests: shown
  },
  {
    id: "distribution.statement",
    breaks: "A statement that could not go to one server of a distributed schema is not found",
    file: "packages/core/src/testservers/StoreStatements.ts",
    find: `    if (!tables.has(table) ||`,
    replace: `    if (tables.has(table) ||`,
    tests: ["packages/core/test/migration/Distribution.pg.test.ts"],
    noticedBy: "finds the tables whose store is not compared"
  }
]
