/**
 * What waits to be sent to a collector: a bounded queue, emptied in batches. Whoever pushes never waits; what does not
 * fit is dropped and counted. A batch that the collector could not take is tried again, at growing intervals.
 */
import { Effect, Latch } from "effect"
import type { Signal } from "./OtlpEndpoint.ts"

/** What became of a batch; `lost`: the collector has refused it and would again. */
export type Sending = "sent" | "lost" | { readonly again: string }

export interface Collector {
  /** Never fails, and takes five seconds at most. */
  readonly send: (signal: Signal, body: string) => Effect.Effect<Sending>
}

/** Items that wait, and items of one call. */
const mostWaiting = 4_096
const batchSize = 512

/** The longest that an item waits for others, and the pauses after a failure, in milliseconds. */
const gatherMillis = 1_000
const shortestRest = 1_000
const longestRest = 30_000

export interface OtlpQueue<Item> {
  readonly push: (item: Item) => void
  /** Sends for as long as it runs. */
  readonly run: Effect.Effect<never>
  /** Sends what waits, each batch once. */
  readonly flush: Effect.Effect<void>
  /** Items that were never sent. */
  readonly dropped: () => number
}

export const makeOtlpQueue = <Item>(
  { send }: Collector,
  signal: Signal,
  encode: (items: ReadonlyArray<Item>) => string
): OtlpQueue<Item> => {
  let waiting: Array<Item> = []
  let dropped = 0
  const full = Latch.makeUnsafe(false)

  const push = (item: Item): void => {
    if (waiting.length >= mostWaiting) {
      dropped += 1
      return
    }
    waiting.push(item)
    if (waiting.length >= batchSize) full.openUnsafe()
  }

  /** Sends one batch; returns whether the collector may be asked again at once. */
  const sendSome = Effect.suspend(() => {
    const batch = waiting.splice(0, batchSize)
    if (batch.length === 0) return Effect.succeed(true)
    // The process ends while it is under way: what it holds is flushed with the rest.
    const sent = Effect.onInterrupt(send(signal, encode(batch)), () =>
      Effect.sync(() => {
        waiting = [...batch, ...waiting]
      })
    )
    return Effect.map(sent, (outcome) => {
      if (outcome === "sent") return true
      const kept = outcome === "lost" ? 0 : Math.max(0, mostWaiting - waiting.length)
      dropped += Math.max(0, batch.length - kept)
      // The newest of them: an operator looks for what has just happened.
      if (kept > 0) waiting = [...batch.slice(-kept), ...waiting]
      return outcome === "lost"
    })
  })

  const run = Effect.gen(function* () {
    let rest = 0
    while (true) {
      if (rest > 0) yield* Effect.sleep(rest)
      else yield* Effect.timeoutOption(full.await, gatherMillis)
      yield* full.close
      let isWell = true
      while (isWell && waiting.length > 0) isWell = yield* sendSome
      rest = isWell ? 0 : Math.min(longestRest, Math.max(shortestRest, rest * 2))
    }
  })

  const flush = Effect.gen(function* () {
    let isWell = true
    while (isWell && waiting.length > 0) isWell = yield* sendSome
  }).pipe(
    Effect.ensuring(
      Effect.sync(() => {
        dropped += waiting.length
        waiting = []
      })
    )
  )

  return { push, run: run as Effect.Effect<never>, flush, dropped: () => dropped }
}
