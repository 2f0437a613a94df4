import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { faultPoints } from "../../src/database/FaultPoint.ts"
import { eventCatalog, eventTypes, hears, unknownEvents, unsubscribable } from "../../src/webhook/EventCatalog.ts"

const src = join(import.meta.dirname, "../../src")

/** Names that look like event types in the rooms that append events; `internal.` ones are nobody's. */
const emitted = () => {
  const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !/^(webhook|email|testing)\//.test(file)
  )
  const found = files.flatMap((file) => {
    const text = readFileSync(join(src, file), "utf8")
    if (!/[oO]utbox/.test(text)) return []
    return [
      ...text.matchAll(/"((?:order|checkout|customer|product|inventory|payment|donation|internal)\.[a-z_]+)"/g)
    ].map(([, type]) => type ?? "")
  })
  const points: ReadonlyArray<string> = faultPoints
  return [...new Set(found)].filter((name) => !points.includes(name)).toSorted()
}

describe("the event catalogue", () => {
  it("lists every type that a room emits, and no room emits anything else", () => {
    expect(emitted().filter((type) => !type.startsWith("internal.") && !eventTypes.includes(type))).toEqual([])
    expect(emitted().length).toBeGreaterThan(10)
  })

  it("marks as live what a room emits, and what its own room will: nothing can be fulfilled or cancelled yet, so nobody misses those", () => {
    const live = eventCatalog().filter(({ status }) => status === "live")
    expect(live.map(({ type }) => type).filter((type) => !emitted().includes(type))).toEqual([
      "order.fulfilled",
      "order.cancelled"
    ])
    const coming = eventCatalog().filter(({ status }) => status === "coming_soon")
    expect(coming.map(({ type }) => type)).toEqual(["checkout.abandoned", "donation.created", "donation.refunded"])
    expect(emitted().filter((type) => coming.some((one) => one.type === type))).toEqual([])
  })

  it("says what the data of each is: its id always, its resource except where the row is gone", () => {
    const requires = Object.fromEntries(eventCatalog().map(({ type, schema }) => [type, schema["required"]]))
    expect(requires).toMatchObject({
      "order.created": ["orderId", "order"],
      "order.refunded": ["orderId", "order", "refundType"],
      "customer.deleted": ["customerId"],
      "product.deleted": ["productId"],
      "payment.failed": ["checkoutId", "error"],
      "inventory.updated": ["productId", "inventory"]
    })
  })

  it("knows what a subscription may name: what is live, and whole resources, of which more may come", () => {
    expect(unsubscribable(["*", "order.*", "checkout.*", "donation.*", "checkout.completed"])).toEqual([])
    expect(
      unsubscribable(["customer.registered", "order", "*.created", "internal.*", "constructor", "customer.registered"])
    ).toEqual(["customer.registered", "order", "*.created", "internal.*", "constructor"])
    expect(unsubscribable(["checkout.abandoned", "donation.created", "order.paid", "donation.refunded"])).toEqual([
      "checkout.abandoned",
      "donation.created",
      "donation.refunded"
    ])
  })

  it("lets the feed be asked for anything that is in the catalogue", () => {
    expect(unknownEvents(["*", "order.*", "donation.refunded", "checkout.abandoned"])).toEqual([])
    expect(unknownEvents(["internal.*", "order"])).toEqual(["internal.*", "order"])
  })

  it("lets a subscription hear what it names and nothing that is ours alone", () => {
    expect(["order.paid", "product.created"].map((type) => hears(["order.*"], type))).toEqual([true, false])
    expect([
      hears(["*"], "payment.failed"),
      hears(["product.created"], "product.created"),
      hears([], "order.paid")
    ]).toEqual([true, true, false])
    expect([hears(["*"], "internal.password_reset"), hears(["internal.*"], "internal.password_reset")]).toEqual([
      false,
      false
    ])
  })
})
