/**
 * Makes an order of priced lines: the copy of what is sold, and the rows and events that go with it. Runs inside the
 * transaction of whoever places the order (checkout completion, POST /v1/orders), so that stock, order and events agree
 * or none of them is.
 */
import { Context, Effect, Layer } from "effect"
import { Outbox } from "../database/Outbox.ts"
import type { Address } from "../kernel/Address.ts"
import { makeId } from "../kernel/Ids.ts"
import type { PricingResult } from "../pricing/PricingResult.ts"
import { lineName, type Sellable } from "../pricing/Sellable.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import type { FieldRejected } from "../kernel/FieldRejected.ts"
import type { NewOrder, OrderItem, OrderState } from "./Order.ts"
import type { OrderExternalIdTaken } from "./OrderErrors.ts"
import { checkoutCompleted, orderCreated, orderPaid } from "./OrderEvents.ts"
import { OrderRepository } from "./OrderRepository.ts"
import { financialStatusOf } from "./OrderStates.ts"
import { type OrderView, toOrderView } from "./OrderView.ts"
import { taxBreakdownOf } from "./TaxBreakdown.ts"

/** One priced line about to be sold. A line without a product carries its own name. */
export interface PlacedLine {
  readonly id: string
  readonly productId: string | null
  readonly variantId: string | null
  readonly quantity: number
  readonly unitPrice: bigint
  readonly name: string | null
  readonly metadata: Record<string, unknown>
  readonly customizations: Record<string, unknown>
  readonly modifiers: ReadonlyArray<unknown>
  readonly sellable: Sellable | null
}

export interface PlacementInput {
  readonly id: string
  readonly checkoutId: string | null
  readonly externalId: string | null
  readonly salesChannelId: string | null
  readonly customerId: string | null
  readonly sourceName: string | null
  readonly isTestOrder: boolean
  readonly currency: string
  readonly email: string | null
  readonly customer: OrderState["customer"]
  readonly shippingAddress: Address | null
  readonly billingAddress: Address | null
  readonly shippingSelection: Record<string, unknown> | null
  /** Shipping unless told. */
  readonly deliveryType?: "shipping" | "pickup" | undefined
  readonly pickupLocation?: Record<string, unknown> | null | undefined
  readonly paymentMethod: string | null
  readonly notes: string | null
  readonly customFieldValues: Record<string, unknown>
  readonly lines: ReadonlyArray<PlacedLine>
  readonly totals: PricingResult
  /** Nothing is to pay: the order is PAID from the start. */
  readonly settled: boolean
}

/** What a provider has said of an order's money when the order is placed. Minor units. */
export interface ProviderPayment {
  readonly provider: string
  readonly externalId: string
  readonly state: "captured" | "authorized" | "pending"
  readonly captured: bigint
}

export interface OrderPlacementMethods {
  readonly place: (
    store: StoreContext,
    input: PlacementInput,
    now: number
  ) => Effect.Effect<OrderView, OrderExternalIdTaken | FieldRejected>
  /** Places an order that was drafted before, as `draftOrder` made it. */
  readonly placeDraft: (
    storeId: string,
    draft: NewOrder
  ) => Effect.Effect<OrderView, OrderExternalIdTaken | FieldRejected>
  /** The order a checkout has become, if it has. */
  readonly findByCheckout: (storeId: string, checkoutId: string) => Effect.Effect<OrderState | undefined>
}

export class OrderPlacement extends Context.Service<OrderPlacement, OrderPlacementMethods>()(
  "@effect-commerce/core/order/OrderPlacement"
) {
  static readonly layer = Layer.effect(
    OrderPlacement,
    Effect.gen(function* () {
      const repository = yield* OrderRepository
      const outbox = yield* Outbox
      const placeDraft = Effect.fnUntraced(function* (storeId: string, order: NewOrder) {
        const orderNumber = yield* repository.insert(order)
        const view = toOrderView({ ...order, orderNumber })
        const data = { orderId: order.id, order: view }
        yield* outbox.appendAll(storeId, [
          orderCreated.of(data),
          ...(order.checkoutId === null ? [] : [checkoutCompleted.of({ checkoutId: order.checkoutId, ...data })]),
          ...(order.financialStatus === "paid" ? [orderPaid.of(data)] : [])
        ])
        return view
      })
      return OrderPlacement.of({
        placeDraft,
        place: (store, input, now) => placeDraft(store.id, draftOrder(store, input, now)),
        findByCheckout: repository.findByCheckout
      })
    })
  ).pipe(Layer.provide(OrderRepository.layer))
}

