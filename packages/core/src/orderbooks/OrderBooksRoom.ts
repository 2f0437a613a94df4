/** What the audit checks of orders, and of the stock that they take. It has no service and no table of its own. */
import { Layer } from "effect"
import type { Room } from "../database/Room.ts"
import { orderLaws } from "./orderLaws.ts"
import { soldStockLaws } from "./soldStockLaws.ts"

export const orderBooksRoom = { layer: Layer.empty, laws: [...orderLaws, ...soldStockLaws] } as const satisfies Room
