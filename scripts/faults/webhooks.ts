/** Faults in outgoing calls: signatures, the check of addresses, leases, the circuit, the log. */
import type { Fault } from "../plantedFaults.ts"

const deliveries = ["packages/core/test/webhook/WebhookDeliveries.pg.test.ts"]
const leases = ["packages/core/test/webhook/DeliveryLeases.pg.test.ts"]
const inFlight = ["packages/core/test/webhook/InFlight.test.ts"]
const openCircuit = ["packages/core/test/webhook/OpenCircuit.pg.test.ts"]
const dropped = ["packages/handler/test/webhook/DroppedEvents.pg.test.ts"]
const circuit = ["packages/core/test/webhook/Circuit.test.ts"]
const schemas = ["packages/handler/test/webhook/EventSchemas.pg.test.ts"]
const guard = ["packages/core/test/outbound/GuardedFetch.test.ts"]

export const webhookFaults: ReadonlyArray<Fault> = [
  {
    id: "webhook.signature-bytes",
    breaks: "A delivery is signed over other bytes than it sends",
    file: "packages/core/src/webhook/WebhookSender.ts",
    find: "signWebhook(secret, timestamp, event.body)",
    replace: "signWebhook(secret, timestamp, event.body.slice(1))",
    tests: deliveries,
    noticedBy: "is signed over its raw bytes"
  },
  {
    id: "webhook.guard-at-store-only",
    breaks: "A name that moves into the private network after it was stored is called there",
    file: "packages/core/src/outbound/GuardedFetch.ts",
    find: "return judge(joined) ? Effect.succeed(joined) :",
    replace: "return judge(joined) || timeoutMs > checkTimeoutMs ? Effect.succeed(joined) :",
    tests: [...deliveries, ...guard],
    noticedBy: "judges the address that is connected to"
  },
  {
    id: "webhook.lease-ignored",
    breaks: "A worker that lost its lease records its attempt over the other's",
    file: "packages/core/src/webhook/WebhookDeliveries.ts",
    find: "row.lease === leases.get(row.id)",
    replace: "row.lease !== null",
    tests: leases
  },
  {
    id: "webhook.recorded-twice",
    breaks: "The same result is recorded a second time when a worker does not learn that it was recorded",
    file: "packages/core/src/webhook/WebhookDeliveries.ts",
    find: 'row.status === "pending" && row.lease ===',
    replace: "row.lease === null || row.lease ===",
    tests: leases
  },
  {
    id: "webhook.swept-while-pending",
    breaks: "An old event is swept together with deliveries that are still to be made",
    file: "packages/core/src/webhook/EventRepository.ts",
    find: "d.event_id = o.id AND d.due_at IS NOT NULL",
    replace: "d.event_id = o.id AND false",
    tests: leases,
    noticedBy: "those that are pending keep their events from being swept"
  },
  {
    id: "webhook.silent-takes-all",
    breaks: "An endpoint that does not answer uses up the attempts of its whole store",
    file: "packages/core/src/webhook/internal/InFlight.ts",
    find: "this.#count(keyOf(place)) < perSubscription",
    replace: "this.#count(keyOf(place)) < perStore",
    tests: inFlight,
    noticedBy: "which holds up no other one"
  },
  {
    id: "webhook.quiet-store-waits",
    breaks: "A quiet store waits while other stores use all attempts",
    file: "packages/core/src/webhook/internal/InFlight.ts",
    find: "this.#total < most && ofStore < assured",
    replace: "this.#total < shared && ofStore < assured",
    tests: inFlight,
    noticedBy: "are always there for a store that has next to none"
  },
  {
    id: "webhook.one-refused-all-lost",
    breaks: "A result that the database refuses takes the others of its batch with it",
    file: "packages/core/src/webhook/internal/resultRecorder.ts",
    find: "finished.length === 1 || isAway(cause)",
    replace: "finished.length > 0",
    tests: ["packages/core/test/webhook/WebhookDispatcher.pg.test.ts"],
    noticedBy: "those that are recorded together with it are recorded"
  },
  {
    id: "webhook.lease-forever",
    breaks: "What a killed worker held is never sent",
    file: "packages/core/src/webhook/WebhookDeliveries.ts",
    find: "new Date(now + policy.lease)",
    replace: "new Date(now + policy.lease * 1_000)",
    tests: deliveries,
    noticedBy: "hold a delivery for thirty seconds"
  },
  {
    id: "webhook.threshold",
    breaks: "A circuit opens one failure late",
    file: "packages/core/src/webhook/Circuit.ts",
    find: "circuit.failureCount >= policy.circuitThreshold",
    replace: "circuit.failureCount > policy.circuitThreshold",
    tests: [...circuit, ...deliveries],
    noticedBy: "opens at the tenth failure and no earlier"
  },
  {
    id: "webhook.opening-silent",
    breaks: "A circuit opens, events are lost, and the merchant gets no mail",
    file: "packages/core/src/webhook/WebhookDeliveries.ts",
    find: "opened.map((data) => circuitOpened.of(data))",
    replace: "opened.slice(1).map((data) => circuitOpened.of(data))",
    tests: [...openCircuit, ...dropped],
    noticedBy: "goes to the owner when it opens"
  },
  {
    id: "webhook.mail-for-each-probe",
    breaks: "The owner of an endpoint that stays down gets a mail every hour",
    file: "packages/core/src/webhook/internal/judgeAttempts.ts",
    find: "if (circuit.openedAt === null && verdict.circuit.openedAt !== null)",
    replace: "if (verdict.circuit.openedAt !== null && verdict.circuit.openedAt !== circuit.openedAt)",
    tests: openCircuit,
    noticedBy: "is not sent again by a probe that fails"
  },
  {
    id: "webhook.mail-for-each-failure",
    breaks: "Each failure after the tenth is one more mail",
    file: "packages/core/src/webhook/internal/judgeAttempts.ts",
    find: "if (circuit.openedAt === null && verdict.circuit.openedAt !== null)",
    replace: "if (verdict.circuit.openedAt !== null)",
    tests: openCircuit,
    noticedBy: "is sent once, also where two processes count the failures"
  },
  {
    id: "event.sequence-of-the-feed",
    breaks:
      "A receiver that catches up from the feed compares another sequence than it was sent, and skips what is new",
    file: "packages/core/src/webhook/EventRepository.ts",
    find: "seq AS sequence",
    replace: "position AS sequence",
    tests: openCircuit,
    noticedBy: "is the same in the feed and in what is delivered"
  },
  {
    id: "event.sequence-of-the-claim",
    breaks: "What is delivered carries another sequence than the same event in the feed",
    file: "packages/core/src/webhook/WebhookDeliveryRepository.ts",
    find: "h.seq AS sequence",
    replace: "row_number() OVER () AS sequence",
    tests: dropped,
    noticedBy: "three events that an open circuit has dropped"
  },
  {
    id: "event.dropped-for-good",
    breaks: "The feed has only events that were queued for a subscription, so what a circuit dropped is nowhere",
    file: "packages/core/src/webhook/EventRepository.ts",
    find: "AND ${which} AND position > ${after} AND created_at >= ${since}",
    replace:
      "AND ${which} AND position > ${after} AND created_at >= ${since} AND EXISTS (SELECT FROM " +
      "webhook_delivery d WHERE d.store_id = ${storeId} AND d.event_id = event.id)",
    tests: dropped,
    noticedBy: "three events that an open circuit has dropped"
  },
  {
    id: "webhook.two-probes",
    breaks: "After the hour every event goes out as a probe",
    file: "packages/core/src/webhook/Circuit.ts",
    find: "return !circuit.probing && at >=",
    replace: "return at >=",
    tests: [...circuit, ...deliveries]
  },
  {
    id: "webhook.redirect",
    breaks: "A redirect counts as delivered",
    file: "packages/core/src/webhook/WebhookSender.ts",
    find: "status >= 200 && status < 300",
    replace: "status >= 200 && status < 400",
    tests: deliveries,
    noticedBy: "that fails is made again after 5, 10, 20 and 40 seconds"
  },
  {
    id: "webhook.standard-milliseconds",
    breaks: "Libraries of Standard Webhooks refuse each delivery, since its timestamp is in milliseconds",
    file: "packages/core/src/webhook/WebhookSender.ts",
    find: "Math.floor(timestamp / 1_000)",
    replace: "timestamp",
    tests: deliveries,
    noticedBy: "carries the headers of Standard Webhooks"
  },
  {
    id: "webhook.internal",
    breaks: "A sealed reset token is posted to subscribers of all events",
    file: "packages/core/src/webhook/EventCatalog.ts",
    find: ".filter((type) => !isInternal(type))",
    replace: "",
    tests: ["packages/core/test/webhook/EventCatalog.test.ts", ...deliveries],
    noticedBy: "an internal event reaches nobody"
  },
  {
    id: "event.undefined",
    breaks:
      "A change of stock writes an event that nobody defined, and subscribers of inventory.updated receive nothing",
    file: "packages/core/src/inventory/internal/stockEvents.ts",
    find: "${inventoryUpdated.type},",
    replace: "'inventory.changed',",
    tests: schemas,
    noticedBy: "every kind of event that is live is written as its room defines it"
  },
  {
    id: "event.field-left-out",
    breaks: "An event of a customer does not say which customer it is",
    file: "packages/core/src/customer/CustomerEvents.ts",
    find: "customerId: customer.id,",
    replace: "",
    tests: schemas,
    noticedBy: "every kind of event that is live is written as its room defines it"
  },
  {
    id: "event.later-version-read",
    breaks: "A mail is made of an event that a later release has written in another shape",
    file: "packages/core/src/kernel/StoredData.ts",
    find: "from > newest",
    replace: "from > newest + 1",
    tests: ["packages/core/test/kernel/StoredData.test.ts", "packages/core/test/email/MailConsumer.pg.test.ts"],
    noticedBy: "of a newer release are refused"
  },
  {
    id: "event.upgrade-skipped",
    breaks: "Data of an earlier release are read without the first of their upgrades",
    file: "packages/core/src/kernel/StoredData.ts",
    find: "upgrades.slice(from - 1)",
    replace: "upgrades.slice(from)",
    tests: ["packages/core/test/kernel/StoredData.test.ts"],
    noticedBy: "are brought up to date from the version they were written with"
  }
]
