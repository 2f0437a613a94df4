/**
 * The part of a completion that goes through a payment provider, in steps that each leave the books in agreement:
 * `begin` (inside T1) holds the stock and keeps the order as priced; `charge` calls the provider with no transaction
 * open; `conclude` (T2) sells the held stock and writes order, payment and events; `giveUp` lets everything go. Whoever
 * learns the outcome runs the same steps: the request, a notice of the provider, or the recovery worker after a crash.
 * Money that was taken always ends in an order or a refund; from `charge` on, a failure of ours is never told as
 * "nothing was done".
 */
import { Cause, Clock, Context, Effect, Fiber, Layer, Result } from "effect"
import { CartHolds } from "../cart/CartHolds.ts"
import { Database } from "../database/Database.ts"
import { FaultPoint } from "../database/FaultPoint.ts"
import { Outbox } from "../database/Outbox.ts"
import { cappedBy } from "../inventory/CappedDemands.ts"
import type { StockInsufficient } from "../inventory/InventoryErrors.ts"
import { type StockDemand, StockLedger } from "../inventory/StockLedger.ts"
import { stockKeyOf } from "../kernel/Availability.ts"
import { makeId } from "../kernel/Ids.ts"
import { formatMoney } from "../kernel/Money.ts"
import type { NewOrder } from "../order/Order.ts"
import { decodeDraft, encodeDraft, isDraftStorable, maxDraftBytes } from "../order/OrderDraft.ts"
import { OrderPlacement, withPayment } from "../order/OrderPlacement.ts"
import type { PaymentDeclined, PaymentFailed, PaymentUnanswered } from "../payment/PaymentErrors.ts"
import { paymentFailed, paymentRefunded } from "../payment/PaymentEvents.ts"
import type { Charge, PaymentProvider } from "../payment/PaymentProvider.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import { Stores } from "../store/Stores.ts"
import type { CheckoutState } from "./Checkout.ts"
import { CardDeclined, PaymentOutcomeUnknown, PaymentProcessingFailed, ReservationExpired } from "./CheckoutErrors.ts"
import { CheckoutRepository } from "./CheckoutRepository.ts"
import { type Completed, completedOf, placedBefore } from "./CompletionChecks.ts"
import { chargeKeyOf, nextCheckAfter, type PaymentAttempt, PaymentPolicy, toldReason } from "./PaymentAttempt.ts"
import { type AttemptEnd, type LockedAttempt, PaymentAttemptRepository } from "./PaymentAttemptRepository.ts"
import { answeredInTime } from "./ProviderCall.ts"

export interface ChargeAsked {
  readonly provider: PaymentProvider
  readonly checkout: CheckoutState
  readonly draft: NewOrder
  readonly reference: string
}

/** A charge that T1 has prepared. */
export interface BegunCharge {
  readonly provider: PaymentProvider
  readonly attempt: PaymentAttempt
  readonly draft: NewOrder
  readonly reference: string
}

export type ChargeError = CardDeclined | PaymentProcessingFailed | PaymentOutcomeUnknown | ReservationExpired

/** Why an attempt ended without money. `absent`: the provider never got it, so its key may be used again. */
export interface GivingUp {
  readonly status: "declined" | "failed" | "absent"
  readonly reason: string
}

export interface ChargedCompletionMethods {
  /** Inside T1, under the locks of cart and checkout. An order that could not be kept is refused. */
  readonly begin: (
    store: StoreContext,
    asked: ChargeAsked,
    now: number
  ) => Effect.Effect<BegunCharge, StockInsufficient | FieldRejected>
  /** Whatever stops it, once it is begun: PaymentOutcomeUnknown, and the outcome is found out later. */
  readonly charge: (store: StoreContext, begun: BegunCharge) => Effect.Effect<Completed, ChargeError>
  /** What the provider has taken, or will: makes the order unless there is one. `drafted` is for who has it at hand. */
  readonly conclude: (
    store: StoreContext,
    attemptId: string,
    charge: Charge,
    drafted?: NewOrder
  ) => Effect.Effect<Completed, ReservationExpired>
  /** No order can be made of this charge: the money goes back, the stock is free again, and the checkout PENDING. */
  readonly refuse: (store: StoreContext, attemptId: string, charge: Charge, reason: string) => Effect.Effect<void>
  /** Nothing was charged: the stock is free again, and the checkout PENDING. */
  readonly giveUp: (store: StoreContext, attemptId: string, why: GivingUp) => Effect.Effect<void>
  /**
   * Money that no order wanted has been given back, by us or in the provider's dashboard; `refunded` is the sum so far.
   * Told once all of it is back.
   */
  readonly givenBack: (store: StoreContext, attemptId: string, refunded: bigint) => Effect.Effect<void>
}

