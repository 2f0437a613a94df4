import { Database } from "@effect-commerce/core/database/Database"
import { IdempotencyRecords } from "@effect-commerce/core/guard/IdempotencyRecords"
import { OutboxRelay } from "@effect-commerce/core/outbox/OutboxRelay"
import { RateLimits } from "@effect-commerce/core/guard/RateLimits"
import { analyzeGrown } from "@effect-commerce/core/database/TableStatistics"
import { every, forever, type Room } from "../middleware/Room.ts"
import { healthEndpoints } from "./SystemEndpoints.ts"

export const systemRoom = {
  endpoints: healthEndpoints,
  workers: [
    forever(OutboxRelay.use((relay) => relay.run)),
    every("5 seconds", "Analysing tables that have grown", Database.use(analyzeGrown)),
    every(
      "60 seconds",
      "Sweeping rate windows",
      RateLimits.use((limits) => limits.sweep)
    ),
    every(
      "60 seconds",
      "Sweeping idempotency records",
      IdempotencyRecords.use((records) => records.sweep)
    )
  ]
} as const satisfies Room
