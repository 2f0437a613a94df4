/** The services of the room of draft orders, and what must hold for them. */
import { Layer } from "effect"
import type { Room } from "../database/Room.ts"
import { DraftCheckouts } from "./DraftCheckouts.ts"
import { DraftInvoices } from "./DraftInvoices.ts"
import { draftOrderLaws } from "./draftOrderLaws.ts"
import { DraftOrders } from "./DraftOrders.ts"

export const draftOrderRoom = {
  layer: DraftInvoices.layer.pipe(Layer.provideMerge(DraftOrders.layer), Layer.provideMerge(DraftCheckouts.layer)),
  rows: { draftOrder: { table: "draft_order", keepsDeleted: true } },
  laws: draftOrderLaws
} as const satisfies Room
