import { EventListeners } from "@effect-commerce/core/listener/EventListeners"
import { every, type Room } from "../middleware/Room.ts"

export const listenerRoom = {
  workers: [
    every(
      "3600 seconds",
      "Forgetting listeners that nobody has",
      EventListeners.use(({ sweep }) => sweep)
    )
  ]
} as const satisfies Room
