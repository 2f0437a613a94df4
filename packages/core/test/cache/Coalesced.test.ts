import { Deferred, Effect, Exit, Fiber, Scheduler } from "effect"
import { describe, expect, it } from "vitest"
import { coalesced } from "../../src/cache/Coalesced.ts"

/** What is served is written down, and ends when `go` is called for it. */
const makeService = () => {
  const served: Array<readonly [key: string, asks: ReadonlyArray<number>]> = []
  const gates: Array<Deferred.Deferred<string, string>> = []
  const ask = coalesced(3, (key: string, asks: ReadonlyArray<number>) => {
    served.push([key, asks])
    const gate = Deferred.makeUnsafe<string, string>()
    gates.push(gate)
    return Deferred.await(gate)
  })
  return { served, ask, go: (at: number, exit: Exit.Exit<string, string>) => Deferred.doneUnsafe(gates[at]!, exit) }
}

/** Fibers that have nothing left to do but to wait. */
const settle = () => new Promise<void>((done) => setImmediate(done))

describe("calls of the same key", () => {
  it("that arrive while one is under way are served by the next together, in order, so many at most", async () => {
    const { served, ask, go } = makeService()
    const calls = [1, 2, 3, 4, 5].map((n) => Effect.runPromise(ask("a", n)))
    await settle()
    expect(served).toEqual([["a", [1]]])
    go(0, Exit.succeed("first"))
    await settle()
    expect(served).toEqual([
      ["a", [1]],
      ["a", [2, 3, 4]]
    ])
    const late = Effect.runPromise(ask("a", 6))
    go(1, Exit.succeed("second"))
    await settle()
    expect(served.at(-1)).toEqual(["a", [5, 6]])
    go(2, Exit.succeed("third"))
    expect(await Promise.all([...calls, late])).toEqual(["first", "second", "second", "second", "third", "third"])
    const alone = Effect.runPromise(ask("a", 7))
    await settle()
    go(3, Exit.succeed("fourth"))
    expect([await alone, served.at(-1)]).toEqual(["fourth", ["a", [7]]])
  })

  it("are served together as far as they weigh no more than is served at once, and a heavier one alone", async () => {
    const served: Array<ReadonlyArray<number>> = []
    const ask = coalesced(
      10,
      (_key: string, asks: ReadonlyArray<number>) =>
        Effect.sync(() => void served.push(asks)).pipe(Effect.andThen(Effect.promise(settle))),
      (weight) => weight
    )
    await Promise.all([1, 4, 6, 1, 30, 9, 1].map((weight) => Effect.runPromise(ask("a", weight))))
    expect(served).toEqual([[1], [4, 6], [1], [30], [9, 1]])
  })

  it("fail together, and the next are served", async () => {
    const { served, ask, go } = makeService()
    const first = Effect.runPromise(Effect.exit(ask("a", 1)))
    await settle()
    const others = [2, 3].map((n) => Effect.runPromise(Effect.exit(ask("a", n))))
    go(0, Exit.fail("down"))
    await settle()
    go(1, Exit.die("broken"))
    const later = Effect.runPromise(ask("a", 4))
    await settle()
    go(2, Exit.succeed("up"))
    expect([await first, ...(await Promise.all(others)), await later]).toEqual([
      Exit.fail("down"),
      Exit.die("broken"),
      Exit.die("broken"),
      "up"
    ])
    expect(served.map(([, asks]) => asks)).toEqual([[1], [2, 3], [4]])
  })

  it("take nothing from each other when one of them leaves, the first least of all", async () => {
    const { ask, go } = makeService()
    const first = Effect.runFork(ask("a", 1))
    await settle()
    const [leaving, staying] = [Effect.runFork(ask("a", 2)), Effect.runPromise(ask("a", 3))]
    await Effect.runPromise(Fiber.interrupt(first))
    await Effect.runPromise(Fiber.interrupt(leaving))
    go(0, Exit.succeed("first"))
    await settle()
    go(1, Exit.succeed("second"))
    expect(await staying).toBe("second")
  })

  it("are served though the first has left at any step of its own", async () => {
    // A fiber can only be interrupted where it yields: after so many steps.
    for (let steps = 4; steps < 20; steps++) {
      const ask = coalesced(3, (_key: string, asks: ReadonlyArray<number>) => Effect.succeed(asks))
      const leaving = Effect.runFork(ask("a", 1).pipe(Effect.provideService(Scheduler.MaxOpsBeforeYield, steps)))
      await Effect.runPromise(Fiber.interrupt(leaving))
      await settle()
      let answer: ReadonlyArray<number> | undefined
      Effect.runFork(Effect.map(ask("a", 2), (asks) => (answer = asks)))
      await settle()
      expect([steps, answer]).toEqual([steps, [2]])
    }
  })

  it("are served though it throws to serve those before", async () => {
    const ask = coalesced(1, (_key: string, [first]: ReadonlyArray<number>) => {
      if (first === 1) throw new Error("broken")
      return Effect.succeed(first)
    })
    const exits: Array<Exit.Exit<number | undefined>> = []
    for (const n of [1, 2]) Effect.runFork(Effect.map(Effect.exit(ask("a", n)), (exit) => exits.push(exit)))
    await settle()
    expect(exits).toEqual([Exit.die(new Error("broken")), Exit.succeed(2)])
  })

  it("do not wait for those of another key", async () => {
    const { served, ask, go } = makeService()
    const [a, b] = [Effect.runPromise(ask("a", 1)), Effect.runPromise(ask("b", 2))]
    await settle()
    expect(served).toEqual([
      ["a", [1]],
      ["b", [2]]
    ])
    go(1, Exit.succeed("of b"))
    expect(await b).toBe("of b")
    go(0, Exit.succeed("of a"))
    expect(await a).toBe("of a")
  })
})
