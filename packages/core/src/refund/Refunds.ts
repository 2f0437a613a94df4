/**
 * Gives back what an order was paid with. A refund is written before a provider is asked, in one transaction with what
 * it sets aside; the provider is called with no transaction open, and `RefundOutcomes` records what came of it, whoever
 * learns it. Without a provider everything is recorded at once.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Charges } from "../charge/Charges.ts"
import { keyOf } from "../charge/ProviderOperation.ts"
import { type BegunOperation, type NewChange, ProviderOperations } from "../charge/ProviderOperations.ts"
import { Claims } from "../claim/Claims.ts"
import { Database } from "../database/Database.ts"
import { FaultPoint } from "../database/FaultPoint.ts"
import { checkVersion } from "../database/Precondition.ts"
import { replayWindow, RequestKey } from "../guard/RequestKey.ts"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import { makeId } from "../kernel/Ids.ts"
import { formatMoney } from "../kernel/Money.ts"
import { maxRefunds, type OrderRefund, type OrderState } from "../order/Order.ts"
import { OrderMoneyRepository } from "../order/OrderMoneyRepository.ts"
import { orderRefunds } from "../order/orderRefunds.ts"
import { OrderMoney } from "../settlement/OrderMoney.ts"
import { PaymentProviders } from "../payment/PaymentProviders.ts"
import { CurrentActor } from "../store/Actor.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { makeRefundBooks } from "./internal/refundBooks.ts"
import { planRefund, type RefundPlan } from "./internal/refundPlan.ts"
import { askedOf, leftOf, maxRefundable, type TenderPart } from "./internal/refundTenders.ts"
import {
  RefundByHandOnly,
  RefundExceedsLeft,
  RefundFailed,
  RefundOfNothing,
  RefundOutcomeUnknown
} from "./RefundErrors.ts"
import { type RefundInput, readRefund } from "./RefundInput.ts"
import { RefundOutcomes } from "./RefundOutcomes.ts"
import { RefundRepository } from "./RefundRepository.ts"
import { toRefundPreview } from "./RefundPreview.ts"

/** A refund that is written. What its providers are still to be asked is run by `Refunds.run`. */
export interface BegunRefund {
  /** What readers see as the refund. Null where there was nothing to give back. */
  readonly refundId: string | null
  readonly operations: ReadonlyArray<BegunOperation>
}

/** What one payment gives back, and what its provider is to be asked for it. */
interface BegunPart {
  readonly tender: TenderPart
  readonly amount: bigint
  readonly asked: bigint | null
  readonly key: string | null
  readonly begun?: BegunOperation
}

/** What is written with a refund besides what it gives back. */
interface Asked {
  readonly reason: string | null
  readonly isBuyerTold: boolean
  readonly requestKey: string | null
}

