import { parseIsoTime } from "@effect-commerce/core/kernel/IsoTime"
import { describe, expect, it } from "vitest"

describe("a time in a request", () => {
  it.each([
    ["2026-02-28", "2026-02-28T00:00:00.000Z"],
    ["2028-02-29T12:30", "2028-02-29T12:30:00.000Z"],
    ["2026-12-31T23:59:59.123456789", "2026-12-31T23:59:59.123Z"],
    ["2026-07-01T09:00:00+02:00", "2026-07-01T07:00:00.000Z"],
    ["2026-07-01T24:00:00Z", "2026-07-02T00:00:00.000Z"],
    ["9999-12-31T23:59:59Z", "9999-12-31T23:59:59.000Z"]
  ])("%s is %s, whatever zone the server stands in", (text, instant) => {
    expect(parseIsoTime(text)?.toISOString()).toBe(instant)
  })

  it.each([
    "2026-02-30",
    "2026-02-29T00:00:00Z",
    "2026-13-01",
    "2026-00-10",
    "2026-01-01T25:00",
    "2026-01-01T10:00:00+99:00",
    "1969-12-31",
    "9999-12-31T23:59:59-01:00",
    "+012026-01-01",
    "01/02/2026",
    "2026-01-01 10:00",
    "tomorrow",
    ""
  ])("%j is none", (text) => {
    expect(parseIsoTime(text)).toBeUndefined()
  })
})
