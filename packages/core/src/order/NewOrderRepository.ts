/** Writes a placed order: its row, items, adjustments and payments, in one statement that also takes its number. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { anyRow } from "../database/Repository.ts"
import { constraintViolation } from "../database/SqlErrors.ts"
import { copyDownloads } from "../download/SoldDownloads.ts"
import type { OrderDownload } from "../download/DownloadGrants.ts"
import { encodeExplanation } from "../explanation/StoredExplanation.ts"
import { jsonText } from "../kernel/CanonicalJson.ts"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import { monthOf } from "../quota/Month.ts"
import { maxSyncWarning, type NewOrder } from "./Order.ts"
import { maxDraftBytes } from "./OrderDraft.ts"
import { OrderExternalIdTaken } from "./OrderErrors.ts"

const firstOrderNumber = 1_001

/**
 * The most bytes of an order's lines as JSON, with all their data: so that the whole order fits in a response of 8 MiB,
 * and a stored draft always fits in an order.
 */
const maxItemsBytes = maxDraftBytes + 1_048_576

interface Inserted {
  readonly orderNumber: bigint
  readonly downloads: ReadonlyArray<OrderDownload>
}

const paidAtOf = ({ capturedAmount, totalAmount, createdAt }: NewOrder): Date | null =>
  capturedAmount >= totalAmount ? createdAt : null

/** Rows with their positions. */
const inOrder = (rows: ReadonlyArray<object>) => rows.map((row, position) => ({ ...row, position }))

const json = (value: unknown): string | null => (value === null ? null : jsonText(value))

