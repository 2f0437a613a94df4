/** Every call of a provider has an end: neither its silence nor a fault of its code holds up whoever asks. */
import { Cause, Effect } from "effect"
import { PaymentUnanswered } from "../payment/PaymentErrors.ts"
import type { PaymentProvider } from "../payment/PaymentProvider.ts"
import type { PaymentPolicy } from "./PaymentAttempt.ts"

/** What is not answered in time, or breaks, is unanswered: the money may or may not have moved. */
export const answeredInTime =
  ({ code }: PaymentProvider, { callTimeout }: PaymentPolicy) =>
  <A, E>(call: Effect.Effect<A, E>): Effect.Effect<A, E | PaymentUnanswered> =>
    call.pipe(
      Effect.timeoutOrElse({
        duration: callTimeout,
        orElse: () => Effect.fail(new PaymentUnanswered({ reason: `${code} did not answer within ${callTimeout} ms` }))
      }),
      Effect.catchDefect((defect) =>
        Effect.andThen(
          Effect.logError(`The payment provider ${code} broke`, Cause.die(defect)),
          Effect.fail(new PaymentUnanswered({ reason: "the provider's code failed" }))
        )
      )
    )
