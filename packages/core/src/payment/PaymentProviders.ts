/** The available payment providers. A host adds its own by providing `AdditionalProviders`. */
import { Context, Effect, Layer } from "effect"
import { refuseInHostTransaction } from "../database/OwnTransaction.ts"
import { manualProvider } from "./ManualProvider.ts"
import { PaymentMethodUnavailable } from "./PaymentErrors.ts"
import type { PaymentProvider } from "./PaymentProvider.ts"
import { TestProvider } from "./TestProvider.ts"

export const AdditionalProviders = Context.Reference<ReadonlyArray<PaymentProvider>>(
  "@effect-commerce/core/payment/AdditionalProviders",
  {
    defaultValue: () => []
  }
)

export class PaymentProviders extends Context.Service<PaymentProviders>()(
  "@effect-commerce/core/payment/PaymentProviders",
  {
    make: Effect.gen(function* () {
      const providers = new Map(
        [manualProvider, yield* TestProvider, ...(yield* AdditionalProviders)].map((provider) => [
          provider.code,
          outsideHostTransactions(provider)
        ])
      )
      return {
        /** The provider of a payment method in a channel of this mode; fails where it is not set up there. */
        forMethod: (method: string, isTestChannel: boolean) => {
          const provider = providers.get(method)
          return provider === undefined || (provider.testOnly && !isTestChannel)
            ? Effect.fail(new PaymentMethodUnavailable({ paymentMethod: method }))
            : Effect.succeed(provider)
        },
        /** By its code, whatever the channel: for charges that exist. */
        byCode: (code: string) => providers.get(code)
      }
    })
  }
) {
  static readonly layer = Layer.effect(PaymentProviders, PaymentProviders.make)
}

/** A host's ROLLBACK would undo what we wrote about a charge, but not the charge. */
const outsideHostTransactions = (provider: PaymentProvider): PaymentProvider => {
  if (provider.kind === "offline") return provider
  const alone = <A, E>(act: string, call: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.andThen(refuseInHostTransaction(`${act} through the payment provider ${provider.code}`), call)
  return {
    code: provider.code,
    kind: provider.kind,
    testOnly: provider.testOnly,
    readNotice: (storeId, raw) => provider.readNotice(storeId, raw),
    authorize: (request) => alone("paying", provider.authorize(request)),
    capture: (change) => alone("capturing a payment", provider.capture(change)),
    void: (change) => alone("voiding a payment", provider.void(change)),
    refund: (change) => alone("refunding a payment", provider.refund(change)),
    lookup: (storeId, chargeKey) => alone("looking up a payment", provider.lookup(storeId, chargeKey))
  }
}
