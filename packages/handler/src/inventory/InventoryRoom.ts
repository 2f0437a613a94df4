import { Reservations } from "@effect-commerce/core/inventory/Reservations"
import { StockAlerts } from "@effect-commerce/core/inventory/StockAlerts"
import { every, type Room } from "../middleware/Room.ts"
import { inventoryEndpoints } from "./InventoryEndpoints.ts"
import { inventoryErrors } from "./inventoryErrors.ts"

export const inventoryRoom = {
  endpoints: inventoryEndpoints,
  errors: inventoryErrors,
  workers: [
    every(
      "1 seconds",
      "Giving back reservations",
      Reservations.use((reservations) => reservations.releaseExpired)
    ),
    every(
      "10 seconds",
      "Telling that stock is back",
      StockAlerts.use((alerts) => alerts.tellDue)
    ),
    every(
      "600 seconds",
      "Forgetting old stock alerts",
      StockAlerts.use((alerts) => alerts.sweep)
    )
  ]
} as const satisfies Room