export class ChargedCompletion extends Context.Service<ChargedCompletion, ChargedCompletionMethods>()(
  "@effect-commerce/core/checkout/ChargedCompletion"
) {
  static readonly layer = Layer.effect(
    ChargedCompletion,
    Effect.gen(function* () {
      const database = yield* Database
      const repository = yield* CheckoutRepository
      const cartHolds = yield* CartHolds
      const attempts = yield* PaymentAttemptRepository
      const stores = yield* Stores
      const placement = yield* OrderPlacement
      const ledger = yield* StockLedger
      const outbox = yield* Outbox
      const policy = yield* PaymentPolicy
      const scope = yield* Effect.scope

      const begin = Effect.fnUntraced(function* (store: StoreContext, asked: ChargeAsked, now: number) {
        const { checkout, draft, provider } = asked
        const at = new Date(now)
        const heldUntil = new Date(now + store.reservationMinutes * 60_000)
        const encoded = encodeDraft(draft)
        if (!isDraftStorable(draft, encoded))
          return yield* new FieldRejected({ field: "lineItems", reason: `come to more than ${maxDraftBytes} bytes` })
        yield* ledger.holdFrom(checkout.cartId, store.id, checkout.id, demandsOf(draft), heldUntil, at)
        const attemptOf = (number: number): PaymentAttempt => ({
          id: makeId("patt", now),
          checkoutId: checkout.id,
          attempt: number,
          chargeKey: chargeKeyOf(checkout.id, number),
          provider: provider.code,
          status: "calling",
          externalId: null,
          amount: draft.totalAmount,
          captured: 0n,
          refunded: 0n,
          refunding: 0n,
          currency: draft.currency,
          checks: 0,
          createdAt: at
        })
        const checkAt = new Date(now + policy.outcomeLease)
        const attempt = attemptOf(checkout.attempt)
        const first = yield* attempts.begin(store.id, attempt, encoded, checkAt, at)
        const next = attemptOf(checkout.attempt + 1)
        if (!first) yield* attempts.begin(store.id, next, encoded, checkAt, at)
        return { provider, attempt: first ? attempt : next, draft, reference: asked.reference }
      })

      const ask = (store: StoreContext, { provider, attempt, draft, reference }: BegunCharge) =>
        provider
          .authorize({
            storeId: store.id,
            checkoutId: attempt.checkoutId,
            key: attempt.chargeKey,
            amount: attempt.amount,
            currency: attempt.currency,
            reference,
            email: draft.email
          })
          .pipe(answeredInTime(provider, policy))

      const settle = Effect.fnUntraced(function* (store: StoreContext, begun: BegunCharge) {
        yield* FaultPoint.hit("payment.begun")
        const answer: Result.Result<Charge, PaymentDeclined | PaymentFailed | PaymentUnanswered> = yield* Effect.result(
          ask(store, begun)
        )
        yield* FaultPoint.hit("payment.answered")
        const { id, checkoutId } = begun.attempt
        if (Result.isSuccess(answer)) return yield* conclude(store, id, answer.success, begun.draft)
        const { _tag } = answer.failure
        const reason = toldReason(answer.failure.reason)
        if (_tag === "PaymentUnanswered") {
          yield* askLater(store.id, begun.attempt, reason)
          return yield* new PaymentOutcomeUnknown({ checkoutId })
        }
        yield* giveUp(store, id, { status: _tag === "PaymentDeclined" ? "declined" : "failed", reason })
        return yield* _tag === "PaymentDeclined"
          ? new CardDeclined({ reason })
          : new PaymentProcessingFailed({ reason })
      })

      /**
       * The database may be gone by now, or this process about to end: the money may have moved all the same, and
       * whoever asks is told that.
       */
      const settled = Effect.fnUntraced(function* (store: StoreContext, begun: BegunCharge) {
        // A shopper who leaves does not stop what was begun: only the waiting ends.
        const exit = yield* Effect.flatMap(Effect.forkIn(settle(store, begun), scope), Fiber.await)
        if (exit._tag === "Success" || Cause.hasFails(exit.cause)) return yield* exit
        const { id, checkoutId } = begun.attempt
        yield* Effect.logError(
          `What became of the payment ${id} of ${store.id} could not be written down: it will be found out`,
          exit.cause
        )
        return yield* new PaymentOutcomeUnknown({ checkoutId })
      })

      const askLater = Effect.fnUntraced(function* (storeId: string, attempt: PaymentAttempt, error: string) {
        const now = yield* Clock.currentTimeMillis
        const checkAt = new Date(now + nextCheckAfter(policy, attempt.checks))
        const end = { ...noMoney, id: attempt.id, status: "calling" as const, error, checkAt }
        yield* database.write(storeId)(
          Effect.gen(function* () {
            const locked = yield* attempts.lock(storeId, attempt.id)
            if (locked?.status === "calling") yield* attempts.end(storeId, end, new Date(now))
          })
        )
      })

      /** What is there of the held and the free stock; what is not is told. */
      const sellWhatIsThere = Effect.fnUntraced(function* (
        storeId: string,
        { checkoutId, cartId }: LockedAttempt,
        order: NewOrder,
        now: Date
      ) {
        const demands = demandsOf(order)
        const sell = (holderId: string, wanted: ReadonlyArray<StockDemand>) =>
          ledger.sellHeld(storeId, holderId, wanted, order.id, now)
        if (Result.isSuccess(yield* Effect.result(sell(checkoutId, demands)))) return null
        // What it held was given up, or has run out: what its cart holds of it since is for it too.
        yield* ledger.release(storeId, checkoutId)
        const sold = yield* Effect.result(sell(cartId, demands))
        if (Result.isSuccess(sold)) return null
        const { items } = sold.failure
        const possible = cappedBy({ items }, demands)
        // The rows are locked by now, so what was counted is there.
        if (possible.length > 0) yield* Effect.orDie(sell(cartId, possible))
        return (
          `Paid after its stock was gone: ` +
          `${items.map((item) => `${stockKeyOf(item)} ${item.available} of ${item.requested}`).join(", ")}`
        )
      })

      /**
       * Ends an attempt that makes no order, with the checkout PENDING; what it held goes to its cart, where carts hold
       * units and this one is still to be bought.
       */
      const letGo = Effect.fnUntraced(function* (
        store: StoreContext,
        attempt: LockedAttempt,
        end: AttemptEnd,
        raise: boolean,
        now: number
      ) {
        yield* attempts.giveUp(store.id, end, attempt.checkoutId, raise, new Date(now))
        const isBack = store.reservationStrategy === "ON_CART" && attempt.checkoutStatus === "PROCESSING"
        yield* isBack
          ? cartHolds.takeBack(store, attempt.cartId, attempt.checkoutId, now)
          : ledger.release(store.id, attempt.checkoutId)
      })

      /**
       * Money that no order wants: the worker gives back what was taken, and lets go of what was only reserved. It may
       * come in parts.
       */
      const unwanted = Effect.fnUntraced(function* (
        store: StoreContext,
        attempt: LockedAttempt,
        charge: Charge,
        error: string,
        now: number
      ) {
        const { id, status, captured: before, refunded, refunding } = attempt
        const { externalId, captured } = charge
        const back = status === "refunded" ? { refunded: before, refunding: before } : { refunded, refunding }
        const end = { id, status: "refund_due" as const, externalId, captured, ...back, error, checkAt: new Date(now) }
        if (status !== "calling") return yield* attempts.end(store.id, end, new Date(now))
        yield* letGo(store, attempt, end, true, now)
        if (attempt.checkoutStatus === "PROCESSING")
          yield* outbox.append(store.id, paymentFailed, { checkoutId: attempt.checkoutId, error })
      })

      const readDraft = Effect.fnUntraced(function* (storeId: string, id: string) {
        const stored = yield* attempts.draftOf(storeId, id)
        return stored === undefined || stored.extras === null ? undefined : decodeDraft(stored.draft, stored.extras)
      })

      /** Undefined where the attempt has been begun anew, under another id. */
      const locked = Effect.fnUntraced(function* (known: StoreContext, attemptId: string) {
        const attempt = yield* attempts.lock(known.id, attemptId)
        return attempt === undefined ? undefined : { attempt, store: yield* stores.at(known, attempt.rulesVersion) }
      })

      const orderOf = Effect.fnUntraced(function* (
        store: StoreContext,
        attempt: LockedAttempt,
        charge: Charge,
        draft: NewOrder,
        now: number
      ) {
        const at = new Date(now)
        const { checkoutId, cartId } = attempt
        const payment = {
          provider: attempt.provider,
          externalId: charge.externalId,
          state: charge.state,
          captured: least(charge.captured, attempt.amount)
        }
        const order = withPayment(draft, payment, now)
        // First, so that the units which the other cart held for these lines are there to be sold.
        if (attempt.mergedInto !== null) yield* cartHolds.removeBought(store, attempt.mergedInto, checkoutId, now)
        const short = yield* sellWhatIsThere(store.id, attempt, order, at)
        const syncWarning = [short, beyond(charge, attempt)].filter((warning) => warning !== null).join("; ") || null
        yield* FaultPoint.hit("payment.sold")
        const isHolding = yield* repository.complete(store.id, { id: checkoutId, cartId }, at, {
          id: attempt.id,
          ...payment
        })
        if (isHolding) yield* cartHolds.trim(store, cartId, now)
        return yield* Effect.orDie(placement.placeDraft(store.id, { ...order, syncWarning }))
      })

      const conclude: ChargedCompletionMethods["conclude"] = Effect.fn("ChargedCompletion.conclude")(
        function* (known, attemptId, charge, drafted) {
          const now = yield* Clock.currentTimeMillis
          const concluded = yield* database.write(known.id)(
            Effect.gen(function* () {
              const found = yield* locked(known, attemptId)
              if (found === undefined) return yield* Effect.die(new Error(`There is no payment attempt ${attemptId}`))
              const { attempt, store } = found
              const { checkoutId } = attempt
              yield* FaultPoint.hit("payment.locked")
              if (attempt.status === "ordered") return yield* placedBefore(placement, store.id, checkoutId)
              if (!isWanted(store, attempt, { isAwaited: drafted !== undefined, now })) {
                if (isNewlyUnwanted(attempt, charge))
                  yield* unwanted(store, attempt, charge, "the checkout has its order, or its time has passed", now)
                return attempt.checkoutStatus === "COMPLETED"
                  ? yield* placedBefore(placement, store.id, checkoutId)
                  : undefined
              }
              const draft = drafted ?? (yield* readDraft(store.id, attemptId))
              if (draft === undefined) {
                yield* Effect.logError(
                  `The order of the payment ${attemptId} of ${store.id} cannot be read: its money goes back`
                )
                return yield* Effect.as(
                  unwanted(store, attempt, charge, "the order as it was priced cannot be read", now),
                  undefined
                )
              }
              const view = yield* orderOf(store, attempt, charge, draft, now)
              yield* FaultPoint.hit("payment.placed")
              return completedOf(view)
            })
          )
          yield* FaultPoint.hit("payment.concluded")
          if (concluded === undefined) return yield* new ReservationExpired({ id: attemptId })
          return concluded
        }
      )

      const refuse: ChargedCompletionMethods["refuse"] = Effect.fn("ChargedCompletion.refuse")(
        function* (known, attemptId, charge, reason) {
          const now = yield* Clock.currentTimeMillis
          yield* database.write(known.id)(
            Effect.gen(function* () {
              const found = yield* locked(known, attemptId)
              if (found === undefined || found.attempt.status === "ordered" || !isNewlyUnwanted(found.attempt, charge))
                return
              yield* unwanted(found.store, found.attempt, charge, reason, now)
            })
          )
        }
      )

      const giveUp = Effect.fn("ChargedCompletion.giveUp")(function* (
        known: StoreContext,
        attemptId: string,
        { status, reason }: GivingUp
      ) {
        const now = yield* Clock.currentTimeMillis
        yield* database.write(known.id)(
          Effect.gen(function* () {
            const found = yield* locked(known, attemptId)
            if (found?.attempt.status !== "calling") return
            const { attempt, store } = found
            yield* letGo(
              store,
              attempt,
              { ...noMoney, id: attemptId, status, error: reason, checkAt: null },
              status !== "absent",
              now
            )
            if (status !== "absent")
              yield* outbox.append(store.id, paymentFailed, { checkoutId: attempt.checkoutId, error: reason })
          })
        )
        yield* FaultPoint.hit("payment.given-up")
      })

      const givenBack = Effect.fn("ChargedCompletion.givenBack")(function* (
        store: StoreContext,
        attemptId: string,
        refunded: bigint
      ) {
        const at = new Date(yield* Clock.currentTimeMillis)
        yield* database.write(store.id)(
          Effect.gen(function* () {
            const attempt = yield* attempts.lock(store.id, attemptId)
            if (attempt?.status !== "refund_due" || refunded <= attempt.refunded) return
            const { id, externalId, captured, refunding } = attempt
            const isAll = refunded >= captured
            const back = {
              refunded: least(refunded, captured),
              refunding,
              status: isAll ? ("refunded" as const) : attempt.status
            }
            yield* attempts.end(
              store.id,
              { id, externalId, captured, ...back, error: null, checkAt: isAll ? null : at },
              at
            )
            if (!isAll) return
            yield* outbox.append(store.id, paymentRefunded, { paymentId: id, payment: refundedPaymentOf(attempt) })
          })
        )
      })

      return ChargedCompletion.of({
        begin,
        charge: settled,
        conclude,
        refuse,
        giveUp,
        givenBack
      })
    })
  ).pipe(Layer.provide([CheckoutRepository.layer, CartHolds.layer, PaymentAttemptRepository.layer]))
}

