/**
 * How many calls that requests wait for (test sends of webhooks, downloads of images) are under way in a process, and
 * of one store: less than the connections to an origin, where deliveries to other stores go too. Who waits for a turn
 * holds the turn of its request, so that there are few of them.
 */
import type { TurnBounds } from "../database/FairTurns.ts"

export const callBounds: TurnBounds = { atOnce: 32, ofOwner: 4 }
