/** Reads orders: one statement reads a whole order with its items, adjustments, payments, refunds and disputes. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { makePageReader } from "../database/PageReads.ts"
import { containing, many } from "../database/Repository.ts"
import { readPresentment, type StoredPresentment } from "../fx/OrderPresentment.ts"
import { downloadsJson } from "../download/SoldDownloads.ts"
import type { Page } from "../kernel/Pagination.ts"
import type { Adjustment } from "../pricing/Adjustment.ts"
import type { OrderDispute, OrderItem, OrderPayment, OrderRefund, OrderSort, OrderState, OrderStatus } from "./Order.ts"

/** A row as it is read from JSON, with these amounts as text. */
type AsText<Row, Amount extends keyof Row> = Omit<Row, Amount> & { readonly [K in Amount]: string }
type OrderRow = Omit<OrderState, "items" | "adjustments" | "payments" | "refunds" | "disputes" | "presentment"> & {
  readonly presentment: StoredPresentment | null
  readonly items: ReadonlyArray<
    AsText<Omit<OrderItem, "basePrice">, "unitPrice" | "subtotal" | "discount" | "tax" | "total">
  >
  readonly adjustments: ReadonlyArray<AsText<Adjustment, "amount">>
  readonly payments: ReadonlyArray<
    AsText<Required<OrderPayment>, "amount" | "captured" | "surplus" | "refunded" | "refunding">
  >
  readonly refunds: ReadonlyArray<AsText<Omit<OrderRefund, "asked">, "amount"> & { readonly asked: string | null }>
  readonly disputes: ReadonlyArray<AsText<OrderDispute, "amount">>
}

export interface OrderQuery {
  readonly page: Page
  readonly statuses: ReadonlyArray<OrderStatus> | undefined
  /** Matches the number (with # or without), the external id, and the buyer's e-mail address or name. */
  readonly search?: string | undefined
  /** Orders of this customer only. */
  readonly customerId?: string | undefined
  readonly sortBy: OrderSort
  readonly descending: boolean
}

/** Bytes of a line's metadata that a list of orders shows; a single order shows larger metadata too. */
const mostListedMetadata = 1_024

const sortColumns: Record<OrderSort, string> = {
  createdAt: "created_at",
  updatedAt: "updated_at",
  orderNumber: "order_number",
  totalAmount: "total_amount",
  status: "status"
}

/** Ends with the id. Orders of the same status are in the order of their time, as their index has them. */
const orderOf = (sortBy: OrderSort, descending: boolean): string => {
  const [direction, opposite] = descending ? ["DESC", "ASC"] : ["ASC", "DESC"]
  return sortBy === "status"
    ? `o.status ${direction}, o.created_at ${opposite}, o.id ${opposite}`
    : `o.${sortColumns[sortBy]} ${direction}, o.id ${direction}`
}

