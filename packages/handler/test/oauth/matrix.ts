/** What the tests over all routes need to know of login providers. */
import type { RoomMatrix } from "../matrix/RoomMatrix.ts"

const provider = { clientId: "client", clientSecret: "secret" }

export const matrix: RoomMatrix = {
  fill: async ({ admin }) => {
    const made = await admin("POST", "/v1/oauth-providers", {
      ...provider,
      provider: "CUSTOM:theirs",
      providerConfig: { issuer: "https://login.example.com" }
    })
    return { "oauth-providers": made.body.provider, oauth: made.body.provider }
  },
  bodies: {
    "POST /api/vc/:salesChannelId/customers/oauth/:provider/callback": { code: "code", state: "state" }
  },
  allowedIds: {
    "POST /v1/oauth-providers clientId": "the name of the shop at the provider, which only the provider knows",
    "PATCH /v1/oauth-providers/:provider clientId": "as in the POST"
  },
  failingBodies: [
    {
      route: "POST /v1/oauth-providers",
      body: () => ({ ...provider, provider: "twitter", clientId: " " }),
      fields: ["provider", "clientId"]
    },
    {
      route: "PATCH /v1/oauth-providers/:provider",
      body: () => ({ providerConfig: { issuer: "nowhere", tenant: "nobody" } }),
      fields: ["providerConfig.issuer", "providerConfig.tenant"]
    }
  ]
}
