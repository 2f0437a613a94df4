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
    find: "CASE WHEN told = ${told} THEN NULL",
    replace: "CASE WHEN told >= ${told} THEN NULL",
    tests: core,
    noticedBy: "overlooks nothing that is relayed between its last look and its rest"
  },
  {
    id: "listener.failed-skipped",
    breaks: "An event at which the function of the host failed is never handed over again",
    file: handOver,
    find: "if (!(yield* handled(listener, storeId, lease, failures, event))) return",
    replace: "yield* handled(listener, storeId, lease, failures, event)",
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
    find: "if (listening.isStopping) return yield* release(storeId, listener.name, lease)",
    replace: "",
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
