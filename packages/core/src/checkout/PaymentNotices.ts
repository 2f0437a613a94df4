/**
 * What providers tell by themselves, each notice kept before it is acted on and acted on once: money that arrives for a
 * checkout whose answer was lost makes its order; money of an order that is there moves the order's books; a failure
 * lets the checkout go.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { FaultPoint } from "../database/FaultPoint.ts"
import { OrderMoney } from "../order/OrderMoney.ts"
import { OrderPlacement } from "../order/OrderPlacement.ts"
import { NoticeRejected, PaymentMethodUnavailable } from "../payment/PaymentErrors.ts"
import type { ProviderNotice, RawNotice } from "../payment/PaymentProvider.ts"
import { PaymentProviders } from "../payment/PaymentProviders.ts"
import { TestProvider } from "../payment/TestProvider.ts"
import { SalesChannels } from "../store/SalesChannels.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import { Stores } from "../store/Stores.ts"
import { ChargedCompletion } from "./ChargedCompletion.ts"
import { CheckoutNotFound, PaymentOutcomeUnknown } from "./CheckoutErrors.ts"
import { type CheckoutPlace, CheckoutRepository } from "./CheckoutRepository.ts"
import { PaymentPolicy, toldReason } from "./PaymentAttempt.ts"
import { type KeptNotice, PaymentAttemptRepository } from "./PaymentAttemptRepository.ts"

export interface PaymentNoticesMethods {
  /** A notification as it arrived. A repeat of one that was applied changes nothing. */
  readonly receive: (
    store: StoreContext,
    provider: string,
    raw: RawNotice
  ) => Effect.Effect<void, NoticeRejected | PaymentMethodUnavailable>
  /** Acts on a notice that is kept; safe to repeat. */
  readonly apply: (store: StoreContext, kept: KeptNotice) => Effect.Effect<void>
  /**
   * Moves money at the `test` provider and takes its notice in, as if it had been sent. `amount` in minor units by the
   * currency of the checkout. For test-mode channels alone (operations.md).
   */
  readonly simulate: (
    asked: { readonly checkoutId: string } | { readonly orderId: string },
    type: ProviderNotice["type"],
    amountOf: (currency: string) => Effect.Effect<bigint | undefined, FieldRejected>
  ) => Effect.Effect<{ readonly orderId: string | null }, CheckoutNotFound | FieldRejected | PaymentOutcomeUnknown>
}

export class PaymentNotices extends Context.Service<PaymentNotices, PaymentNoticesMethods>()(
  "@effect-commerce/core/checkout/PaymentNotices"
) {
  static readonly layer = Layer.effect(
    PaymentNotices,
    Effect.gen(function* () {
      const database = yield* Database
      const stores = yield* Stores
      const channels = yield* SalesChannels
      const providers = yield* PaymentProviders
      const test = yield* TestProvider
      const checkouts = yield* CheckoutRepository
      const attempts = yield* PaymentAttemptRepository
      const charged = yield* ChargedCompletion
      const orders = yield* OrderPlacement
      const money = yield* OrderMoney
      const policy = yield* PaymentPolicy

      const follow = Effect.fnUntraced(function* (store: StoreContext, provider: string, notice: ProviderNotice) {
        const attempt = yield* attempts.findByKey(store.id, provider, notice.chargeKey)
        if (attempt === undefined)
          return yield* Effect.logWarning(`${provider} tells of a charge that is not ours: ${notice.eventId}`)
        const { externalId, captured, refunded, reason } = notice
        if (captured > 0n)
          yield* Effect.ignore(charged.conclude(store, attempt.id, { state: "captured", externalId, captured }))
        else if (notice.type === "failed")
          yield* charged.giveUp(store, attempt.id, { status: "declined", reason: reason ?? "The payment failed" })
        if (refunded > 0n) yield* charged.givenBack(store, attempt.id, refunded)
        const order = yield* orders.findByCheckout(store.id, attempt.checkoutId)
        if (order !== undefined)
          yield* money.followCharge(store, order.id, {
            externalId,
            captured,
            refunded,
            failed: notice.type === "failed",
            reason
          })
      })

      const apply = Effect.fn("PaymentNotices.apply")(function* (store: StoreContext, kept: KeptNotice) {
        yield* follow(store, kept.provider, kept.notice)
        const now = yield* Clock.currentTimeMillis
        yield* database.write(store.id)(attempts.noticeApplied(store.id, kept, new Date(now)))
      })

      const receive = Effect.fn("PaymentNotices.receive")(function* (
        store: StoreContext,
        code: string,
        raw: RawNotice
      ) {
        const provider = providers.byCode(code)
        if (provider === undefined) return yield* new PaymentMethodUnavailable({ paymentMethod: code })
        const notice = yield* keepable(yield* provider.readNotice(store.id, raw))
        const now = yield* Clock.currentTimeMillis
        const kept: KeptNotice = { provider: code, notice }
        const fresh = yield* database.write(store.id)(
          attempts.keepNotice(store.id, kept, new Date(now + policy.firstCheck), new Date(now))
        )
        yield* FaultPoint.hit("payment.notice-kept")
        if (fresh) yield* apply(store, kept)
      })

      const isTestChannel = (place: CheckoutPlace) =>
        place.salesChannelId === null
          ? Effect.succeed(false)
          : channels.resolve(place.salesChannelId).pipe(
              Effect.map((channel) => channel.mode === "test"),
              Effect.catch(() => Effect.succeed(false))
            )

      return PaymentNotices.of({
        receive,
        apply,
        simulate: Effect.fn("PaymentNotices.simulate")(function* (asked, type, amountOf) {
          const [field, id] =
            "checkoutId" in asked ? (["checkoutId", asked.checkoutId] as const) : (["orderId", asked.orderId] as const)
          const place = yield* checkouts.locate(asked)
          if (place === undefined) return yield* new CheckoutNotFound({ id })
          if (!(yield* isTestChannel(place)))
            return yield* new FieldRejected({ field, reason: "is not of a test-mode channel" })
          const amount = yield* amountOf(place.currency)
          const store = yield* Effect.orDie(stores.context(place.storeId))
          const raw = yield* test.move(place.storeId, { checkoutId: place.id, type, amount })
          if (raw === undefined)
            return yield* new FieldRejected({ field, reason: "has no payment of the test provider" })
          // The money has moved by now: what fails from here on is not "nothing was done".
          const told = Effect.andThen(receive(store, test.code, raw), orders.findByCheckout(place.storeId, place.id))
          const order = yield* Effect.catchCause(told, (cause) =>
            Effect.andThen(
              Effect.logError(
                `A notice of ${test.code} for ${place.id} could not be taken in: it will be found out`,
                cause
              ),
              new PaymentOutcomeUnknown({ checkoutId: place.id })
            )
          )
          return { orderId: order?.id ?? null }
        })
      })
    })
  ).pipe(Layer.provide([CheckoutRepository.layer, PaymentAttemptRepository.layer]))
}

/**
 * Characters of what names an event and a charge, and of what a provider says of a failure: it is kept, and told in
 * events.
 */
const longestName = 255

const keepable = (notice: ProviderNotice): Effect.Effect<ProviderNotice, NoticeRejected> => {
  const names = [notice.eventId, notice.chargeKey, notice.externalId]
  return names.some((name) => name.length > longestName)
    ? Effect.fail(new NoticeRejected({ reason: `The notice has a name of more than ${longestName} characters` }))
    : Effect.succeed({ ...notice, reason: toldReason(notice.reason) })
}
