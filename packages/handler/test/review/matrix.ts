/** What the tests over all routes need to know of reviews. */
import { none, type RoomMatrix } from "../matrix/RoomMatrix.ts"

export const matrix: RoomMatrix = {
  fill: async ({ at, ids, shop, token }) => {
    const review = await shop.call("POST", `/vc/${at.channelId}/products/${ids["products"]}/reviews`, {
      body: { rating: 5, body: "Theirs" },
      headers: { authorization: `Bearer ${token}` }
    })
    return { reviews: review.body.id }
  },
  bodies: {
    "POST /api/vc/:salesChannelId/products/:id/reviews": { rating: 5, body: "Mine" }
  },
  failingBodies: [
    {
      route: "POST /vc/:salesChannelId/products/:id/reviews",
      body: () => ({ rating: 5, body: "Fine", variantId: none, photos: [{ key: "a.png" }, { key: "b.png" }] }),
      fields: ["variantId", "photos.0", "photos.1"]
    }
  ],
  idCases: {
    "POST /vc/:salesChannelId/products/:id/reviews variantId": { body: () => ({ rating: 5, body: "Fine" }) },
    "POST /vc/:salesChannelId/products/:id/reviews photos.0.key": {
      body: () => ({ rating: 5, body: "Fine" }),
      kind: "media",
      answer: [400, ["photos.0"]]
    }
  }
}
