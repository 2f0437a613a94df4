/** When the workers of rooms make their passes, also under a clock that is moved. */
import { Clock, Effect, Ref } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"
import { every } from "../../src/middleware/Room.ts"

/** The instance's clock: its sleep is the machine's, and what it reads can be moved. */
const movable = Effect.map(Clock.Clock, (machine) => {
  let offset = 0
  const read = () => machine.currentTimeMillisUnsafe() + offset
  const clock: Clock.Clock = {
    ...machine,
    currentTimeMillisUnsafe: read,
    currentTimeMillis: Effect.sync(read),
    sleep: (duration) => machine.sleep(duration)
  }
  return { clock, move: (millis: number) => Effect.sync(() => void (offset += millis)) }
})

const passes = <A>(
  interval: "600 seconds" | "200 millis",
  told: (
    after: (millis: number) => Effect.Effect<number>,
    move: (millis: number) => Effect.Effect<void>
  ) => Effect.Effect<A>
) =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const { clock, move } = yield* movable
        const made = yield* Ref.make(0)
        const pass = Ref.update(made, (n) => n + 1)
        yield* Effect.provideService(every(interval, "Counting", pass), Clock.Clock, clock)
        const after = (millis: number) => Effect.andThen(TestClock.adjust(millis), Ref.get(made))
        return yield* told(after, move)
      })
    ).pipe(Effect.provide(TestClock.layer()))
  )

describe("a worker", () => {
  it("makes a pass at once, and one each time that its interval has passed", async () => {
    const seen = await passes("600 seconds", (after) =>
      Effect.all([after(0), after(599_999), after(1), after(599_999), after(1)])
    )
    expect(seen).toEqual([1, 1, 2, 2, 3])
  })

  it("makes its pass within a second where the clock is moved on to when it is due, and none before", async () => {
    const seen = await passes("600 seconds", (after, move) =>
      Effect.all([after(0), move(590_000), after(1_000), move(10_000), after(1_000), after(1_000)])
    )
    expect(seen).toEqual([1, undefined, 1, undefined, 2, 2])
  })

  it("does not wait for a clock that was set back", async () => {
    const seen = await passes("600 seconds", (after, move) =>
      Effect.all([after(0), move(-86_400_000), after(1_000), after(599_000), after(1_000)])
    )
    expect(seen).toEqual([1, undefined, 2, 2, 3])
  })

  it("keeps a short interval", async () => {
    const seen = await passes("200 millis", (after) => Effect.all([after(0), after(199), after(1), after(1_000)]))
    expect(seen).toEqual([1, 1, 2, 7])
  })

  it("goes on after a pass that failed", async () => {
    const made: Array<number> = []
    await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          yield* every(
            "200 millis",
            "Failing",
            Effect.suspend(() => (made.push(made.length), made.length === 1 ? Effect.die("broken") : Effect.void))
          )
          yield* TestClock.adjust(400)
        })
      ).pipe(Effect.provide(TestClock.layer()))
    )
    expect(made).toEqual([0, 1, 2])
  })
})
