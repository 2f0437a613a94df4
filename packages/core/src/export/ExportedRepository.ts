/**
 * The SQL that reads what is exported, page by page by key. A page looks at a bounded number of rows, however few of
 * them the filters let through, and is read in the lane of heavy reads, so that nothing else waits for it.
 */
import { Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import { Database } from "../database/Database.ts"
import { heavyRead } from "../database/HeavyReads.ts"
import { containing, many } from "../database/Repository.ts"
import type { ExportFilters, ExportResource } from "./Export.ts"
import type { StoredRow } from "./ExportRows.ts"

/** A record that was looked at: its key, how many rows of the file it makes, and whether the filters let it through. */
export interface Scanned {
  readonly key: string
  readonly size: number
  readonly matches: boolean
}

export interface ExportedWhat {
  readonly storeId: string
  readonly resource: ExportResource
  readonly filters: ExportFilters
  /** What was created after the export was asked for is in the next one. */
  readonly until: Date
}

/** Records that one page looks at. */
export const scannedAtOnce = 1_000

interface Source {
  readonly table: string
  readonly key: string
  /** How many rows of the file a record `r` makes. */
  readonly size: string
  /** The rows of a record `r`, as JSON by the names of the columns. */
  readonly rows: string
}

const orderColumns = `json_build_object('orderId', r.id, 'orderNumber', '#' || r.order_number, 'createdAt',
    r.created_at, 'status', r.status, 'financialStatus', r.financial_status, 'fulfillmentStatus',
    r.fulfillment_status, 'currency', r.currency, 'subtotal', r.subtotal::text, 'discountAmount',
    r.discount_amount::text, 'ruleDiscountAmount', r.rule_discount_amount::text, 'shippingAmount',
    r.shipping_amount::text, 'surchargeAmount', r.surcharge_amount::text, 'taxAmount', r.tax_amount::text,
    'totalAmount', r.total_amount::text, 'capturedAmount', r.captured_amount::text, 'refundedAmount',
    r.refunded_amount::text, 'email', r.email, 'customerName', r.customer ->> 'name', 'customerId', r.customer_id,
    'couponCode', r.coupon_code, 'shippingMethod', r.shipping_selection ->> 'methodName', 'paymentMethod',
    r.payment_method, 'paidAt', r.paid_at, 'sourceName', r.source_name, 'salesChannelId', r.sales_channel_id,
    'isTestOrder', r.is_test_order, 'externalId', r.external_id,
    'invoiceNumber', (SELECT n.series || '-' || n.number FROM invoice n
      WHERE n.store_id = r.store_id AND n.order_id = r.id),
    'notes', r.notes, 'lineNumber', i.position + 1, 'productId', i.product_id, 'variantId', i.variant_id, 'sku', i.sku,
    'name', i.name, 'quantity', i.quantity, 'fulfilledQuantity', i.fulfilled_quantity, 'unitPrice', i.unit_price::text,
    'lineSubtotal', i.subtotal::text, 'lineDiscount', i.discount::text, 'lineTax', i.tax::text, 'lineTotal',
    i.total::text)`

const stockColumns = `'total', s.total, 'reserved', s.reserved, 'available', s.total - s.reserved`

/** The name of a variant `v`, in the store's own language. */
const variantName = `CASE WHEN v.name = '' AND v.option_ids <> '{}' THEN variant_name(v.store_id, v.option_ids, NULL)
  ELSE v.name END`

const namesOf = (what: "category" | "brand") => `(SELECT string_agg(c.name, '; ' ORDER BY c.name)
  FROM product_${what} l JOIN ${what} c ON c.store_id = l.store_id AND c.id = l.${what}_id
  WHERE l.store_id = r.store_id AND l.product_id = r.id AND c.deleted_at IS NULL)`

const sources: Readonly<Record<ExportResource, Source>> = {
  orders: {
    table: "orders",
    key: "id",
    size: "(SELECT count(*)::int FROM order_item i WHERE i.store_id = r.store_id AND i.order_id = r.id)",
    rows: `SELECT ${orderColumns} AS row, r.billing_address, r.shipping_address, i.position AS at
      FROM order_item i WHERE i.store_id = r.store_id AND i.order_id = r.id`
  },
  customers: {
    table: "customer",
    key: "id",
    size: "1",
    rows: `SELECT json_build_object('customerId', r.id, 'email', r.email, 'firstName', r.first_name, 'lastName',
        r.last_name, 'phone', r.phone, 'hasAccount', r.password_hash IS NOT NULL, 'emailVerified', r.email_verified,
        'acceptsMarketing', r.accepts_marketing, 'birthMonth', r.birth_month, 'birthDay', r.birth_day, 'orderCount',
        (SELECT count(*)::int FROM orders o WHERE o.store_id = r.store_id AND o.customer_id = r.id), 'externalId',
        r.external_id, 'createdAt', r.created_at, 'updatedAt', r.updated_at) AS row,
      NULL::jsonb AS billing_address, NULL::jsonb AS shipping_address, 0 AS at`
  },
  products: {
    table: "product",
    key: "id",
    size: `greatest(1, (SELECT count(*)::int FROM product_variant v
      WHERE v.store_id = r.store_id AND v.product_id = r.id))`,
    rows: `SELECT json_build_object('productId', r.id, 'variantId', v.id, 'type', r.type, 'status',
        coalesce(v.status, r.status), 'name', r.name, 'variantName', ${variantName}, 'slug', r.slug, 'sku',
        coalesce(v.sku, r.sku), 'gtin', r.gtin, 'mpn', r.mpn, 'price', coalesce(v.price, r.base_price)::text,
        'salePrice', (CASE WHEN v.id IS NULL THEN r.sale_price ELSE v.sale_price END)::text, 'costPrice',
        coalesce(v.cost_price, r.cost_price)::text, ${stockColumns}, 'categories', ${namesOf("category")}, 'brands',
        ${namesOf("brand")}, 'tags', nullif(array_to_string(r.tags, '; '), ''), 'isDownloadable',
        r.is_downloadable OR coalesce(v.is_downloadable, false), 'weight', trim_scale(r.shipping_weight_value),
        'weightUnit', r.shipping_weight_unit, 'createdAt', r.created_at, 'updatedAt', r.updated_at) AS row,
      NULL::jsonb AS billing_address, NULL::jsonb AS shipping_address, coalesce(v.position, 0) AS at
      FROM (SELECT 1) one
      LEFT JOIN product_variant v ON v.store_id = r.store_id AND v.product_id = r.id
      LEFT JOIN stock s ON s.store_id = r.store_id AND s.key = coalesce(v.id, r.id)`
  },
  inventory: {
    table: "stock",
    key: "key",
    size: "1",
    rows: `SELECT json_build_object('productId', r.product_id, 'variantId', r.variant_id, 'sku', coalesce(v.sku, p.sku),
        'name', p.name, 'variantName', ${variantName}, 'trackingMode', r.tracking_mode, 'backorderMode',
        r.backorder_mode, 'backorderLimit', r.backorder_limit, 'total', r.total, 'reserved', r.reserved, 'available',
        r.total - r.reserved, 'lowStockThreshold', r.low_stock_threshold, 'updatedAt', r.updated_at) AS row,
      NULL::jsonb AS billing_address, NULL::jsonb AS shipping_address, 0 AS at
      FROM product p LEFT JOIN product_variant v ON v.store_id = r.store_id AND v.id = r.variant_id
      WHERE p.store_id = r.store_id AND p.id = r.product_id`
  }
}

export class ExportedRepository extends Context.Service<ExportedRepository>()(
  "@effect-commerce/core/export/ExportedRepository",
  {
    make: Effect.map(Database, ({ sql }) => {
      const product = sql.literal("SELECT 1 FROM product p WHERE p.store_id = r.store_id AND p.id = r.product_id")

      const found = (resource: ExportResource, words: string): Statement.Fragment => {
        const [lower, part] = [words.toLowerCase(), containing(words.toLowerCase())]
        switch (resource) {
          case "orders":
            return sql`(r.order_number::text = ${lower.replace(/^#/, "")} OR lower(r.external_id) = ${lower} OR
              lower(r.email) LIKE ${part} OR lower(r.customer ->> 'name') LIKE ${part})`
          case "customers":
            return sql`(r.email LIKE ${part} OR lower(coalesce(r.first_name, '') || ' ' || coalesce(r.last_name, ''))
              LIKE ${part})`
          case "products":
            return sql`lower(r.search) LIKE ${part}`
          default:
            return sql`EXISTS (${product} AND lower(p.search) LIKE ${part})`
        }
      }

      /** What is deleted is in no export. */
      const existing: Readonly<Record<ExportResource, Statement.Fragment>> = {
        orders: sql`true`,
        customers: sql`r.deleted_at IS NULL`,
        products: sql`r.deleted_at IS NULL`,
        inventory: sql`EXISTS (${product} AND p.deleted_at IS NULL)`
      }

      const matching = ({ resource, filters, until }: ExportedWhat): Statement.Fragment => {
        const { status, createdFrom, createdTo, search } = filters
        return sql.and([
          existing[resource],
          ...(resource === "inventory" ? [] : [sql`r.created_at <= ${until}`]),
          ...(status === undefined ? [] : [sql`r.status = ANY(${status}::text[])`]),
          ...(createdFrom === undefined ? [] : [sql`r.created_at >= ${createdFrom}::timestamptz`]),
          ...(createdTo === undefined ? [] : [sql`r.created_at < ${createdTo}::timestamptz`]),
          ...(search === undefined ? [] : [found(resource, search)])
        ])
      }

      return {
        /** The next records after this key, in the order of their keys; fewer than `scannedAtOnce` are the last. */
        scan: (what: ExportedWhat, after: string) => {
          const { table, key, size } = sources[what.resource]
          return heavyRead(what.storeId)(
            many(sql<Scanned>`SELECT r.${sql.literal(key)} AS key, m.matches,
                CASE WHEN m.matches THEN ${sql.literal(size)} ELSE 0 END AS size
              FROM (SELECT * FROM ${sql.literal(table)} t WHERE t.store_id = ${what.storeId}
                AND t.${sql.literal(key)} > ${after} ORDER BY t.${sql.literal(key)}
                LIMIT ${sql.literal(String(scannedAtOnce))}) r
              CROSS JOIN LATERAL (SELECT coalesce(${matching(what)}, false) AS matches) m ORDER BY 1`)
          )
        },
        /** The rows of these records, in the order of their keys. */
        rows: (what: ExportedWhat, keys: ReadonlyArray<string>) => {
          const { table, key, rows } = sources[what.resource]
          return heavyRead(what.storeId)(
            many(
              sql<{
                readonly row: StoredRow
                readonly billingAddress: unknown
                readonly shippingAddress: unknown
              }>`SELECT x.row, x.billing_address, x.shipping_address
                FROM unnest(${keys}::text[]) AS k (key)
                CROSS JOIN LATERAL (SELECT * FROM ${sql.literal(table)} t
                  WHERE t.store_id = ${what.storeId} AND t.${sql.literal(key)} = k.key OFFSET 0) r
                CROSS JOIN LATERAL (${sql.literal(rows)}) x ORDER BY r.${sql.literal(key)}, x.at`,
              ({ row, billingAddress, shippingAddress }): StoredRow => ({ ...row, billingAddress, shippingAddress })
            )
          )
        }
      }
    })
  }
) {
  static readonly layer = Layer.effect(ExportedRepository, ExportedRepository.make)
}
