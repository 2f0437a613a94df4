/** Health: without a credential, and neither limited nor counted. */
import { described } from "@effect-commerce/core/kernel/Fields"
import { Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { NotReady } from "../middleware/Refusals.ts"
import { openRoute } from "../middleware/Policy.ts"

const fails = failsBy()

const Live = Schema.Struct({ status: described(Schema.Literal("ok"), "Always ok.") }).annotate({
  identifier: "Liveness",
  description: "The process lives."
})
const Ready = Schema.Struct({
  status: described(Schema.Literal("ready"), "Always ready."),
  rateLimits: described(
    Schema.Literals(["shared", "alone"]),
    "Whether rate limits are counted for all processes together, or by this process alone: because it is set up so, " +
      "or because the Redis that counts them cannot be reached."
  )
}).annotate({
  identifier: "Readiness",
  description: "The server can take requests."
})

export class HealthGroup extends apiGroup("health", {
  part: "System",
  title: "Health",
  description: "Whether the process is alive and ready for traffic."
}).add(
  HttpApiEndpoint.get("live", "/health/live", { success: Live }).pipe(
    openRoute({
      summary: "Check that the process lives",
      description: "Returns 200 at once, without a query to the database. Restart a process that does not respond."
    })
  ),
  HttpApiEndpoint.get("ready", "/health/ready", { success: Ready, error: fails(NotReady) }).pipe(
    openRoute({
      summary: "Check that the server is ready",
      description:
        "Returns 200 once the database can be reached, its migrations are applied and the first start is over; 503 " +
        "before. Send traffic to a process only while it returns 200."
    })
  )
) {}

export const systemGroups = [HealthGroup] as const
