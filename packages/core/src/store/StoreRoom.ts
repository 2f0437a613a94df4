/** The services of the store room. */
import { Layer } from "effect"
import type { Room } from "../database/Room.ts"
import { RegionChoice } from "./RegionChoice.ts"
import { Regions } from "./Regions.ts"
import { SalesChannels } from "./SalesChannels.ts"
import { Stores } from "./Stores.ts"
import { salesChannelBound } from "./SalesChannel.ts"
import { regionBound } from "./Region.ts"

export const storeRoom = {
  layer: Layer.merge(Regions.layer, RegionChoice.layer).pipe(
    Layer.provideMerge(Layer.merge(Stores.layer, SalesChannels.layer))
  ),
  rows: {
    store: { table: "store", isStore: true },
    salesChannel: { table: "sales_channel" },
    region: { table: "region", lockFirst: "store" }
  },
  bounds: [salesChannelBound, regionBound]
} as const satisfies Room
