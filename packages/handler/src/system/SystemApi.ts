/** Health (operations.md): neither limited nor counted, no credential. */
import { Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { fails } from "../middleware/DeclaredErrors.ts"
import { NotReady } from "../middleware/Refusals.ts"
import { openRoute } from "../middleware/Policy.ts"

export class HealthGroup extends apiGroup("health", {
  part: "System",
  title: "Health",
  description: "Whether the process lives and is ready for traffic."
}).add(
  HttpApiEndpoint.get("live", "/health/live", { success: Schema.Struct({ status: Schema.Literal("ok") }) }).pipe(
    openRoute()
  ),
  HttpApiEndpoint.get("ready", "/health/ready", {
    success: Schema.Struct({ status: Schema.Literal("ready") }),
    error: fails(NotReady)
  }).pipe(openRoute())
) {}

export const systemGroups = [HealthGroup] as const
