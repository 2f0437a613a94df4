import { describe, expect, it } from "vitest"
import { makeMemoryWindows } from "../../src/guard/internal/memoryWindows.ts"

describe("windows counted in memory", () => {
  const minute = (bucket: string) => ({ bucket, limit: 2, ms: 60_000 })

  it("let as many pass as their limit says, and begin anew at the next multiple of their length", () => {
    const { take } = makeMemoryWindows()
    expect([0, 1, 59_999].map((now) => take([minute("a")], now).refused)).toEqual([-1, -1, 0])
    expect(take([minute("a")], 60_000)).toEqual({ counts: [1], refused: -1, now: 60_000 })
  })

  it("take nothing from any window where one is full, and nothing from those that are only read", () => {
    const { take } = makeMemoryWindows()
    take([minute("full")], 0)
    take([minute("full")], 0)
    expect(take([minute("other"), minute("full")], 0)).toEqual({ counts: [0], refused: 1, now: 0 })
    expect(take([{ ...minute("other"), readOnly: true }], 0).counts).toEqual([0])
  })

  it("are lifted by what their bucket begins with, and no others", () => {
    const { take, lift } = makeMemoryWindows()
    const all = [minute("login:a"), minute("login:a:192.0.2.1"), minute("login:b")]
    take(all, 0)
    lift("login:a")
    expect(take(all, 0).counts).toEqual([1, 1, 2])
  })

  it("are let go once they have ended, though nobody sweeps: ten thousand addresses leave next to nothing behind", () => {
    const { take, size } = makeMemoryWindows()
    for (let hour = 0; hour < 50; hour++) for (let i = 0; i < 200; i++) take([minute(`${hour}/${i}`)], hour * 3_600_000)
    expect(size()).toBeLessThanOrEqual(400)
  })

  it("are at most so many: the counters that began first are forgotten", () => {
    const { take, size } = makeMemoryWindows(100)
    for (let i = 0; i < 1_000; i++) take([minute(`${i}`)], 0)
    expect(size()).toBe(100)
    expect([take([minute("999")], 0).counts, take([minute("0")], 0).counts]).toEqual([[2], [1]])
  })
})
