/** What the tests over all routes need to know of webhooks. */
import { both, type RoomMatrix } from "../matrix/RoomMatrix.ts"

export const matrix: RoomMatrix = {
  fill: async ({ admin }) => {
    const hook = await admin("POST", "/v1/webhook-subscriptions", { url: "https://hooks.example/in", events: ["*"] })
    return { "webhook-subscriptions": hook.body.id }
  },
  failingBodies: [
    ...both(
      ["POST /v1/webhook-subscriptions", "PATCH /v1/webhook-subscriptions/:id"],
      () => ({ url: "http://localhost/in", events: ["order.unheard"] }),
      ["url", "events"]
    )
  ]
}
