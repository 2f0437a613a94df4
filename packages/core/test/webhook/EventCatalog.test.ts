import { describe, expect, it } from "vitest"
import { commerceEvents } from "../../src/CommerceEvents.ts"
import { eventCatalog, eventTypes, hears, unknownEvents } from "../../src/webhook/EventCatalog.ts"

describe("the event catalogue", () => {
  it("lists every public event that a room defines, in the order of the contract, and no internal one", () => {
    expect(eventTypes).toEqual([
      "order.created",
      "order.updated",
      "order.paid",
      "order.fulfilled",
      "order.cancelled",
      "order.refunded",
      "checkout.completed",
      "checkout.abandoned",
      "customer.created",
      "customer.updated",
      "customer.deleted",
      "product.created",
      "product.updated",
      "product.deleted",
      "inventory.updated",
      "payment.failed",
      "payment.refunded",
      "payment.needs_attention",
      "donation.created",
      "donation.refunded"
    ])
    const types = commerceEvents.map(({ type }) => type)
    expect(new Set(types).size).toBe(types.length)
    expect(types.filter((type) => !eventTypes.includes(type))).toEqual([
      "internal.order_mail",
      "internal.cart_recovery",
      "internal.draft_invoice",
      "internal.customer_signed_up",
      "internal.email_verification",
      "internal.password_reset",
      "internal.back_in_stock",
      "internal.low_stock",
      "internal.newsletter_confirmation",
      "internal.newsletter_welcome",
      "internal.orders_linked",
      "internal.export_complete",
      "internal.order_attention",
      "internal.team_invitation",
      "internal.team_role_changed",
      "internal.dashboard_reset",
      "internal.webhook_circuit_opened"
    ])
  })

  it("marks as coming soon what no room sends yet", () => {
    const coming = eventCatalog().filter(({ status }) => status === "coming_soon")
    expect(coming.map(({ type }) => type)).toEqual(["donation.created", "donation.refunded"])
  })

  it("says what the data of each is: its id always, its resource except where the row is gone", () => {
    const requires = Object.fromEntries(eventCatalog().map(({ type, schema }) => [type, schema["required"]]))
    expect(requires).toMatchObject({
      "order.created": ["orderId", "order"],
      "order.refunded": ["orderId", "order", "refundType"],
      "customer.deleted": ["customerId"],
      "product.deleted": ["productId"],
      "payment.failed": ["checkoutId", "error"],
      "payment.needs_attention": ["paymentId", "payment"],
      "inventory.updated": ["productId", "inventory"]
    })
  })

  it("knows what a subscription may name: every type of the catalogue, and whole resources", () => {
    expect(unknownEvents(["*", "order.*", "checkout.*", "donation.*", "checkout.completed"])).toEqual([])
    expect(
      unknownEvents(["customer.registered", "order", "*.created", "internal.*", "constructor", "customer.registered"])
    ).toEqual(["customer.registered", "order", "*.created", "internal.*", "constructor"])
    expect(unknownEvents(["checkout.abandoned", "donation.created", "order.paid", "donation.refunded"])).toEqual([])
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
