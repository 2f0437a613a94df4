import { LateThumbnails } from "@effect-commerce/core/media/LateThumbnails"
import { MediaSweep } from "@effect-commerce/core/media/MediaSweep"
import { Layer } from "effect"
import { every, room } from "../middleware/Room.ts"
import { fileEndpoints } from "./FileEndpoints.ts"
import { mediaEndpoints } from "./MediaEndpoints.ts"

export const mediaRoom = room(
  Layer.merge(mediaEndpoints, fileEndpoints),
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
)
