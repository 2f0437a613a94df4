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
  let told: string | undefined

  const tell = (reason: string | undefined): Effect.Effect<void> => {
    if (reason === told) return Effect.void
    told = reason
    if (reason === undefined) return Effect.logInfo(`The collector at ${endpoint} answers again`)
    return Effect.logWarning(
      `The collector at ${endpoint} cannot be used: ${reason}. Everything else goes on; what it misses is dropped`
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
          if (outcome === "sent") return tell(undefined)
          return tell(outcome === "lost" ? `it refuses our ${signal}` : outcome.again)
        })
      )
  }
}

/** Why it takes none of the signals, each sent empty; undefined if it takes them. */
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
