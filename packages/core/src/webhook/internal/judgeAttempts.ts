/**
 * What finished attempts mean for the circuits of their subscriptions, in the order in which they ended, and what is
 * recorded of each. `opened` has the circuits that were closed before: a probe that fails keeps one open.
 */
import { type Circuit, judge } from "../Circuit.ts"
import type { ClaimedDelivery } from "../WebhookDelivery.ts"
import type { LockedDelivery, RecordedAttempt } from "../WebhookDeliveryRepository.ts"
import type { CircuitOpened } from "../WebhookEvents.ts"
import type { WebhookPolicy } from "../WebhookPolicy.ts"
import type { Sent } from "../WebhookSender.ts"
import type { CircuitChange } from "../WebhookSubscriptionRepository.ts"

/** A claimed delivery and the result of its attempt. */
export interface Finished {
  readonly delivery: ClaimedDelivery
  readonly sent: Sent
}

/** The rows of the deliveries that are still held under their leases, and the circuits of their subscriptions. */
export interface HeldDeliveries {
  readonly rows: ReadonlyMap<string, LockedDelivery>
  readonly circuits: ReadonlyMap<string, Circuit>
}

/** Leaves out attempts whose delivery is not held any more, and those of a removed subscription. */
export const judgeAttempts = (
  finished: ReadonlyArray<Finished>,
  { rows, circuits }: HeldDeliveries,
  policy: WebhookPolicy
): {
  readonly changes: ReadonlyArray<CircuitChange>
  readonly attempts: ReadonlyArray<RecordedAttempt>
  readonly opened: ReadonlyArray<CircuitOpened>
} => {
  const changes = new Map<string, CircuitChange>()
  const attempts: Array<RecordedAttempt> = []
  const opened: Array<CircuitOpened> = []
  for (const { delivery, sent } of finished.toSorted((a, b) => a.sent.at - b.sent.at)) {
    const id = delivery.subscriptionId
    const before = changes.get(id)
    const circuit = before?.circuit ?? circuits.get(id)
    const row = rows.get(delivery.id)
    if (row === undefined || circuit === undefined) continue
    const { result, at, statusCode, error, durationMs } = sent
    const verdict = judge(circuit, { result, number: row.attemptCount + 1, isProbe: row.isProbe, at }, policy)
    changes.set(id, {
      id,
      circuit: verdict.circuit,
      lastSuccessAt: result === "delivered" ? new Date(at) : before?.lastSuccessAt,
      lastFailureAt: result === "failed" ? new Date(at) : before?.lastFailureAt
    })
    if (circuit.openedAt === null && verdict.circuit.openedAt !== null)
      opened.push({
        subscriptionId: id,
        url: delivery.url,
        openedAt: new Date(verdict.circuit.openedAt).toISOString(),
        failureCount: verdict.circuit.failureCount,
        lastError: statusCode === null ? (error ?? "") : `HTTP ${statusCode}`
      })
    attempts.push({
      id: delivery.id,
      status: verdict.delivery.status,
      dueAt: verdict.delivery.status === "pending" ? new Date(verdict.delivery.dueAt) : null,
      attempt: { at: new Date(at).toISOString(), statusCode, error, durationMs }
    })
  }
  return { changes: [...changes.values()], attempts, opened }
}
