import { Database } from "@effect-commerce/core/database/Database"
import { RateLimits } from "@effect-commerce/core/guard/RateLimits"
import { isReady } from "@effect-commerce/core/migration/Migrations"
import { Effect } from "effect"
import { endpointsOf } from "../middleware/GroupEndpoints.ts"
import { HandlerSettings } from "../middleware/Settings.ts"
import { NotReady } from "../middleware/Refusals.ts"
import { HealthGroup } from "./SystemApi.ts"

export const healthEndpoints = endpointsOf(
  HealthGroup,
  Effect.fnUntraced(function* (handlers) {
    const database = yield* Database
    const settings = yield* HandlerSettings
    const limits = yield* RateLimits
    const migrated = Effect.provideService(isReady(), Database, database)
    const rateLimits = () => {
      const { store, isReached } = limits.state()
      return isReached && store !== "memory" ? "shared" : "alone"
    }
    const ready = Effect.suspend(() => (settings.ready() ? migrated : Effect.succeed(false)))
    return handlers.handleAll({
      live: () => Effect.succeed({ status: "ok" } as const),
      ready: () =>
        Effect.flatMap(ready, (yes) =>
          yes ? Effect.succeed({ status: "ready", rateLimits: rateLimits() } as const) : Effect.fail(new NotReady())
        )
    })
  })
)
