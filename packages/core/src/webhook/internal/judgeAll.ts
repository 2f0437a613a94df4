/**
 * What finished attempts come to: their subscriptions' circuits after them, in the order in which they ended, and what
 * is written down of each.
 */
import { type Circuit, judge } from "../Circuit.ts"
import type { ClaimedDelivery, DeliveryAttempt, DeliveryStatus } from "../WebhookDelivery.ts"
import type { WebhookPolicy } from "../WebhookPolicy.ts"
import type { Sent } from "../WebhookSender.ts"
import type { CircuitChange } from "../WebhookSubscriptionRepository.ts"

/** A claimed delivery and what its attempt came to. */
export interface Finished {
  readonly delivery: ClaimedDelivery
  readonly sent: Sent
}

/** What the database says of a delivery that is still held under its lease. */
export interface Held {
  readonly attemptCount: number
  readonly isProbe: boolean
}

export interface Judged {
  readonly delivery: ClaimedDelivery
  readonly status: DeliveryStatus
  readonly dueAt: Date | null
  readonly attempt: DeliveryAttempt
}

/** What is not held any more is left out, and so is what belongs to a subscription that is gone. */
export const judgeAll = (
  finished: ReadonlyArray<Finished>,
  circuits: ReadonlyMap<string, Circuit>,
  held: ReadonlyMap<string, Held>,
  policy: WebhookPolicy
): { readonly changes: ReadonlyArray<CircuitChange>; readonly judged: ReadonlyArray<Judged> } => {
  const changes = new Map<string, CircuitChange>()
  const judged: Array<Judged> = []
  for (const { delivery, sent } of finished.toSorted((a, b) => a.sent.at - b.sent.at)) {
    const id = delivery.subscriptionId
    const circuit = changes.get(id)?.circuit ?? circuits.get(id)
    const row = held.get(delivery.id)
    if (row === undefined || circuit === undefined) continue
    const { result, at, statusCode, error, durationMs } = sent
    const verdict = judge(circuit, { result, number: row.attemptCount + 1, isProbe: row.isProbe, at }, policy)
    changes.set(id, {
      id,
      circuit: verdict.circuit,
      lastSuccessAt: result === "delivered" ? new Date(at) : changes.get(id)?.lastSuccessAt,
      lastFailureAt: result === "failed" ? new Date(at) : changes.get(id)?.lastFailureAt
    })
    const { status } = verdict.delivery
    const dueAt = verdict.delivery.status === "pending" ? new Date(verdict.delivery.dueAt) : null
    judged.push({ delivery, status, dueAt, attempt: { at: new Date(at).toISOString(), statusCode, error, durationMs } })
  }
  return { changes: [...changes.values()], judged }
}
