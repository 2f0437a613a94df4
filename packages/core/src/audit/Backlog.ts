/**
 * How much work waits, and since when: what an operator looks at first. One statement, asked at most once in ten
 * seconds by a process, whoever scrapes it and how often.
 */
import { Cause, Clock, Context, Effect, Layer } from "effect"
import type { BacklogKind } from "./BacklogKinds.ts"
import { BacklogRepository } from "./BacklogRepository.ts"

export interface Waiting {
  readonly kind: BacklogKind
  readonly count: number
  /** Seconds since the oldest was due; 0 where none is. */
  readonly lateSeconds: number
}

/** Milliseconds for which an answer is used again. */
const keptMillis = 10_000
/** A database that does not answer in time does not hold up those who ask for the other metrics. */
const patience = "2 seconds"

export class Backlog extends Context.Service<Backlog>()("@effect-commerce/core/audit/Backlog", {
  make: Effect.gen(function* () {
    const repository = yield* BacklogRepository
    let kept: { readonly until: number; readonly rows: ReadonlyArray<Waiting> | undefined } = {
      until: Number.NEGATIVE_INFINITY,
      rows: undefined
    }

    const asked = Effect.gen(function* () {
      const rows = yield* repository.waiting
      const now = yield* Clock.currentTimeMillis
      return rows.map(
        ({ kind, waiting, oldest }): Waiting => ({
          kind: kind as BacklogKind,
          count: waiting,
          lateSeconds: oldest === null ? 0 : Math.max(0, (now - oldest.getTime()) / 1_000)
        })
      )
    }).pipe(
      Effect.timeoutOption(patience),
      Effect.map((answer) => (answer._tag === "Some" ? answer.value : undefined)),
      Effect.catchCause((cause) => (Cause.hasInterruptsOnly(cause) ? Effect.interrupt : Effect.undefined))
    )

    return {
      /** undefined while the database does not answer. */
      now: Effect.suspend(() => {
        const at = performance.now()
        if (at < kept.until) return Effect.succeed(kept.rows)
        // The next one to ask meanwhile gets what was known before.
        kept = { until: at + keptMillis, rows: kept.rows }
        return Effect.tap(asked, (rows) =>
          Effect.sync(() => {
            kept = { until: performance.now() + keptMillis, rows }
          })
        )
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Backlog, Backlog.make).pipe(Layer.provide(BacklogRepository.layer))
}
