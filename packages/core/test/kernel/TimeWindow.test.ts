import { describe, expect, it } from "vitest"
import { isWindowActive, windowState } from "@effect-commerce/core/kernel/TimeWindow"

const start = Date.UTC(2026, 10, 27)
const end = Date.UTC(2026, 10, 28)

describe("a sale window", () => {
  it("begins with its first millisecond and is over at its end", () => {
    const window = { startsAt: new Date(start), endsAt: new Date(end) }
    expect([start - 1, start, end - 1, end].map((now) => isWindowActive(window, now))).toEqual([
      false,
      true,
      true,
      false
    ])
    expect([start - 1, start, end - 1, end].map((now) => windowState(window, now))).toEqual([
      "scheduled",
      "active",
      "active",
      "expired"
    ])
  })

  it("always holds without dates", () => {
    expect(isWindowActive({ startsAt: null, endsAt: null }, 0)).toBe(true)
    expect(isWindowActive({ startsAt: null, endsAt: null }, end)).toBe(true)
  })

  it("is open on the side that has no date", () => {
    expect([start - 1, start].map((now) => isWindowActive({ startsAt: start, endsAt: null }, now))).toEqual([
      false,
      true
    ])
    expect([end - 1, end].map((now) => isWindowActive({ startsAt: null, endsAt: end }, now))).toEqual([true, false])
  })

  it("treats the epoch as a date, not as a missing one", () => {
    expect([-1, 0].map((now) => isWindowActive({ startsAt: 0, endsAt: null }, now))).toEqual([false, true])
  })

  it("never holds when it ends before it starts", () => {
    const window = { startsAt: end, endsAt: start }
    expect([start - 1, start, end, end + 1].some((now) => isWindowActive(window, now))).toBe(false)
  })
})