const itemsOf = (input: PlacementInput): ReadonlyArray<OrderItem> =>
  input.lines.map((line, i) => {
    const priced = input.totals.lines[i]
    const subtotal = line.unitPrice * BigInt(line.quantity)
    return {
      id: line.id,
      productId: line.productId,
      variantId: line.variantId,
      sku: line.sellable?.sku ?? null,
      name: line.name ?? (line.sellable === null ? "" : lineName(line.sellable)),
      image: line.sellable?.image ?? null,
      quantity: line.quantity,
      fulfilledQuantity: 0,
      unitPrice: line.unitPrice,
      subtotal,
      discount: priced?.discount ?? 0n,
      tax: priced?.tax ?? 0n,
      total: priced?.total ?? subtotal,
      taxLines:
        priced?.taxes.map(({ rateId, name, rate, amount }) => ({ rateId, name, rate, amount: String(amount) })) ?? [],
      metadata: line.metadata,
      customizations: line.customizations,
      modifiers: line.modifiers
    }
  })

/** The order as it will be written, but for its number. Pure. */
export const draftOrder = (store: StoreContext, input: PlacementInput, now: number): NewOrder => {
  const at = new Date(now)
  const { totals, settled } = input
  const status = settled ? "PAID" : "PENDING"
  // An order that costs nothing owes nothing, whatever status it begins with.
  const isPaid = settled || totals.total === 0n
  const method = input.paymentMethod ?? "manual"
  return {
    id: input.id,
    storeId: store.id,
    externalId: input.externalId,
    checkoutId: input.checkoutId,
    salesChannelId: input.salesChannelId,
    customerId: input.customerId,
    platform: null,
    sourceName: input.sourceName,
    status,
    financialStatus: isPaid ? "paid" : "pending",
    fulfillmentStatus: "unfulfilled",
    currency: input.currency,
    subtotal: totals.subtotal,
    discountAmount: totals.discountAmount,
    ruleDiscountAmount: totals.ruleDiscountAmount,
    shippingAmount: totals.shippingAmount,
    surchargeAmount: totals.surchargeAmount,
    taxAmount: totals.taxAmount,
    totalAmount: totals.total,
    capturedAmount: 0n,
    refundedAmount: 0n,
    taxBreakdown: taxBreakdownOf(totals, input.currency),
    couponCode: null,
    email: input.email,
    customer: input.customer,
    shippingAddress: input.shippingAddress,
    billingAddress: input.billingAddress,
    shippingSelection: input.shippingSelection,
    deliveryType: input.deliveryType ?? "shipping",
    pickupLocation: input.pickupLocation ?? null,
    paymentMethod: input.paymentMethod,
    notes: input.notes,
    customFieldValues: input.customFieldValues,
    adminFieldValues: {},
    statusLabelId: null,
    statusHistory: [{ from: null, to: status, reason: null, at: at.toISOString() }],
    syncWarning: null,
    isTestOrder: input.isTestOrder,
    isRead: false,
    trackingNumber: null,
    trackingUrl: null,
    carrier: null,
    createdAt: at,
    updatedAt: at,
    refunds: [],
    items: itemsOf(input),
    payments: [
      {
        id: makeId("pay", now),
        provider: method,
        method,
        reference: null,
        status: isPaid ? "captured" : "pending",
        amount: totals.total,
        captured: 0n,
        refunded: 0n,
        paidAt: isPaid ? at.toISOString() : null
      }
    ]
  }
}

/** The draft with what the provider has said of its money, and the moment it is placed. */
export const withPayment = (draft: NewOrder, payment: ProviderPayment, now: number): NewOrder => {
  const at = new Date(now)
  const paid = payment.captured >= draft.totalAmount
  const status = paid ? "PAID" : "PENDING"
  return {
    ...draft,
    status,
    financialStatus: financialStatusOf({
      total: draft.totalAmount,
      captured: payment.captured,
      refunded: 0n,
      states: [payment.state]
    }),
    capturedAmount: payment.captured,
    statusHistory: [{ from: null, to: status, reason: null, at: at.toISOString() }],
    createdAt: at,
    updatedAt: at,
    payments: draft.payments.map((row) => ({
      ...row,
      provider: payment.provider,
      method: payment.provider,
      reference: payment.externalId,
      status: payment.state,
      captured: payment.captured,
      paidAt: payment.captured > 0n ? at.toISOString() : null
    }))
  }
}
