/**
 * The circuit breaker of a subscription and the states of a delivery, as pure functions of the subscription's row. The
 * caller holds that row locked, so any number of processes agree.
 */
import type { WebhookPolicy } from "./WebhookPolicy.ts"

/** Closed: `openedAt` null. Open: `openedAt` set. Half-open: `probing` too. Times are epoch milliseconds. */
export interface Circuit {
  readonly failureCount: number
  readonly openedAt: number | null
  readonly probing: boolean
}

export const closedCircuit: Circuit = { failureCount: 0, openedAt: null, probing: false }

/** A matching event is queued, queued as the probe, or lost for this subscription. */
export type Admission = "queue" | "probe" | "lose"

/** `at` is when the event happened. While a probe is under way nothing else goes out. */
export const admit = (circuit: Circuit, at: number, policy: WebhookPolicy): Admission => {
  if (circuit.openedAt === null) return "queue"
  return !circuit.probing && at >= circuit.openedAt + policy.circuitPause ? "probe" : "lose"
}

export interface Admitted<A> {
  readonly event: A
  readonly isProbe: boolean
}

/** The events that are sent, and the circuit afterwards. At most one of them is the probe. */
export const admitAll = <A extends { readonly createdAt: Date }>(
  before: Circuit,
  events: ReadonlyArray<A>,
  policy: WebhookPolicy
): { readonly admitted: ReadonlyArray<Admitted<A>>; readonly circuit: Circuit } => {
  let circuit = before
  const admitted: Array<Admitted<A>> = []
  for (const event of events) {
    const admission = admit(circuit, event.createdAt.getTime(), policy)
    if (admission === "lose") continue
    const isProbe = admission === "probe"
    if (isProbe) circuit = { ...circuit, probing: true }
    admitted.push({ event, isProbe })
  }
  return { admitted, circuit }
}

/** The result of an attempt. `blocked`: the outbound guard did not allow the request. */
export type AttemptResult = "delivered" | "failed" | "blocked"

export interface Attempt {
  readonly result: AttemptResult
  /** Which attempt of its delivery it is, from 1. */
  readonly number: number
  readonly isProbe: boolean
  /** When it ended, epoch milliseconds. */
  readonly at: number
}

export interface Verdict {
  readonly circuit: Circuit
  readonly delivery:
    | { readonly status: "pending"; readonly dueAt: number }
    | { readonly status: "delivered" | "abandoned" | "blocked" }
}

export const judge = (circuit: Circuit, attempt: Attempt, policy: WebhookPolicy): Verdict => {
  // When the circuit was reset in the meantime, its probe counts as an ordinary delivery.
  const probes = attempt.isProbe && circuit.probing
  switch (attempt.result) {
    case "delivered":
      return { circuit: probes ? closedCircuit : { ...circuit, failureCount: 0 }, delivery: { status: "delivered" } }
    case "blocked":
      return { circuit: probes ? reopened(circuit, attempt.at) : circuit, delivery: { status: "blocked" } }
    case "failed":
      return probes
        ? { circuit: reopened(counted(circuit), attempt.at), delivery: { status: "abandoned" } }
        : { circuit: openedWhenDue(counted(circuit), attempt.at, policy), delivery: next(attempt, policy) }
  }
}

const counted = (circuit: Circuit): Circuit => ({ ...circuit, failureCount: circuit.failureCount + 1 })

const reopened = (circuit: Circuit, at: number): Circuit => ({ ...circuit, openedAt: at, probing: false })

const openedWhenDue = (circuit: Circuit, at: number, policy: WebhookPolicy): Circuit =>
  circuit.openedAt === null && circuit.failureCount >= policy.circuitThreshold ? { ...circuit, openedAt: at } : circuit

const next = (attempt: Attempt, policy: WebhookPolicy): Verdict["delivery"] => {
  const delay = policy.retryDelays[attempt.number - 1]
  return delay === undefined ? { status: "abandoned" } : { status: "pending", dueAt: attempt.at + delay }
}
