/**
 * The money of orders that are placed: recorded by hand, or told by a provider. Each use locks the order, works out its
 * sums from the payments, and writes sums, states, payments, refunds and events together. What a provider tells are
 * sums so far, so that a repeat changes nothing.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { checkVersion } from "../database/Precondition.ts"
import { lockThenRead } from "../database/Repository.ts"
import { Outbox } from "../outbox/Outbox.ts"
import type { NewEvent } from "../kernel/EventDefinition.ts"
import { makeId } from "../kernel/Ids.ts"
import { formatMoney } from "../kernel/Money.ts"
import { Charges } from "../payment/Charges.ts"
import { paymentFailed, paymentRefunded } from "../payment/PaymentEvents.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import {
  maxPayments,
  maxRefunds,
  maxSyncWarning,
  type OrderPayment,
  type OrderRefund,
  type OrderState
} from "./Order.ts"
import { OrderAlreadyPaid, OrderNotFound, OrderStateConflict, PaymentExceedsDue } from "./OrderErrors.ts"
import { orderPaid, orderRefunded, orderUpdated } from "./OrderEvents.ts"
import { OrderRepository } from "./OrderRepository.ts"
import { financialStatusOf, movedTo } from "./OrderStates.ts"
import { type OrderView, toOrderView } from "./OrderView.ts"

/** Money that reached the merchant some other way. `amount` in minor units of the order's currency. */
export interface RecordedPayment {
  readonly amount: bigint
  readonly method: string
  readonly reference?: string | null | undefined
  /** When the money came; now unless told. */
  readonly paidAt?: Date | undefined
}

/** A provider's charge as it says it is now: sums so far, in minor units. */
export interface ChargeState {
  readonly externalId: string
  readonly captured: bigint
  readonly refunded: bigint
  readonly failed: boolean
  readonly reason: string | null
}

export class OrderMoney extends Context.Service<OrderMoney>()("@effect-commerce/core/order/OrderMoney", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* OrderRepository
    const outbox = yield* Outbox
    const charges = yield* Charges

    const locked = Effect.fnUntraced(function* (storeId: string, id: string) {
      const [found, order] = yield* lockThenRead(repository.lock(storeId, id), repository.find(storeId, id))
      return found ? order : undefined
    })

    /** Writes the order with these payments, and tells what that means. */
    const settle = Effect.fnUntraced(function* ({ before, payments, syncWarning }: Change, told: Told, now: number) {
      const after = { ...withPayments(before, payments, told.refunds, now), syncWarning }
      yield* repository.saveMoney(before.storeId, { ...after, newRefunds: told.refunds }, new Date(now))
      const view = toOrderView(after)
      yield* outbox.appendAll(before.storeId, eventsOf(before, after, view, told))
      return view
    })

    return {
      record: Effect.fn("OrderMoney.record")(function* (store: StoreContext, id: string, payment: RecordedPayment) {
        const now = yield* Clock.currentTimeMillis
        return yield* database.write(store.id)(
          Effect.gen(function* () {
            const seen = yield* repository.find(store.id, id)
            if (seen === undefined) return yield* new OrderNotFound({ id })
            if (seen.checkoutId !== null && seen.payments.some(isOpenCharge))
              yield* charges.lock(store.id, seen.checkoutId)
            const order = (yield* locked(store.id, id)) ?? seen
            yield* checkVersion(order.updatedAt)
            if (order.status === "CANCELLED" || order.status === "REFUNDED")
              return yield* new OrderStateConflict({ id, status: order.status })
            const due = order.totalAmount - order.capturedAmount
            if (due <= 0n) return yield* new OrderAlreadyPaid({ id })
            const money = (minor: bigint) => formatMoney(minor, order.currency)
            if (payment.amount > due)
              return yield* new PaymentExceedsDue({ amount: money(payment.amount), due: money(due) })
            const payments = recorded(order, payment, now)
            if (payments.length > maxPayments && payments.length > order.payments.length) {
              return yield* FieldRejected.at("payments", `an order has at most ${maxPayments} payments`)
            }
            for (const { reference } of coveredCharges(order.payments, payments)) {
              if (order.checkoutId !== null && reference !== null)
                yield* charges.release(store.id, order.checkoutId, reference, new Date(now))
            }
            return yield* settle({ before: order, payments, syncWarning: order.syncWarning }, nothingTold, now)
          })
        )
      }),
      /** Brings the order's payment of this charge up to what the provider says. Answers whether anything changed. */
      followCharge: Effect.fn("OrderMoney.followCharge")(function* (
        store: StoreContext,
        id: string,
        charge: ChargeState
      ) {
        const now = yield* Clock.currentTimeMillis
        return yield* database.write(store.id)(
          Effect.gen(function* () {
            const order = yield* locked(store.id, id)
            const payment = order?.payments.find((row) => row.reference === charge.externalId)
            if (order === undefined || payment === undefined) return false
            const next = followed(payment, charge, now)
            const syncWarning = warningOf(order, payment, charge)
            const isSame =
              next.captured === payment.captured && next.refunded === payment.refunded && next.status === payment.status
            if (isSame && syncWarning === order.syncWarning) return false
            const payments = order.payments.map((row) => (row.id === payment.id ? next : row))
            const refunds = refundsOf(
              order,
              payment,
              { amount: next.refunded - payment.refunded, captured: sumOf(payments, "captured") },
              now
            )
            const told: Told = {
              refunds,
              failed: next.status === "failed" ? (charge.reason ?? "The payment failed") : null,
              payment: next
            }
            yield* settle({ before: order, payments, syncWarning }, told, now)
            return true
          })
        )
      })
    }
  })
}) {
  static readonly layer = Layer.effect(OrderMoney, OrderMoney.make).pipe(Layer.provide(OrderRepository.layer))
}

