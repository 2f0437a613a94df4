import { outOfTurn } from "@effect-commerce/core/kernel/RequestTurn"
import { Deferred, Effect, Fiber } from "effect"
import { describe, expect, it } from "vitest"
import { makeRequestTurns } from "../../src/middleware/RequestTurns.ts"

/** Requests that last until they are told to end, and say when they began; time passes when it is told to. */
const makeStage = () => {
  let time = 0
  const begun: Array<string> = []
  const ends = new Map<string, Deferred.Deferred<void>>()
  const inTurn = makeRequestTurns(() => time)
  const endOf = (name: string) => {
    const end = ends.get(name) ?? Deferred.makeUnsafe<void>()
    ends.set(name, end)
    return end
  }
  const request = (name: string, ip: string | null = "203.0.113.1") => {
    const work = Effect.andThen(
      Effect.sync(() => begun.push(name)),
      Deferred.await(endOf(name))
    )
    const asked = inTurn({ id: name, ip: ip ?? undefined, path: "/", headers: {} }, name.charAt(0))(work)
    return Effect.runFork(Effect.match(asked, { onFailure: ({ _tag }) => _tag, onSuccess: () => "answered" }))
  }
  const settle = () => new Promise((done) => setImmediate(done))
  const end = async (name: string) => {
    Deferred.doneUnsafe(endOf(name), Effect.void)
    await settle()
  }
  /** One request after the other, each so many milliseconds. */
  const live = async (store: string, requests: number, millis: number) => {
    for (let i = 0; i < requests; i++) {
      const name = `${store}-${time}-${i}`
      request(name)
      time += millis
      await end(name)
    }
    begun.length = 0
  }
  return {
    begun,
    inTurn,
    request,
    settle,
    end,
    live,
    pass: (millis: number) => {
      time += millis
    }
  }
}

const many = (store: string, count: number) => Array.from({ length: count }, (_, i) => `${store}${i + 1}`)

describe("requests of a store", () => {
  it("are worked on all at once where the store is alone, whatever they take", async () => {
    const { begun, request, live } = makeStage()
    await live("a", 40, 500)
    for (const name of many("a", 100)) request(name)
    expect(begun.length).toBe(100)
  })

  it("are eight at a time beside another store, fewer the longer they take, and one at least", async () => {
    for (const [millis, atOnce] of [
      [1, 8],
      [9.9, 4],
      [19.9, 2],
      [500, 1]
    ] as const) {
      const { begun, request, live, end } = makeStage()
      await live("b", 1, 1)
      await live("a", 60, millis)
      for (const name of many("a", 20)) request(name)
      expect([millis, begun]).toEqual([millis, many("a", atOnce)])
      await end("a1")
      expect(begun.length).toBe(atOnce + 1)
      request("b1")
      expect(begun.at(-1)).toBe("b1")
    }
  })

  it("have no bound again when no other store was asked for a minute", async () => {
    const { begun, request, live, pass, end } = makeStage()
    await live("b", 1, 1)
    await live("a", 60, 500)
    pass(60_001)
    request("a1")
    request("a2")
    expect(begun).toEqual(["a1", "a2"])
    request("b1")
    for (const name of ["a1", "a2"]) await end(name)
    request("a3")
    request("a4")
    expect(begun).toEqual(["a1", "a2", "b1", "a3"])
  })

  it("do not wait for one that waits for something outside, and do not count what it waits", async () => {
    const { begun, request, inTurn, live, pass, settle } = makeStage()
    await live("b", 1, 1)
    await live("a", 60, 500)
    const answer = Deferred.makeUnsafe<void>()
    const paying = Effect.runFork(
      inTurn({ id: "a", ip: "203.0.113.1", path: "/", headers: {} }, "a")(outOfTurn(Deferred.await(answer)))
    )
    await settle()
    for (const name of many("a", 3)) request(name)
    expect(begun).toEqual(["a1"])
    Deferred.doneUnsafe(answer, Effect.void)
    await Effect.runPromise(Fiber.join(paying))
    // Its end gives no second turn back.
    expect(begun).toEqual(["a1"])
    for (let i = 0; i < 60; i++)
      await Effect.runPromise(
        inTurn({ id: "c", ip: "203.0.113.1", path: "/", headers: {} }, "c")(outOfTurn(Effect.sync(() => pass(500))))
      )
    for (const name of many("c", 9)) request(name)
    expect(begun).toEqual(["a1", ...many("c", 8)])
  })

  it("are refused where two thousand wait, and those of a host's own process never wait", async () => {
    const { begun, request, live } = makeStage()
    await live("b", 1, 1)
    await live("a", 60, 500)
    for (const name of many("a", 2_001)) request(name)
    const refused = request("a2002")
    expect(await Effect.runPromise(Fiber.join(refused))).toBe("StoreBusy")
    expect(begun).toEqual(["a1"])
    request("a2003", null)
    expect(begun).toEqual(["a1", "a2003"])
  })
})
