import { Deferred, Effect, Fiber } from "effect"
import { describe, expect, it } from "vitest"
import { FairTurns, type TurnBounds } from "../../src/database/FairTurns.ts"

/** Work that lasts until it is told to end, and says when it began. */
const stage = () => {
  const begun: Array<string> = []
  const ends = new Map<string, Deferred.Deferred<void>>()
  const work = (name: string) =>
    Effect.gen(function* () {
      const end = yield* Deferred.make<void>()
      ends.set(name, end)
      begun.push(name)
      yield* Deferred.await(end)
      return name
    })
  const end = (name: string) => Deferred.succeed(ends.get(name) ?? Deferred.makeUnsafe<void>(), undefined)
  return { begun, work, end }
}

/** Lets whatever can go on do so. */
const settle = Effect.forEach(Array.from({ length: 20 }), () => Effect.yieldNow, { discard: true })

const turnsOf = (bounds: TurnBounds) => {
  const turns = new FairTurns(bounds, () => "refused" as const)
  return (store: string, work: Effect.Effect<string>) =>
    Effect.catch(turns.run(store)(work), (refused) => Effect.succeed(refused))
}

describe("turns of stores", () => {
  it("go round: a store with much to do is passed by one with little", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const { begun, work, end } = stage()
        const takeTurn = turnsOf({ atOnce: 1 })
        for (const name of ["a1", "a2", "a3", "a4", "b1", "c1", "b2"]) {
          yield* Effect.forkDetach(takeTurn(name.charAt(0), work(name)))
          yield* settle
        }
        for (let i = 0; i < 7; i++) {
          yield* end(begun[i] ?? "")
          yield* settle
        }
        expect(begun).toEqual(["a1", "b1", "c1", "a2", "b2", "a3", "a4"])
      })
    ))

  it("are bounded, for each store and in all: what does not fit is told so at once", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const { begun, work, end } = stage()
        const takeTurn = turnsOf({ atOnce: 1, waiting: 1, waitingInAll: 2 })
        const fork = (name: string) => Effect.forkDetach(takeTurn(name.charAt(0), work(name)))
        const [first] = [yield* fork("a1"), yield* fork("a2")]
        yield* settle
        expect(yield* takeTurn("a", work("a3"))).toBe("refused")
        yield* fork("b1")
        yield* settle
        expect(yield* takeTurn("c", work("c1"))).toBe("refused")
        yield* end("a1")
        expect(yield* Fiber.join(first)).toBe("a1")
        yield* fork("c2")
        yield* settle
        expect(begun).toEqual(["a1", "b1"])
      })
    ))

  it("are given up by whoever leaves while waiting, and only when its work has ended by whoever is at work", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const { begun, work, end } = stage()
        const takeTurn = turnsOf({ atOnce: 1, waiting: 1, waitingInAll: 1 })
        const atWork = yield* Effect.forkDetach(takeTurn("a", Effect.uninterruptible(work("a1"))))
        yield* settle
        const waiting = yield* Effect.forkDetach(takeTurn("a", work("a2")))
        yield* settle
        yield* Fiber.interrupt(waiting)
        yield* Effect.forkDetach(Fiber.interrupt(atWork))
        yield* Effect.forkDetach(takeTurn("b", work("b1")))
        yield* settle
        expect(begun).toEqual(["a1"])
        expect(yield* takeTurn("c", work("c1"))).toBe("refused")
        yield* end("a1")
        yield* settle
        expect(begun).toEqual(["a1", "b1"])
      })
    ))
})
