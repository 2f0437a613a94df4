/** The points of customers: read by themselves and by the merchant, adjusted, checked for a checkout, and expired. */
import { Clock, Context, Effect, Layer } from "effect"
import { CustomerNotFound } from "../customer/CustomerErrors.ts"
import { Database } from "../database/Database.ts"
import { storesInTurn } from "../database/StoreTurns.ts"
import { blankProblem, longProblem, problemsOf, wholeProblem } from "../kernel/FieldErrors.ts"
import { FieldRejected, rejectFields } from "../kernel/FieldRejected.ts"
import { mapItems, type Page } from "../kernel/Pagination.ts"
import type { EnteredTender } from "../pricing/Quote.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { type AccountState, type AdjustPoints, toAccountView, toTransactionView } from "./LoyaltyAccount.ts"
import { LoyaltyAccountRepository } from "./LoyaltyAccountRepository.ts"
import { PointsRefused } from "./LoyaltyErrors.ts"
import { loyaltyKind } from "./LoyaltyKind.ts"
import { LoyaltyLedger } from "./LoyaltyLedger.ts"
import { maxPoints, usableOf } from "./LoyaltyPoints.ts"
import { expiryAt } from "./LoyaltyProgram.ts"
import { LoyaltyPrograms } from "./LoyaltyPrograms.ts"

/** Accounts that one pass of the worker reads at a time. */
const accountsAtOnce = 100

/** Points that a shopper wants to pay with. */
export interface WantedPoints {
  readonly customerId: string | null
  /** The checkout. */
  readonly holderId: string
  readonly points: number
}

