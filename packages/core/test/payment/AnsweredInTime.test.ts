import { Effect, Fiber, Metric } from "effect"
import { describe, expect, it } from "vitest"
import { answeredInTime } from "../../src/payment/answeredInTime.ts"

const policy = { callTimeout: 60_000 } as Parameters<typeof answeredInTime>[1]
const provider = (code: string) => ({ code }) as Parameters<typeof answeredInTime>[0]

/** What was counted of a provider's calls, by their results. */
const counted = (code: string) =>
  Effect.map(Effect.context(), (context) =>
    Object.fromEntries(
      Metric.snapshotUnsafe(context).flatMap((found) =>
        found.type === "Counter" && found.attributes?.["provider"] === code
          ? [[found.attributes["result"], Number(found.state.count)]]
          : []
      )
    )
  )

describe("calls of a payment provider", () => {
  it("count as refused only where the provider has said so, and as unanswered where the caller left", async () => {
    const call = answeredInTime(provider("counted"), policy)
    const all = Effect.gen(function* () {
      yield* call(Effect.succeed(1))
      yield* Effect.flip(call(Effect.fail("declined")))
      const waiting = yield* Effect.forkChild(call(Effect.never))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(waiting)
      return yield* counted("counted")
    })
    expect(await Effect.runPromise(all)).toEqual({ answered: 1, refused: 1, unanswered: 1 })
  })
})
