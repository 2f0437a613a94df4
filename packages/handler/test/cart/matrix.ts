/** What the tests over all routes need to know of carts. */
import { below, both, none, type Cases, type Ids, type RoomMatrix } from "../matrix/RoomMatrix.ts"

export const line = ({ products }: Ids) => ({ productId: products, quantity: 1 })
export const modified = (ids: Ids) => ({
  ...line(ids),
  modifiers: [{ modifierGroupId: ids["modifier-groups"], modifierId: "mod_none", quantity: 1 }]
})
const unsold = [400, "PRODUCT_UNAVAILABLE"] as const
/** Errors of modifiers are a list. */
export const misfit = [400, ["0"]] as const
const modifiers: Cases = {
  "modifiers.0.modifierGroupId": { body: modified, answer: misfit },
  "modifiers.0.modifierId": { body: modified, answer: misfit }
}
const items: Cases = {
  productId: { body: line, kind: "products", answer: unsold },
  variantId: { body: line, answer: unsold },
  ...modifiers
}

export const matrix: RoomMatrix = {
  fill: async ({ at, ids, shop }) => {
    const cart = await shop.call("POST", `/vc/${at.channelId}/cart`)
    const filled = await shop.call("POST", `/vc/${at.channelId}/cart/${cart.body.id}/items`, {
      body: { productId: ids["products"], quantity: 1 }
    })
    return {
      cart: cart.body.id,
      session: cart.body.sessionToken,
      items: filled.body.items[0].id,
      bundle: "bundle_theirs"
    }
  },
  bodies: {
    "POST /api/vc/:salesChannelId/cart/:cartId/coupon": { code: "X" },
    "POST /api/vc/:salesChannelId/cart/:cartId/bundle": { bundleOfferId: "x" },
    "POST /api/vc/:salesChannelId/cart/:cartId/upgrade": { offerId: "x" },
    "POST /api/vc/:salesChannelId/cart/:cartId/order-bump": { offerId: "x" },
    "POST /api/v1/cart/:id/coupon": { code: "X" },
    "POST /api/vc/:salesChannelId/cart/:cartId/items": { productId: "prod_x", quantity: 1 },
    "POST /api/v1/cart/:id/items": { productId: "prod_x", quantity: 1 }
  },
  failingBodies: [
    ...both(
      ["PATCH /vc/:salesChannelId/cart/:cartId", "PATCH /v1/cart/:id"],
      () => ({ currency: "JPY", regionId: none }),
      ["currency", "regionId"]
    )
  ],
  idCases: {
    ...below(["PATCH /vc/:salesChannelId/cart/:cartId", "PATCH /v1/cart/:id"], { regionId: { kind: "regions" } }),
    ...below(["POST /vc/:salesChannelId/cart/:cartId/items", "POST /v1/cart/:id/items"], items),
    ...below(["PATCH /vc/:salesChannelId/cart/:cartId/items/:itemId", "PATCH /v1/cart/:id/items/:itemId"], modifiers),
    "POST /vc/:salesChannelId/cart/:cartId/bundle bundleOfferId": { kind: "bundle-offers" },
    ...below(["POST /vc/:salesChannelId/cart/:cartId/upgrade", "POST /vc/:salesChannelId/cart/:cartId/order-bump"], {
      offerId: { kind: "bundle-offers" },
      variantId: { body: () => ({ offerId: "offer_none" }), answer: [400, ["offerId"]] }
    }),
    "POST /v1/cart salesChannelId": { kind: "sales-channels" },
    "POST /v1/cart customerId": { kind: "customers", answer: [404, "CUSTOMER_NOT_FOUND"] }
  }
}
