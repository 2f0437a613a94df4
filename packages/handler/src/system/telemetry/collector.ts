/** Calls of a collector: OTLP over HTTP, as JSON. That it is away is told once for each reason. */
import { Effect } from "effect"
import { type Signal, signalUrl } from "./OtlpEndpoint.ts"
import type { Collector, Sending } from "./otlpQueue.ts"

const callMillis = 5_000

/** A collector that is busy, starting or behind a broken proxy takes the same batch later. */
const isPassing = (status: number): boolean => status === 408 || status === 429 || status >= 500

const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  const code = typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : ""
  return code === "" ? "it cannot be reached" : code
}

/** The status of the answer, or why there is none. */
const post = (endpoint: string, signal: Signal, body: string): Effect.Effect<number, string> =>
  Effect.tryPromise({
    try: async (ended) => {
      const response = await fetch(signalUrl(endpoint, signal), {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
        redirect: "error",
        signal: ended
      })
      await response.body?.cancel()
      return response.status
    },
    catch: reasonOf
  }).pipe(Effect.timeoutOrElse({ duration: callMillis, orElse: () => Effect.fail("it does not answer in time") }))

export const makeCollector = (endpoint: string): Collector => {
  /** Why a signal is not taken, as it was told last. */
  const told = new Map<Signal, string>()

  const tell = (signal: Signal, reason: string | undefined): Effect.Effect<void> => {
    if (reason === told.get(signal)) return Effect.void
    if (reason === undefined) {
      told.delete(signal)
      return Effect.logInfo(`The collector at ${endpoint} takes ${signal} again`)
    }
    told.set(signal, reason)
    return Effect.logWarning(
      `The collector at ${endpoint} takes no ${signal}: ${reason}. Everything else goes on; what it misses is dropped`
    )
  }

  const sendingOf = (status: number): Sending => {
    if (status < 300) return "sent"
    return isPassing(status) ? { again: `it answers ${status}` } : "lost"
  }

  return {
    send: (signal, body) =>
      post(endpoint, signal, body).pipe(
        Effect.map(sendingOf),
        Effect.catch((reason) => Effect.succeed<Sending>({ again: reason })),
        Effect.tap((outcome) => {
          if (outcome === "sent") return tell(signal, undefined)
          return tell(signal, outcome === "lost" ? "it refuses them" : outcome.again)
        })
      )
  }
}

/** Why it does not take the three signals, each sent empty; undefined if it does. */
export const lookAtCollector = (endpoint: string): Effect.Effect<string | undefined> =>
  Effect.forEach(
    [
      ["traces", { resourceSpans: [] }],
      ["metrics", { resourceMetrics: [] }],
      ["logs", { resourceLogs: [] }]
    ] as const,
    ([signal, nothing]) =>
      Effect.flatMap(post(endpoint, signal, JSON.stringify(nothing)), (status) =>
        status < 300 ? Effect.void : Effect.fail(`${signal} are answered ${status}`)
      ),
    { discard: true }
  ).pipe(
    Effect.as(undefined),
    Effect.catch((reason) => Effect.succeed(reason))
  )
