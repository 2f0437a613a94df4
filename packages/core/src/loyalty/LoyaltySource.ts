/**
 * Points as a tender of a quote: as many whole points as were entered and as the total needs. Points that the customer
 * does not have any more pay nothing, and the quote says so.
 */
import { Clock, Effect } from "effect"
import type { NotApplied } from "../pricing/Adjustment.ts"
import { type AdjustmentSource, type LoadedSource, nothingLoaded } from "../pricing/AdjustmentSource.ts"
import type { EnteredTender, QuoteLine, QuoteRequest } from "../pricing/Quote.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { LoyaltyAccountRepository } from "./LoyaltyAccountRepository.ts"
import { loyaltyKind } from "./LoyaltyKind.ts"
import { pointsFor, usableOf } from "./LoyaltyPoints.ts"
import { LoyaltyPrograms } from "./LoyaltyPrograms.ts"

const name = "Loyalty points"

const missed = ({ sourceId }: EnteredTender, reason: "not_active" | "exhausted"): LoadedSource => {
  const notApplied: NotApplied = { kind: loyaltyKind, sourceId, name, code: null, reason, lostTo: [] }
  return { notApplied: [notApplied] }
}

export const loyaltySource = Effect.gen(function* () {
  const repository = yield* LoyaltyAccountRepository
  const programs = yield* LoyaltyPrograms

  const loadEntered = Effect.fnUntraced(function* (
    store: StoreContext,
    { buyer, currency, holderId = null }: QuoteRequest<QuoteLine>,
    entered: EnteredTender
  ) {
    const program = yield* programs.at(store)
    const isTheirs = buyer.customerId === entered.sourceId && currency === program?.currency
    if (program === undefined || !program.isEnabled || !isTheirs) return missed(entered, "not_active")
    const now = new Date(yield* Clock.currentTimeMillis)
    const account = yield* repository.find(store.id, entered.sourceId, holderId, now)
    const points = BigInt(entered.amount ?? "0")
    if (account === undefined || usableOf(account) < points) return missed(entered, "exhausted")
    const { redeemRate } = program
    const loaded: LoadedSource = {
      tenders: [
        {
          kind: loyaltyKind,
          sourceId: entered.sourceId,
          tenderId: entered.id,
          reason: name,
          pay: (due) => pointsFor(due, redeemRate, points) * redeemRate
        }
      ]
    }
    return loaded
  })

  const source: AdjustmentSource = {
    load: (store, request) => {
      const entered = request.tenders?.find(({ kind }) => kind === loyaltyKind)
      return entered === undefined ? nothingLoaded : loadEntered(store, request, entered)
    }
  }
  return source
}).pipe(Effect.provide(LoyaltyAccountRepository.layer))
