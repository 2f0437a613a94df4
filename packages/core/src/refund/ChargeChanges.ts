/**
 * Captures and voids of what a provider has reserved for an order. One is written before the provider is asked, under
 * the locks of the charge and the order; what it has changed is learned by the look at the charge that follows its
 * answer, whoever learns of it. While one is under way, no other is begun.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Charges } from "../charge/Charges.ts"
import { type BegunOperation, ProviderOperations } from "../charge/ProviderOperations.ts"
import type { ProviderOperation } from "../charge/ProviderOperation.ts"
import { Claims } from "../claim/Claims.ts"
import { Database } from "../database/Database.ts"
import { FaultPoint } from "../database/FaultPoint.ts"
import { checkVersion } from "../database/Precondition.ts"
import { replayWindow, RequestKey } from "../guard/RequestKey.ts"
import { amounts } from "../kernel/Amount.ts"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import type { OrderPayment, OrderState } from "../order/Order.ts"
import { OrderStateConflict } from "../order/OrderErrors.ts"
import { toOrderView } from "../order/OrderView.ts"
import { OrderMoney } from "../settlement/OrderMoney.ts"
import { CurrentActor } from "../store/Actor.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import type { CaptureInput, VoidInput } from "./CaptureInput.ts"
import {
  ChargeAlreadyCaptured,
  ChargeChangeFailed,
  ChargeChangeUnknown,
  NothingReserved
} from "./ChargeChangeErrors.ts"
import { ChargeRequestRepository } from "./ChargeRequestRepository.ts"
import { captureAmount, capturable, presentedCapture, releasable } from "./internal/reservedPayment.ts"
import { RefundOutcomes } from "./RefundOutcomes.ts"

type Kind = "capture" | "void"

/** A change of a payment's charge. Minor units of the order's currency, and of the charge's. */
interface Change {
  readonly kind: Kind
  readonly payment: OrderPayment
  readonly amount: bigint
  readonly asked: bigint
}

