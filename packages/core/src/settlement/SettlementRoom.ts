/** The service of the settlement room. Needs the charges of the payment room. */
import type { Room } from "../database/Room.ts"
import { OrderMoney } from "./OrderMoney.ts"
import { orderMoneyLaws } from "./orderMoneyLaws.ts"
import { presentedLaws } from "./presentedLaws.ts"

export const settlementRoom = {
  layer: OrderMoney.layer,
  laws: [...orderMoneyLaws, ...presentedLaws]
} as const satisfies Room
