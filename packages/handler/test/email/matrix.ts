/** What the tests over all routes need to know of mails. */
import { below, both, none, type RoomMatrix } from "../matrix/RoomMatrix.ts"

export const matrix: RoomMatrix = {
  fill: async ({ admin }) => {
    const template = await admin("POST", "/v1/email/templates", {
      name: "Theirs",
      eventType: "ORDER_NOTE",
      language: "en",
      subject: "Theirs",
      htmlContent: "Theirs"
    })
    return { templates: template.body.id, defaults: "NO_SUCH_MAIL" }
  },
  bodies: {
    "POST /api/v1/email/templates/:id/send": { to: "ada@example.com" }
  },
  failingBodies: [
    ...both(
      ["PUT /v1/email/settings", "PUT /stores/:storeId/email/settings"],
      () => ({ defaultReplyTo: "nobody", hourlyRateLimit: 5_000, customDomainId: none }),
      ["defaultReplyTo", "hourlyRateLimit", "customDomainId"]
    ),
    ...both(
      ["POST /v1/email/templates", "PATCH /v1/email/templates/:id"],
      () => ({
        name: " ",
        eventType: "ORDER_NOTE",
        language: "no language",
        subject: "{{#open}}",
        htmlContent: "{{#open}}"
      }),
      ["subject", "htmlContent", "name", "language"]
    )
  ],
  idCases: {
    ...below(["PUT /v1/email/settings", "PUT /stores/:storeId/email/settings"], { customDomainId: {} })
  }
}
