/** What the store room brings: its services, and the rows that If-Match is judged by. */
import { Layer } from "effect"
import type { VersionedRows } from "../database/RowVersions.ts"
import { Regions } from "./Regions.ts"
import { SalesChannels } from "./SalesChannels.ts"
import { Stores } from "./Stores.ts"

export const storeRoom = Regions.layer.pipe(Layer.provideMerge(Layer.merge(Stores.layer, SalesChannels.layer)))

export const storeRows = {
  store: { table: "store", isStore: true },
  salesChannel: { table: "sales_channel" },
  region: { table: "region", lockFirst: "store" }
} as const satisfies VersionedRows
