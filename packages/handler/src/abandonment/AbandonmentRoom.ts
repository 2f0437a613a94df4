/** The worker of carts and checkouts that nobody touches any more. */
import { Abandonment } from "@effect-commerce/core/abandonment/Abandonment"
import { every, type Room } from "../middleware/Room.ts"

export const abandonmentRoom = {
  workers: [
    every(
      "20 seconds",
      "Looking after carts and checkouts that were left",
      Abandonment.use((abandonment) => abandonment.pass)
    )
  ]
} as const satisfies Room
