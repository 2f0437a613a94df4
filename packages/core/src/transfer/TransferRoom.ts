/** The services of the room transfer. Need the storefront's read model and the object storage. */
import { Layer } from "effect"
import type { Room } from "../database/Room.ts"
import { StoreExport } from "./StoreExport.ts"
import { StoreImport } from "./StoreImport.ts"

export const transferRoom = {
  layer: Layer.mergeAll(StoreExport.layer, StoreImport.layer)
} as const satisfies Room
