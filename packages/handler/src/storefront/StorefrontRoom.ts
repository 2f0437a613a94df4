import { SearchWords } from "@effect-commerce/core/storefront/SearchWords"
import { ListingRepair } from "@effect-commerce/core/storefront/ListingRepair"
import { every, type Room } from "../middleware/Room.ts"
import { storefrontEndpoints } from "./StorefrontEndpoints.ts"

export const storefrontRoom = {
  endpoints: storefrontEndpoints,
  workers: [
    every(
      "500 millis",
      "Composing products that are marked stale",
      ListingRepair.use((repair) => repair.pass)
    ),
    every(
      "5 seconds",
      "Writing down prices of sales that began or ended",
      ListingRepair.use((repair) => repair.reprice)
    ),
    every(
      "60 seconds",
      "Removing search words that no product uses any more",
      SearchWords.use((words) => words.sweep)
    )
  ]
} as const satisfies Room
