/** What the tests over all routes need to know of modifier groups. */
import { below, both, none, type RoomMatrix } from "../matrix/RoomMatrix.ts"

export const matrix: RoomMatrix = {
  fill: async ({ admin }) => {
    const group = await admin("POST", "/v1/modifier-groups", {
      name: "Theirs",
      selectionType: "SINGLE",
      modifiers: [{ name: "Theirs" }]
    })
    return { "modifier-groups": group.body.id }
  },
  failingBodies: [
    ...both(
      ["POST /v1/modifier-groups", "PATCH /v1/modifier-groups/:id"],
      () => ({
        name: " ",
        selectionType: "SINGLE",
        minSelections: 3,
        maxSelections: 2,
        modifiers: [
          { name: "", priceDelta: "1.001" },
          { name: "Card", priceDelta: "x", referencedProductId: none }
        ]
      }),
      [
        "name",
        "minSelections",
        "maxSelections",
        "modifiers.0.name",
        "modifiers.0.priceDelta",
        "modifiers.1.priceDelta",
        "modifiers.1.referencedProductId"
      ]
    ),
    {
      route: "PATCH /v1/modifier-groups/:id",
      body: () => ({ modifiers: [{ id: none }, { _delete: true }, { priceDelta: "x" }] }),
      fields: ["modifiers.0.id", "modifiers.1.id", "modifiers.2.name", "modifiers.2.priceDelta"]
    }
  ],
  idCases: {
    ...below(["POST /v1/modifier-groups", "PATCH /v1/modifier-groups/:id"], {
      "modifiers.0.referencedProductId": {
        body: () => ({ name: "Extras", selectionType: "MULTIPLE", modifiers: [{ name: "Wrap" }] }),
        kind: "products"
      }
    }),
    "PATCH /v1/modifier-groups/:id modifiers.0.id": {}
  }
}
