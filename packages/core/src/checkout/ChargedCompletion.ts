/**
 * The part of a completion that goes through a payment provider. `begin` holds the stock and stores the order as it was
 * priced, inside the transaction of the completion. `charge` then has the payment room call the provider and settle the
 * outcome (`PaymentOutcomes` applies it to the checkout), and returns the result to the shopper. Money that was taken
 * always ends in an order or a refund; from `charge` on, a failure of the server is never reported as "nothing was
 * done".
 */
import { Context, Effect, Layer } from "effect"
import { demandsOf, ofLines } from "../inventory/SoldLines.ts"
import { StockLedger } from "../inventory/StockLedger.ts"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import type { NewOrder } from "../order/Order.ts"
import { encodeDraft, isDraftStorable, maxDraftBytes } from "../order/OrderDraft.ts"
import { dueOf, OrderPlacement } from "../order/OrderPlacement.ts"
import type { PaymentProvider } from "../payment/PaymentProvider.ts"
import { type BegunOperation, ProviderOperations } from "../payment/ProviderOperations.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import type { CheckoutState } from "./Checkout.ts"
import { CardDeclined, PaymentOutcomeUnknown, PaymentProcessingFailed, ReservationExpired } from "./CheckoutErrors.ts"
import { CheckoutPaymentRepository } from "./CheckoutPaymentRepository.ts"
import { placedBefore } from "./Completed.ts"
import { linesOf, PaymentOutcomes } from "./PaymentOutcomes.ts"

export interface ChargeAsked {
  readonly provider: PaymentProvider
  readonly checkout: CheckoutState
  readonly draft: NewOrder
  readonly reference: string
}

/** A charge that the completion's transaction has prepared. */
export interface BegunCharge {
  readonly begun: BegunOperation
  readonly draft: NewOrder
}

export class ChargedCompletion extends Context.Service<ChargedCompletion>()(
  "@effect-commerce/core/checkout/ChargedCompletion",
  {
    make: Effect.gen(function* () {
      const repository = yield* CheckoutPaymentRepository
      const placement = yield* OrderPlacement
      const ledger = yield* StockLedger
      const providerOperations = yield* ProviderOperations
      const operations = yield* providerOperations.of(yield* PaymentOutcomes)

      const beginAttempt = Effect.fnUntraced(function* (
        store: StoreContext,
        { provider, checkout, draft, reference }: ChargeAsked,
        attempt: { readonly number: number; readonly details: string; readonly now: number }
      ) {
        const charge = {
          provider,
          subjectId: checkout.id,
          chargeKey: chargeKeyOf(checkout.id, attempt.number),
          amount: dueOf(draft),
          currency: draft.currency,
          details: attempt.details,
          reference,
          email: draft.email
        }
        return yield* operations.beginCharge(
          store,
          charge,
          repository.processing(store.id, checkout.id, attempt.number, new Date(attempt.now))
        )
      })

      return {
        /**
         * Inside the completion's transaction, under the locks of cart and checkout. An order too large to be stored is
         * rejected.
         */
        begin: Effect.fnUntraced(function* (store: StoreContext, asked: ChargeAsked, now: number) {
          const { checkout, draft } = asked
          const heldUntil = new Date(now + store.reservationMinutes * 60_000)
          const details = encodeDraft(draft)
          if (!isDraftStorable(draft, details))
            return yield* FieldRejected.at("lineItems", `come to more than ${maxDraftBytes} bytes`)
          const lines = linesOf(draft)
          yield* ledger
            .holdFrom(checkout.cartId, store.id, checkout.id, demandsOf(lines), heldUntil, new Date(now))
            .pipe(Effect.mapError(ofLines(lines)))
          // The attempt's key is taken if an earlier request with it never arrived and was for another amount or
          // another provider. The next key is free.
          const begun =
            (yield* beginAttempt(store, asked, { number: checkout.attempt, details, now })) ??
            (yield* beginAttempt(store, asked, { number: checkout.attempt + 1, details, now }))
          return begun === undefined
            ? yield* Effect.die(new Error(`The charge keys of checkout ${checkout.id} are taken`))
            : { begun, draft }
        }),
        /** Calls the provider, with no transaction open, and settles its answer. */
        charge: Effect.fn("ChargedCompletion.charge")(function* (store: StoreContext, { begun, draft }: BegunCharge) {
          const result = yield* operations.run(store, begun, draft)
          const checkoutId = begun.operation.subjectId
          switch (result._tag) {
            case "Accepted":
              return result.result
            case "Unknown":
              return yield* new PaymentOutcomeUnknown({ checkoutId })
            case "Refused":
              return yield* result.state === "declined"
                ? new CardDeclined({ reason: result.reason })
                : new PaymentProcessingFailed({ reason: result.reason })
            case "AlreadySettled":
              return yield* placedBefore(placement, store.id, checkoutId)
            case "Unwanted": {
              const order = yield* placement.findByCheckout(store.id, checkoutId)
              if (order === undefined) return yield* new ReservationExpired({ id: checkoutId })
              return yield* placedBefore(placement, store.id, checkoutId)
            }
          }
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
const chargeKeyOf = (checkoutId: string, attempt: number): string => `complete:${checkoutId}:${attempt}`
