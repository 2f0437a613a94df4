/** What the tests over all routes need to know of installed apps. */
import { both, type RoomMatrix } from "../matrix/RoomMatrix.ts"

const mapping = { resourceType: "product", internalId: "p1", externalId: "1", platformCode: "SHOPIFY" }
const below = "/api/v1/installations/:installationId"

export const matrix: RoomMatrix = {
  fill: async ({ admin }) => {
    const app = await admin("POST", "/v1/installations", { name: "Connector", scopes: ["mappings:*", "config:write"] })
    const path = `/v1/installations/${app.body.id}`
    const made = await admin("POST", `${path}/mappings`, mapping)
    await admin("PUT", `${path}/secrets`, { secrets: { KEY: "value" } })
    await admin("POST", `${path}/inbound/orders`, {})
    return { installations: app.body.id, mappings: made.body.id, inbound: "orders" }
  },
  bodies: {
    [`PUT ${below}/secrets`]: { secrets: { KEY: "mine" } },
    [`POST ${below}/mappings`]: { ...mapping, internalId: "p2" },
    [`PUT ${below}/mappings/upsert`]: mapping,
    [`PATCH ${below}/mappings/:mappingId`]: { externalId: "2" }
  },
  failingBodies: [
    {
      route: "POST /v1/installations",
      body: () => ({ name: " ", scopes: ["orders:read", "*"] }),
      fields: ["name", "scopes.0", "scopes.1"]
    },
    {
      route: "PUT /v1/installations/:installationId/secrets",
      body: () => ({ secrets: { lower: "x", BIG: "x".repeat(4_097) } }),
      fields: ["secrets.lower", "secrets.BIG"]
    },
    ...both(
      ["POST /v1/installations/:installationId/mappings", "PUT /v1/installations/:installationId/mappings/upsert"],
      () => ({ ...mapping, internalId: " ", externalUrl: "nowhere", syncStatus: "done" }),
      ["internalId", "externalUrl", "syncStatus"]
    ),
    {
      route: "PATCH /v1/installations/:installationId/mappings/:mappingId",
      body: () => ({ externalId: "", lastSyncedAt: "soon" }),
      fields: ["externalId", "lastSyncedAt"]
    }
  ],
  allowedIds: {
    "POST /v1/installations/:installationId/mappings internalId":
      "an app may map what the store does not have yet, or no longer",
    "PUT /v1/installations/:installationId/mappings/upsert internalId":
      "an app may map what the store does not have yet, or no longer"
  }
}
