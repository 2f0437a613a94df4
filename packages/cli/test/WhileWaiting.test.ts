import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { whileWaiting } from "../src/whileWaiting.ts"

const screen = (isTTY: boolean) => {
  const written: Array<string> = []
  const stream = { isTTY, write: (text: string) => written.push(text) > 0 } as unknown as NodeJS.WriteStream
  return { stream, written }
}

/** What is said of work that takes this long. */
const saidAfter = Effect.fnUntraced(function* (isTTY: boolean, duration: "900 millis" | "2 seconds") {
  const { stream, written } = screen(isTTY)
  const done = yield* Deferred.make<string>()
  const work = yield* Effect.forkChild(whileWaiting("Starting PostgreSQL", stream)(Deferred.await(done)))
  yield* TestClock.adjust(duration)
  yield* Deferred.succeed(done, "done")
  expect(yield* Fiber.join(work)).toBe("done")
  yield* TestClock.adjust("10 seconds")
  return written
})

describe("what is said while somebody waits", () => {
  it.effect("is said on a terminal, once, after a second", () =>
    Effect.gen(function* () {
      expect(yield* saidAfter(true, "2 seconds")).toEqual(["Starting PostgreSQL …\n"])
      expect(yield* saidAfter(true, "900 millis")).toEqual([])
    })
  )

  it.effect("is not said elsewhere", () =>
    Effect.gen(function* () {
      expect(yield* saidAfter(false, "2 seconds")).toEqual([])
    })
  )
})
