/** Notices of the `test` provider, sent on demand: moves money as a merchant would in a provider's dashboard. */
import { Context, Effect, Layer } from "effect"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import { OrderPlacement } from "../order/OrderPlacement.ts"
import { PaymentNotices } from "../notice/PaymentNotices.ts"
import type { TestEvent } from "../testpayment/TestEvents.ts"
import { TestProvider } from "../testpayment/TestProvider.ts"
import { SalesChannels } from "../store/SalesChannels.ts"
import { CheckoutNotFound, PaymentOutcomeUnknown } from "../checkout/CheckoutErrors.ts"
import { type CheckoutPlace, CheckoutRepository } from "../checkout/CheckoutRepository.ts"

export class SimulatedNotices extends Context.Service<SimulatedNotices>()(
  "@effect-commerce/core/completion/SimulatedNotices",
  {
    make: Effect.gen(function* () {
      const channels = yield* SalesChannels
      const test = yield* TestProvider
      const notices = yield* PaymentNotices
      const checkouts = yield* CheckoutRepository
      const orders = yield* OrderPlacement

      const isTestChannel = (place: CheckoutPlace) =>
        place.salesChannelId === null
          ? Effect.succeed(false)
          : channels.resolve(place.salesChannelId).pipe(
              Effect.map((channel) => channel.mode === "test"),
              Effect.catch(() => Effect.succeed(false))
            )

      return {
        /**
         * Moves money at the `test` provider and receives its notice, as if it had been sent. `amountOf` returns minor
         * units of the checkout's currency. For test-mode channels only.
         */
        simulate: Effect.fn("SimulatedNotices.simulate")(function* (
          asked: { readonly checkoutId: string } | { readonly orderId: string },
          type: TestEvent,
          amountOf: (currency: string) => Effect.Effect<bigint | undefined, FieldRejected>
        ) {
          const [field, id] =
            "checkoutId" in asked ? (["checkoutId", asked.checkoutId] as const) : (["orderId", asked.orderId] as const)
          const place = yield* checkouts.locate(asked)
          if (place === undefined) return yield* new CheckoutNotFound({ id })
          if (!(yield* isTestChannel(place))) return yield* FieldRejected.at(field, "is not of a test-mode channel")
          const amount = yield* amountOf(place.currency)
          const raw = yield* test.move(place.storeId, { checkoutId: place.id, type, amount })
          if (raw === undefined) return yield* FieldRejected.at(field, "has no payment of the test provider")
          const told = Effect.gen(function* () {
            const isApplied = yield* Effect.orDie(notices.receiveAndApply(test.code, raw))
            if (!isApplied) return yield* new PaymentOutcomeUnknown({ checkoutId: place.id })
            const order = yield* orders.findByCheckout(place.storeId, place.id)
            return { orderId: order?.id ?? null }
          })
          // Money has moved: what fails from now on has not undone it, and the provider sends its notice again.
          return yield* Effect.catchDefect(told, (defect) =>
            Effect.andThen(
              Effect.logError(`What the test provider told of ${place.id} is acted on later`, defect),
              new PaymentOutcomeUnknown({ checkoutId: place.id })
            )
          )
        })
      }
    })
  }
) {
  static readonly layer = Layer.effect(SimulatedNotices, SimulatedNotices.make).pipe(
    Layer.provide(CheckoutRepository.layer)
  )
}
