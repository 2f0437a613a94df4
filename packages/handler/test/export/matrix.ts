/** What the tests over all routes need to know of exports. */
import type { RoomMatrix } from "../matrix/RoomMatrix.ts"

export const matrix: RoomMatrix = {
  fill: async ({ admin }) => {
    const asked = await admin("POST", "/v1/exports", { resource: "orders", format: "csv" })
    return { exports: asked.body.id }
  },
  failingBodies: [
    {
      route: "POST /v1/exports",
      body: () => ({
        resource: "orders",
        format: "csv",
        filters: { status: "LOST", createdFrom: "soon", createdTo: "x" }
      }),
      fields: ["filters.status", "filters.createdFrom", "filters.createdTo"]
    }
  ]
}
