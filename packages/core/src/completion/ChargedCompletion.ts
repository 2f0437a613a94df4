/**
 * The part of a completion that goes through a payment provider. `begin` holds stock and tenders and stores the order
 * as it was priced, inside the transaction of the completion. `charge` then has the payment room call the provider and
 * settle the outcome (`PaymentOutcomes` applies it to the checkout), and returns the result to the shopper. Money that
 * was taken always ends in an order or a refund; from `charge` on, a failure of the server is never reported as
 * "nothing was done".
 */
import { Context, Effect, Layer } from "effect"
import { demandsOf, linesOf, ofLines } from "../inventory/SoldLines.ts"
import { StockLedger } from "../inventory/StockLedger.ts"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import type { NewOrder } from "../order/Order.ts"
import { encodeDraft, isDraftStorable, maxDraftBytes } from "../order/OrderDraft.ts"
import { OrderPlacement } from "../order/OrderPlacement.ts"
import { ChargeLooks } from "../charge/ChargeLooks.ts"
import type { PaymentMethod } from "../payment/PaymentMethod.ts"
import type { NextAction } from "../payment/PaymentProvider.ts"
import type { Settled } from "../charge/OperationOutcomes.ts"
import { type BegunOperation, ProviderOperations } from "../charge/ProviderOperations.ts"
import { Quotas } from "../quota/Quotas.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import type { CheckoutState } from "../checkout/Checkout.ts"
import {
  CardDeclined,
  PaymentOutcomeUnknown,
  PaymentProcessingFailed,
  ReservationExpired
} from "../checkout/CheckoutErrors.ts"
import { CheckoutPaymentRepository } from "../checkout/CheckoutPaymentRepository.ts"
import { placedBefore } from "./Completed.ts"
import { type AwaitedOrder, PaymentOutcomes } from "./PaymentOutcomes.ts"
import type { ProviderOperation } from "../charge/ProviderOperation.ts"
import { NoticeAddress } from "../payment/NoticeAddress.ts"
import { askedOf } from "./AskedAmount.ts"
import { Claims } from "../claim/Claims.ts"

export interface ChargeAsked {
  readonly method: PaymentMethod
  readonly checkout: CheckoutState
  readonly awaited: AwaitedOrder
  /** Null: the shopper is to act at the provider. */
  readonly reference: string | null
  readonly returnUrl: string | null
}

/** A charge that the completion's transaction has prepared. */
export interface BegunCharge {
  readonly begun: BegunOperation
  readonly awaited: AwaitedOrder
}

