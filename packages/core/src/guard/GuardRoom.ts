/** The layers of the guard room: records of Idempotency-Keys, and the counters of rate limits. */
import { Layer } from "effect"
import type { Room } from "../database/Room.ts"
import { IdempotencyRecords } from "./IdempotencyRecords.ts"
import { RateLimits } from "./RateLimits.ts"
import { guardLaws } from "./guardLaws.ts"

export const guardRoom = {
  /** `memory` counts in this process alone. */
  layer: (rateLimitStore: "postgres" | "memory" = "postgres") =>
    Layer.merge(IdempotencyRecords.layer, rateLimitStore === "memory" ? RateLimits.layerMemory : RateLimits.layer),
  laws: guardLaws
} as const satisfies Room
