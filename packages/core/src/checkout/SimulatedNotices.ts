/** Notices of the `test` provider, sent on demand: moves money as a merchant would in a provider's dashboard. */
import { Context, Effect, Layer } from "effect"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import { OrderPlacement } from "../order/OrderPlacement.ts"
import { PaymentNotices } from "../payment/PaymentNotices.ts"
import type { ProviderNotice } from "../payment/PaymentProvider.ts"
import { TestProvider } from "../payment/TestProvider.ts"
import { SalesChannels } from "../store/SalesChannels.ts"
import { Stores } from "../store/Stores.ts"
import { CheckoutNotFound, PaymentOutcomeUnknown } from "./CheckoutErrors.ts"
import { type CheckoutPlace, CheckoutRepository } from "./CheckoutRepository.ts"

export class SimulatedNotices extends Context.Service<SimulatedNotices>()(
  "@effect-commerce/core/checkout/SimulatedNotices",
  {
    make: Effect.gen(function* () {
      const stores = yield* Stores
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
          type: ProviderNotice["type"],
          amountOf: (currency: string) => Effect.Effect<bigint | undefined, FieldRejected>
        ) {
          const [field, id] =
            "checkoutId" in asked ? (["checkoutId", asked.checkoutId] as const) : (["orderId", asked.orderId] as const)
          const place = yield* checkouts.locate(asked)
          if (place === undefined) return yield* new CheckoutNotFound({ id })
          if (!(yield* isTestChannel(place))) return yield* FieldRejected.at(field, "is not of a test-mode channel")
          const amount = yield* amountOf(place.currency)
          const store = yield* Effect.orDie(stores.context(place.storeId))
          const raw = yield* test.move(place.storeId, { checkoutId: place.id, type, amount })
          if (raw === undefined) return yield* FieldRejected.at(field, "has no payment of the test provider")
          // If the notice cannot be stored this is a defect, and the provider must send it again.
          const received = yield* Effect.orDie(notices.receive(store, test.code, raw))
          if (received === "stored") return yield* new PaymentOutcomeUnknown({ checkoutId: place.id })
          const order = yield* orders.findByCheckout(place.storeId, place.id)
          return { orderId: order?.id ?? null }
        })
      }
    })
  }
) {
  static readonly layer = Layer.effect(SimulatedNotices, SimulatedNotices.make).pipe(
    Layer.provide(CheckoutRepository.layer)
  )
}
