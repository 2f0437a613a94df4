import { Effect, Fiber, Latch, Logger } from "effect"
import { describe, expect, it } from "vitest"
import { removedInTurn, storesInTurn } from "../../src/database/StoreTurns.ts"

/** Pieces of work that wait in stores, and who was served in which order. */
const pieces = (waiting: Record<string, number>) => {
  const served: Array<string> = []
  return {
    served,
    waiting,
    stores: Effect.sync(() => Object.keys(waiting).filter((id) => (waiting[id] ?? 0) > 0)),
    piece: (id: string) =>
      Effect.sync(() => {
        served.push(id)
        waiting[id] = (waiting[id] ?? 0) - 1
        return (waiting[id] ?? 0) > 0
      })
  }
}

describe("the work of several stores", () => {
  it("is done one piece of each in turn, until none has more", async () => {
    const { served, stores, piece } = pieces({ large: 4, small: 1, medium: 2 })
    await Effect.runPromise(storesInTurn("Work", stores, piece))
    expect(served).toEqual(["large", "small", "medium", "large", "medium", "large", "large"])
  })

  it("that comes later has its turn in the next round", async () => {
    const { served, stores, piece, waiting } = pieces({ large: 3 })
    const comes = (id: string) =>
      Effect.tap(piece(id), () => Effect.sync(() => served.length === 1 && (waiting["late"] = 1)))
    await Effect.runPromise(storesInTurn("Work", stores, comes))
    expect(served).toEqual(["large", "large", "late", "large"])
  })

  it("that fails is logged and left for the next pass; the others go on", async () => {
    const { served, stores, piece } = pieces({ broken: 2, good: 2 })
    const logged: Array<unknown> = []
    const logger = Logger.make(({ message }) => void logged.push(message))
    const failing = (id: string) =>
      id === "broken" ? Effect.andThen(piece(id), Effect.fail(new Error("no"))) : piece(id)
    await Effect.runPromise(Effect.provide(storesInTurn("Sweeping", stores, failing), Logger.layer([logger])))
    expect(served).toEqual(["broken", "good", "good"])
    expect(logged).toHaveLength(1)
    expect(String(logged[0])).toContain("Sweeping failed and will be tried again")
  })

  it("is done for as many stores at once as are asked for: one that waits holds up no other", async () => {
    const served = await Effect.runPromise(
      Effect.gen(function* () {
        const { served, stores, piece } = pieces({ slow: 1, quick: 1 })
        const isQuickDone = yield* Latch.make(false)
        const waits = (id: string) =>
          id === "slow" ? Effect.andThen(isQuickDone.await, piece(id)) : Effect.tap(piece(id), () => isQuickDone.open)
        yield* storesInTurn("Work", stores, waits, 2)
        return served
      })
    )
    expect(served).toEqual(["quick", "slow"])
  })

  it("ends where it is interrupted", async () => {
    const { served, stores, piece } = pieces({ one: 1, two: 1 })
    const stuck = (id: string) => Effect.andThen(piece(id), Effect.never)
    const started = await Effect.runPromise(
      Effect.gen(function* () {
        const begun = yield* Latch.make(false)
        const fiber = yield* Effect.forkChild(
          storesInTurn("Work", stores, (id) => Effect.andThen(begun.open, stuck(id)))
        )
        yield* begun.await
        yield* Fiber.interrupt(fiber)
        return [...served]
      })
    )
    expect(started).toEqual(["one"])
  })
})

describe("what is removed of several stores", () => {
  it("goes on in each where its last piece ended, in turns, and asks once which stores there are", async () => {
    const ends: Record<string, bigint> = { large: 25n, small: 5n }
    const pieces: Array<string> = []
    let asked = 0
    const stores = Effect.sync(() => {
      asked += 1
      return Object.keys(ends)
    })
    const remove = (storeId: string, after: bigint) =>
      Effect.sync(() => {
        pieces.push(`${storeId} after ${after}`)
        return after + 10n <= (ends[storeId] ?? 0n) ? after + 10n : undefined
      })
    await Effect.runPromise(removedInTurn("Removing", stores, remove))
    expect(pieces).toEqual(["large after 0", "small after 0", "large after 10", "large after 20"])
    expect(asked).toBe(1)
  })
})
