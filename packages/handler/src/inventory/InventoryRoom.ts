import { Reservations } from "@effect-commerce/core/inventory/Reservations"
import { every, room } from "../system/Room.ts"
import { inventoryEndpoints } from "./InventoryEndpoints.ts"

export const inventoryRoom = room(
  inventoryEndpoints,
  every(
    "1 seconds",
    "Giving back reservations",
    Reservations.use((reservations) => reservations.releaseExpired)
  )
)
