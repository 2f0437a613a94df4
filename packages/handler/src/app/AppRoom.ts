/** Installed apps, and the worker that deletes what they leave. */
import { AppCleanup } from "@effect-commerce/core/app/AppCleanup"
import { every, type Room } from "../middleware/Room.ts"
import { appEndpoints } from "./AppEndpoints.ts"
import { appErrors } from "./appErrors.ts"

export const appRoom = {
  endpoints: appEndpoints,
  errors: appErrors,
  workers: [
    every(
      "60 seconds",
      "Deleting what removed apps had",
      AppCleanup.use((cleanup) => cleanup.pass)
    )
  ]
} as const satisfies Room
