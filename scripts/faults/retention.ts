/** Faults in what becomes of old events, in the feed at size, and in what stores share on their way out. */
import type { Fault } from "../plantedFaults.ts"

const retention = ["packages/core/test/webhook/EventRetention.pg.test.ts"]
const leases = ["packages/core/test/webhook/DeliveryLeases.pg.test.ts"]
const guard = ["packages/core/test/outbound/GuardedFetch.test.ts"]

export const retentionFaults: ReadonlyArray<Fault> = [
  {
    id: "retention.reads-again",
    breaks: "Each batch of old events reads again what those before it have removed",
    file: "packages/core/src/webhook/EventRepository.ts",
    find: "AND position > ${after} ORDER BY position LIMIT ${most}",
    replace: "AND position > 0 AND ${after}::bigint >= 0 ORDER BY position LIMIT ${most}",
    tests: retention,
    noticedBy: "take no longer to remove while something still sees"
  },
  {
    id: "retention.positions-anew",
    breaks: "The feed of a store whose events are all gone begins anew, before where its readers are",
    file: "packages/core/src/outbox/internal/eventStatements.ts",
    find: "(SELECT removed FROM event_feed WHERE store_id = ${storeId})), 0)",
    replace: "0), 0)",
    tests: retention,
    noticedBy: "positions do not begin anew"
  },
  {
    id: "retention.positions-again",
    breaks: "Positions are given a second time where an old event is left because its delivery waits",
    file: "packages/core/src/outbox/internal/eventStatements.ts",
    find: "SELECT coalesce(greatest(",
    replace: "SELECT coalesce(coalesce(",
    tests: retention,
    noticedBy: "whose delivery waits is left"
  },
  {
    id: "retention.audited-by-the-stuck",
    breaks: "The audit misses the events of a month of customers and orders once one event cannot be relayed",
    file: "packages/core/src/outbox/eventsKeptSince.ts",
    find: "SELECT removed_before FROM",
    replace: "SELECT NULL::timestamptz FROM",
    tests: retention,
    noticedBy: "are no findings of the audit"
  },
  {
    id: "retention.replays-old",
    breaks: "An event that is about to be removed is sent again, and removed with its new delivery",
    file: "packages/core/src/webhook/EventRepository.ts",
    find: "AND id = ${id} AND created_at >= ${since}",
    replace: "AND id = ${id} AND ${since}::timestamptz IS NOT NULL",
    tests: retention,
    noticedBy: "cannot be sent again"
  },
  {
    id: "feed.types-apart",
    breaks: "A page of several types has those of one type first, and passes over others",
    file: "packages/core/src/webhook/EventRepository.ts",
    find: "e ORDER BY e.position LIMIT ${limit}`",
    replace: "e LIMIT ${limit}`",
    tests: retention,
    noticedBy: "has them in one order"
  },
  {
    id: "webhook.removed-is-sent",
    breaks: "What waited for a subscription is sent after the subscription was removed",
    file: "packages/core/src/webhook/WebhookDeliveryRepository.ts",
    find: "AND s.deleted_at IS NULL",
    replace: "AND s.id IS NOT NULL",
    tests: leases,
    noticedBy: "are removed with it"
  },
  {
    id: "webhook.removed-is-due",
    breaks: "Dispatchers look again and again for what waits for a subscription that was removed",
    file: "packages/core/src/webhook/WebhookDeliveryRepository.ts",
    find: "AND s.deleted_at IS NOT NULL)",
    replace: "AND s.id IS NULL)",
    tests: leases,
    noticedBy: "are removed with it"
  },
  {
    id: "outbound.tests-unbounded",
    breaks: "One store's test sends take all connections to an origin where other stores have their endpoints",
    file: "packages/core/src/webhook/WebhookSubscriptions.ts",
    find: "yield* testTurns.run(store.id)(sender.send(message))",
    replace: "yield* testTurns.run(id + performance.now())(sender.send(message))",
    tests: ["packages/core/test/webhook/TestSends.pg.test.ts"],
    noticedBy: "of one store are a few at a time"
  },
  {
    id: "outbound.origin-shared",
    breaks: "A store whose endpoint is silent takes all connections to an origin where other stores have theirs",
    file: "packages/core/src/outbound/GuardedFetch.ts",
    find: "const connectionsPerPool = 512",
    replace: "const connectionsPerPool = 64",
    tests: guard,
    noticedBy: "is answered while a hundred to the same origin are not"
  }
]