interface Confirmed {
  /** By the request that asked for the money and has waited for the answer: it comes in time. */
  readonly isAwaited: boolean
  readonly now: number
}

/**
 * An order is made of a charge unless it has one, the checkout was ordered otherwise, or its time has passed in a store
 * that then gives money back.
 */
const isWanted = (store: StoreContext, attempt: LockedAttempt, { isAwaited, now }: Confirmed): boolean => {
  if (attempt.checkoutStatus === "COMPLETED" || attempt.status === "refund_due" || attempt.status === "refunded")
    return false
  if (isAwaited || store.lateCapture !== "refund") return true
  return (
    attempt.checkoutStatus !== "CANCELLED" &&
    attempt.checkoutStatus !== "EXPIRED" &&
    attempt.checkoutExpiresAt.getTime() > now
  )
}

/** What was only reserved may be taken before it is let go, and a part of it may be followed by more. */
const isNewlyUnwanted = (attempt: LockedAttempt, charge: Charge): boolean =>
  attempt.status === "refund_due" || attempt.status === "refunded" ? charge.captured > attempt.captured : true

/** payment.refunded of money that no order wanted: the attempt stands for the payment. */
const refundedPaymentOf = ({ id, checkoutId, provider, captured, currency }: PaymentAttempt) => {
  const amount = formatMoney(captured, currency)
  return { id, checkoutId, provider, status: "refunded", amount, captured: amount, refunded: amount, currency }
}

const noMoney = { externalId: null, captured: 0n, refunded: 0n, refunding: 0n }

const beyond = ({ captured }: Charge, { amount, currency, provider }: PaymentAttempt): string | null =>
  captured > amount
    ? `${provider} captured ${formatMoney(captured, currency)} where ${formatMoney(amount, currency)} was asked for`
    : null

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)

const demandsOf = (order: NewOrder): ReadonlyArray<StockDemand> =>
  order.items.flatMap(({ productId, variantId, quantity }) =>
    productId === null ? [] : [{ productId, variantId, quantity }]
  )
