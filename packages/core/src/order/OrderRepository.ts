/** The SQL of orders, order_item, order_adjustment and payment. One statement writes, or reads, a whole order. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { makePageReader } from "../database/PageReads.ts"
import { containing } from "../database/Repository.ts"
import { constraintViolation } from "../database/SqlErrors.ts"
import type { Page } from "../kernel/Pagination.ts"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import type { Adjustment } from "../pricing/Adjustment.ts"
import type { NewOrder, OrderItem, OrderPayment, OrderRefund, OrderSort, OrderState, OrderStatus } from "./Order.ts"
import { maxDraftBytes } from "./OrderDraft.ts"
import { OrderExternalIdTaken } from "./OrderErrors.ts"
import { readTaxBreakdown, type StoredTaxBreakdown } from "./TaxBreakdown.ts"

type Minor = "unitPrice" | "subtotal" | "discount" | "tax" | "total"
type ItemJson = Omit<OrderItem, Minor | "basePrice"> & { readonly [K in Minor]: string }
type PaymentJson = Omit<OrderPayment, "amount" | "captured" | "refunded"> & {
  readonly amount: string
  readonly captured: string
  readonly refunded: string
}
type RefundJson = Omit<OrderRefund, "amount"> & { readonly amount: string }
type AdjustmentJson = Omit<Adjustment, "amount"> & { readonly amount: string }
type OrderRow = Omit<OrderState, "items" | "adjustments" | "payments" | "refunds" | "taxBreakdown"> & {
  readonly taxBreakdown: StoredTaxBreakdown
  readonly items: ReadonlyArray<ItemJson>
  readonly adjustments: ReadonlyArray<AdjustmentJson>
  readonly payments: ReadonlyArray<PaymentJson>
  readonly refunds: ReadonlyArray<RefundJson>
}

/**
 * What a movement of money changes of an order: the order's own sums and states, the payments as they now are, and
 * refunds that are new; a refund whose id is stored already grows by the amount.
 */
export type OrderMoneyChange = Pick<
  OrderState,
  | "id"
  | "status"
  | "financialStatus"
  | "capturedAmount"
  | "refundedAmount"
  | "statusHistory"
  | "payments"
  | "currency"
  | "syncWarning"
> & {
  readonly newRefunds: ReadonlyArray<OrderRefund>
}

export interface OrderQuery {
  readonly page: Page
  readonly statuses: ReadonlyArray<OrderStatus> | undefined
  /** In the number (with its # or without), the external id, the buyer's address or name. */
  readonly search?: string | undefined
  /** Of one customer alone. */
  readonly customerId?: string | undefined
  readonly sortBy: OrderSort
  readonly descending: boolean
}

const firstOrderNumber = 1_001

/**
 * Bytes of an order's lines as JSON, with all they carry: so that the whole order fits in a response of 8 MiB, and what
 * is kept as a draft always fits in an order.
 */
const maxItemsBytes = maxDraftBytes + 1_048_576

/** Bytes of a line's metadata that a list of orders shows; the order itself shows more of them too. */
const mostListedMetadata = 1_024

const sortColumns: Record<OrderSort, string> = {
  createdAt: "created_at",
  updatedAt: "updated_at",
  orderNumber: "order_number",
  totalAmount: "total_amount",
  status: "status"
}

