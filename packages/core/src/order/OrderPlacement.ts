/**
 * Makes an order from a quote: the copy of what is sold, and the rows and events that go with it. Every order is placed
 * here: by a completed checkout, by a successful payment at a provider, by a storefront and by an admin key. It runs
 * inside the caller's transaction, so that stock, order and events are written together or not at all.
 */
import { Context, Effect, Layer } from "effect"
import { Claims } from "../claim/Claims.ts"
import { comesWithFiles } from "../download/SoldDownloads.ts"
import { explainQuote } from "../explanation/explainQuote.ts"
import { ifStorable } from "../explanation/StoredExplanation.ts"
import { Outbox } from "../outbox/Outbox.ts"
import { type AskedPresentment, begunPresentment } from "../fx/OrderPresentment.ts"
import { addressedTo, type Person } from "../kernel/Address.ts"
import { formatMoney } from "../kernel/Money.ts"
import { recordedModifier } from "../pricing/ChosenModifierView.ts"
import { type ChosenModifier, pricedModifiers } from "../modifier/LineModifiers.ts"
import type { Quote, QuoteLine } from "../pricing/Quote.ts"
import { basePriceAt, componentsOf, lineName, unitPriceAt } from "../pricing/Sellable.ts"
import { Quotas } from "../quota/Quotas.ts"
import { type Actor, CurrentActor } from "../store/Actor.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { placedPayments } from "./internal/placedPayments.ts"
import type { NewOrder, OrderItem } from "./Order.ts"
import { checkoutCompleted, orderCreated, orderPaid } from "./OrderEvents.ts"
import { NewOrderRepository } from "./NewOrderRepository.ts"
import { OrderRepository } from "./OrderRepository.ts"
import { toOrderView } from "./OrderView.ts"
import { statusChange } from "./StatusHistory.ts"
import { taxBreakdownOf } from "../pricing/TaxBreakdown.ts"

/** A quoted line to be sold. A line without a product has its own name. */
export interface PlacedLine extends QuoteLine {
  readonly productId: string | null
  readonly variantId: string | null
  /** Absent or null: the product's name. */
  readonly name?: string | null
  readonly metadata: Record<string, unknown>
  readonly customizations: Record<string, unknown>
  readonly modifiers: ReadonlyArray<ChosenModifier>
}

/**
 * An order to be placed. Lines, amounts, customer, sales channel, currency, addresses and delivery are those of the
 * quote.
 */
export interface Placement {
  readonly id: string
  readonly quote: Quote<PlacedLine>
  readonly customer: Person
  readonly checkoutId?: string
  readonly draftId?: string | null
  readonly externalId?: string | null
  readonly sourceName: string
  readonly isTestOrder: boolean
  readonly paymentMethod: string
  readonly notes: string | null
  /** The language in which its lines were read; absent or null for the store's own. */
  readonly locale?: string | null
  readonly customFieldValues?: Readonly<Record<string, unknown>>
  /** Where a payment provider is asked in another currency: at which rate, and for how much. */
  readonly presentment?: AskedPresentment | null
  /** Whether an order that has nothing left to pay begins as PAID. Otherwise it begins as PENDING, like any other. */
  readonly isPaidWhenFree: boolean
}

export class OrderPlacement extends Context.Service<OrderPlacement>()("@effect-commerce/core/order/OrderPlacement", {
  make: Effect.gen(function* () {
    const { insert, withFreeExternalId } = yield* NewOrderRepository
    const { findByCheckout } = yield* OrderRepository
    const outbox = yield* Outbox
    const claims = yield* Claims
    const { takeOrder } = yield* Quotas
    /**
     * Places an order that was drafted before by `draftOrder`, and spends what it claims: after everything that locks
     * stock. `draft` is the order as it was drafted, where a payment was reported since.
     */
    const placeDraft = Effect.fnUntraced(function* <E = never>(
      store: StoreContext,
      asked: NewOrder,
      draft: NewOrder = asked,
      place: Effect.Effect<void, E> = Effect.void
    ) {
      const order = yield* withFreeExternalId(asked)
      yield* claims.spend(store, draft, order.createdAt)
      yield* place
      const { orderNumber, paidAt, downloads } = yield* insert(order)
      const later = { statusLabel: null, disputes: [], parcels: [], invoiceNumber: null }
      const view = toOrderView({ ...order, ...later, orderNumber, paidAt, downloads })
      const data = { orderId: order.id, order: view }
      yield* outbox.appendAll(store.id, [
        orderCreated.of(data),
        ...(order.checkoutId === null ? [] : [checkoutCompleted.of({ checkoutId: order.checkoutId, ...data })]),
        ...(order.financialStatus === "paid" ? [orderPaid.of(data)] : [])
      ])
      return view
    })
    /** An order that nobody has begun to pay for at a provider: it takes its place among those of the month. */
    const placeNew = (store: StoreContext, order: NewOrder) =>
      placeDraft(store, order, order, takeOrder(store, { checkoutId: order.checkoutId, now: order.createdAt }))
    return {
      placeDraft,
      placeNew,
      /** Writes the order of a quote with its items, adjustments, payments and events. */
      placeOrder: (store: StoreContext, placement: Placement, now: number) =>
        Effect.flatMap(CurrentActor, (actor) => placeNew(store, draftOrder(store, placement, { now, actor }))),
      /** The order that a checkout has become, if any. */
      findByCheckout
    }
  })
}) {
  static readonly layer = Layer.effect(OrderPlacement, OrderPlacement.make).pipe(
    Layer.provide([OrderRepository.layer, NewOrderRepository.layer])
  )
}

