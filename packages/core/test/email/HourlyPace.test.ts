import { describe, expect, it } from "vitest"
import { afterOneMail, hourMillis, mailsAllowed } from "../../src/email/HourlyPace.ts"

/** Lets a mail leave whenever one may, and answers the minutes at which mails left. */
const leaving = (limit: number, minutes: number, startFullAt = 0): ReadonlyArray<number> => {
  let fullAt = startFullAt
  const left: Array<number> = []
  for (let minute = 0; minute <= minutes; minute++) {
    const now = minute * 60_000
    while (mailsAllowed(fullAt, limit, now) > 0) {
      left.push(minute)
      fullAt = afterOneMail(fullAt, limit, now)
    }
  }
  return left
}

describe("the hourly limit", () => {
  it("lets a whole hour's mails leave after a quiet hour, then one each hour / limit", () => {
    expect(leaving(4, 60)).toEqual([0, 0, 0, 0, 15, 30, 45, 60])
  })

  it.each([1, 3, 7, 100, 999, 1_000])("of %i is exact at once, and never more than twice in an hour", (limit) => {
    const left = leaving(limit, 59)
    expect(left.filter((minute) => minute === 0)).toHaveLength(limit)
    expect(left.length).toBeLessThanOrEqual(2 * limit)
  })

  it("takes an instant that was written under another clock for a quiet hour", () => {
    expect(mailsAllowed(30 * 24 * hourMillis, 10, 0)).toBe(10)
    expect(mailsAllowed(hourMillis, 10, 0)).toBe(0)
  })
})