export class OrderRepository extends Context.Service<OrderRepository>()("@effect-commerce/core/order/OrderRepository", {
  make: Effect.gen(function* () {
    const { sql } = yield* Database

    // Only an order of no sales channel, an admin key's, has a shipping or a tax that its caller has stated.
    const columnsWith = (
      metadata: string
    ) => `o.id, o.store_id, o.order_number, o.external_id, o.checkout_id, o.sales_channel_id,
        o.customer_id, o.platform, o.source_name, o.status, o.financial_status, o.fulfillment_status, o.currency,
        o.locale,
        o.subtotal, o.discount_amount, o.rule_discount_amount, o.shipping_amount, o.surcharge_amount, o.tax_amount,
        o.total_amount, o.captured_amount, o.refunded_amount, o.tax_breakdown, o.coupon_code, o.email, o.customer,
        o.shipping_address, o.billing_address, o.shipping_selection, o.delivery_type, o.pickup_location,
        o.payment_method, o.notes, o.custom_field_values, o.admin_field_values, o.status_label_id, o.status_history,
        o.sync_warning, o.is_test_order, o.is_read, o.tracking_number, o.tracking_url, o.carrier, o.created_at,
            o.updated_at,
            coalesce((SELECT json_agg(json_build_object('id', i.id, 'productId', i.product_id, 'variantId',
            i.variant_id, 'sku', i.sku, 'name', i.name, 'image', i.image, 'quantity', i.quantity, 'fulfilledQuantity',
              i.fulfilled_quantity, 'unitPrice', i.unit_price::text, 'subtotal', i.subtotal::text, 'discount',
              i.discount::text, 'tax', i.tax::text, 'total', i.total::text, 'taxLines', i.tax_lines, 'metadata',
              ${metadata}, 'customizations', i.customizations, 'modifiers', i.modifiers, 'kitComponents',
              i.kit_components) ORDER BY i.position)
          FROM order_item i WHERE i.store_id = o.store_id AND i.order_id = o.id), '[]'::json) AS items,
        CASE WHEN o.discount_amount = 0 AND o.rule_discount_amount = 0 AND o.surcharge_amount = 0
              AND (o.sales_channel_id IS NOT NULL OR o.shipping_amount = 0 AND o.tax_amount = 0) THEN '[]'::json ELSE
            coalesce((SELECT json_agg(json_build_object('kind', a.kind, 'sourceId', a.source_id, 'part', a.part,
              'target', a.target, 'lineId', a.item_id, 'amount', a.amount::text, 'reason', a.reason)
            ORDER BY a.position)
          FROM order_adjustment a WHERE a.store_id = o.store_id AND a.order_id = o.id), '[]'::json) END AS adjustments,
        coalesce((SELECT json_agg(json_build_object('id', p.id, 'provider', p.provider, 'method', p.method, 'reference',
            p.reference, 'status', p.status, 'amount', p.amount::text, 'captured', p.captured::text, 'refunded',
              p.refunded::text, 'paidAt', p.paid_at) ORDER BY p.created_at, p.id)
          FROM payment p WHERE p.store_id = o.store_id AND p.order_id = o.id), '[]'::json) AS payments,
        CASE WHEN o.refunded_amount = 0 THEN '[]'::json ELSE
            coalesce((SELECT json_agg(json_build_object('id', r.id, 'paymentId', r.payment_id, 'amount', r.amount::text,
              'reason', r.reason, 'status', r.status, 'type', r.type, 'source', r.source, 'createdAt', r.created_at)
            ORDER BY r.created_at, r.id)
          FROM refund r WHERE r.store_id = o.store_id AND r.order_id = o.id), '[]'::json) END AS refunds`
    const select = sql.literal(`SELECT ${columnsWith("i.metadata")} FROM orders o`)
    const isShort = `octet_length(i.metadata::text) <= ${mostListedMetadata}`
    const listed = `CASE WHEN ${isShort} THEN i.metadata ELSE '{}'::jsonb END`
    const reader = makePageReader<OrderRow>(sql, { name: "orders", alias: "o", columns: columnsWith(listed) })

    const one = (rows: ReadonlyArray<OrderRow>): OrderState | undefined =>
      rows[0] === undefined ? undefined : toState(rows[0])

    const insertAdjustments = ({ storeId, id, adjustments }: NewOrder) =>
      sql`, adjusted AS (
            INSERT INTO order_adjustment (store_id, order_id, position, item_id, target, part, kind, source_id, amount,
              reason)
            SELECT ${storeId}, ${id}, a.position, a."lineId", a.target, a.part, a.kind, a."sourceId", a.amount, a.reason
            FROM jsonb_to_recordset(${json(adjustments.map(adjustmentText))}::jsonb) AS a (position int, "lineId" text,
              target text, part text, kind text, "sourceId" text, amount bigint, reason text))`

    /**
     * Lines that are more than one order may keep are refused. Takes the store's next number and writes order, items,
     * adjustments and payments; the number is taken last, so its lock is held shortest.
     */
    const insert = (order: NewOrder) => {
      const items = JSON.stringify(order.items.map((item, position) => ({ ...withMinorText(item), position })))
      if (Buffer.byteLength(items) > maxItemsBytes)
        return FieldRejected.at("items", `come to more than ${maxItemsBytes} bytes`)
      const payments = order.payments.map(paymentText)
      const adjusted = order.adjustments.length === 0 ? sql.literal("") : insertAdjustments(order)
      return sql<{ readonly orderNumber: bigint }>`WITH number AS (
            INSERT INTO order_counter AS c (store_id, last_number) VALUES (${order.storeId}, ${firstOrderNumber})
            ON CONFLICT (store_id) DO UPDATE SET last_number = c.last_number + 1 RETURNING last_number
          ), placed AS (
            INSERT INTO orders (store_id, id, order_number, external_id, checkout_id, sales_channel_id, customer_id,
              platform, source_name, status, financial_status, fulfillment_status, currency, locale, subtotal,
              discount_amount,
              rule_discount_amount, shipping_amount, surcharge_amount, tax_amount, total_amount, captured_amount,
              tax_breakdown, coupon_code, email, customer, shipping_address, billing_address, shipping_selection,
              delivery_type, pickup_location, payment_method, notes, custom_field_values, status_history, sync_warning,
                is_test_order, created_at, updated_at)
            SELECT ${order.storeId}, ${order.id}, last_number, ${order.externalId}, ${order.checkoutId},
              ${order.salesChannelId}, ${order.customerId}, ${order.platform}, ${order.sourceName}, ${order.status},
              ${order.financialStatus}, ${order.fulfillmentStatus}, ${order.currency}, ${order.locale},
              ${order.subtotal},
              ${order.discountAmount}, ${order.ruleDiscountAmount}, ${order.shippingAmount}, ${order.surchargeAmount},
              ${order.taxAmount}, ${order.totalAmount}, ${order.capturedAmount}, ${json(order.taxBreakdown)}::jsonb,
              ${order.couponCode}, ${order.email}, ${json(order.customer)}::jsonb,
              ${json(order.shippingAddress)}::jsonb, ${json(order.billingAddress)}::jsonb,
              ${json(order.shippingSelection)}::jsonb, ${order.deliveryType}, ${json(order.pickupLocation)}::jsonb,
                ${order.paymentMethod}, ${order.notes}, ${json(order.customFieldValues)}::jsonb,
                ${json(order.statusHistory)}::jsonb, ${order.syncWarning}, ${order.isTestOrder}, ${order.createdAt},
                ${order.updatedAt}
            FROM number RETURNING order_number
          ), items AS (
            INSERT INTO order_item (store_id, order_id, id, position, product_id, variant_id, sku, name, image,
              quantity, unit_price, subtotal, discount, tax, total, tax_lines, metadata, customizations, modifiers,
              kit_components, base_price)
            SELECT ${order.storeId}, ${order.id}, i.id, i.position, i."productId", i."variantId", i.sku, i.name,
              i.image, i.quantity, i."unitPrice", i.subtotal, i.discount, i.tax, i.total, i."taxLines", i.metadata,
                i.customizations, i.modifiers, i."kitComponents", i."basePrice"
            FROM jsonb_to_recordset(${items}::jsonb) AS i (id text, position int, "productId" text, "variantId" text,
              sku text, name text, image text, quantity int, "unitPrice" bigint, subtotal bigint, discount bigint,
              tax bigint, total bigint, "taxLines" jsonb, metadata jsonb, customizations jsonb, modifiers jsonb,
              "kitComponents" jsonb, "basePrice" bigint)
          ), payments AS (
            INSERT INTO payment (store_id, id, order_id, provider, method, reference, status, amount, captured,
              currency, paid_at, created_at, updated_at)
            SELECT ${order.storeId}, p.id, ${order.id}, p.provider, p.method, p.reference, p.status, p.amount,
              p.captured, ${order.currency}, p."paidAt", ${order.createdAt}, ${order.createdAt}
            FROM jsonb_to_recordset(${json(payments)}::jsonb) AS p (id text, provider text, method text, reference text,
              status text, amount bigint, captured bigint, "paidAt" timestamptz)
          )${adjusted} SELECT order_number FROM placed`.pipe(
        Effect.map((rows) => rows[0]?.orderNumber ?? 0n),
        constraintViolation(
          "orders_store_id_external_id_key",
          () => new OrderExternalIdTaken({ externalId: order.externalId ?? "" })
        )
      )
    }

    const saveMoney = (storeId: string, change: OrderMoneyChange, now: Date) =>
      Effect.asVoid(
        Effect.orDie(
          sql`WITH moved AS (
                UPDATE orders SET status = ${change.status}, financial_status = ${change.financialStatus},
                  captured_amount = ${change.capturedAmount}, refunded_amount = ${change.refundedAmount},
                    status_history = ${json(change.statusHistory)}::jsonb, sync_warning = ${change.syncWarning},
                    updated_at = ${now}
                WHERE store_id = ${storeId} AND id = ${change.id}
              ), paid AS (
                INSERT INTO payment (store_id, id, order_id, provider, method, reference, status, amount, captured,
                  refunded, currency, paid_at, created_at, updated_at)
                SELECT ${storeId}, p.id, ${change.id}, p.provider, p.method, p.reference, p.status, p.amount,
                  p.captured, p.refunded, ${change.currency}, p."paidAt", ${now}, ${now}
                FROM jsonb_to_recordset(${json(change.payments.map(paymentText))}::jsonb)
                  AS p (id text, provider text, method text, reference text, status text, amount bigint,
                    captured bigint, refunded bigint, "paidAt" timestamptz)
                ON CONFLICT (store_id, id) DO UPDATE SET paid_at = EXCLUDED.paid_at, method = EXCLUDED.method,
                  reference = EXCLUDED.reference, status = EXCLUDED.status, amount = EXCLUDED.amount,
                    captured = EXCLUDED.captured, refunded = EXCLUDED.refunded, updated_at = EXCLUDED.updated_at
              )
              INSERT INTO refund (store_id, id, order_id, payment_id, amount, reason, status, type, source, created_at)
              SELECT ${storeId}, r.id, ${change.id}, r."paymentId", r.amount, r.reason, r.status, r.type, r.source,
                ${now}
              FROM
                jsonb_to_recordset(${json(change.newRefunds.map(refundText))}::jsonb)
                AS r (id text, "paymentId" text, amount bigint, reason text, status text, type text, source text)
              ON CONFLICT (store_id, id) DO UPDATE SET amount = refund.amount + EXCLUDED.amount, type = EXCLUDED.type`
        )
      )

    const found = (words: string) => {
      const part = containing(words)
      return sql`(o.order_number::text = ${words.replace(/^#/, "")} OR lower(o.external_id) = ${words} OR
          lower(o.email) LIKE ${part} OR lower(o.customer ->> 'name') LIKE ${part})`
    }

    const list = (storeId: string, { statuses, customerId, search, sortBy, descending, page }: OrderQuery) => {
      const direction = descending ? "DESC" : "ASC"
      const listing = {
        conditions: [
          ...(statuses === undefined ? [] : [sql`o.status = ANY(${statuses}::text[])`]),
          ...(customerId === undefined ? [] : [sql`o.customer_id = ${customerId}`]),
          ...(search === undefined ? [] : [found(search.toLowerCase())])
        ],
        order: sql.literal(`o.${sortColumns[sortBy]} ${direction}, o.id ${direction}`),
        page,
        search
      }
      return Effect.map(reader.page(storeId, listing), ({ items, total }) => ({ items: items.map(toState), total }))
    }

    return {
      insert,
      find: (storeId: string, id: string) =>
        Effect.orDie(Effect.map(sql<OrderRow>`${select} WHERE o.store_id = ${storeId} AND o.id = ${id}`, one)),
      findByCheckout: (storeId: string, checkoutId: string) =>
        Effect.orDie(
          Effect.map(sql<OrderRow>`${select} WHERE o.store_id = ${storeId} AND o.checkout_id = ${checkoutId}`, one)
        ),
      /** Locks the order's row; every change of an order begins with it. */
      lock: (storeId: string, id: string) =>
        Effect.orDie(
          Effect.map(
            sql`SELECT 1 FROM orders WHERE store_id = ${storeId} AND id = ${id} FOR UPDATE`,
            (rows) => rows.length > 0
          )
        ),
      saveMoney,
      list
    }
  })
}) {
  static readonly layer = Layer.effect(OrderRepository, OrderRepository.make)
}

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))

