import { Effect, Fiber } from "effect"
import { describe, expect, it } from "vitest"
import { type Collector, makeOtlpQueue, type Sending } from "../../src/system/telemetry/otlpQueue.ts"
import { signalUrl } from "../../src/system/telemetry/OtlpEndpoint.ts"

/** A collector that answers as it is told, and what it was sent. */
const told = (...answers: ReadonlyArray<Sending>) => {
  const batches: Array<ReadonlyArray<number>> = []
  const collector: Collector = {
    send: (_, body) =>
      Effect.sync(() => {
        batches.push(JSON.parse(body))
        return answers[batches.length - 1] ?? "sent"
      })
  }
  return { batches, queue: makeOtlpQueue<number>(collector, "traces", (items) => JSON.stringify(items)) }
}
const away: Sending = { again: "ECONNREFUSED" }
const push = ({ push: add }: ReturnType<typeof told>["queue"], from: number, count: number): void => {
  for (let i = from; i < from + count; i++) add(i)
}
const sizes = (batches: ReadonlyArray<ReadonlyArray<number>>) => batches.map(({ length }) => length)

describe("what waits for a collector", () => {
  it("is sent in batches, in its order", async () => {
    const { queue, batches } = told()
    push(queue, 0, 1_200)
    await Effect.runPromise(queue.flush)
    expect(sizes(batches)).toEqual([512, 512, 176])
    expect(batches.flat()).toEqual(Array.from({ length: 1_200 }, (_, i) => i))
    expect(queue.dropped()).toBe(0)
  })

  it("has a bound: what comes while it is full is dropped and counted", async () => {
    const { queue, batches } = told()
    push(queue, 0, 5_000)
    expect(queue.dropped()).toBe(904)
    await Effect.runPromise(queue.flush)
    expect(batches.flat()).toHaveLength(4_096)
    expect(batches.flat().at(-1)).toBe(4_095)
  })

  it("is dropped at the end where the collector is away, after one call", async () => {
    const { queue, batches } = told(away)
    push(queue, 0, 1_000)
    await Effect.runPromise(queue.flush)
    expect([sizes(batches), queue.dropped()]).toEqual([[512], 1_000])
  })

  it("loses the batch that is refused, and only that", async () => {
    const { queue, batches } = told("lost")
    push(queue, 0, 600)
    await Effect.runPromise(queue.flush)
    expect([sizes(batches), queue.dropped()]).toEqual([[512, 88], 512])
  })

  it("is sent again, the batch that failed first, when a full batch waits or a second has passed", async () => {
    const { queue, batches } = told(away)
    push(queue, 0, 512)
    const running = Effect.runFork(queue.run)
    await expect.poll(() => sizes(batches), { timeout: 5_000 }).toEqual([512, 512])
    expect(batches[1]?.[0]).toBe(0)
    push(queue, 512, 3)
    await expect.poll(() => sizes(batches), { timeout: 5_000 }).toEqual([512, 512, 3])
    await Effect.runPromise(Fiber.interrupt(running))
    expect(queue.dropped()).toBe(0)
  })

  it("is sent by the end of the instance, also the batch that was under way, and counted where that takes too long", async () => {
    const batches: Array<ReadonlyArray<number>> = []
    let isAnswered = false
    const silent: Collector = {
      send: (_, body) =>
        Effect.suspend(() => {
          batches.push(JSON.parse(body))
          return isAnswered ? Effect.succeed<Sending>("sent") : Effect.never
        })
    }
    const queue = makeOtlpQueue<number>(silent, "traces", (items) => JSON.stringify(items))
    for (let i = 0; i < 600; i++) queue.push(i)
    const running = Effect.runFork(queue.run)
    await expect.poll(() => sizes(batches), { timeout: 5_000 }).toEqual([512])
    await Effect.runPromise(Fiber.interrupt(running))
    expect(queue.dropped()).toBe(0)
    isAnswered = true
    await Effect.runPromise(queue.flush)
    expect([sizes(batches), queue.dropped()]).toEqual([[512, 512, 88], 0])
    isAnswered = false
    for (let i = 0; i < 3; i++) queue.push(i)
    await Effect.runPromise(Effect.timeoutOption(queue.flush, 10))
    expect(queue.dropped()).toBe(3)
  })
})

describe("the address of a signal", () => {
  it.each([
    ["http://127.0.0.1:4318", "http://127.0.0.1:4318/v1/traces"],
    ["http://127.0.0.1:4318/", "http://127.0.0.1:4318/v1/traces"],
    ["https://otlp.example/tenant/7", "https://otlp.example/tenant/7/v1/traces"]
  ])("is below %s", (endpoint, url) => {
    expect(signalUrl(endpoint, "traces")).toBe(url)
  })
})
