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
  failingBodies: [
    {
      route: "POST /api/v1/oauth-providers",
      body: () => ({ ...provider, provider: "twitter", clientId: " " }),
      fields: ["clientId"]
    },
    {
      route: "PATCH /api/v1/oauth-providers/:provider",
      body: () => ({ providerConfig: { issuer: "nowhere", tenant: "nobody" } }),
      fields: ["providerConfig.issuer", "providerConfig.tenant"]
    }
  ]
}