const withMinorText = ({ basePrice, ...item }: OrderItem): ItemJson & { readonly basePrice?: string } => ({
  ...item,
  unitPrice: String(item.unitPrice),
  subtotal: String(item.subtotal),
  discount: String(item.discount),
  tax: String(item.tax),
  total: String(item.total),
  ...(basePrice === undefined ? {} : { basePrice: String(basePrice) })
})

const adjustmentText = (adjustment: Adjustment, position: number) => ({
  ...adjustment,
  amount: String(adjustment.amount),
  position
})

const refundText = <R extends { readonly amount: bigint }>(refund: R) => ({ ...refund, amount: String(refund.amount) })

const paymentText = (payment: OrderPayment): PaymentJson => ({
  ...payment,
  amount: String(payment.amount),
  captured: String(payment.captured),
  refunded: String(payment.refunded)
})

const toState = (row: OrderRow): OrderState => ({
  ...row,
  taxBreakdown: readTaxBreakdown(row.taxBreakdown),
  items: row.items.map((item) => ({
    ...item,
    unitPrice: BigInt(item.unitPrice),
    subtotal: BigInt(item.subtotal),
    discount: BigInt(item.discount),
    tax: BigInt(item.tax),
    total: BigInt(item.total)
  })),
  adjustments: row.adjustments.map((adjustment) => ({ ...adjustment, amount: BigInt(adjustment.amount) })),
  payments: row.payments.map((payment) => ({
    ...payment,
    amount: BigInt(payment.amount),
    captured: BigInt(payment.captured),
    refunded: BigInt(payment.refunded)
  })),
  refunds: row.refunds.map((refund) => ({ ...refund, amount: BigInt(refund.amount) }))
})
