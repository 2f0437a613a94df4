/**
 * One attempt of one delivery: signed at this moment (interface.md, Request headers of a delivery), posted through the
 * guard, and judged by the answer's status.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { RootSecret } from "../crypto/RootSecret.ts"
import { signWebhook } from "../crypto/WebhookSigner.ts"
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
  readonly event: EncodedEvent
}

export interface Sent {
  readonly result: AttemptResult
  readonly statusCode: number | null
  /** Why there is no status. */
  readonly error: string | null
  /** When the attempt ended, epoch milliseconds of the instance's clock. */
  readonly at: number
  readonly durationMs: number
}

/** The headers of a delivery. `timestamp` in Unix milliseconds. */
export const deliveryHeaders = (
  secret: string,
  event: EncodedEvent,
  timestamp: number
): Readonly<Record<string, string>> => ({
  "content-type": "application/json",
  "user-agent": "effect-commerce-webhooks/1",
  "x-svc-signature": signWebhook(secret, timestamp, event.body),
  "x-svc-timestamp": String(timestamp),
  "x-svc-event": event.type,
  "x-svc-event-id": event.id
})

const mostOpened = 10_000

export class WebhookSender extends Context.Service<
  WebhookSender,
  { readonly send: (message: Message) => Effect.Effect<Sent> }
>()("@effect-commerce/core/webhook/WebhookSender") {
  static readonly layer = Layer.effect(
    WebhookSender,
    Effect.gen(function* () {
      const guard = yield* GuardedFetch
      const secrets = yield* RootSecret
      const policy = yield* CurrentWebhookPolicy

      /** Opened secrets by their sealed text: forgotten when there are many. */
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
          const { url, event } = message
          const headers = deliveryHeaders(openSecret(message), event, now)
          return Effect.map(
            guard.request({ method: "POST", url, headers, body: event.body, timeoutMs: policy.timeout }),
            ({ status }) => ({
              result: status >= 200 && status < 300 ? ("delivered" as const) : ("failed" as const),
              statusCode: status,
              error: null
            })
          )
        })

      const outcomeOf = (message: Message): Effect.Effect<Pick<Sent, "result" | "statusCode" | "error">> =>
        attempt(message).pipe(
          Effect.catchTags({
            OutboundFailed: (error) =>
              Effect.succeed({ result: "failed" as const, statusCode: null, error: `${error.kind}: ${error.reason}` }),
            OutboundBlocked: (error) =>
              Effect.as(
                Effect.logWarning(`A webhook was dropped: the URL of ${message.subscriptionId} ${error.reason}`),
                {
                  result: "blocked" as const,
                  statusCode: null,
                  error: `blocked: the URL ${error.reason}`
                }
              )
          }),
          // A bug, or a secret sealed under another root secret: counted, so that it ends, and told to the operator.
          Effect.catchDefect((defect) =>
            Effect.as(Effect.logError(`A webhook for ${message.subscriptionId} could not be made`, defect), {
              result: "failed" as const,
              statusCode: null,
              error: "internal: the delivery could not be made"
            })
          )
        )

      const send = (message: Message): Effect.Effect<Sent> =>
        Effect.suspend(() => {
          const begun = performance.now()
          return Effect.flatMap(outcomeOf(message), ({ result, statusCode, error }) =>
            Effect.map(Clock.currentTimeMillis, (at) => ({
              result,
              statusCode,
              error,
              at,
              durationMs: Math.round(performance.now() - begun)
            }))
          )
        })

      return WebhookSender.of({ send })
    })
  )
}