/**
 * The modifiers chosen for a line, by name and price. Where the unit price is not the catalogue's (a caller stated it,
 * or it is in another currency), it cannot be split among modifiers.
 */
const modifiersOf = (
  { sellable, unitPrice }: PlacedLine,
  isCatalogue: boolean,
  now: number
): Pick<OrderItem, "modifiers" | "basePrice"> => {
  if (sellable === null || sellable.modifiers === null) return { modifiers: [] }
  const priced = pricedModifiers(sellable.modifiers)
  if (priced.length === 0) return { modifiers: [] }
  if (isCatalogue && unitPriceAt(sellable, now) === unitPrice)
    return { modifiers: priced.map(recordedModifier), basePrice: basePriceAt(sellable, now) }
  const unpriced = { priceDelta: null, freeQuantity: 0, amount: null }
  return { modifiers: priced.map((modifier) => recordedModifier({ ...modifier, ...unpriced })) }
}

const itemsOf = ({ request, lines }: Quote<PlacedLine>, store: StoreContext, now: number): ReadonlyArray<OrderItem> =>
  request.lines.map((line, i) => {
    const priced = lines[i]
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
      refundedQuantity: 0,
      unitPrice: line.unitPrice,
      subtotal,
      discount: priced?.discount ?? 0n,
      tax: priced?.tax ?? 0n,
      total: priced?.total ?? subtotal,
      taxLines:
        priced?.taxes.map(({ rateId, name, rate, amount }) => ({ rateId, name, rate, amount: String(amount) })) ?? [],
      metadata: line.metadata,
      customizations: line.customizations,
      ...modifiersOf(line, request.currency === store.currency, now),
      kitComponents: componentsOf(line.sellable),
      comesWithFiles: comesWithFiles(line.sellable)
    }
  })

/** The addresses, and the delivery method. */
const deliveryOf = ({ quote, customer }: Placement) => {
  const { request, chosen, pickupLocation, shippingAmount } = quote
  const { delivery, currency } = request
  const { shippingAddress, billingAddress } =
    delivery.by === "unknown" ? { shippingAddress: null, billingAddress: null } : delivery
  return {
    shippingAddress: addressedTo(shippingAddress, customer),
    billingAddress: addressedTo(billingAddress, customer),
    shippingSelection:
      chosen === undefined
        ? null
        : {
            carrier: null,
            service: null,
            methodName: chosen.rate.name,
            amount: formatMoney(shippingAmount, currency),
            shippingRateId: chosen.rate.id
          },
    deliveryType: delivery.by === "chosen" ? delivery.deliveryType : "shipping",
    pickupLocation
  }
}

/** Who places it, and when. */
interface Placing {
  readonly now: number
  readonly actor: Actor
}

/** The order as it will be written, except for its number. Pure. */
export const draftOrder = (store: StoreContext, placement: Placement, { now, actor }: Placing): NewOrder => {
  const at = new Date(now)
  const { quote } = placement
  const { buyer, currency } = quote.request
  const isPaid = quote.amountDue === 0n
  const payments = placedPayments(quote, placement.paymentMethod, now)
  const status = isPaid && placement.isPaidWhenFree ? "PAID" : "PENDING"
  return {
    id: placement.id,
    storeId: store.id,
    externalId: placement.externalId ?? null,
    checkoutId: placement.checkoutId ?? null,
    draftId: placement.draftId ?? null,
    salesChannelId: buyer.salesChannelId,
    customerId: buyer.customerId,
    platform: null,
    sourceName: placement.sourceName,
    status,
    // An order with nothing left to pay is paid, whatever status it begins with.
    financialStatus: isPaid ? "paid" : "pending",
    fulfillmentStatus: "unfulfilled",
    currency,
    locale: placement.locale ?? null,
    subtotal: quote.subtotal,
    discountAmount: quote.discountAmount,
    ruleDiscountAmount: quote.ruleDiscountAmount,
    shippingAmount: quote.shippingAmount,
    surchargeAmount: quote.surchargeAmount,
    taxAmount: quote.taxAmount,
    totalAmount: quote.total,
    capturedAmount: quote.total - quote.amountDue,
    refundedAmount: 0n,
    taxBreakdown: taxBreakdownOf(quote, currency),
    couponCode: quote.couponCode,
    email: buyer.email,
    customer: { name: placement.customer.name, phone: placement.customer.phone },
    ...deliveryOf(placement),
    paymentMethod: placement.paymentMethod,
    notes: placement.notes,
    customFieldValues: placement.customFieldValues ?? {},
    adminFieldValues: {},
    statusLabelId: null,
    statusHistory: [statusChange(null, status, { reason: null, actor, now })],
    syncWarning: null,
    isTestOrder: placement.isTestOrder,
    isRead: false,
    trackingNumber: null,
    trackingUrl: null,
    carrier: null,
    createdAt: at,
    updatedAt: at,
    refunds: [],
    items: itemsOf(quote, store, now),
    adjustments: quote.adjustments,
    explanation: ifStorable(explainQuote({ type: "order", id: placement.id }, quote)),
    payments,
    presentment: begunPresentment(placement.presentment, payments[0])
  }
}
