/**
 * How much work waits, and since when: what an operator looks at first. One statement, asked at most once in ten
 * seconds by a process, whoever scrapes it and how often.
 */
import { Cause, Clock, Context, Effect, Layer, Option, Semaphore } from "effect"
import { classify } from "../database/SqlErrors.ts"
import type { BacklogKind } from "./BacklogKinds.ts"
import { BacklogRepository } from "./BacklogRepository.ts"

export interface Waiting {
  readonly kind: BacklogKind
  readonly count: number
  /** Seconds since the oldest was due; 0 where none is. */
  readonly lateSeconds: number
}

/** `down`: the database cannot be reached. `unknown`: there was no answer in time; it may be busy. */
export type BacklogAnswer = ReadonlyArray<Waiting> | "down" | "unknown"

/** Milliseconds for which an answer is used again. */
const keptMillis = 10_000
/** A database that does not answer in time does not hold up those who ask for the other metrics. */
const patience = "2 seconds"

export class Backlog extends Context.Service<Backlog>()("@effect-commerce/core/audit/Backlog", {
  make: Effect.gen(function* () {
    const repository = yield* BacklogRepository
    const turn = yield* Semaphore.make(1)
    let kept: { readonly until: number; readonly answer: BacklogAnswer } = {
      until: Number.NEGATIVE_INFINITY,
      answer: "unknown"
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
      Effect.map((answer): BacklogAnswer => Option.getOrElse(answer, () => "unknown" as const)),
      Effect.catchCause((cause): Effect.Effect<BacklogAnswer> => {
        if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
        if (classify(Cause.squash(cause)) === "unavailable") return Effect.succeed("down")
        return Effect.as(Effect.logError("It could not be asked how much work waits", cause), "unknown" as const)
      })
    )

    const askedOnce = Effect.suspend(() =>
      performance.now() < kept.until
        ? Effect.succeed(kept.answer)
        : Effect.tap(asked, (answer) =>
            Effect.sync(() => {
              kept = { until: performance.now() + keptMillis, answer }
            })
          )
    )

    return {
      /** Whoever asks meanwhile waits for the same answer. */
      now: Semaphore.withPermit(turn, askedOnce)
    }
  })
}) {
  static readonly layer = Layer.effect(Backlog, Backlog.make).pipe(Layer.provide(BacklogRepository.layer))
}