interface Change {
  readonly before: OrderState
  readonly payments: ReadonlyArray<OrderPayment>
  readonly syncWarning: string | null
}

/** What goes beyond the sums: refunds taken at the provider, a failure and its payment. */
interface Told {
  readonly refunds: ReadonlyArray<OrderRefund>
  readonly failed: string | null
  readonly payment: OrderPayment | null
}

const nothingTold: Told = { refunds: [], failed: null, payment: null }

const greatest = (a: bigint, b: bigint): bigint => (a > b ? a : b)
const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/**
 * What the provider has taken beyond what was asked for, or beyond what was left to pay when some of it was paid by
 * hand.
 */
const surplusOf = (payment: OrderPayment, charge: ChargeState): bigint => greatest(0n, charge.captured - payment.amount)

/** Money that is not this order's is the merchant's to give back; said once. */
const warningOf = (
  { syncWarning, currency }: OrderState,
  payment: OrderPayment,
  charge: ChargeState
): string | null => {
  if (surplusOf(payment, charge) === 0n || charge.refunded > 0n) return syncWarning
  const warning =
    `${payment.provider} captured ${formatMoney(charge.captured, currency)} ` +
    `where ${formatMoney(payment.amount, currency)} was asked for`
  if (syncWarning === null) return warning
  const both = `${syncWarning}; ${warning}`
  return syncWarning.includes(warning) || both.length > maxSyncWarning ? syncWarning : both
}

/** A provider's charge of which more is to come. */
const isOpenCharge = ({ reference, status, amount, captured }: OrderPayment): boolean =>
  reference !== null && status !== "failed" && status !== "voided" && captured < amount

/** Charges that were open, and of which nothing more is to come. */
const coveredCharges = (
  before: ReadonlyArray<OrderPayment>,
  after: ReadonlyArray<OrderPayment>
): ReadonlyArray<OrderPayment> =>
  before.filter((payment) => isOpenCharge(payment) && after.some((row) => row.id === payment.id && !isOpenCharge(row)))

/** Sums only rise, and never beyond what was asked for. What is given back is first of all what was taken beyond it. */
const followed = (payment: OrderPayment, charge: ChargeState, now: number): OrderPayment => {
  const captured = greatest(payment.captured, least(charge.captured, payment.amount))
  const refunded = greatest(
    payment.refunded,
    least(greatest(0n, charge.refunded - surplusOf(payment, charge)), captured)
  )
  const failed = charge.failed && captured === 0n && payment.status !== "voided"
  const paidAt = payment.paidAt ?? (captured > 0n ? new Date(now).toISOString() : null)
  return {
    ...payment,
    captured,
    refunded,
    paidAt,
    status: failed ? "failed" : captured > 0n ? "captured" : payment.status
  }
}

/**
 * `captured` is what the order has by now, that which the same notice tells of included. Who gives back cent by cent
 * makes no more than so many refunds: what comes then is more of the payment's newest one.
 */
const refundsOf = (
  order: OrderState,
  payment: OrderPayment,
  { amount, captured }: { readonly amount: bigint; readonly captured: bigint },
  now: number
): ReadonlyArray<OrderRefund> => {
  if (amount <= 0n) return []
  const type = order.refundedAmount + amount >= captured ? "full" : "partial"
  const newest =
    order.refunds.length < maxRefunds ? undefined : order.refunds.findLast((refund) => refund.paymentId === payment.id)
  if (newest !== undefined) return [{ ...newest, amount, type }]
  const createdAt = new Date(now).toISOString()
  return [
    {
      id: makeId("ref", now),
      paymentId: payment.id,
      amount,
      reason: null,
      status: "succeeded",
      type,
      source: "provider",
      createdAt
    }
  ]
}

/**
 * The payment that was awaited by hand becomes the recorded one. Otherwise the recorded one is a payment of its own,
 * and what was awaited is that much less, so that the payments always add up to the total: a provider that nothing is
 * left for is `voided`, and its charge is released.
 */
