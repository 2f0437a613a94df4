import { Database } from "@effect-commerce/core/database/Database"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../Api.ts"

export const healthEndpoints = HttpApiBuilder.group(
  Api,
  "health",
  Effect.fnUntraced(function* (handlers) {
    const { sql } = yield* Database
    return handlers.handleAll({
      live: () => Effect.succeed({ status: "ok" } as const),
      // The server does not come up before the schema is current, so what can be missing is the database itself: that is a 503 by the envelope.
      ready: () => Effect.as(Effect.orDie(sql`SELECT 1`), { status: "ready" } as const)
    })
  })
)
