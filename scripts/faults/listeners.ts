/** Faults in functions of a host that are called with events. */
import type { Fault } from "../plantedFaults.ts"

const repository = "packages/core/src/listener/ListenerRepository.ts"
const handOver = "packages/core/src/listener/internal/handOver.ts"
const core = ["packages/core/test/listener/EventListeners.pg.test.ts"]
const host = ["packages/handler/test/listener/HostEvents.pg.test.ts"]

export const listenerFaults: ReadonlyArray<Fault> = [
  {
    id: "listener.first-lost",
    breaks: "A function of the host is not called with the first event of a store",
    file: repository,
    find: "SELECT ${storeId}, l.name, f.position,",
    replace: "SELECT ${storeId}, l.name, f.position + 1,",
    tests: host,
    noticedBy: "is called with the event that a webhook would get"
  },
  {
    id: "listener.overlooked",
    breaks: "An event that comes while a listener goes to rest waits for the next one",
    file: repository,
    find: "CASE WHEN told = ${reached.told} THEN NULL",
    replace: "CASE WHEN told >= ${reached.told} THEN NULL",
    tests: core,
    noticedBy: "overlooks nothing that is relayed between its last look and its rest"
  },
  {
    id: "listener.other-types",
    breaks: "While a new release is rolled out, the old one passes over events that only the new one reads",
    file: repository,
    find: "sql`EXISTS (SELECT FROM event_listener l WHERE l.name = ${name} AND l.types = ${types}::text[])`",
    replace: "sql`EXISTS (SELECT FROM event_listener l WHERE l.name = ${name} AND ${types}::text[] IS NOT NULL)`",
    tests: core,
    noticedBy: "whose types a newer process has changed stands by"
  },
  {
    id: "listener.types-set-back",
    breaks: "An old process sets the types of its listener back each hour",
    file: repository,
    find: "ON CONFLICT (name) DO UPDATE SET seen_at = EXCLUDED.seen_at",
    replace: "ON CONFLICT (name) DO UPDATE SET seen_at = EXCLUDED.seen_at, types = EXCLUDED.types",
    tests: core,
    noticedBy: "whose types a newer process has changed stands by"
  },
  {
    id: "listener.held-up",
    breaks: "A store with many events holds up those of other stores",
    file: handOver,
    find: "const eventsAtOnce = 20",
    replace: "const eventsAtOnce = 2_000",
    tests: core,
    noticedBy: "hands over a page of each store in turn"
  },
  {
    id: "listener.failed-skipped",
    breaks: "An event at which the function of the host failed is never handed over again",
    file: handOver,
    find: "goesOn = !listening.isStopping && (yield* handled(listener, storeId, lease, failures, event))",
    replace:
      "goesOn = !listening.isStopping && (yield* handled(listener, storeId, lease, failures, event)) !== undefined",
    tests: host,
    noticedBy: "that throws is called again with the same event"
  },
  {
    id: "listener.no-end",
    breaks: "A function of the host that never ends holds up its store for ever",
    file: handOver,
    find: "Effect.timeoutOrElse({ duration: policy.handling, orElse: tooLong }),",
    replace: "",
    tests: core,
    noticedBy: "whose function does not end in time has failed"
  },
  {
    id: "listener.no-pause",
    breaks: "A function of the host that fails is called again each second, for thirty days",
    file: handOver,
    find: "policy.shortestPause * 2 ** Math.min(failures, 20)",
    replace: "policy.shortestPause",
    tests: core,
    noticedBy: "pauses twice as long each time"
  },
  {
    id: "listener.begun-while-stopping",
    breaks: "A host that stops begins with further events, and hangs",
    file: handOver,
    find: "goesOn = !listening.isStopping && (",
    replace: "goesOn = (",
    tests: host,
    noticedBy: "that is stopped while it works may end its work"
  },
  {
    id: "listener.kept-for-ever",
    breaks: "Cursors of functions that no program has any more pile up in each store",
    file: repository,
    find: "WHERE seen_at < ${before}",
    replace: "WHERE seen_at < ${before} AND false",
    tests: core,
    noticedBy: "that no process has had for thirty days is forgotten"
  }
]
