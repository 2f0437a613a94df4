/** The service of the room of quick orders: placed by a storefront in one call. Needs `OrderPlacement`. */
import type { Room } from "../database/Room.ts"
import { StorefrontOrders } from "./StorefrontOrders.ts"

export const quickOrderRoom = { layer: StorefrontOrders.layer } as const satisfies Room
