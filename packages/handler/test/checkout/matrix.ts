/** What the tests over all routes need to know of checkouts. */
import { type Ids, none, type RoomMatrix } from "../matrix/RoomMatrix.ts"

const provider = "the name of a way to pay: 503 where the store has not configured it"

const taxed = { address: { country: "US" }, lines: [{ amount: 1 }] }
const shipped = ({ products }: Ids) => ({
  address: { country: "US" },
  items: [{ productId: products, quantity: 1 }]
})

export const matrix: RoomMatrix = {
  fill: async ({ at, ids, shop }) => {
    const checkout = await shop.call("POST", `/vc/${at.channelId}/checkout`, { body: { cartId: ids["cart"] } })
    return { checkout: checkout.body.id }
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
    },
    {
      route: "POST /v1/tax/quote",
      body: () => ({
        address: { country: "US" },
        lines: [
          { productId: none, amount: "x" },
          { taxClassId: none, amount: 1 }
        ],
        shippingAmount: "y",
        customerId: none
      }),
      fields: ["lines.0.productId", "lines.0.amount", "lines.1.taxClassId", "shippingAmount", "customerId"]
    },
    {
      route: "POST /v1/shipping/quote",
      body: () => ({ address: { country: "US" }, items: [{ productId: none, quantity: 1 }], subtotal: "x" }),
      fields: ["items.0.productId", "subtotal"]
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
    },
    "POST /v1/tax/quote lines.0.productId": { body: () => taxed, kind: "products" },
    "POST /v1/tax/quote lines.0.taxClassId": { body: () => taxed, kind: "classes" },
    "POST /v1/tax/quote customerId": { body: () => taxed, kind: "customers" },
    "POST /v1/shipping/quote items.0.productId": { body: shipped, kind: "products" },
    "POST /v1/shipping/quote items.0.variantId": { body: shipped }
  },
  allowedIds: {
    "POST /vc/:salesChannelId/checkout/:checkoutId/payment providerId": provider,
    "POST /vc/:salesChannelId/checkout/:checkoutId/complete providerId": provider,
    "POST /v1/checkout/:checkoutId/complete providerId": provider
  }
}