export class NewOrderRepository extends Context.Service<NewOrderRepository>()(
  "@effect-commerce/core/order/NewOrderRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database

      const insertAdjustments = ({ storeId, id, adjustments }: NewOrder) =>
        sql`, adjusted AS (
            INSERT INTO order_adjustment (store_id, order_id, position, item_id, target, part, kind, source_id, type,
              value, units, amount, reason)
            SELECT ${storeId}, ${id}, a.position, a."lineId", a.target, a.part, a.kind, a."sourceId", a.type, a.value,
              a.units, a.amount, a.reason
            FROM jsonb_to_recordset(${jsonText(inOrder(adjustments))}::jsonb) AS a (position int, "lineId" text,
              target text, part text, kind text, "sourceId" text, type text, value text, units int, amount bigint,
              reason text))`

      const insertPayments = ({ storeId, id, currency, payments, createdAt }: NewOrder) =>
        sql`, payments AS (
            INSERT INTO payment (store_id, id, order_id, provider, method, reference, status, amount, captured,
              surplus, currency, expires_at, manual_refund_url, paid_at, created_at, updated_at)
            SELECT ${storeId}, p.id, ${id}, p.provider, p.method, p.reference, p.status, p.amount, p.captured,
              p.surplus, ${currency}, p."expiresAt", p."manualRefundUrl", p."paidAt", ${createdAt}, ${createdAt}
            FROM jsonb_to_recordset(${jsonText(payments)}::jsonb) AS p (id text, provider text, method text,
              reference text, status text, amount bigint, captured bigint, surplus bigint, "expiresAt" timestamptz,
              "manualRefundUrl" text, "paidAt" timestamptz))`

      /**
       * Lines larger than one order may store are rejected. Takes the store's next number and writes order, items,
       * adjustments and payments; the number is taken last, so its lock is held shortest.
       */
      const insert = (order: NewOrder) => {
        const items = jsonText(inOrder(order.items))
        if (Buffer.byteLength(items) > maxItemsBytes)
          return FieldRejected.at("items", `come to more than ${maxItemsBytes} bytes`)
        const adjusted = order.adjustments.length === 0 ? sql.literal("") : insertAdjustments(order)
        const [paidAt, files, month] = [paidAtOf(order), copyDownloads(sql, order), monthOf(order.createdAt)]
        return sql<Inserted>`WITH number AS (
            INSERT INTO order_counter AS c (store_id, last_number, by_status, month, month_orders)
            VALUES (${order.storeId}, ${firstOrderNumber}, order_counts('{}', ${order.status}, 1), ${month}, 1)
            ON CONFLICT (store_id) DO UPDATE SET last_number = c.last_number + 1,
              by_status = order_counts(c.by_status, ${order.status}, 1), month = greatest(c.month, ${month}),
              month_orders = CASE WHEN c.month < ${month} THEN 1 ELSE c.month_orders + 1 END RETURNING last_number
          ), placed AS (
            INSERT INTO orders (store_id, id, order_number, external_id, checkout_id, draft_id, sales_channel_id,
              customer_id, platform, source_name, status, financial_status, fulfillment_status, currency, locale,
              subtotal, discount_amount, rule_discount_amount, shipping_amount, surcharge_amount, tax_amount,
              total_amount, captured_amount, presentment, tax_breakdown, coupon_code, email, customer,
              shipping_address, billing_address, shipping_selection, delivery_type, pickup_location, payment_method,
              notes, custom_field_values, status_history, sync_warning, is_test_order, created_at, updated_at,
              paid_at, explanation)
            SELECT ${order.storeId}, ${order.id}, last_number, ${order.externalId}, ${order.checkoutId},
              ${order.draftId}, ${order.salesChannelId}, ${order.customerId}, ${order.platform}, ${order.sourceName},
              ${order.status}, ${order.financialStatus}, ${order.fulfillmentStatus}, ${order.currency},
              ${order.locale}, ${order.subtotal}, ${order.discountAmount}, ${order.ruleDiscountAmount},
              ${order.shippingAmount}, ${order.surchargeAmount}, ${order.taxAmount}, ${order.totalAmount},
              ${order.capturedAmount}, ${json(order.presentment)}::jsonb, ${json(order.taxBreakdown)}::jsonb,
              ${order.couponCode}, ${order.email}, ${json(order.customer)}::jsonb,
              ${json(order.shippingAddress)}::jsonb, ${json(order.billingAddress)}::jsonb,
              ${json(order.shippingSelection)}::jsonb, ${order.deliveryType}, ${json(order.pickupLocation)}::jsonb,
                ${order.paymentMethod}, ${order.notes}, ${json(order.customFieldValues)}::jsonb,
                ${json(order.statusHistory)}::jsonb, ${order.syncWarning}, ${order.isTestOrder}, ${order.createdAt},
                ${order.updatedAt}, ${paidAt},
                ${encodeExplanation(order.explanation)}::jsonb
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
          )${insertPayments(order)}${adjusted}${files.part}
          SELECT order_number, ${files.copied} AS downloads FROM placed`.pipe(
          Effect.map(([row]) => ({ orderNumber: 0n, downloads: [], ...row, paidAt })),
          constraintViolation(
            "orders_store_id_external_id_key",
            () => new OrderExternalIdTaken({ externalId: order.externalId ?? "" })
          )
        )
      }

      /**
       * The order without its external id where another order of the store has got that meanwhile, with a warning: one
       * of a checkout may be paid already. One that an admin key enters is refused instead, by `insert`.
       */
      const withFreeExternalId = (order: NewOrder): Effect.Effect<NewOrder> => {
        const { storeId, checkoutId, externalId } = order
        if (checkoutId === null || externalId === null) return Effect.succeed(order)
        const taken = `The external id ${externalId} is that of another order`
        const syncWarning = [...(order.syncWarning === null ? [] : [order.syncWarning]), taken].join("; ")
        return Effect.map(
          anyRow(sql`SELECT 1 FROM orders WHERE store_id = ${storeId} AND external_id = ${externalId}`),
          (isTaken) =>
            isTaken ? { ...order, externalId: null, syncWarning: syncWarning.slice(0, maxSyncWarning) } : order
        )
      }

      return { insert, withFreeExternalId }
    })
  }
) {
  static readonly layer = Layer.effect(NewOrderRepository, NewOrderRepository.make)
}
