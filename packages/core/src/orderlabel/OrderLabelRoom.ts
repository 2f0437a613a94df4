/** Labels of the merchant's own for what an order's status says. */
import type { Room } from "../database/Room.ts"
import { orderLabelBound } from "./OrderLabel.ts"
import { orderLabelLaws } from "./orderLabelLaws.ts"
import { OrderLabels } from "./OrderLabels.ts"

export const orderLabelRoom = {
  layer: OrderLabels.layer,
  rows: { orderLabel: { table: "order_status_label" } },
  bounds: [orderLabelBound],
  laws: orderLabelLaws
} as const satisfies Room
