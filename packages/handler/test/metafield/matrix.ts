/** What the tests over all routes need to know of metafields. */
import { below, both, none, type RoomMatrix } from "../matrix/RoomMatrix.ts"

const rows = "each row has an answer of its own"

export const matrix: RoomMatrix = {
  fill: async ({ admin, ids }) => {
    const definition = await admin("POST", "/v1/metafield-definitions", { name: "Care", key: "care", type: "TEXT" })
    await admin("PUT", `/v1/products/${ids["products"]}/metafields`, { values: { care: "wool" } })
    const conflicting = await admin("PUT", `/v1/products/${ids["products"]}/metafields`, {
      values: { care: "silk" },
      source: "shopify"
    })
    return {
      "metafield-definitions": definition.body.id,
      "metafield-conflicts": conflicting.body.conflicts[0].conflictId
    }
  },
  bodies: {
    "PUT /api/v1/products/:id/metafields": { values: {} }
  },
  failingBodies: [
    ...both(
      ["POST /v1/metafield-definitions", "PATCH /v1/metafield-definitions/:id"],
      () => ({
        name: "Wash",
        key: "wash",
        type: "TEXT",
        minLength: 9,
        maxLength: 3,
        appliesToAllProducts: false,
        productIds: [none, "none_2"]
      }),
      ["minLength", "productIds.0", "productIds.1"]
    ),
    {
      route: "PUT /v1/products/:id/metafields",
      body: () => ({ values: { care: 5, unheard: "x" } }),
      fields: ["values.care", "values.unheard"]
    }
  ],
  idCases: {
    ...below(["POST /v1/metafield-definitions", "PATCH /v1/metafield-definitions/:id"], {
      productIds: {
        body: () => ({ name: "Wash", key: "wash", type: "TEXT", appliesToAllProducts: false }),
        kind: "products",
        answer: [400, ["productIds.0"]]
      }
    })
  },
  allowedIds: {
    "POST /v1/metafield-definitions key": "the name of a definition",
    "PATCH /v1/metafield-definitions/:id key": "the name of a definition",
    "POST /v1/metafield-values/bulk values.0.productId": rows,
    "POST /v1/metafield-values/bulk values.0.key": rows
  }
}
