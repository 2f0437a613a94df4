import { SearchWords } from "@effect-commerce/core/storefront/SearchWords"
import { ListingRepair } from "@effect-commerce/core/storefront/ListingRepair"
import { every, type Room } from "../middleware/Room.ts"
import { storefrontEndpoints } from "./StorefrontEndpoints.ts"

export const storefrontRoom = {
  endpoints: storefrontEndpoints,
  workers: [
    every(
      "500 millis",
      "Composing products that were written without it",
      ListingRepair.use((stale) => stale.pass)
    ),
    every(
      "5 seconds",
      "Writing down prices of sales that began or ended",
      ListingRepair.use((stale) => stale.reprice)
    ),
    every(
      "60 seconds",
      "Removing words of searches that no product uses any more",
      SearchWords.use((words) => words.sweep)
    )
  ]
} as const satisfies Room
