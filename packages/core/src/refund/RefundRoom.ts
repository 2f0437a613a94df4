/**
 * The services of the refund room. They need the operations of the charge room, which themselves need `orderOutcomes`:
 * what an outcome of a capture, a void or a refund means to an order.
 */
import type { Room } from "../database/Room.ts"
import { refundLaws } from "./refundLaws.ts"
import { RefundOutcomes } from "./RefundOutcomes.ts"
import { Layer } from "effect"
import { ChargeChanges } from "./ChargeChanges.ts"
import { Refunds } from "./Refunds.ts"

export const refundRoom = {
  layer: Layer.merge(Refunds.layer, ChargeChanges.layer),
  laws: refundLaws
} as const satisfies Room

export const orderOutcomes = RefundOutcomes.layer
