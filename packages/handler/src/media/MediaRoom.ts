import { LateThumbnails } from "@effect-commerce/core/media/LateThumbnails"
import { MediaSweep } from "@effect-commerce/core/media/MediaSweep"
import { Layer } from "effect"
import { every, type Room } from "../middleware/Room.ts"
import { fileEndpoints } from "./FileEndpoints.ts"
import { mediaEndpoints } from "./MediaEndpoints.ts"
import { mediaErrors } from "./mediaErrors.ts"

export const mediaRoom = {
  endpoints: Layer.merge(mediaEndpoints, fileEndpoints),
  errors: mediaErrors,
  workers: [
    every(
      "60 seconds",
      "Sweeping files that nobody uses",
      MediaSweep.use((sweep) => sweep.pass)
    ),
    every(
      "10 seconds",
      "Making thumbnails that came to be late",
      LateThumbnails.use((late) => late.pass)
    )
  ]
} as const satisfies Room
