/**
 * The customer room's port: what a customer who is deleted had begun to buy. Their open carts are emptied and end,
 * PENDING checkouts are cancelled, and what both held of the stock is free again; names, addresses and notes are
 * cleared from all of their carts and checkouts, whatever became of them. A checkout whose payment is under way goes
 * on, from the copy that the payment keeps until it is settled: money that arrives makes the order, as for everybody.
 */
import { Clock, Effect } from "effect"
import type { CustomerTrace } from "../customer/CustomerTraces.ts"
import { StockLedger } from "../inventory/StockLedger.ts"
import { ErasureRepository } from "./ErasureRepository.ts"

export const forgottenShopping = Effect.gen(function* () {
  const repository = yield* ErasureRepository
  const ledger = yield* StockLedger

  const trace: CustomerTrace = Effect.fnUntraced(function* (storeId, { id }) {
    const now = new Date(yield* Clock.currentTimeMillis)
    const carts = yield* repository.lockCarts(storeId, id)
    const checkouts = yield* repository.lockCheckouts(storeId, id, carts)
    if (carts.length > 0) yield* repository.clearCarts(storeId, carts, now)
    if (checkouts.length > 0) yield* repository.clearCheckouts(storeId, checkouts, now)
    for (const holder of yield* repository.holding(storeId, carts, checkouts)) yield* ledger.release(storeId, holder)
  })
  return trace
}).pipe(Effect.provide(StockLedger.layer))
