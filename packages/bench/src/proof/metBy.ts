import { Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import type { FaultMet } from "./Server.ts"

/** Whether a request passes a fault point, or work in the background does. */
export const metBy: Effect.Effect<FaultMet> = Effect.map(
  Effect.serviceOption(HttpServerRequest.HttpServerRequest),
  (request) => (Option.isSome(request) ? "request" : "worker")
)