export class OrderRepository extends Context.Service<OrderRepository>()("@effect-commerce/core/order/OrderRepository", {
  make: Effect.gen(function* () {
    const { sql } = yield* Database

    // Only an order without a sales channel, by an admin key, has a shipping or tax amount that its caller has stated.
    const columnsWith = (
      metadata: string
    ) => `o.id, o.store_id, o.order_number, o.external_id, o.checkout_id, o.draft_id, o.sales_channel_id,
        o.customer_id, o.platform, o.source_name, o.status, o.financial_status, o.fulfillment_status, o.currency,
        o.locale,
        o.subtotal, o.discount_amount, o.rule_discount_amount, o.shipping_amount, o.surcharge_amount, o.tax_amount,
        o.total_amount, o.captured_amount, o.refunded_amount, o.presentment, o.tax_breakdown, o.coupon_code, o.email,
        o.customer,
        o.shipping_address, o.billing_address, o.shipping_selection, o.delivery_type, o.pickup_location,
        o.payment_method, o.notes, o.custom_field_values, o.admin_field_values, o.status_label_id, o.status_history,
        o.sync_warning, o.is_test_order, o.is_read, o.tracking_number, o.tracking_url, o.carrier, o.created_at,
            o.updated_at, o.paid_at,
        (SELECT n.series || '-' || n.number FROM invoice n
          WHERE n.store_id = o.store_id AND n.order_id = o.id) AS invoice_number,
        ${downloadsJson} AS downloads,
            coalesce((SELECT json_agg(json_build_object('id', i.id, 'productId', i.product_id, 'variantId',
            i.variant_id, 'sku', i.sku, 'name', i.name, 'image', i.image, 'quantity', i.quantity, 'fulfilledQuantity',
              i.fulfilled_quantity, 'refundedQuantity', i.refunded_quantity, 'unitPrice',
              i.unit_price::text, 'subtotal', i.subtotal::text, 'discount',
              i.discount::text, 'tax', i.tax::text, 'total', i.total::text, 'taxLines', i.tax_lines, 'metadata',
              ${metadata}, 'customizations', i.customizations, 'modifiers', i.modifiers, 'kitComponents',
              i.kit_components) ORDER BY i.position)
          FROM order_item i WHERE i.store_id = o.store_id AND i.order_id = o.id), '[]'::json) AS items,
        coalesce((SELECT json_agg(json_build_object('kind', a.kind, 'sourceId', a.source_id, 'type', a.type, 'value',
              a.value, 'part', a.part, 'target', a.target, 'lineId', a.item_id, 'units', a.units, 'amount',
              a.amount::text, 'reason', a.reason) ORDER BY a.position)
          FROM order_adjustment a WHERE a.store_id = o.store_id AND a.order_id = o.id), '[]'::json) AS adjustments,
        coalesce((SELECT json_agg(json_build_object('id', p.id, 'provider', p.provider, 'method', p.method, 'reference',
            p.reference, 'status', p.status, 'amount', p.amount::text, 'captured', p.captured::text, 'surplus',
              p.surplus::text, 'refunded', p.refunded::text, 'refunding', p.refunding::text, 'expiresAt', p.expires_at,
              'manualRefundUrl', p.manual_refund_url, 'failure', p.failure, 'paidAt', p.paid_at, 'actor',
              p.actor, 'codeLast4',
            CASE WHEN p.provider = 'gift_card' THEN (SELECT g.code_last4 FROM gift_card g
              WHERE g.store_id = p.store_id AND g.id = p.reference) END)
            ORDER BY p.created_at, p.id)
          FROM payment p WHERE p.store_id = o.store_id AND p.order_id = o.id), '[]'::json) AS payments,
        coalesce((SELECT json_agg(json_build_object('id', r.id, 'requestId', r.request_id, 'asked', r.asked::text,
              'actor', r.actor, 'paymentId', r.payment_id, 'amount', r.amount::text,
              'reason', r.reason, 'status', r.status, 'type', r.type, 'source', r.source, 'externalId', r.external_id,
              'key', r.key, 'succeededAt', r.succeeded_at, 'createdAt', r.created_at) ORDER BY r.created_at, r.id)
          FROM refund r WHERE r.store_id = o.store_id AND r.order_id = o.id), '[]'::json) AS refunds,
        coalesce((SELECT json_agg(json_build_object('id', d.id, 'paymentId', d.payment_id, 'externalId', d.external_id,
              'amount', d.amount::text, 'status', d.status, 'reason', d.reason, 'dueAt', d.due_at, 'createdAt',
              d.created_at, 'updatedAt', d.updated_at) ORDER BY d.created_at, d.id)
          FROM dispute d WHERE d.store_id = o.store_id AND d.order_id = o.id), '[]'::json) AS disputes,
        CASE WHEN o.fulfillment_status = 'unfulfilled' THEN '[]'::json ELSE coalesce((SELECT json_agg(json_build_object(
              'id', f.id, 'trackingNumber', f.tracking_number, 'trackingUrl', f.tracking_url, 'carrier', f.carrier,
              'deliveredAt', f.delivered_at, 'actor', f.actor, 'createdAt', f.created_at, 'items',
              (SELECT json_agg(json_build_object('itemId', u.item_id, 'quantity', u.quantity) ORDER BY u.position)
                FROM fulfilment_item u WHERE u.store_id = f.store_id AND u.fulfilment_id = f.id))
              ORDER BY f.created_at, f.id)
          FROM fulfilment f WHERE f.store_id = o.store_id AND f.order_id = o.id), '[]'::json) END AS parcels,
        CASE WHEN o.status_label_id IS NOT NULL THEN (SELECT json_build_object('id', l.id, 'name', l.name, 'color',
              l.color, 'canonicalStatus', l.canonical_status) FROM order_status_label l
            WHERE l.store_id = o.store_id AND l.id = o.status_label_id) END AS status_label`
    const select = sql.literal(`SELECT ${columnsWith("i.metadata")} FROM orders o`)
    const isShort = `octet_length(i.metadata::text) <= ${mostListedMetadata}`
    const listed = `CASE WHEN ${isShort} THEN i.metadata ELSE '{}'::jsonb END`
    const reader = makePageReader<OrderRow>(sql, { name: "orders", alias: "o", columns: columnsWith(listed) })

    const one = (rows: ReadonlyArray<OrderRow>): OrderState | undefined =>
      rows[0] === undefined ? undefined : toState(rows[0])

    const found = (words: string) => {
      const part = containing(words)
      return sql`(o.order_number::text = ${words.replace(/^#/, "")} OR lower(o.external_id) = ${words} OR
          lower(o.email) LIKE ${part} OR lower(o.customer ->> 'name') LIKE ${part})`
    }

    /** The number of orders in these statuses, or in all. */
    const counted = (storeId: string, statuses: OrderQuery["statuses"]) =>
      sql`SELECT coalesce(sum(n.orders::bigint), 0)::int AS total
        FROM order_counter c, jsonb_each_text(c.by_status) AS n (status, orders) WHERE c.store_id = ${storeId}
          ${statuses === undefined ? sql.literal("") : sql`AND n.status = ANY(${statuses}::text[])`}`

    const list = (storeId: string, { statuses, customerId, search, sortBy, descending, page }: OrderQuery) => {
      const listing = {
        conditions: [
          ...(statuses === undefined ? [] : [sql`o.status = ANY(${statuses}::text[])`]),
          ...(customerId === undefined ? [] : [sql`o.customer_id = ${customerId}`]),
          ...(search === undefined ? [] : [found(search.toLowerCase())])
        ],
        order: sql.literal(orderOf(sortBy, descending)),
        page,
        search,
        ...(customerId === undefined && search === undefined ? { counted: counted(storeId, statuses) } : {})
      }
      return Effect.map(reader.page(storeId, listing), ({ items, total }) => ({ items: items.map(toState), total }))
    }

    return {
      find: (storeId: string, id: string) =>
        Effect.orDie(Effect.map(sql<OrderRow>`${select} WHERE o.store_id = ${storeId} AND o.id = ${id}`, one)),
      /** These orders, by their ids; the caller bounds how many are read at once. */
      findAll: (storeId: string, ids: ReadonlyArray<string>) =>
        many(
          sql<OrderRow>`${select} WHERE o.store_id = ${storeId} AND o.id = ANY(${ids}::text[]) ORDER BY o.id`,
          toState
        ),
      /** What was stored with the order when it was placed; null for an order without one. */
      explanationOf: (storeId: string, id: string) =>
        Effect.orDie(
          Effect.map(
            sql<{ readonly explanation: unknown }>`SELECT explanation FROM orders
              WHERE store_id = ${storeId} AND id = ${id}`,
            ([row]) => row?.explanation ?? null
          )
        ),
      findByCheckout: (storeId: string, checkoutId: string) =>
        Effect.orDie(
          Effect.map(sql<OrderRow>`${select} WHERE o.store_id = ${storeId} AND o.checkout_id = ${checkoutId}`, one)
        ),
      /** The orders that have completed these draft orders; orders_store_id_draft_id_key finds them. */
      ofDrafts: (storeId: string, draftIds: ReadonlyArray<string>) =>
        many(sql<OrderRow>`${select} WHERE o.store_id = ${storeId} AND o.draft_id = ANY(${draftIds}::text[])`, toState),
      list
    }
  })
}) {
  static readonly layer = Layer.effect(OrderRepository, OrderRepository.make)
}

const toState = (row: OrderRow): OrderState => ({
  ...row,
  presentment: row.presentment === null ? null : readPresentment(row.presentment),
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
    surplus: BigInt(payment.surplus),
    refunded: BigInt(payment.refunded),
    refunding: BigInt(payment.refunding)
  })),
  refunds: row.refunds.map(({ asked, ...refund }) => ({
    ...refund,
    amount: BigInt(refund.amount),
    asked: asked === null ? null : BigInt(asked)
  })),
  disputes: row.disputes.map((dispute) => ({ ...dispute, amount: BigInt(dispute.amount) })),
  parcels: row.parcels.map((parcel) => ({
    ...parcel,
    deliveredAt: parcel.deliveredAt === null ? null : new Date(parcel.deliveredAt).toISOString(),
    createdAt: new Date(parcel.createdAt).toISOString()
  }))
})
