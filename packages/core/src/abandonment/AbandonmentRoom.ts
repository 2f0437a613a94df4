/** The worker of carts and checkouts that were left. Needs checkouts, and what mails are sent. */
import type { Room } from "../database/Room.ts"
import { Abandonment } from "./Abandonment.ts"
import { abandonmentLaws } from "./abandonmentLaws.ts"

export const abandonmentRoom = {
  layer: Abandonment.layer,
  laws: abandonmentLaws
} as const satisfies Room
