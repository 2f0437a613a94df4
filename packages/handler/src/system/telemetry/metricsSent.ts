/** Sends the metrics by OTLP every ten seconds, and once more at the end. Nothing where no collector is named. */
import { Clock, Effect, Layer } from "effect"
import { Metrics } from "../Metrics.ts"
import { metricRecords } from "./otlpMetrics.ts"
import { CurrentTelemetry } from "./Telemetry.ts"

const interval = "10 seconds"
/** The end of the instance waits so long for it. */
const lastPatience = "1 second"

export const metricsSent = Layer.effectDiscard(
  Effect.gen(function* () {
    const { sendMetrics } = yield* CurrentTelemetry
    if (sendMetrics === undefined) return
    const metrics = yield* Metrics
    const since = yield* Clock.currentTimeMillis
    const send = Effect.gen(function* () {
      const all = yield* metrics.gather
      yield* sendMetrics(metricRecords(all, since, yield* Clock.currentTimeMillis))
    })
    yield* Effect.addFinalizer(() => Effect.asVoid(Effect.timeoutOption(send, lastPatience)))
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(interval), send)))
  })
)
