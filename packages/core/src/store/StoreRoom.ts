/** What the store room brings: its services, and the rows that If-Match is judged by. */
import { Layer } from "effect"
import type { VersionedRows } from "../database/RowVersions.ts"
import { SalesChannels } from "./SalesChannels.ts"
import { Stores } from "./Stores.ts"

export const storeRoom = Layer.merge(Stores.layer, SalesChannels.layer)

export const storeRows = {
  store: { table: "store", isStore: true },
  salesChannel: { table: "sales_channel" }
} as const satisfies VersionedRows