export class ChargedCompletion extends Context.Service<ChargedCompletion>()(
  "@effect-commerce/core/completion/ChargedCompletion",
  {
    make: Effect.gen(function* () {
      const repository = yield* CheckoutPaymentRepository
      const placement = yield* OrderPlacement
      const ledger = yield* StockLedger
      const claims = yield* Claims
      const providerOperations = yield* ProviderOperations
      const operations = yield* providerOperations.of(yield* PaymentOutcomes)
      const looks = yield* ChargeLooks
      const { takeOrder } = yield* Quotas
      const noticeUrlOf = yield* NoticeAddress

      const beginAttempt = Effect.fnUntraced(function* (
        store: StoreContext,
        { method, checkout, awaited: { draft }, reference, returnUrl }: ChargeAsked,
        attempt: { readonly number: number; readonly details: string; readonly now: number }
      ) {
        const charge = {
          method,
          subjectId: checkout.id,
          chargeKey: chargeKeyOf(store.id, checkout.id, attempt.number),
          ...askedOf(draft),
          details: attempt.details,
          reference,
          email: draft.email,
          returnUrl,
          noticeUrl: noticeUrlOf(method.account.providerId)
        }
        return yield* operations.beginCharge(
          store,
          charge,
          repository.processing(store.id, checkout.id, attempt.number, new Date(attempt.now))
        )
      })

      /** The order that there is by now, else the error. */
      const placedOr = <E>(store: StoreContext, checkoutId: string, error: E) =>
        Effect.flatMap(placement.findByCheckout(store.id, checkoutId), (order) =>
          order === undefined ? Effect.fail(error) : placedBefore(placement, store.id, checkoutId)
        )

      /** What a settlement means to the shopper: the order, what to do next, or why there is no order. */
      const outcomeOf = Effect.fnUntraced(function* (
        store: StoreContext,
        { subjectId: checkoutId }: Pick<ProviderOperation, "subjectId">,
        settled: Settled<unknown> | { readonly _tag: "Unknown" }
      ) {
        switch (settled._tag) {
          case "Accepted":
          case "Followed":
            return { order: yield* placedBefore(placement, store.id, checkoutId) }
          case "AwaitsShopper":
            return { nextAction: settled.nextAction ?? nothingToShow }
          case "Refused":
            return yield* settled.state === "declined"
              ? new CardDeclined({ code: settled.code })
              : new PaymentProcessingFailed({ code: settled.code, reason: settled.reason })
          case "Unwanted":
            return { order: yield* placedOr(store, checkoutId, new ReservationExpired({ id: checkoutId })) }
          case "Unknown":
            return yield* new PaymentOutcomeUnknown({ checkoutId })
          default:
            return { order: yield* placedOr(store, checkoutId, new PaymentOutcomeUnknown({ checkoutId })) }
        }
      })

      /** Holds stock and tenders for a charge, or holds them for longer. */
      const hold = Effect.fnUntraced(function* (
        store: StoreContext,
        { checkout, draft }: { readonly checkout: CheckoutState; readonly draft: NewOrder },
        now: number
      ) {
        const heldUntil = new Date(now + store.reservationMinutes * 60_000)
        const lines = linesOf(draft.items)
        yield* ledger
          .holdFrom(checkout.cartId, store.id, checkout.id, demandsOf(lines), heldUntil, new Date(now))
          .pipe(Effect.mapError(ofLines(lines)))
        yield* claims.hold(store, draft, { holderId: checkout.id, until: heldUntil, now: new Date(now) })
      })

      /** Asks the provider how a charge stands that waits for the shopper: he may have paid. */
      const look = Effect.fn("ChargedCompletion.look")(function* (
        store: StoreContext,
        operation: Pick<ProviderOperation, "subjectId" | "chargeKey">
      ) {
        const looked = yield* Effect.result(looks.look(store, operation.chargeKey))
        const settled =
          looked._tag === "Success" && looked.success._tag === "Settled"
            ? looked.success.settled
            : ({ _tag: "Unknown" } as const)
        return yield* outcomeOf(store, operation, settled)
      })

      /** A failure of ours after the provider was asked never says that nothing was done. */
      const answered = <A, E>({ subjectId }: Pick<ProviderOperation, "subjectId">, outcome: Effect.Effect<A, E>) =>
        Effect.catchDefect(outcome, (defect) =>
          Effect.andThen(
            Effect.logError(`The outcome of the payment of ${subjectId} could not be read`, defect),
            Effect.fail(new PaymentOutcomeUnknown({ checkoutId: subjectId }))
          )
        )

      return {
        /** For a charge that goes on as it is: what is held for it is held for longer. */
        hold,
        look,
        /**
         * Inside the completion's transaction, under the locks of cart and checkout. An order too large to be stored is
         * rejected.
         */
        begin: Effect.fnUntraced(function* (store: StoreContext, asked: ChargeAsked, now: number) {
          const { checkout, awaited } = asked
          const { draft } = awaited
          const details = encodeDraft(draft)
          if (!isDraftStorable(draft, details))
            return yield* FieldRejected.at("lineItems", `come to more than ${maxDraftBytes} bytes`)
          yield* hold(store, { checkout, draft }, now)
          // The attempt's key is taken if an earlier request with it never arrived and was for another amount or
          // another provider. The next key is free.
          const begun =
            (yield* beginAttempt(store, asked, { number: checkout.attempt, details, now })) ??
            (yield* beginAttempt(store, asked, { number: checkout.attempt + 1, details, now }))
          if (begun === undefined)
            return yield* Effect.die(new Error(`The charge keys of checkout ${checkout.id} are taken`))
          // Nothing may be asked of the provider that cannot become an order.
          yield* takeOrder(store, { checkoutId: checkout.id, now: new Date(now) })
          return { begun, awaited }
        }),
        /** Calls the provider, with no transaction open, and settles its answer. */
        charge: Effect.fn("ChargedCompletion.charge")(function* (store: StoreContext, { begun, awaited }: BegunCharge) {
          const settled = yield* operations.run(store, begun, awaited)
          if (settled._tag === "Accepted") return { order: settled.result }
          // A notice may have been quicker than the answer: what it has led to is the outcome.
          return yield* answered(
            begun.operation,
            settled._tag === "Overlapped" ? look(store, begun.operation) : outcomeOf(store, begun.operation, settled)
          )
        })
      }
    })
  }
) {
  static readonly layer = Layer.effect(ChargedCompletion, ChargedCompletion.make).pipe(
    Layer.provide(CheckoutPaymentRepository.layer)
  )
}

/**
 * The provider's key of an attempt to pay. The number rises only after a definitive no, so an unknown outcome is never
 * charged twice.
 */
const chargeKeyOf = (storeId: string, checkoutId: string, attempt: number): string =>
  `${storeId}/complete:${checkoutId}:${attempt}`

const nothingToShow: NextAction = { redirectUrl: null, clientSecret: null }
