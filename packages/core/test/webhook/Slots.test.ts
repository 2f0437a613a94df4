import { describe, expect, it } from "vitest"
import type { ClaimedDelivery } from "../../src/webhook/WebhookDelivery.ts"
import { Courier } from "../../src/webhook/internal/Courier.ts"
import { Slots } from "../../src/webhook/internal/Slots.ts"

const dueAt = new Date(0)
const lane = (storeId: string, subscriptionId: string) => ({ storeId, subscriptionId, dueAt })
const limits = { perSubscription: 4, perStore: 6, shared: 10, most: 14, assured: 2 }
const taken = (grants: ReturnType<Slots["grant"]>) =>
  Object.fromEntries(
    grants.flatMap(({ storeId, lanes }) =>
      lanes.map(({ subscriptionId, most }) => [`${storeId} ${subscriptionId}`, most])
    )
  )

describe("slots", () => {
  it("give each subscription its share, each store its share, and take turns", () => {
    const slots = new Slots(limits)
    expect(taken(slots.grant([lane("a", "1"), lane("a", "2"), lane("b", "1")]))).toEqual({
      "a 1": 3,
      "a 2": 3,
      "b 1": 4
    })
    expect(slots.count).toBe(10)
  })

  it("are always there for a store that has next to nothing, however many others are busy", () => {
    const slots = new Slots(limits)
    slots.grant([lane("a", "1"), lane("a", "2"), lane("b", "1")])
    expect(taken(slots.grant([lane("a", "1"), lane("b", "1"), lane("quiet", "1")]))).toEqual({ "quiet 1": 2 })
    expect(taken(slots.grant([lane("quiet", "1"), lane("other", "1"), lane("third", "1")]))).toEqual({
      "other 1": 1,
      "third 1": 1
    })
    expect(slots.count).toBe(14)
  })

  it("come back one by one, and say when it is time to look for more", () => {
    const slots = new Slots(limits)
    slots.grant([lane("a", "1")])
    expect([slots.ended("a", "1"), slots.ended("a", "1")]).toEqual([false, true])
    slots.unused("a", "1", 1)
    expect([slots.count, slots.ended("a", "1"), slots.count]).toEqual([1, false, 0])
  })

  it("let nothing past the queue while something older waits in it", () => {
    const slots = new Slots(limits)
    expect(slots.roomPastQueue("a", "1")).toBe(4)
    slots.queued("a", "1")
    expect(slots.roomPastQueue("a", "1")).toBe(0)
    slots.grant([lane("a", "1")])
    slots.unused("a", "1", 3)
    expect(slots.roomPastQueue("a", "1")).toBe(3)
  })

  it("take four times as many ahead of a subscription that answers quickly", () => {
    const slots = new Slots({ ...limits, perStore: 100, shared: 100, most: 100 })
    slots.pace("a", "1", true)
    expect(slots.roomPastQueue("a", "1")).toBe(16)
    slots.isTight = true
    expect(slots.roomPastQueue("a", "1")).toBe(4)
    slots.isTight = false
    slots.pace("a", "1", false)
    expect(slots.roomPastQueue("a", "1")).toBe(4)
  })
})

describe("a courier", () => {
  const delivery = (subscriptionId: string, n: number) =>
    ({
      storeId: "s",
      subscriptionId,
      id: `${subscriptionId}${n}`,
      event: { body: new Uint8Array(8) }
    }) as unknown as ClaimedDelivery
  const many = (subscriptionId: string, count: number) =>
    Array.from({ length: count }, (_, n) => delivery(subscriptionId, n))

  it("has 32 attempts under way at a subscription; one that does not answer holds up no other", () => {
    const started: Array<string> = []
    const courier = new Courier((one) => void started.push(one.subscriptionId))
    courier.takeNew("s", [...many("silent", 60), ...many("other", 3)], [])
    const count = (name: string) => started.filter((one) => one === name).length
    expect([count("silent"), count("other")]).toEqual([32, 3])
    for (const one of many("other", 3)) courier.ended(one, 5)
    expect(count("silent")).toBe(32)
    courier.ended(delivery("silent", 0), 9_000)
    expect(count("silent")).toBe(33)
  })

  it("starts nothing any more once it is stopped, and still knows what it holds", () => {
    let started = 0
    const courier = new Courier(() => void started++)
    courier.takeNew("s", many("a", 40), [])
    courier.stop()
    courier.ended(delivery("a", 0), 5)
    expect([started, [...courier.held].length]).toEqual([32, 40])
  })
})
