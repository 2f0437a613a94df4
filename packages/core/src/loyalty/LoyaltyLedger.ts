/**
 * The only writer of points. Every method runs inside the caller's write transaction and locks the account first, so
 * that balances never go below zero and their changes always add up to them.
 */
import { Context, Effect, Layer } from "effect"
import { lockThenRead } from "../database/Repository.ts"
import { makeId } from "../kernel/Ids.ts"
import type { AccountState, TransactionCause, TransactionType } from "./LoyaltyAccount.ts"
import { LoyaltyAccountRepository } from "./LoyaltyAccountRepository.ts"
import { expiredOf, fitting, usableOf } from "./LoyaltyPoints.ts"
import { newReferralCode } from "./ReferralCode.ts"

/** A change of points that is to be booked. */
export interface Booking {
  readonly customerId: string
  readonly type: TransactionType
  readonly cause: TransactionCause
  /** More than 0. */
  readonly points: bigint
  readonly orderId?: string
  readonly reason?: string
}

export class LoyaltyLedger extends Context.Service<LoyaltyLedger>()("@effect-commerce/core/loyalty/LoyaltyLedger", {
  make: Effect.gen(function* () {
    const repository = yield* LoyaltyAccountRepository

    const posting = ({ orderId, reason, ...booking }: Booking, now: Date) => ({
      ...booking,
      orderId: orderId ?? null,
      reason: reason ?? null,
      id: makeId("ltx", now.getTime()),
      now
    })

    /** Takes what has expired and is not held out of the balance. */
    const expired = Effect.fnUntraced(function* (storeId: string, account: AccountState, now: Date) {
      const points = expiredOf(account)
      if (points === 0n) return account
      const { customerId } = account
      const row = posting({ customerId, type: "EXPIRE", cause: "expiry", points }, now)
      yield* repository.debit(storeId, row, null)
      return { ...account, balance: account.balance - points, due: account.due - points }
    })

    /** Locks an account that is there, and reads it without what has expired. Undefined where there is none. */
    const lock = Effect.fnUntraced(function* (
      storeId: string,
      customerId: string,
      { holderId = null, now }: { readonly holderId?: string | null; readonly now: Date }
    ) {
      const [, account] = yield* lockThenRead(
        repository.lock(storeId, customerId),
        repository.find(storeId, customerId, holderId, now)
      )
      return account === undefined ? undefined : yield* expired(storeId, account, now)
    })

    /** As `lock`, and makes the account where there is none. Undefined where there is no such customer. */
    const open = Effect.fnUntraced(function* (storeId: string, customerId: string, now: Date) {
      const codes = [newReferralCode(), newReferralCode(), newReferralCode()]
      const [isKnown, account] = yield* lockThenRead(
        repository.open(storeId, customerId, codes, now),
        repository.find(storeId, customerId, null, now)
      )
      return isKnown && account !== undefined ? yield* expired(storeId, account, now) : undefined
    })

    /** Adds points to a locked account, as many as it has room for; returns how many. */
    const credit = Effect.fnUntraced(function* (
      storeId: string,
      account: AccountState,
      booking: Omit<Booking, "customerId">,
      { expiresAt, now }: { readonly expiresAt: Date | null; readonly now: Date }
    ) {
      const isEarned = booking.type === "EARN"
      const points = fitting(booking.points, isEarned ? account : { ...account, lifetime: 0n })
      if (points === 0n) return 0n
      const row = posting({ ...booking, customerId: account.customerId, points }, now)
      yield* repository.credit(storeId, row, expiresAt, isEarned ? points : 0n)
      return points
    })

    /** Takes points of a locked account that has them. `from`: first what this order has earned. */
    const debit = (storeId: string, booking: Booking, now: Date, from?: string) =>
      repository.debit(storeId, posting(booking, now), from ?? null)

    return {
      lock,
      open,
      credit,
      debit,
      /**
       * Takes back earned points, as far as the customer still has them and no checkout holds them; the tier goes by
       * all of them.
       */
      takeBack: Effect.fnUntraced(function* (
        storeId: string,
        account: AccountState,
        orderId: string,
        { points, now }: Taken
      ) {
        const { customerId } = account
        const usable = usableOf({ ...account, own: 0n })
        const taken = points < usable ? points : usable
        const booking = { customerId, type: "REVERSE", cause: "refund", points: taken, orderId } as const
        if (taken > 0n) yield* debit(storeId, booking, now, orderId)
        yield* repository.lowerLifetime(storeId, customerId, points)
        return { ...account, balance: account.balance - taken, lifetime: account.lifetime - points }
      })
    }
  })
}) {
  static readonly layer = Layer.effect(LoyaltyLedger, LoyaltyLedger.make).pipe(
    Layer.provide(LoyaltyAccountRepository.layer)
  )
}

interface Taken {
  readonly points: bigint
  readonly now: Date
}
