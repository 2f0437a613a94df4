/**
 * Makes one attempt of one delivery: signs it with the current time, posts it through the outbound guard, and decides
 * from the status whether it was delivered.
 */
import { Clock, Context, Effect, Layer, Metric } from "effect"
import { RootSecret } from "../crypto/RootSecret.ts"
import { signStandardWebhook, signWebhook } from "../crypto/WebhookSigner.ts"
import { GuardedFetch } from "../outbound/GuardedFetch.ts"
import type { AttemptResult } from "./Circuit.ts"
import type { EncodedEvent } from "./EventEnvelope.ts"
import { CurrentWebhookPolicy } from "./WebhookPolicy.ts"
import { secretContext, secretPurpose } from "./WebhookSubscription.ts"

export interface Message {
  readonly storeId: string
  readonly subscriptionId: string
  readonly url: string
  /** Sealed. */
  readonly secret: string
  readonly standardHeaders: boolean
  readonly event: EncodedEvent
}

export interface Sent {
  readonly result: AttemptResult
  readonly statusCode: number | null
  /** Why there is no status code. */
  readonly error: string | null
  /** When the attempt ended, epoch milliseconds of the instance's clock. */
  readonly at: number
  readonly durationMs: number
}

/** The headers of a delivery. `timestamp` in Unix milliseconds; `standard`: also those of Standard Webhooks. */
export const deliveryHeaders = (
  secret: string,
  event: EncodedEvent,
  timestamp: number,
  standard = false
): Readonly<Record<string, string>> => ({
  "content-type": "application/json",
  "user-agent": "effect-commerce-webhooks/1",
  "x-svc-signature": signWebhook(secret, timestamp, event.body),
  "x-svc-timestamp": String(timestamp),
  "x-svc-event": event.type,
  "x-svc-event-id": event.id,
  ...(standard ? standardHeadersOf(secret, event, Math.floor(timestamp / 1_000)) : {})
})

/** `timestamp` in Unix seconds. */
const standardHeadersOf = (secret: string, { id, body }: EncodedEvent, timestamp: number) => ({
  "webhook-id": id,
  "webhook-timestamp": String(timestamp),
  "webhook-signature": signStandardWebhook(secret, id, timestamp, body)
})

const attempts = Metric.counter("commerce_webhook_attempts_total", {
  description: "Attempts of webhook deliveries, by what became of them.",
  incremental: true
})

/** How many opened secrets are cached. */
const mostOpened = 10_000

type Outcome = Pick<Sent, "result" | "statusCode" | "error">

const noAnswer = (result: AttemptResult, error: string): Outcome => ({ result, statusCode: null, error })

export class WebhookSender extends Context.Service<WebhookSender>()("@effect-commerce/core/webhook/WebhookSender", {
  make: Effect.gen(function* () {
    const guard = yield* GuardedFetch
    const secrets = yield* RootSecret
    const policy = yield* CurrentWebhookPolicy

    /** A cache: sealed secret to plain secret. */
    const opened = new Map<string, string>()
    const openSecret = ({ storeId, subscriptionId, secret }: Message): string => {
      const known = opened.get(secret)
      if (known !== undefined) return known
      const plain = secrets.open(secretPurpose, secretContext(storeId, subscriptionId), secret)
      if (opened.size >= mostOpened) opened.clear()
      opened.set(secret, plain)
      return plain
    }

    const attempt = (message: Message) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const { url, event, standardHeaders } = message
        const headers = deliveryHeaders(openSecret(message), event, now, standardHeaders)
        return guard.request({ method: "POST", url, headers, body: event.body, timeoutMs: policy.timeout })
      }).pipe(
        Effect.map(
          ({ status }): Outcome => ({
            result: status >= 200 && status < 300 ? "delivered" : "failed",
            statusCode: status,
            error: null
          })
        ),
        Effect.catchTags({
          OutboundFailed: ({ kind, reason }) => Effect.succeed(noAnswer("failed", `${kind}: ${reason}`)),
          OutboundBlocked: ({ reason }) =>
            Effect.as(
              Effect.logWarning(`A webhook was dropped: the URL of ${message.subscriptionId} ${reason}`),
              noAnswer("blocked", `blocked: the URL ${reason}`)
            )
        }),
        // A bug, or a secret that was sealed under another root secret. It counts as a failure, so that retries end.
        Effect.catchDefect((defect) =>
          Effect.as(
            Effect.logError(`A webhook for ${message.subscriptionId} could not be made`, defect),
            noAnswer("failed", "internal: the delivery could not be made")
          )
        )
      )

    const send = Effect.fn("WebhookSender.send")(function* (message: Message) {
      const begun = performance.now()
      yield* Effect.annotateCurrentSpan({
        "commerce.store.id": message.storeId,
        "commerce.event.id": message.event.id,
        "commerce.event.type": message.event.type
      })
      const outcome = yield* attempt(message)
      yield* Metric.update(Metric.withAttributes(attempts, { result: outcome.result }), 1)
      yield* Effect.annotateCurrentSpan({ "commerce.result": outcome.result })
      const at = yield* Clock.currentTimeMillis
      return { ...outcome, at, durationMs: Math.round(performance.now() - begun) } satisfies Sent
    })

    return { send }
  })
}) {
  static readonly layer = Layer.effect(WebhookSender, WebhookSender.make)
}
