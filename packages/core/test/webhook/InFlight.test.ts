import { describe, expect, it } from "vitest"
import { InFlight, inFlightLimits } from "../../src/webhook/internal/InFlight.ts"

const of = (storeId: string, subscriptionId: string) => ({ storeId, subscriptionId })
const limits = { perSubscription: 4, perStore: 6, shared: 10, most: 14, assured: 2 }
const allotted = (allotments: ReturnType<InFlight["allot"]>) =>
  Object.fromEntries(
    allotments.flatMap(({ storeId, subscriptions }) =>
      subscriptions.map(({ subscriptionId, most }) => [`${storeId} ${subscriptionId}`, most])
    )
  )

describe("attempts of a process", () => {
  it("are allotted by turns: each subscription has its share, and each store its share", () => {
    const inFlight = new InFlight(limits)
    expect(allotted(inFlight.allot([of("a", "1"), of("a", "2"), of("b", "1")]))).toEqual({
      "a 1": 3,
      "a 2": 3,
      "b 1": 4
    })
    expect(inFlight.total).toBe(10)
  })

  it("are always there for a store that has next to none, however many others are busy", () => {
    const inFlight = new InFlight(limits)
    inFlight.allot([of("a", "1"), of("a", "2"), of("b", "1")])
    expect(allotted(inFlight.allot([of("a", "1"), of("b", "1"), of("quiet", "1")]))).toEqual({ "quiet 1": 2 })
    expect(allotted(inFlight.allot([of("quiet", "1"), of("other", "1"), of("third", "1")]))).toEqual({
      "other 1": 1,
      "third 1": 1
    })
    expect(inFlight.total).toBe(14)
  })

  it("come back one by one, and tell when half of a share is free", () => {
    const inFlight = new InFlight(limits)
    inFlight.allot([of("a", "1")])
    const isHalfFreeAfter = (count: number) => {
      inFlight.free(of("a", "1"), count)
      return inFlight.isHalfFree(of("a", "1"))
    }
    expect([isHalfFreeAfter(0), isHalfFreeAfter(1), isHalfFreeAfter(1)]).toEqual([false, false, true])
    expect(allotted(inFlight.allot([of("a", "1")]))).toEqual({ "a 1": 2 })
    inFlight.free(of("a", "1"), 4)
    expect(inFlight.total).toBe(0)
  })

  it("are 32 at a subscription, which holds up no other one, and 96 of a store", () => {
    const inFlight = new InFlight(inFlightLimits)
    inFlight.allot([of("s", "silent")])
    expect(allotted(inFlight.allot([of("s", "silent"), of("s", "other")]))).toEqual({ "s other": 32 })
    inFlight.free(of("s", "other"), 32)
    expect(allotted(inFlight.allot([of("s", "silent")]))).toEqual({})
    inFlight.free(of("s", "silent"))
    expect(allotted(inFlight.allot([of("s", "silent")]))).toEqual({ "s silent": 1 })
    const others = ["1", "2", "3"].map((id) => of("s", id))
    expect(allotted(inFlight.allot(others))).toEqual({ "s 1": 22, "s 2": 21, "s 3": 21 })
  })
})
