import { Deferred, Effect, Exit, Fiber } from "effect"
import { describe, expect, it } from "vitest"
import { FindsUnderWay } from "../../src/storefront/internal/FindsUnderWay.ts"

/** A find that ends when it is let, and one who waits for it. */
const started = Effect.gen(function* () {
  const finds = new FindsUnderWay()
  const end = yield* Deferred.make<string>()
  const finder = yield* Effect.forkChild(finds.during("lamps", Deferred.await(end)))
  yield* Effect.yieldNow
  const waiter = yield* Effect.forkChild(finds.wait("lamps"))
  yield* Effect.yieldNow
  return { finds, end, finder, waiter }
})

describe("a list that is being found", () => {
  it("is waited for by its key alone, and by nobody once it is found", async () => {
    const told = await Effect.runPromise(
      Effect.gen(function* () {
        const { finds, end, finder, waiter } = yield* started
        const other = yield* finds.wait("tables")
        const early = waiter.pollUnsafe() !== undefined
        yield* Deferred.succeed(end, "found")
        return [other, early, yield* Fiber.join(finder), yield* Fiber.join(waiter), yield* finds.wait("lamps")]
      })
    )
    expect(told).toEqual([false, false, "found", true, false])
  })

  it("is found by who waits where the finder has gone away", async () => {
    const told = await Effect.runPromise(
      Effect.gen(function* () {
        const { finds, finder, waiter } = yield* started
        yield* Fiber.interrupt(finder)
        return [yield* Fiber.join(waiter), yield* finds.wait("lamps")]
      })
    )
    expect(told).toEqual([true, false])
  })

  it("fails for all who wait where it fails", async () => {
    const exit = await Effect.runPromise(
      Effect.gen(function* () {
        const finds = new FindsUnderWay()
        const end = yield* Deferred.make<string>()
        yield* Effect.forkChild(finds.during("lamps", Deferred.await(end)))
        yield* Effect.yieldNow
        const waiter = yield* Effect.forkChild(finds.wait("lamps"))
        yield* Effect.yieldNow
        yield* Deferred.die(end, "too slow")
        return yield* Fiber.await(waiter)
      })
    )
    expect(exit).toEqual(Exit.die("too slow"))
  })
})