export class ChargeChanges extends Context.Service<ChargeChanges>()("@effect-commerce/core/refund/ChargeChanges", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const requests = yield* ChargeRequestRepository
    const charges = yield* Charges
    const claims = yield* Claims
    const operations = yield* (yield* ProviderOperations).of(yield* RefundOutcomes)
    const { find, lock } = yield* OrderMoney

    const isOfProvider = ({ provider }: OrderPayment): boolean =>
      provider !== "manual" && provider !== "free" && !claims.has(provider)

    const choiceOf = (paymentId: string | undefined, now: number) => ({ paymentId, isOfProvider, now })

    /** The charge of a payment that no capture or void is under way of. */
    const quietCharge = Effect.fnUntraced(function* (storeId: string, order: OrderState, payment: OrderPayment) {
      const { id: paymentId, reference } = payment
      const charge =
        order.checkoutId === null || reference === null
          ? undefined
          : yield* charges.find(storeId, order.checkoutId, reference)
      if (charge === undefined) return yield* new NothingReserved({ reason: "by_hand", paymentId })
      const underWay = yield* requests.underWay(storeId, charge.id)
      if (underWay.includes("void")) return yield* new NothingReserved({ reason: "void_under_way", paymentId })
      if (underWay.length > 0) return yield* new ChargeAlreadyCaptured({ paymentId, isUnderWay: true })
      return charge
    })

    const written = Effect.fnUntraced(function* (
      store: StoreContext,
      order: OrderState,
      { charge, change, requestKey }: Begun,
      now: number
    ) {
      const { kind, asked: amount } = change
      const begun = yield* operations.begin(store, { kind, subjectId: order.id, charge, amount, details: null })
      yield* requests.insert(store.id, {
        id: begun.operation.id,
        orderId: order.id,
        paymentId: change.payment.id,
        kind,
        amount: change.amount,
        actor: yield* CurrentActor,
        requestKey,
        now: new Date(now)
      })
      return begun
    })

    /** Begins what `decide` finds, unless the same request has begun it before this process was restarted. */
    const begin = Effect.fnUntraced(function* <E>(
      store: StoreContext,
      id: string,
      decide: (order: OrderState, now: number) => Effect.Effect<Change, E>
    ) {
      const now = yield* Clock.currentTimeMillis
      const requestKey = yield* RequestKey
      return yield* database.write(store.id)(
        Effect.gen(function* () {
          const order = yield* lock(store, id)
          if (requestKey !== null && (yield* requests.isBegun(store.id, id, requestKey, new Date(now - replayWindow))))
            return undefined
          yield* checkVersion(order.updatedAt)
          const change = yield* decide(order, now)
          const charge = yield* quietCharge(store.id, order, change.payment)
          return yield* written(store, order, { charge, change, requestKey }, now).pipe(
            Effect.catchTag("ChangeExceedsCharge", () =>
              Effect.fail(new ChargeAlreadyCaptured({ paymentId: change.payment.id, isUnderWay: true }))
            )
          )
        })
      )
    })

    const run = Effect.fnUntraced(function* (store: StoreContext, kind: Kind, begun: BegunOperation) {
      const result = yield* operations.run(store, begun)
      switch (result._tag) {
        case "Accepted":
        case "Followed":
          return
        case "Refused":
          return yield* new ChargeChangeFailed({ kind, reason: result.reason })
        default:
          return yield* new ChargeChangeUnknown({ kind })
      }
    })

    /** Once it is begun, no failure of ours says that nothing was done. */
    const outcomeOf = (store: StoreContext, id: string, kind: Kind, begun: BegunOperation | undefined) =>
      Effect.catchDefect(
        Effect.gen(function* () {
          yield* FaultPoint.hit(`${kind}.begun`)
          if (begun !== undefined) yield* run(store, kind, begun)
          return toOrderView(yield* find(store, id))
        }),
        (defect) =>
          Effect.andThen(
            Effect.logError(`How the ${kind} of ${id} of ${store.id} stands could not be read`, defect),
            Effect.fail(new ChargeChangeUnknown({ kind }))
          )
      )

    return {
      capture: Effect.fn("ChargeChanges.capture")(function* (store: StoreContext, id: string, body: CaptureInput) {
        const begun = yield* begin(store, id, (order, now) =>
          Effect.gen(function* () {
            const wanted = yield* amounts(order.currency)("amount", body.amount)
            if (wanted !== undefined && wanted <= 0n) return yield* FieldRejected.at("amount", "must be more than zero")
            if (order.status === "CANCELLED" || order.status === "REFUNDED")
              return yield* new OrderStateConflict({ id, status: order.status })
            const payment = yield* capturable(order, choiceOf(body.paymentId, now))
            const amount = yield* captureAmount(order, payment, wanted)
            const { presentment } = order
            const isPresented = presentment?.paymentId === payment.id
            const asked = isPresented ? presentedCapture(presentment, payment, amount) : amount
            if (asked === 0n) return yield* FieldRejected.at("amount", "is less than the provider's smallest unit")
            const change: Change = { kind: "capture", payment, amount, asked }
            return change
          })
        )
        return yield* outcomeOf(store, id, "capture", begun)
      }),
      void: Effect.fn("ChargeChanges.void")(function* (store: StoreContext, id: string, body: VoidInput) {
        const begun = yield* begin(store, id, (order, now) =>
          Effect.map(
            releasable(order, choiceOf(body.paymentId, now)),
            (payment): Change => ({ kind: "void", payment, amount: 0n, asked: 0n })
          )
        )
        return yield* outcomeOf(store, id, "void", begun)
      })
    }
  })
}) {
  static readonly layer = Layer.effect(ChargeChanges, ChargeChanges.make).pipe(
    Layer.provide(ChargeRequestRepository.layer)
  )
}

interface Begun {
  readonly charge: ProviderOperation
  readonly change: Change
  readonly requestKey: string | null
}