const recorded = (
  order: OrderState,
  { amount, method, reference, paidAt }: RecordedPayment,
  now: number
): ReadonlyArray<OrderPayment> => {
  const money = {
    paidAt: (paidAt ?? new Date(now)).toISOString(),
    method,
    reference: reference ?? null,
    status: "captured" as const,
    amount,
    captured: amount,
    refunded: 0n
  }
  const awaited = order.payments.find((row) => row.status === "pending" && row.reference === null)
  if (awaited?.amount === amount)
    return order.payments.map((row) => (row.id === awaited.id ? { ...row, ...money } : row))
  let left = amount
  const kept = order.payments.map((row): OrderPayment => {
    const isOver = row.status === "failed" || row.status === "voided"
    const less = isOver ? 0n : least(left, row.amount - row.captured)
    left -= less
    const rest = row.amount - less
    return less === 0n ? row : { ...row, amount: rest, status: rest === 0n ? "voided" : row.status }
  })
  return [...kept, { id: makeId("pay", now), provider: "manual", ...money }]
}

const sumOf = (payments: ReadonlyArray<OrderPayment>, field: "captured" | "refunded"): bigint =>
  payments.reduce((sum, row) => sum + row[field], 0n)

/** The whole is paid for by now, and was not before. */
const isCoveredBy = ({ totalAmount, capturedAmount }: OrderState, captured: bigint): boolean =>
  capturedAmount < totalAmount && captured >= totalAmount

/** What is told of a refund that is there already is what it is more. */
const withRefunds = (
  known: ReadonlyArray<OrderRefund>,
  told: ReadonlyArray<OrderRefund>
): ReadonlyArray<OrderRefund> => {
  const more = new Map(told.map((refund) => [refund.id, refund]))
  const grown = known.map((refund) => {
    const by = more.get(refund.id)
    return by === undefined ? refund : { ...by, amount: refund.amount + by.amount }
  })
  return [...grown, ...told.filter(({ id }) => !known.some((refund) => refund.id === id))]
}

/**
 * One notice may tell of a capture and of a refund: the order goes through both, as if they had been told one by one.
 */
const withPayments = (
  order: OrderState,
  payments: ReadonlyArray<OrderPayment>,
  refunds: ReadonlyArray<OrderRefund>,
  now: number
): OrderState => {
  const captured = sumOf(payments, "captured")
  const refunded = sumOf(payments, "refunded")
  const financialStatus = financialStatusOf({
    total: order.totalAmount,
    captured,
    refunded,
    states: payments.map((row) => row.status)
  })
  const at = new Date(now)
  const paid = isCoveredBy(order, captured) ? movedTo(order.status, "PAID") : order.status
  const status =
    refunds.length === 0 ? paid : movedTo(paid, financialStatus === "refunded" ? "REFUNDED" : "PARTIALLY_REFUNDED")
  const allRefunds = withRefunds(order.refunds, refunds)
  // A refund that is only more than it was moves nothing that is worth a line of history.
  const isRefundedMore = allRefunds.length === order.refunds.length && paid === status
  const moves = [
    ...(paid === order.status ? [] : [{ from: order.status, to: paid, reason: null, at: at.toISOString() }]),
    ...(isRefundedMore ? [] : [{ from: paid, to: status, reason: "refunded at the provider", at: at.toISOString() }])
  ]
  return {
    ...order,
    status,
    financialStatus,
    capturedAmount: captured,
    refundedAmount: refunded,
    statusHistory: [...order.statusHistory, ...moves],
    payments,
    refunds: allRefunds,
    updatedAt: at
  }
}

const paymentView = (order: OrderState, payment: OrderPayment) => {
  const money = (minor: bigint) => formatMoney(minor, order.currency)
  const { id, provider, method, status, amount, captured, refunded } = payment
  return {
    id,
    orderId: order.id,
    provider,
    method,
    status,
    amount: money(amount),
    captured: money(captured),
    refunded: money(refunded),
    currency: order.currency
  }
}

/**
 * interface.md, Events: order.paid once the whole is covered; order.refunded with `source` provider and no refundId;
 * payment.* for what the provider told.
 */
const eventsOf = (
  before: OrderState,
  after: OrderState,
  order: OrderView,
  { refunds, failed, payment }: Told
): ReadonlyArray<NewEvent> => {
  const data = { orderId: after.id, order }
  const [refund] = refunds
  const paid = isCoveredBy(before, after.capturedAmount)
  return [
    ...(paid ? [orderPaid.of(data)] : []),
    ...(before.syncWarning === after.syncWarning ? [] : [orderUpdated.of(data)]),
    ...(refund === undefined
      ? []
      : [
          orderRefunded.of({ ...data, refundType: refund.type, source: "provider" }),
          ...(payment === null
            ? []
            : [paymentRefunded.of({ paymentId: payment.id, payment: paymentView(after, payment) })])
        ]),
    // Only an order that a checkout became has a charge that can fail.
    ...(failed === null || after.checkoutId === null
      ? []
      : [paymentFailed.of({ checkoutId: after.checkoutId, error: failed })])
  ]
}
