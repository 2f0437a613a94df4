/**
 * Every delay, limit and threshold of deliveries. The interface promises the defaults, except the bounds on memory.
 * Tests shorten them.
 */
import { Context } from "effect"

/** Times in milliseconds. */
export interface WebhookPolicy {
  /** From a failed attempt to the next one; there are as many retries as delays. */
  readonly retryDelays: ReadonlyArray<number>
  /** For one attempt, in real time. */
  readonly timeout: number
  /** How long a worker may hold a delivery before another one takes it. */
  readonly lease: number
  /** Failed attempts in a row, over all deliveries of a subscription, that open its circuit. */
  readonly circuitThreshold: number
  /** How long a circuit stays open before an event may probe it. */
  readonly circuitPause: number
  /** How long events and deliveries are kept. */
  readonly retention: number
  /** Bytes of events in a page of the feed; a page holds one event at least. */
  readonly feedBytes: number
  /** Bytes of events in one claim of a worker; a claim takes one delivery at least. */
  readonly claimBytes: number
}

export const contractPolicy: WebhookPolicy = {
  retryDelays: [5_000, 10_000, 20_000, 40_000],
  timeout: 10_000,
  lease: 30_000,
  circuitThreshold: 10,
  circuitPause: 3_600_000,
  retention: 30 * 86_400_000,
  feedBytes: 4 * 1_024 * 1_024,
  claimBytes: 8 * 1_024 * 1_024
}

/** The policy of an instance. */
export const CurrentWebhookPolicy = Context.Reference<WebhookPolicy>("@effect-commerce/core/webhook/WebhookPolicy", {
  defaultValue: () => contractPolicy
})
