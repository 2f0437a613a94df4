/** Calls of a provider that end in time: neither silence nor a defect of the provider's code blocks the caller. */
import { Cause, Effect, Exit, Metric } from "effect"
import { outOfTurn } from "../kernel/RequestTurn.ts"
import { PaymentUnanswered } from "./PaymentErrors.ts"
import type { PaymentPolicy } from "./PaymentPolicy.ts"
import type { PaymentProvider } from "./PaymentProvider.ts"

/** A call that times out or breaks is unanswered: the money may or may not have moved. */
export const answeredInTime =
  ({ code }: PaymentProvider, { callTimeout }: PaymentPolicy) =>
  <A, E>(call: Effect.Effect<A, E>): Effect.Effect<A, E | PaymentUnanswered> =>
    outOfTurn(call).pipe(
      Effect.timeoutOrElse({
        duration: callTimeout,
        orElse: () => Effect.fail(new PaymentUnanswered({ reason: `${code} did not answer within ${callTimeout} ms` }))
      }),
      Effect.catchDefect((defect) =>
        Effect.andThen(
          // Only the kind of the failure: a provider's error may hold a request with its secrets.
          Effect.logError(`The payment provider ${code} broke`, Cause.die(nameOf(defect))),
          Effect.fail(new PaymentUnanswered({ reason: "the provider's code failed" }))
        )
      ),
      Effect.onExit((exit) =>
        Metric.update(Metric.withAttributes(calls, { provider: code, result: resultOf(exit) }), 1)
      ),
      Effect.withSpan("PaymentProvider.call", { kind: "client", attributes: { "commerce.payment.provider": code } })
    )

const calls = Metric.counter("commerce_payment_provider_calls_total", {
  description: "Calls of payment providers, by whether they were answered.",
  incremental: true
})

const resultOf = (exit: Exit.Exit<unknown, unknown>): "answered" | "refused" | "unanswered" => {
  if (Exit.isSuccess(exit)) return "answered"
  // Whoever asked has left, or the process ends.
  if (Cause.hasInterrupts(exit.cause)) return "unanswered"
  return Cause.squash(exit.cause) instanceof PaymentUnanswered ? "unanswered" : "refused"
}

const nameOf = (defect: unknown): string => (defect instanceof Error ? defect.name : typeof defect)
