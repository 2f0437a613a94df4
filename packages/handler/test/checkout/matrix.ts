/** What the tests over all routes need to know of checkouts. */
import { none, type RoomMatrix } from "../matrix/RoomMatrix.ts"

const provider = "the name of a way to pay: 503 where the store has not configured it"

export const matrix: RoomMatrix = {
  fill: async ({ at, ids, shop }) => {
    const checkout = await shop.call("POST", `/vc/${at.channelId}/checkout`, { body: { cartId: ids["cart"] } })
    return { checkout: checkout.body.id, "gift-card": "tender_theirs" }
  },
  bodies: {
    "PATCH /api/vc/:salesChannelId/checkout/:checkoutId/customer": { email: "a@example.com" },
    "PATCH /api/vc/:salesChannelId/checkout/:checkoutId/shipping": {
      shippingAddress: { line1: "1", city: "T", country: "US" }
    },
    "PATCH /api/vc/:salesChannelId/checkout/:checkoutId/shipping-method": { shippingRateId: "x" },
    "PATCH /api/vc/:salesChannelId/checkout/:checkoutId/delivery": { deliveryType: "pickup" },
    "PATCH /api/vc/:salesChannelId/checkout/:checkoutId/custom-fields": { values: {} },
    "POST /api/vc/:salesChannelId/checkout/:checkoutId/coupon": { code: "X" },
    "POST /api/vc/:salesChannelId/checkout/:checkoutId/gift-card": { code: "X" },
    "POST /api/vc/:salesChannelId/checkout/:checkoutId/payment": { providerId: "manual" }
  },
  failingBodies: [
    {
      route: "POST /vc/:salesChannelId/checkout",
      body: ({ cart }) => ({ cartId: cart, selectedItemIds: [none], regionId: none }),
      fields: ["selectedItemIds", "regionId"]
    },
    {
      route: "PATCH /vc/:salesChannelId/checkout/:checkoutId/custom-fields",
      body: () => ({ values: { gift: true, note: "x" } }),
      fields: ["values.gift", "values.note"]
    }
  ],
  idCases: {
    "POST /vc/:salesChannelId/checkout cartId": { kind: "cart", answer: [404, "RESOURCE_NOT_FOUND"] },
    "POST /vc/:salesChannelId/checkout selectedItemIds": { body: ({ cart }) => ({ cartId: cart }), kind: "items" },
    "POST /vc/:salesChannelId/checkout regionId": { body: ({ cart }) => ({ cartId: cart }), kind: "regions" },
    "PATCH /vc/:salesChannelId/checkout/:checkoutId/shipping-method shippingRateId": { kind: "zones/rates" },
    "PATCH /vc/:salesChannelId/checkout/:checkoutId/delivery pickupLocationId": {
      body: () => ({ deliveryType: "pickup" }),
      kind: "zones/rates"
    }
  },
  allowedIds: {
    "POST /vc/:salesChannelId/checkout/:checkoutId/payment providerId": provider,
    "POST /vc/:salesChannelId/checkout/:checkoutId/complete providerId": provider,
    "POST /v1/checkout/:checkoutId/complete providerId": provider
  }
}