export class Loyalty extends Context.Service<Loyalty>()("@effect-commerce/core/loyalty/Loyalty", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* LoyaltyAccountRepository
    const ledger = yield* LoyaltyLedger
    const programs = yield* LoyaltyPrograms

    const tiersOf = (store: StoreContext) => Effect.map(programs.find(store.id), (program) => program?.tiers ?? [])

    /** The account; the first time, it is made, with its referral code. */
    const account = Effect.fnUntraced(function* (store: StoreContext, customerId: string) {
      const now = new Date(yield* Clock.currentTimeMillis)
      const [isKnown, found] = yield* Effect.all(
        [repository.hasCustomer(store.id, customerId), repository.find(store.id, customerId, null, now)],
        { concurrency: 2 }
      )
      if (!isKnown) return yield* new CustomerNotFound({ id: customerId })
      if (found !== undefined) return found
      const made = yield* database.write(store.id)(ledger.open(store.id, customerId, now))
      return made ?? (yield* new CustomerNotFound({ id: customerId }))
    })

    const view = Effect.fnUntraced(function* (store: StoreContext, customerId: string) {
      return toAccountView(yield* account(store, customerId), yield* tiersOf(store))
    })

    const checkAdjustment = ({ points, reason }: AdjustPoints) =>
      rejectFields(
        problemsOf({
          points: points === 0 ? "must not be 0" : wholeProblem(points, -Number(maxPoints), Number(maxPoints)),
          reason: blankProblem(reason) ?? longProblem(reason, longestReason)
        })
      )

    const adjust = Effect.fn("Loyalty.adjust")(function* (store: StoreContext, customerId: string, body: AdjustPoints) {
      yield* checkAdjustment(body)
      const now = new Date(yield* Clock.currentTimeMillis)
      return yield* database.write(store.id)(
        Effect.gen(function* () {
          const found = yield* ledger.open(store.id, customerId, now)
          if (found === undefined) return yield* new CustomerNotFound({ id: customerId })
          const program = yield* programs.find(store.id)
          const points = BigInt(body.points)
          yield* checkBounds(found, points)
          const booking = { type: "ADJUST", cause: "adjustment", reason: body.reason.trim() } as const
          const expiresAt = program === undefined ? null : expiryAt(program, now)
          if (points > 0n) yield* ledger.credit(store.id, found, { ...booking, points }, { expiresAt, now })
          else yield* ledger.debit(store.id, { ...booking, customerId, points: -points }, now)
          return toAccountView({ ...found, balance: found.balance + points }, program?.tiers ?? [])
        })
      )
    })

    /** Whether a shopper may pay with this many points now, inside the transaction that is open. */
    const checkWanted = Effect.fnUntraced(function* (
      store: StoreContext,
      { customerId, holderId, points }: WantedPoints
    ) {
      const reason = wholeProblem(points, 1, Number(maxPoints))
      if (reason !== undefined) return yield* FieldRejected.at("points", reason)
      const program = yield* programs.at(store)
      if (program === undefined || !program.isEnabled)
        return yield* new PointsRefused({ reason: "disabled", points, bound: null })
      if (customerId === null) return yield* new PointsRefused({ reason: "needs_customer", points, bound: null })
      const minRedeem = Number(program.minRedeem)
      if (points < minRedeem) return yield* new PointsRefused({ reason: "minimum", points, bound: minRedeem })
      const now = new Date(yield* Clock.currentTimeMillis)
      const found = yield* repository.find(store.id, customerId, holderId, now)
      const usable = found === undefined ? 0 : Number(usableOf(found))
      if (points > usable) return yield* new PointsRefused({ reason: "balance", points, bound: usable })
      return customerId
    })

    /** Books what has expired in one account. */
    const expireAccount = (storeId: string, customerId: string, now: Date) =>
      database.write(storeId)(ledger.lock(storeId, customerId, { now }))

    /** Some accounts of a store, after the one that its last turn ended with. Returns whether there may be more. */
    const expireSome = Effect.fnUntraced(function* (storeId: string, after: Map<string, string>, now: Date) {
      const customers = yield* repository.customersWithDue(storeId, after.get(storeId) ?? "", accountsAtOnce, now)
      yield* Effect.forEach(customers, (customerId) => expireAccount(storeId, customerId, now), { discard: true })
      after.set(storeId, customers.at(-1) ?? "")
      return customers.length === accountsAtOnce
    })

    return {
      get: view,
      /** With the programme, for the customer. */
      mine: Effect.fnUntraced(function* (store: StoreContext, customerId: string) {
        return { ...(yield* view(store, customerId)), program: yield* programs.shown(store) }
      }),
      transactions: Effect.fnUntraced(function* (store: StoreContext, customerId: string, page: Page) {
        if (!(yield* repository.hasCustomer(store.id, customerId)))
          return yield* new CustomerNotFound({ id: customerId })
        return yield* mapItems(repository.transactions(store.id, customerId, page), toTransactionView)
      }),
      adjust,
      /** The tenders of a checkout after points were entered in place of those before. */
      entered: Effect.fnUntraced(function* (
        store: StoreContext,
        wanted: WantedPoints,
        tender: { readonly id: string; readonly before: ReadonlyArray<EnteredTender> }
      ) {
        const customerId = yield* checkWanted(store, wanted)
        const points: EnteredTender = {
          id: tender.id,
          kind: loyaltyKind,
          sourceId: customerId,
          amount: String(wanted.points)
        }
        return [...withoutPoints(tender.before), points]
      }),
      /** One pass of the worker: books the points that have expired. */
      expireDue: Effect.gen(function* () {
        const now = new Date(yield* Clock.currentTimeMillis)
        const after = new Map<string, string>()
        yield* storesInTurn("Expiring loyalty points", repository.storesWithDue(now), (storeId) =>
          expireSome(storeId, after, now)
        )
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Loyalty, Loyalty.make).pipe(Layer.provide(LoyaltyAccountRepository.layer))
}

const longestReason = 500

/** The tenders of a checkout other than points. */
export const withoutPoints = (tenders: ReadonlyArray<EnteredTender>): ReadonlyArray<EnteredTender> =>
  tenders.filter(({ kind }) => kind !== loyaltyKind)

/** The balance stays between zero, with what checkouts hold, and the most that an account holds. */
const checkBounds = (account: AccountState, points: bigint): Effect.Effect<void, PointsRefused> => {
  const usable = usableOf(account)
  if (-points > usable)
    return Effect.fail(new PointsRefused({ reason: "balance", points: Number(points), bound: Number(usable) }))
  return account.balance + points > maxPoints
    ? Effect.fail(new PointsRefused({ reason: "maximum", points: Number(points), bound: Number(maxPoints) }))
    : Effect.void
}