export class Refunds extends Context.Service<Refunds>()("@effect-commerce/core/refund/Refunds", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const money = yield* OrderMoneyRepository
    const { find, lock } = yield* OrderMoney
    const repository = yield* RefundRepository
    const charges = yield* Charges
    const claims = yield* Claims
    const providers = yield* PaymentProviders
    const operations = yield* (yield* ProviderOperations).of(yield* RefundOutcomes)
    const books = yield* makeRefundBooks

    /** Whether the payment goes back by hand, or to gift cards or points: nobody is asked for it. */
    const isOurs = ({ payment: { provider } }: TenderPart) =>
      provider === "manual" || provider === "free" || claims.has(provider)

    const exceeds = (order: OrderState, { payment, amount }: TenderPart) =>
      new RefundExceedsLeft({
        amount: formatMoney(amount, order.currency),
        maxRefundable: formatMoney(leftOf(order, payment), order.currency),
        tenderId: payment.id
      })

    const byHand = ({ payment: { id: tenderId, manualRefundUrl = null } }: TenderPart) =>
      new RefundByHandOnly({ tenderId, manualRefundUrl })

    /** What the provider of a payment is to be asked for, and what that is in the order's currency. */
    const askedAtProvider = Effect.fnUntraced(function* (store: StoreContext, order: OrderState, part: TenderPart) {
      const { id: tenderId, reference, manualRefundUrl = null } = part.payment
      const charge =
        order.checkoutId === null || reference === null || manualRefundUrl !== null
          ? undefined
          : yield* charges.find(store.id, order.checkoutId, reference)
      if (charge === undefined) return yield* byHand(part)
      const { presentment } = order
      const { asked, amount } =
        presentment?.paymentId === tenderId
          ? askedOf(order, presentment, part)
          : { asked: part.amount, amount: part.amount }
      if (asked === 0n || amount === 0n) return yield* new RefundOfNothing()
      const change: NewChange = { kind: "refund", subjectId: order.id, charge, amount: asked, details: null }
      return { change, asked, amount }
    })

    /** Writes what the provider of a payment is to be asked. */
    const beginAtProvider = Effect.fnUntraced(function* (store: StoreContext, order: OrderState, part: TenderPart) {
      const { change, asked, amount } = yield* askedAtProvider(store, order, part)
      const begun = yield* operations.begin(store, change).pipe(
        Effect.catchTags({
          PaymentMethodUnavailable: () => Effect.fail(byHand(part)),
          ChangeExceedsCharge: () => Effect.fail(exceeds(order, part))
        })
      )
      return { begun, amount, asked, key: keyOf(begun.operation) }
    })

    /** Fails as `begin` would, and writes nothing: what is left of a charge is what is left of its payment. */
    const check = Effect.fnUntraced(function* (store: StoreContext, order: OrderState, { tenders }: RefundPlan) {
      yield* checkCount(order, tenders)
      for (const part of tenders.filter((each) => !isOurs(each))) {
        const { change } = yield* askedAtProvider(store, order, part)
        if ((yield* providers.ofOperation(store.id, change.charge)) === undefined) return yield* byHand(part)
      }
    })

    const beginPart = Effect.fnUntraced(function* (store: StoreContext, order: OrderState, tender: TenderPart) {
      const part: BegunPart = isOurs(tender)
        ? { tender, amount: tender.amount, asked: null, key: null }
        : { tender, ...(yield* beginAtProvider(store, order, tender)) }
      return part
    })

    /** Under the locks: writes the request, sets its money aside and, where nobody is asked, records it. */
    const begin = Effect.fnUntraced(function* (
      store: StoreContext,
      order: OrderState,
      { plan, asked, now }: { readonly plan: RefundPlan; readonly asked: Asked; readonly now: number }
    ) {
      yield* checkCount(order, plan.tenders)
      const at = new Date(now)
      const requestId = makeId("rfd", now)
      const actor = yield* CurrentActor
      const { amount, items, shipping, shippingTax } = plan
      yield* repository.insert(store.id, {
        id: requestId,
        orderId: order.id,
        amount,
        shipping,
        shippingTax,
        items,
        ...asked,
        now: at
      })
      const parts = yield* Effect.forEach(plan.tenders, (tender) => beginPart(store, order, tender))
      for (const { tender, amount: part } of parts) {
        if (!(yield* money.reserve(store.id, tender.payment.id, part, at))) return yield* exceeds(order, tender)
      }
      const isDone = parts.every(({ key }) => key === null)
      const ids = parts.map(() => makeId("ref", now)).toSorted()
      const rows = parts.map(
        ({ tender, amount: part, asked: atProvider, key }, i): OrderRefund => ({
          id: ids[i] ?? "",
          requestId,
          asked: atProvider,
          actor,
          paymentId: tender.payment.id,
          amount: part,
          reason: asked.reason,
          status: isDone ? "succeeded" : "pending",
          type: "partial",
          source: "service",
          externalId: null,
          key,
          succeededAt: isDone ? at.toISOString() : null,
          createdAt: at.toISOString()
        })
      )
      const after = yield* books.record(store, order, { rows, paymentId: null, requestId }, now)
      const begun = {
        refundId: requestId,
        operations: parts.flatMap((part) => (part.begun === undefined ? [] : [part.begun]))
      }
      return { order: after, begun }
    })

    /** Asks the providers, one after another. Returns why those have failed that did. */
    const run = Effect.fn("Refunds.run")(function* (store: StoreContext, { operations: begun }: BegunRefund) {
      const results = yield* Effect.forEach(begun, (operation) => operations.run(store, operation))
      return results.flatMap((result) => (result._tag === "Refused" ? [result.reason] : []))
    })

    const shown = Effect.fnUntraced(function* (store: StoreContext, orderId: string, refundId: string) {
      const order = yield* find(store, orderId)
      const refund = orderRefunds(order).find(({ id }) => id === refundId)
      return refund ?? (yield* Effect.die(new Error(`There is no refund ${refundId} of ${orderId}`)))
    })

    /** Begins the refund, or finds the one that the same request has begun before this process was restarted. */
    const beginAsked = Effect.fnUntraced(function* (store: StoreContext, id: string, body: RefundInput) {
      const now = yield* Clock.currentTimeMillis
      const requestKey = yield* RequestKey
      return yield* database.write(store.id)(
        Effect.gen(function* () {
          const order = yield* lock(store, id)
          const earlier =
            requestKey === null
              ? undefined
              : yield* repository.begunBy(store.id, id, requestKey, new Date(now - replayWindow))
          if (earlier !== undefined) return { refundId: earlier, operations: [] }
          yield* checkVersion(order.updatedAt)
          const read = yield* readRefund(order.currency, body)
          const plan = yield* planRefund(order, read, yield* repository.shippingBefore(store.id, id))
          const { reason, isBuyerTold } = read
          const { begun } = yield* begin(store, order, { plan, asked: { reason, isBuyerTold, requestKey }, now })
          return begun
        })
      )
    })

    /** Once it is begun, no failure of ours says that nothing was done. */
    const outcomeOf = Effect.fnUntraced(function* (
      store: StoreContext,
      orderId: string,
      begun: BegunRefund & { readonly refundId: string }
    ) {
      const { refundId } = begun
      yield* FaultPoint.hit("refund.begun")
      const [reason] = yield* run(store, begun)
      yield* FaultPoint.hit("refund.run")
      const refund = yield* shown(store, orderId, refundId)
      return refund.status === "failed"
        ? yield* new RefundFailed({ refundId, reason: reason ?? "The provider could not do it" })
        : refund
    })

    return {
      /** What a refund would give back, and of which payments; refuses what `create` refuses, and writes nothing. */
      preview: Effect.fnUntraced(function* (store: StoreContext, id: string, body: RefundInput) {
        const order = yield* find(store, id)
        const read = yield* readRefund(order.currency, body)
        const plan = yield* planRefund(order, read, yield* repository.shippingBefore(store.id, id))
        yield* check(store, order, plan)
        return toRefundPreview(order, plan)
      }),
      list: (store: StoreContext, id: string) => Effect.map(find(store, id), orderRefunds),
      /** Refunds. An outcome that is not known yet is a refund that is pending: it will be found out. */
      create: Effect.fn("Refunds.create")(function* (store: StoreContext, id: string, body: RefundInput) {
        const begun = yield* beginAsked(store, id, body)
        return yield* Effect.catchDefect(outcomeOf(store, id, begun), (defect) =>
          Effect.andThen(
            Effect.logError(`How the refund ${begun.refundId} of ${store.id} stands could not be read`, defect),
            Effect.fail(new RefundOutcomeUnknown({ refundId: begun.refundId }))
          )
        )
      }),
      /**
       * Gives back all that is left of what an order has captured. Inside the caller's transaction, which has locked
       * the order with its charges (`OrderMoney.lock`), and has written the order as it is given here: returns it
       * as it is then, and what is still to be run. Units do not go back into stock by it.
       */
      beginWhole: Effect.fnUntraced(function* (
        store: StoreContext,
        order: OrderState,
        { reason, notifyCustomer }: { readonly reason: string | null; readonly notifyCustomer: boolean },
        now: number
      ) {
        const amount = maxRefundable(order)
        const none: BegunRefund = { refundId: null, operations: [] }
        if (amount === 0n) return { order, begun: none }
        const tenders = order.payments.flatMap((payment) => {
          const left = leftOf(order, payment)
          return left > 0n ? [{ payment, amount: left }] : []
        })
        const plan = { amount, items: [], shipping: 0n, shippingTax: 0n, maxRefundable: amount, tenders }
        return yield* begin(store, order, {
          plan,
          asked: { reason, isBuyerTold: notifyCustomer, requestKey: null },
          now
        })
      }),
      /** Outside of any transaction. A refund that fails leaves the order as it is, with its warning. */
      run
    }
  })
}) {
  static readonly layer = Layer.effect(Refunds, Refunds.make).pipe(
    Layer.provide([RefundRepository.layer, OrderMoneyRepository.layer])
  )
}

const checkCount = ({ refunds }: OrderState, tenders: RefundPlan["tenders"]): Effect.Effect<void, FieldRejected> =>
  refunds.length + tenders.length > maxRefunds
    ? FieldRejected.at("amount", `an order has at most ${maxRefunds} refunds`)
    : Effect.void
