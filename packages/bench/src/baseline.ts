/**
 * The baseline: what somebody writes by hand who wants these five routes, knows node:http and node-postgres well, and
 * wants no framework. One file, no module of the product. It sends the product's statements in the product's
 * transactions, makes the same checks of path, origin, key, media type and body, and answers the same JSON under the
 * same headers (compareAnswers.ts holds it to that).
 *
 * Frozen before any tuning of the product began: what is tuned is the product, and a change here needs its reason in
 * the commit. Statements are prepared under their names; a transaction is BEGIN, set_config, its statements, COMMIT,
 * one after another on one connection.
 *
 * One option was added since: `listProducts` composes the rows that its OFFSET skips, as the product did when this was
 * written, so the ratio between them hid it. With `findsFirst` the baseline finds the rows of a page by their keys and
 * composes only those; both are measured. Lists with filters came with the first bench that asked for any
 * (baselineLists.ts).
 */
/* oxlint-disable eslint/max-lines -- one file by intent: it is the whole of what somebody would write by hand */
import { createHash, randomBytes, randomUUID } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { type ClientConfig, Pool, type PoolClient } from "pg"
import { inventoryOf } from "./baselineInventory.ts"
import { findFiltered, readFilter } from "./baselineLists.ts"

const productColumns = `SELECT p.id, p.external_source_id, p.type, p.status, p.name, p.slug, p.sku, p.gtin, p.mpn,
    p.description, p.description_format, p.meta_description, p.base_price, p.sale_price, p.cost_price,
    p.sale_price_starts_at, p.sale_price_ends_at, p.shipping_weight_value, p.shipping_weight_unit,
    p.shipping_length_value, p.shipping_width_value, p.shipping_height_value, p.shipping_dimension_unit,
    p.shipping_class_id, p.tax_behavior, p.tax_class_id, p.is_downloadable, p.download_data, p.menu_order, p.tags,
    p.images, p.translations, p.cross_sells, p.upsells, p.related, p.created_at, p.updated_at,
    (SELECT json_build_object('trackingMode', s.tracking_mode, 'backorderMode', s.backorder_mode, 'backorderLimit',
      s.backorder_limit, 'total', s.total, 'reserved', s.reserved, 'lowStockThreshold',
      s.low_stock_threshold) FROM stock s WHERE s.store_id = p.store_id AND s.key = p.id) AS stock,
      CASE WHEN p.type = 'VARIABLE' THEN (
    SELECT json_agg(json_build_object('id', v.id, 'productId', v.product_id, 'externalId', v.external_id, 'sku', v.sku,
    'name', v.name, 'attributes', v.attributes, 'price', v.price::text, 'salePrice', v.sale_price::text, 'costPrice',
    v.cost_price::text, 'image', v.image, 'position', v.position, 'status', v.status, 'isDownloadable',
    v.is_downloadable, 'downloadData', v.download_data, 'shippingClassId', v.shipping_class_id, 'createdAt',
    round(extract(epoch FROM v.created_at) * 1000), 'updatedAt', round(extract(epoch FROM v.updated_at) * 1000),
    'stock', CASE WHEN s.key IS NULL THEN NULL ELSE json_build_object('trackingMode', s.tracking_mode, 'backorderMode',
    s.backorder_mode, 'backorderLimit', s.backorder_limit, 'total', s.total, 'reserved', s.reserved,
      'lowStockThreshold', s.low_stock_threshold) END) ORDER BY v.position, v.id)
    FROM product_variant v LEFT JOIN stock s ON s.store_id = v.store_id AND s.key = v.id
    WHERE v.store_id = p.store_id AND v.product_id = p.id) END AS variants,
    (SELECT json_agg(json_build_object('id', c.id, 'name', c.name, 'taxBehavior', c.tax_behavior) ORDER BY pc.position)
    FROM product_category pc JOIN category c ON c.store_id = pc.store_id AND c.id = pc.category_id
    WHERE pc.store_id = p.store_id AND pc.product_id = p.id AND c.deleted_at IS NULL) AS categories`

const sellable = `json_build_object(
    'productId', p.id, 'variantId', v.id, 'type', p.type,
    'visible', p.status = 'active' AND p.deleted_at IS NULL AND (v.id IS NULL OR v.status = 'active'),
    'deleted', p.deleted_at IS NOT NULL, 'name', p.name, 'slug', p.slug, 'variantName', v.name, 'attributes',
    v.attributes, 'sku', coalesce(v.sku, p.sku), 'image', coalesce(v.image, p.images -> 0 ->> 'url'),
    'price', coalesce(v.price, p.base_price)::text,
    'salePrice', (CASE WHEN v.id IS NULL THEN p.sale_price ELSE v.sale_price END)::text,
    'saleStartsAt', round(extract(epoch FROM p.sale_price_starts_at) * 1000),
    'saleEndsAt', round(extract(epoch FROM p.sale_price_ends_at) * 1000),
    'taxExempt', coalesce(p.tax_behavior = 'exempt', EXISTS (
    SELECT 1 FROM product_category pc JOIN category c ON c.store_id = pc.store_id AND c.id = pc.category_id
    WHERE pc.store_id = p.store_id AND pc.product_id = p.id AND c.tax_behavior = 'exempt' AND c.deleted_at IS NULL)),
    'taxClassId', p.tax_class_id, 'shippingClassId', coalesce(v.shipping_class_id, p.shipping_class_id),
    'weight', p.shipping_weight_value::text, 'weightUnit', p.shipping_weight_unit,
    'isDownloadable', coalesce(v.is_downloadable, p.is_downloadable),
    'stock', CASE WHEN s.key IS NULL THEN NULL ELSE json_build_object('trackingMode', s.tracking_mode, 'backorderMode',
    s.backorder_mode, 'backorderLimit', s.backorder_limit, 'total', s.total, 'reserved', s.reserved) END)`

const sellableJoins = `JOIN product p ON p.store_id = i.store_id AND p.id = i.product_id
    LEFT JOIN product_variant v ON v.store_id = i.store_id AND v.product_id = i.product_id AND v.id = i.variant_id
    LEFT JOIN stock s ON s.store_id = i.store_id AND s.key = coalesce(i.variant_id, i.product_id)`

/** Every statement by its name, which is also the name it is prepared under. */
export const statements = {
  listProducts: `${productColumns}
    FROM product p WHERE (p.store_id = $1 AND p.deleted_at IS NULL AND p.status = $2) ORDER BY p.menu_order,
      p.id LIMIT $3 OFFSET $4`,
  listFoundProducts: `${productColumns}
    FROM (SELECT p.id FROM product p WHERE p.store_id = $1 AND p.deleted_at IS NULL AND p.status = $2 ORDER BY
    p.menu_order, p.id LIMIT $3 OFFSET $4) found,
      LATERAL (SELECT * FROM product p WHERE p.store_id = $1 AND p.id = found.id OFFSET 0) p ORDER BY p.menu_order,
      p.id`,
  foundProducts: `${productColumns}
    FROM product p WHERE p.store_id = $1 AND p.id = ANY($2::text[]) ORDER BY p.menu_order, p.id`,
  countProducts: `SELECT count(*) AS n FROM product p WHERE
    (p.store_id = $1 AND p.deleted_at IS NULL AND p.status = $2)`,
  productBySlug: `${productColumns}
    FROM product p WHERE p.store_id = $1 AND p.slug = $2 AND p.deleted_at IS NULL AND p.status = 'active'`,
  cart: `SELECT c.id, c.sales_channel_id, c.session_token, c.customer_id, c.status, c.currency, c.notes, c.region_id,
    c.analytics_client_id, c.analytics_session_id, c.coupon_code, c.expires_at, c.created_at, c.updated_at,
    (SELECT round(extract(epoch FROM max(r.expires_at)) * 1000)::float8 FROM reservation r WHERE r.store_id = c.store_id
    AND r.holder_id = c.id) AS reserved_until, coalesce((
    SELECT json_agg(json_build_object('id', i.id, 'identity', i.identity, 'productId', i.product_id, 'variantId',
    i.variant_id, 'quantity', i.quantity, 'unitPrice', i.unit_price::text, 'notes', i.notes, 'metadata', i.metadata,
    'customizations', i.customizations, 'modifiers', i.modifiers, 'held', coalesce(r.quantity, 0), 'sellable',
      ${sellable}) ORDER BY i.created_at, i.id)
    FROM cart_item i ${sellableJoins}
    LEFT JOIN reservation r ON r.store_id = i.store_id AND r.holder_id = i.cart_id AND r.key = coalesce(i.variant_id,
      i.product_id)
    WHERE i.store_id = c.store_id AND i.cart_id = c.id), '[]'::json) AS lines
    FROM cart c WHERE c.store_id = $1 AND c.id = $2`,
  lockCart: `SELECT 1 FROM cart WHERE store_id = $1 AND id = $2 FOR UPDATE`,
  sellables: `SELECT i.at::int AS at, ${sellable} AS sellable
    FROM (
    SELECT $1::text AS store_id, r.product_id, r.variant_id, r.at
    FROM ROWS FROM (jsonb_to_recordset($2::jsonb) AS ("productId" text,
      "variantId" text)) WITH ORDINALITY AS r (product_id, variant_id, at)
    ) i ${sellableJoins}`,
  saveLine: `WITH line AS (
    INSERT INTO cart_item (store_id, cart_id, id, identity, product_id, variant_id, quantity, unit_price, notes,
      metadata, customizations, modifiers, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8,
    $9, $10::jsonb, $11::jsonb, $12::jsonb, $13)
    ON CONFLICT (store_id, cart_id, id) DO UPDATE SET quantity = EXCLUDED.quantity, identity = EXCLUDED.identity,
    notes = EXCLUDED.notes, metadata = EXCLUDED.metadata, customizations = EXCLUDED.customizations)
    UPDATE cart SET status = 'ACTIVE', updated_at = $13, expires_at = $14 WHERE store_id = $1 AND id = $2`,
  claim: `INSERT INTO idempotency AS i (store_id, credential, key, fingerprint, owner, claimed_until, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
    ON CONFLICT (store_id, credential, key) DO UPDATE SET
    owner = CASE WHEN
    (i.expires_at <= $8 OR (i.status IS NULL AND i.claimed_until <= $8 AND i.fingerprint = EXCLUDED.fingerprint)) THEN
    EXCLUDED.owner ELSE i.owner END,
    fingerprint = CASE WHEN
    (i.expires_at <= $8 OR (i.status IS NULL AND i.claimed_until <= $8 AND i.fingerprint = EXCLUDED.fingerprint)) THEN
    EXCLUDED.fingerprint ELSE i.fingerprint END,
    status = CASE WHEN
      (i.expires_at <= $8 OR (i.status IS NULL AND i.claimed_until <= $8 AND i.fingerprint = EXCLUDED.fingerprint)) THEN
      NULL ELSE i.status END,
      content_type = CASE WHEN
      (i.expires_at <= $8 OR (i.status IS NULL AND i.claimed_until <= $8 AND i.fingerprint = EXCLUDED.fingerprint)) THEN
      NULL ELSE i.content_type END,
      body = CASE WHEN
      (i.expires_at <= $8 OR (i.status IS NULL AND i.claimed_until <= $8 AND i.fingerprint = EXCLUDED.fingerprint)) THEN
      NULL ELSE i.body END,
      claimed_until = CASE WHEN
      (i.expires_at <= $8 OR (i.status IS NULL AND i.claimed_until <= $8 AND i.fingerprint = EXCLUDED.fingerprint)) THEN
      EXCLUDED.claimed_until ELSE i.claimed_until END,
      expires_at = CASE WHEN
      (i.expires_at <= $8 OR (i.status IS NULL AND i.claimed_until <= $8 AND i.fingerprint = EXCLUDED.fingerprint)) THEN
      EXCLUDED.expires_at ELSE i.expires_at END
    RETURNING owner = $5 AS mine, fingerprint, status, content_type, body`,
  lockCartOfCheckout: `SELECT 1 FROM cart WHERE store_id = $1 AND id =
    (SELECT cart_id FROM checkout WHERE store_id = $1 AND id = $2) FOR UPDATE`,
  lockCheckout: `SELECT status FROM checkout WHERE store_id = $1 AND id = $2 FOR UPDATE`,
  checkout: `SELECT c.id, c.cart_id, c.sales_channel_id, c.customer_id, c.status, c.email, c.customer, c.delivery_type,
    c.shipping_address, c.billing_address, c.shipping_rate_id, c.region_id, c.currency, c.coupon_code,
    c.custom_field_values, c.notes, c.expires_at, c.recovery_email_sent_at, c.created_at, c.updated_at,
    (SELECT rules_version FROM store WHERE id = c.store_id) AS rules_version,
    (SELECT round(extract(epoch FROM max(r.expires_at)) * 1000)::float8 FROM reservation r WHERE r.store_id = c.store_id
    AND r.holder_id = c.cart_id) AS reserved_until,
    (SELECT json_agg(json_build_object('id', i.id, 'cartItemId', i.cart_item_id, 'productId', i.product_id, 'variantId',
    i.variant_id, 'quantity', i.quantity, 'unitPrice', i.unit_price::text, 'notes', i.notes, 'metadata', i.metadata,
      'customizations', i.customizations, 'held', coalesce(r.quantity, 0), 'sellable', ${sellable}) ORDER BY i.position)
    FROM checkout_line i ${sellableJoins}
    LEFT JOIN reservation r ON r.store_id = i.store_id AND r.holder_id = c.cart_id AND r.key = coalesce(i.variant_id,
      i.product_id)
    WHERE i.store_id = c.store_id AND i.checkout_id = c.id) AS lines
    FROM checkout c WHERE c.store_id = $1 AND c.id = $2`,
  lockStock: `SELECT s.key, s.tracking_mode, s.backorder_mode, s.backorder_limit, s.total, s.reserved,
    s.last_inventory_sync_at
    FROM stock s WHERE s.store_id = $1 AND s.key IN
      (SELECT unnest($2::text[]) UNION SELECT r.key FROM reservation r WHERE r.store_id = $1 AND r.holder_id = $3::text)
      ORDER BY s.key FOR UPDATE OF s`,
  takeStock: `WITH wanted AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($1::jsonb) AS w (key text, "productId" text, "variantId" text, quantity bigint,
      "movementId" text)
    ), locked AS MATERIALIZED (
    SELECT s.key, s.tracking_mode, s.backorder_mode, s.backorder_limit, s.total, s.reserved, s.last_inventory_sync_at
    FROM stock s WHERE s.store_id = $2 AND s.key IN
      (SELECT w.key FROM wanted w UNION SELECT r.key FROM reservation r WHERE r.store_id = $2 AND r.holder_id =
      $3::text) ORDER BY s.key FOR UPDATE OF s
    ), mine AS MATERIALIZED (
    SELECT r.key,
      r.quantity FROM reservation r WHERE r.store_id = $2 AND r.holder_id = $3::text AND (SELECT count(*) FROM locked)
      >= 0 FOR UPDATE OF r
    ), judged AS MATERIALIZED (
    SELECT w.*, l.tracking_mode, coalesce(l.total, 0) AS total, coalesce(l.reserved, 0) AS reserved,
    l.last_inventory_sync_at, coalesce(m.quantity, 0) AS held, CASE
    WHEN l.key IS NULL OR l.tracking_mode = 'DISABLED' THEN 0
    WHEN l.tracking_mode = 'UNTRACKED' OR l.backorder_mode = 'ALLOW' THEN NULL
    ELSE greatest(0,
      l.total::bigint - l.reserved + coalesce(m.quantity,
      0) + CASE l.backorder_mode WHEN 'LIMITED' THEN coalesce(l.backorder_limit, 0) ELSE 0 END)
    END AS available
    FROM wanted w LEFT JOIN locked l ON l.key = w.key LEFT JOIN mine m ON m.key = w.key
    ), refused AS MATERIALIZED (
    SELECT j.key FROM judged j WHERE j.quantity > j.available
    ), taken AS MATERIALIZED (
    SELECT j.*, least(j.held, j.quantity) AS consumed FROM judged j WHERE NOT EXISTS (SELECT FROM refused)
    ), moved AS (
    INSERT INTO stock_movement (store_id, id, key, product_id, variant_id, delta, reason, reference, created_at)
    SELECT $2, t."movementId", t.key, t."productId", t."variantId", -t.quantity, 'sale', $4,
      $5 FROM taken t WHERE t.tracking_mode = 'TRACKED'
    ), spent AS (
    DELETE FROM reservation r USING taken t WHERE r.store_id = $2 AND r.holder_id = $3::text AND r.key = t.key AND
      t.consumed = t.held
    ), lessened AS (
    UPDATE reservation r SET quantity = r.quantity - t.consumed FROM taken t WHERE r.store_id = $2 AND r.holder_id =
      $3::text AND r.key = t.key AND t.consumed < t.held
    ), counted AS (
    UPDATE stock s SET total = s.total - t.quantity, reserved = s.reserved - t.consumed, updated_at = $5 FROM taken t
    WHERE s.store_id = $2 AND s.key = t.key AND t.tracking_mode = 'TRACKED'
    ), uncounted AS (
    UPDATE stock s SET reserved = s.reserved - t.consumed, updated_at = $5 FROM taken t
    WHERE s.store_id = $2 AND s.key = t.key AND t.tracking_mode <> 'TRACKED' AND t.consumed > 0
    ) SELECT j.key, j.tracking_mode, j.total, j.reserved, j.last_inventory_sync_at,
    least(j.available, 2147483647)::int AS available, j.key IN (SELECT key FROM refused) AS refused,
      least(j.held, j.quantity)::int AS consumed FROM judged j`,
  events: `INSERT INTO event (store_id, id, type, data, created_at)
    SELECT $1, e.id, e.type, e.data, $2 FROM jsonb_to_recordset($3::jsonb) AS e (id text, type text, data jsonb)`,
  completeCheckout: `WITH done AS (
    UPDATE checkout SET status = 'COMPLETED', updated_at = $1 WHERE store_id = $2 AND id = $3
    ), left_over AS (
    SELECT 1 FROM cart_item WHERE store_id = $2 AND cart_id = $4 AND NOT id = ANY($5::text[]) LIMIT 1
    ), gone AS (
    DELETE FROM cart_item WHERE store_id = $2 AND cart_id = $4 AND id = ANY($5::text[])
    AND EXISTS (SELECT 1 FROM left_over)
    )
    UPDATE cart SET status = CASE WHEN EXISTS (SELECT 1 FROM left_over) THEN status ELSE 'CONVERTED' END,
      updated_at = $1
    WHERE store_id = $2 AND id = $4`,
  order: `WITH number AS (
    INSERT INTO order_counter AS c (store_id, last_number) VALUES ($1, 1001)
    ON CONFLICT (store_id) DO UPDATE SET last_number = c.last_number + 1 RETURNING last_number
    ), placed AS (
    INSERT INTO orders (store_id, id, order_number, external_id, checkout_id, sales_channel_id, customer_id, platform,
    source_name, status, financial_status, fulfillment_status, currency, subtotal, discount_amount,
    rule_discount_amount, shipping_amount, surcharge_amount, tax_amount, total_amount, captured_amount, tax_breakdown,
    coupon_code, email, customer, shipping_address, billing_address, shipping_selection, delivery_type, pickup_location,
    payment_method, notes, custom_field_values, status_history, sync_warning, is_test_order, created_at, updated_at)
    SELECT $1, $2, last_number, $3, $4, $5, $6,
    $7, $8, $9, $10, $11, $12,
    $13, $14, $15, $16, $17,
    $18, $19, $20, $21::jsonb, $22, $23,
    $24::jsonb, $25::jsonb, $26::jsonb,
    $27::jsonb, $28, $29::jsonb, $30,
    $31, $32::jsonb, $33::jsonb, $34, $35,
    $36, $37
    FROM number RETURNING order_number
    ), items AS (
    INSERT INTO order_item (store_id, order_id, id, position, product_id, variant_id, sku, name, image, quantity,
    unit_price, subtotal, discount, tax, total, tax_lines, metadata, customizations)
    SELECT $1, $2, i.id, i.position, i."productId", i."variantId", i.sku, i.name, i.image, i.quantity, i."unitPrice",
    i.subtotal, i.discount, i.tax, i.total, i."taxLines", i.metadata, i.customizations
    FROM jsonb_to_recordset($38::jsonb) AS i (id text, position int, "productId" text, "variantId" text, sku text,
    name text, image text, quantity int, "unitPrice" bigint, subtotal bigint, discount bigint, tax bigint, total bigint,
      "taxLines" jsonb, metadata jsonb, customizations jsonb)
    ), payments AS (
    INSERT INTO payment (store_id, id, order_id, provider, method, reference, status, amount, captured, currency,
      created_at, updated_at)
    SELECT $1, p.id, $2, p.provider, p.method, p.reference, p.status, p.amount, p.captured, $12, $36, $37
    FROM jsonb_to_recordset($39::jsonb) AS p (id text, provider text, method text, reference text, status text,
      amount bigint, captured bigint)
    ) SELECT order_number FROM placed`,
  saveAnswer: `UPDATE idempotency SET status = $1, content_type = $2,
    body = $3 WHERE store_id = $4 AND credential = $5 AND key = $6 AND owner = $7`,
  notify: `SELECT pg_notify($1, store_id) FROM unnest($2::text[]) AS store_id`,
  channel: `SELECT id, store_id, name, domain, mode, storefront_read_enabled, cart_enabled, customer_auth_enabled,
    orders_write_enabled, created_at, updated_at FROM sales_channel WHERE id = $1`,
  store: `SELECT id, account_id, name, currency, country, languages, timezone, price_includes_tax, tax_rounding,
    tax_rounding_mode, stack_rounding, reservation_strategy, reservation_minutes, customer_verification, late_capture,
    cart_lifetime_minutes, checkout_lifetime_minutes, abandoned_after_minutes, recovery_after_minutes,
      suspended_at IS NOT NULL AS suspended, rules_version FROM store WHERE id = $1`,
  taxRates: `SELECT s.rules_version, coalesce((
    SELECT json_agg(json_build_object('id', t.id, 'name', t.name, 'country', t.country, 'region', t.region,
    'postalCode', t.postal_code, 'rate', t.rate::text, 'priority', t.priority, 'stackable',
      t.stackable) ORDER BY t.priority, t.created_at, t.id)
    FROM tax_rate t WHERE t.store_id = s.id AND t.is_active AND t.tax_class_id IS NULL AND NOT t.is_inclusive),
      '[]'::json) AS rates
    FROM store s WHERE s.id = $1`,
  shippingRates: `SELECT s.rules_version, coalesce((
    SELECT json_agg(json_build_object('id', r.id, 'name', r.name, 'countries', z.countries, 'amount',
      r.rate_config ->> 'amount', 'taxStatus', r.tax_status)
    ORDER BY z.priority, z.created_at, z.id, r.created_at, r.id)
    FROM shipping_zone z JOIN shipping_rate r ON r.store_id = z.store_id AND r.zone_id = z.id
    WHERE z.store_id = s.id AND z.is_active AND r.is_active AND r.type = 'FLAT'), '[]'::json) AS rates
    FROM store s WHERE s.id = $1`
}

type Name = keyof typeof statements
type Row = Readonly<Record<string, unknown>>
type Json = Record<string, unknown>

export interface BaselineOptions {
  readonly database: ClientConfig
  readonly maxConnections: number
  /** A page's rows are found before they are composed. */
  readonly findsFirst?: boolean
}

class Refusal extends Error {
  readonly status: number
  readonly code: string
  readonly details: Json | undefined
  constructor(status: number, code: string, message: string, details?: Json) {
    super(message)
    this.status = status
    this.code = code
    this.details = details
  }
}

const invalid = (errors: Json) => new Refusal(400, "VALIDATION_FAILED", "Validation failed", { errors })
const notFound = (what: string) => new Refusal(404, "RESOURCE_NOT_FOUND", `${what} not found`)
const conflict = (message: string, details?: Json) => new Refusal(409, "CONFLICT", message, details)

const run = async <R = Row>(
  on: Pool | PoolClient,
  name: Name,
  values: ReadonlyArray<unknown>
): Promise<ReadonlyArray<R>> => (await on.query({ name, text: statements[name], values })).rows as ReadonlyArray<R>

/** One transaction for one store. */
export const transaction = async <A>(
  pool: Pool,
  storeId: string,
  body: (client: PoolClient) => Promise<A>
): Promise<A> => {
  const client = await pool.connect()
  try {
    await client.query("BEGIN")
    await client.query({ name: "setStore", text: "SELECT set_config('app.store_id', $1, true)", values: [storeId] })
    const result = await body(client)
    await client.query("COMMIT")
    return result
  } catch (error) {
    await client.query("ROLLBACK")
    throw error
  } finally {
    client.release()
  }
}

/** Wakes the workers a moment after a commit, once for many. */
export const makeWaker = (pool: Pool) => {
  const waiting = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    timer = undefined
    const storeIds = [...waiting]
    waiting.clear()
    run(pool, "notify", ["commerce_event", storeIds]).catch(() => undefined)
  }
  return (storeId: string) => {
    waiting.add(storeId)
    timer ??= setTimeout(flush, 10)
  }
}

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
export const makeId = (prefix: string, now: number): string => {
  let time = ""
  for (let rest = now, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) time = alphabet.charAt(rest % 32) + time
  let random = ""
  for (const byte of randomBytes(16)) random += alphabet.charAt(byte & 31)
  return `${prefix}_${time}${random}`
}
export const makeEventId = () => `evt_${randomUUID().replaceAll("-", "")}`

/** Minor units as a decimal string; this store's currency has two digits. */
const money = (minor: bigint): string => {
  const digits = minor.toString().padStart(3, "0")
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}
const moneyOrNull = (minor: string | null) => (minor === null ? null : money(BigInt(minor)))

const inWindow = (startsAt: number | Date | null, endsAt: number | Date | null, now: number): boolean =>
  (endsAt === null || now < Number(endsAt)) && (startsAt === null || now >= Number(startsAt))

interface Stock {
  readonly trackingMode: string
  readonly backorderMode: string
  readonly backorderLimit: number | null
  readonly total: number
  readonly reserved: number
}

const unitsAvailable = (stock: Stock | null, held = 0): number => {
  if (stock === null) return held
  if (stock.trackingMode === "DISABLED") return 0
  if (stock.trackingMode === "UNTRACKED" || stock.backorderMode === "ALLOW") return Number.POSITIVE_INFINITY
  return Math.max(
    0,
    stock.total - stock.reserved + held + (stock.backorderMode === "LIMITED" ? (stock.backorderLimit ?? 0) : 0)
  )
}

const inventoryView = (stock: Stock | null) => {
  const { total, reserved } = stock ?? { total: 0, reserved: 0 }
  const available = total - reserved
  return {
    trackingMode: stock?.trackingMode ?? "TRACKED",
    total,
    reserved,
    available: Math.max(0, available),
    inStock: stock?.trackingMode === "UNTRACKED" || available > 0,
    canPurchase: unitsAvailable(stock) > 0,
    lastInventorySyncAt: null
  }
}

interface VariantRow {
  readonly id: string
  readonly productId: string
  readonly sku: string | null
  readonly name: string
  readonly attributes: Json
  readonly price: string
  readonly salePrice: string | null
  readonly image: string | null
  readonly position: number
  readonly status: string
  readonly isDownloadable: boolean
  readonly downloadData: Json | null
  readonly shippingClassId: string | null
  readonly createdAt: number
  readonly updatedAt: number
  readonly stock: Stock | null
}

const variantView = (row: VariantRow, onSale: boolean) => {
  const price = money(BigInt(row.price))
  const salePrice = moneyOrNull(row.salePrice)
  return {
    id: row.id,
    productId: row.productId,
    sku: row.sku,
    name: row.name,
    attributes: row.attributes,
    price,
    salePrice,
    displayPrice: price,
    displaySalePrice: onSale ? salePrice : null,
    displayCurrency: "USD",
    image: row.image,
    position: row.position,
    status: row.status,
    inventory: inventoryView(row.stock),
    isDownloadable: row.isDownloadable,
    downloadData: row.downloadData,
    shippingClassId: row.shippingClassId,
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString()
  }
}

const together = (variants: ReadonlyArray<ReturnType<typeof variantView>>) => {
  const all = variants.map((variant) => variant.inventory)
  const sum = (field: "total" | "reserved" | "available") => all.reduce((n, one) => n + one[field], 0)
  return {
    trackingMode: all[0]?.trackingMode ?? "TRACKED",
    total: sum("total"),
    reserved: sum("reserved"),
    available: sum("available"),
    inStock: all.some((one) => one.inStock),
    canPurchase: all.some((one) => one.canPurchase),
    lastInventorySyncAt: null
  }
}

interface ProductRow extends Row {
  readonly type: string
  readonly base_price: string
  readonly sale_price: string | null
  readonly sale_price_starts_at: Date | null
  readonly sale_price_ends_at: Date | null
  readonly created_at: Date
  readonly updated_at: Date
  readonly images: ReadonlyArray<Json>
  readonly variants: ReadonlyArray<VariantRow> | null
  readonly stock: Stock | null
}

const numberOrNull = (text: unknown) => (text === null ? null : Number(text))

const productView = (row: ProductRow, now: number) => {
  const onSale = inWindow(row.sale_price_starts_at, row.sale_price_ends_at, now)
  const variants = (row.variants ?? []).filter((variant) => variant.status === "active")
  const own = BigInt(onSale ? (row.sale_price ?? row.base_price) : row.base_price)
  const prices =
    variants.length === 0
      ? [own]
      : variants.map((variant) => BigInt(onSale ? (variant.salePrice ?? variant.price) : variant.price))
  const min = money(prices.reduce((low, price) => (price < low ? price : low)))
  const max = money(prices.reduce((high, price) => (price > high ? price : high)))
  const basePrice = money(BigInt(row.base_price))
  const salePrice = moneyOrNull(row.sale_price)
  const shown = variants.map((variant) => variantView(variant, onSale))
  return {
    id: row["id"],
    name: row["name"],
    slug: row["slug"],
    localeSlugs: {},
    externalSourceId: row["external_source_id"],
    description: row["description"],
    descriptionFormat: row["description_format"],
    basePrice,
    salePrice,
    priceMin: min,
    priceMax: max,
    priceVaries: min !== max,
    displayPrice: basePrice,
    displaySalePrice: onSale ? salePrice : null,
    displayPriceMin: min,
    displayPriceMax: max,
    displayCurrency: "USD",
    gtin: row["gtin"],
    mpn: row["mpn"],
    salePriceStartsAt: row.sale_price_starts_at?.toISOString() ?? null,
    salePriceEndsAt: row.sale_price_ends_at?.toISOString() ?? null,
    shippingWeightValue: numberOrNull(row["shipping_weight_value"]),
    shippingWeightUnit: row["shipping_weight_unit"],
    shippingLengthValue: numberOrNull(row["shipping_length_value"]),
    shippingWidthValue: numberOrNull(row["shipping_width_value"]),
    shippingHeightValue: numberOrNull(row["shipping_height_value"]),
    shippingDimensionUnit: row["shipping_dimension_unit"],
    metaDescription: row["meta_description"],
    status: row["status"],
    sku: row["sku"],
    type: row.type,
    kitPricingMode: null,
    kitDiscountValue: null,
    kitComponents: [],
    isDownloadable: row["is_downloadable"],
    downloadData: row["download_data"],
    needsSync: false,
    lastSyncedAt: null,
    menuOrder: row["menu_order"],
    taxBehavior: row["tax_behavior"],
    taxClassId: row["tax_class_id"],
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    inventory: row.type === "VARIABLE" ? together(shown) : inventoryView(row.stock),
    variants: shown,
    images: row.images.map((image) => ({
      ...image,
      thumbnailUrl: null,
      width: null,
      height: null,
      size: null,
      mimeType: null,
      source: null,
      importStatus: null,
      importError: null
    })),
    channels: {},
    translations: row["translations"],
    categories: row["categories"] ?? [],
    brands: [],
    attributes: [],
    productAttributeOptions: [],
    tags: row["tags"],
    metafields: {},
    customizationFields: [],
    channelPublishes: [],
    vibeCodedPublishes: [],
    channelSync: {},
    shippingClassId: row["shipping_class_id"],
    shippingClass: null,
    crossSells: row["cross_sells"],
    upsells: row["upsells"],
    related: row["related"],
    bundleOfferCount: 0,
    orderBumpCount: 0,
    avgRating: null,
    reviewCount: 0,
    seoScore: null,
    modifierGroups: []
  }
}

const pageOf = (rows: ReadonlyArray<ProductRow>, page: number, limit: number, total: number) => {
  const now = Date.now()
  return {
    data: rows.map((row) => productView(row, now)),
    meta: { page, limit, total, totalPages: Math.ceil(total / limit) }
  }
}

interface Sellable {
  readonly productId: string
  readonly variantId: string | null
  readonly type: string
  readonly visible: boolean
  readonly name: string
  readonly slug: string
  readonly variantName: string | null
  readonly attributes: Json | null
  readonly sku: string | null
  readonly image: string | null
  readonly price: string
  readonly salePrice: string | null
  readonly saleStartsAt: number | null
  readonly saleEndsAt: number | null
  readonly taxExempt: boolean
  readonly isDownloadable: boolean
  readonly stock: Stock | null
}

const priceNow = (sellable: Sellable, now: number): string =>
  sellable.salePrice !== null && inWindow(sellable.saleStartsAt, sellable.saleEndsAt, now)
    ? sellable.salePrice
    : sellable.price
const isBuyable = (sellable: Sellable, variantId: string | null) =>
  sellable.visible && sellable.variantId === variantId && (sellable.type === "VARIABLE") === (variantId !== null)
const nameOf = ({ name, variantName }: Sellable) =>
  variantName === null || variantName === "" || variantName === name ? name : `${name} - ${variantName}`

export interface Line {
  readonly id: string
  readonly identity: string
  readonly productId: string
  readonly variantId: string | null
  readonly quantity: number
  readonly unitPrice: string
  readonly notes: string | null
  readonly metadata: Json
  readonly customizations: Json
  readonly modifiers: ReadonlyArray<unknown>
  readonly held: number
  readonly cartItemId?: string | null
  readonly sellable: Sellable
}

interface CartRow extends Row {
  readonly id: string
  readonly sales_channel_id: string | null
  readonly customer_id: string | null
  readonly status: string
  readonly expires_at: Date
  readonly created_at: Date
  readonly updated_at: Date
  readonly reserved_until: number | null
  readonly lines: ReadonlyArray<Line>
}

const cartStatus = (cart: CartRow, now: number) =>
  (cart.status === "ACTIVE" || cart.status === "ABANDONED") && cart.expires_at.getTime() <= now
    ? "EXPIRED"
    : cart.status

const itemView = (line: Line) => ({
  id: line.id,
  productId: line.productId,
  variantId: line.variantId,
  quantity: line.quantity,
  unitPrice: money(BigInt(line.unitPrice)),
  totalPrice: money(BigInt(line.unitPrice) * BigInt(line.quantity)),
  name: nameOf(line.sellable),
  sku: line.sellable.sku,
  slug: line.sellable.slug,
  image: line.sellable.image,
  attributes: line.sellable.attributes ?? {},
  notes: line.notes,
  metadata: line.metadata,
  customizations: line.customizations,
  modifiers: line.modifiers,
  bundleItemId: null
})

const cartView = (cart: CartRow, store: Store, now: number) => {
  let subtotal = 0n
  let itemCount = 0
  for (const line of cart.lines) {
    subtotal += BigInt(line.unitPrice) * BigInt(line.quantity)
    itemCount += line.quantity
  }
  const gone = cart.lines.filter(
    ({ sellable, variantId, held, quantity }) =>
      !isBuyable(sellable, variantId) || unitsAvailable(sellable.stock, held) < quantity
  )
  const live = cart.reserved_until !== null && cart.reserved_until > now
  const seconds = live ? Math.ceil(((cart.reserved_until ?? 0) - now) / 1_000) : 0
  return {
    id: cart.id,
    sessionToken: cart["session_token"],
    customerId: cart.customer_id,
    status: cartStatus(cart, now),
    currency: cart["currency"],
    notes: cart["notes"],
    analyticsClientId: cart["analytics_client_id"],
    analyticsSessionId: cart["analytics_session_id"],
    subtotal: money(subtotal),
    discountAmount: "0.00",
    ruleDiscountAmount: "0.00",
    promoDiscountTotal: "0.00",
    couponCode: cart["coupon_code"],
    appliedDiscounts: [],
    nudges: [],
    items: cart.lines.map(itemView),
    itemCount,
    hasPriceChanges: cart.lines.some((line) => priceNow(line.sellable, now) !== line.unitPrice),
    hasUnavailableItems: gone.length > 0,
    unavailableItemIds: gone.map((line) => line.id),
    expiresAt: cart.expires_at.toISOString(),
    createdAt: cart.created_at.toISOString(),
    updatedAt: cart.updated_at.toISOString(),
    reservation: {
      hasReservation: live,
      expiresAt: live ? new Date(cart.reserved_until ?? 0).toISOString() : null,
      remainingSeconds: seconds,
      strategy: store.reservation_strategy,
      countdownMessage: live
        ? `Your items are reserved for ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`
        : null
    },
    recommendations: [],
    upgrades: [],
    bundles: []
  }
}

interface Channel extends Row {
  readonly id: string
  readonly store_id: string
  readonly domain: string | null
  readonly mode: string
}
interface Store extends Row {
  readonly id: string
  readonly reservation_strategy: string
  readonly cart_lifetime_minutes: number
  readonly suspended: boolean
}
interface Access {
  readonly channel: Channel
  readonly store: Store
}

interface TaxRate {
  readonly id: string
  readonly name: string
  readonly country: string
  readonly region: string | null
  readonly postalCode: string | null
  readonly rate: string
  readonly stackable: boolean
}
interface ShippingRate {
  readonly id: string
  readonly name: string
  readonly countries: ReadonlyArray<string>
  readonly amount: string
  readonly taxStatus: string
}
interface Rules {
  readonly version: string
  readonly taxes: ReadonlyArray<TaxRate>
  readonly shipping: ReadonlyArray<ShippingRate>
}
interface Address {
  readonly firstName: string | null
  readonly lastName: string | null
  readonly region: string | null
  readonly postalCode: string | null
  readonly country: string
}

/** Percentages in ten-thousandths. */
const scaled = (rate: string): bigint => {
  const [whole = "0", fraction = ""] = rate.split(".")
  return BigInt(whole + fraction.padEnd(4, "0").slice(0, 4))
}
const roundHalfUp = (numerator: bigint, denominator: bigint): bigint =>
  (numerator * 2n + denominator) / (denominator * 2n)

/** The rates of the Standard class at an address: the most specific one, and, where it stacks, all that stack. */
const taxesAt = (taxes: ReadonlyArray<TaxRate>, address: Address): ReadonlyArray<TaxRate> => {
  const matching = taxes.filter(
    (rate) =>
      rate.country === address.country &&
      (rate.region === null || rate.region === address.region) &&
      (rate.postalCode === null || rate.postalCode === address.postalCode)
  )
  const winner =
    matching.find((rate) => rate.postalCode !== null) ?? matching.find((rate) => rate.region !== null) ?? matching[0]
  return winner === undefined ? [] : winner.stackable ? matching.filter((rate) => rate.stackable) : [winner]
}

/** One amount per rate: their sum is rounded once and shared out by largest remainder. */
const taxOf = (amount: bigint, rates: ReadonlyArray<TaxRate>): ReadonlyArray<bigint> => {
  const weights = rates.map((rate) => amount * scaled(rate.rate))
  const total = roundHalfUp(
    weights.reduce((sum, weight) => sum + weight, 0n),
    1_000_000n
  )
  const shares = weights.map((weight) => weight / 1_000_000n)
  const order = weights
    .map((weight, i) => ({ i, rest: weight % 1_000_000n }))
    .sort((a, b) => (a.rest === b.rest ? a.i - b.i : a.rest > b.rest ? -1 : 1))
  let left = total - shares.reduce((sum, share) => sum + share, 0n)
  for (const { i } of order) {
    if (left <= 0n) break
    shares[i] = (shares[i] ?? 0n) + 1n
    left -= 1n
  }
  return shares
}

interface CheckoutRow extends Row {
  readonly id: string
  readonly cart_id: string
  readonly sales_channel_id: string | null
  readonly customer_id: string | null
  readonly status: string
  readonly email: string | null
  readonly customer: Json
  readonly shipping_address: Address | null
  readonly billing_address: Address | null
  readonly shipping_rate_id: string | null
  readonly currency: string
  readonly notes: string | null
  readonly custom_field_values: Json
  readonly expires_at: Date
  readonly rules_version: string
  readonly lines: ReadonlyArray<Line>
}

/** Everything a completion must find true; the rate that was chosen. */
const checkCheckout = (checkout: CheckoutRow, rules: Rules, now: number) => {
  const expired = checkout.status === "PENDING" && checkout.expires_at.getTime() <= now
  if (expired || checkout.status !== "PENDING")
    throw conflict("The checkout cannot be completed", { status: expired ? "EXPIRED" : checkout.status })
  const { email, shipping_address: address, billing_address: billing } = checkout
  const goods = checkout.lines.some((line) => !line.sellable.isDownloadable)
  const chosen = rules.shipping.find(
    (rate) => rate.id === checkout.shipping_rate_id && address !== null && rate.countries.includes(address.country)
  )
  const missing = [
    ...(email === null ? ["email"] : []),
    ...((goods ? address : (billing ?? address)) === null ? ["shippingAddress"] : [])
  ]
  if (goods && rules.shipping.length > 0 && chosen === undefined) missing.push("shippingRateId")
  if (missing.length > 0 || address === null)
    throw new Refusal(400, "MISSING_REQUIRED_FIELDS", "The checkout is not complete", { fields: missing })
  if (checkout.lines.some((line) => priceNow(line.sellable, now) !== line.unitPrice))
    throw new Refusal(400, "PRICE_DRIFT", "Prices have changed")
  if (checkout.lines.some((line) => !isBuyable(line.sellable, line.variantId)))
    throw conflict("A product is not sold any more")
  const short = checkout.lines.filter((line) => unitsAvailable(line.sellable.stock, line.held) < line.quantity)
  if (short.length > 0)
    throw new Refusal(400, "INSUFFICIENT_STOCK", "Not enough stock", { items: short.map((line) => line.productId) })
  return { chosen, address }
}

const totalsOf = (checkout: CheckoutRow, rates: ReadonlyArray<TaxRate>, chosen: ShippingRate | undefined) => {
  const sums = rates.map(() => 0n)
  const tax = (amount: bigint) => {
    const shares = taxOf(amount, rates)
    for (const [i, share] of shares.entries()) sums[i] = (sums[i] ?? 0n) + share
    return shares
  }
  let subtotal = 0n
  const items = checkout.lines.map((line, position) => {
    const amount = BigInt(line.unitPrice) * BigInt(line.quantity)
    subtotal += amount
    const shares = line.sellable.taxExempt ? [] : tax(amount)
    const lineTax = shares.reduce((sum, share) => sum + share, 0n)
    const taxLines = shares.map((share, i) => ({
      rateId: rates[i]?.id,
      name: rates[i]?.name,
      rate: rates[i]?.rate,
      amount: String(share)
    }))
    return { line, position, amount, lineTax, taxLines }
  })
  const shipping = chosen === undefined ? 0n : BigInt(chosen.amount.replace(".", ""))
  if (chosen?.taxStatus === "taxable") tax(shipping)
  const taxAmount = sums.reduce((sum, share) => sum + share, 0n)
  const total = subtotal + shipping + taxAmount
  const breakdown = rates.map((rate, i) => ({ name: rate.name, rate: Number(rate.rate), amount: money(sums[i] ?? 0n) }))
  return { items, subtotal, shipping, taxAmount, total, breakdown }
}

const orderAddress = ({ region, ...address }: Address & { lat?: unknown; lng?: unknown }) => {
  const { lat: _lat, lng: _lng, ...rest } = address
  return { name: [rest.firstName, rest.lastName].filter((part) => part !== null).join(" "), ...rest, state: region }
}

type Totals = ReturnType<typeof totalsOf>

const orderView = (
  checkout: CheckoutRow,
  totals: Totals,
  made: { readonly id: string; readonly paymentId: string; readonly at: Date } & Json
) => {
  const total = money(totals.total)
  const at = made.at.toISOString()
  return {
    id: made.id,
    storeId: made["storeId"],
    externalId: null,
    orderNumber: made["orderNumber"],
    platform: null,
    sourceName: "storefront",
    totalAmount: total,
    subtotal: money(totals.subtotal),
    taxAmount: money(totals.taxAmount),
    taxBreakdown: made["taxBreakdown"],
    shippingAmount: money(totals.shipping),
    discountAmount: "0.00",
    couponCode: null,
    couponDiscount: "0.00",
    coupon: null,
    surchargeAmount: "0.00",
    appliedSurcharges: [],
    customFieldValues: checkout.custom_field_values,
    adminFieldValues: {},
    ruleDiscountAmount: "0.00",
    appliedRules: [],
    currency: checkout.currency,
    status: "PENDING",
    financialStatus: "pending",
    fulfillmentStatus: "unfulfilled",
    statusLabel: { id: null, name: "Pending", color: null, canonicalStatus: "PENDING", isSystem: true },
    statusHistory: made["history"],
    notes: made["notes"],
    paymentMethod: "manual",
    isTestOrder: made["isTest"],
    customerId: checkout.customer_id,
    customer: { email: checkout.email, name: made["customerName"] },
    shippingAddress: checkout.shipping_address === null ? null : orderAddress(checkout.shipping_address),
    billingAddress: checkout.billing_address === null ? null : orderAddress(checkout.billing_address),
    items: totals.items.map(({ line, amount }) => ({
      id: line.id,
      productId: line.productId,
      variantId: line.variantId,
      sku: line.sellable.sku,
      name: nameOf(line.sellable),
      quantity: line.quantity,
      fulfilledQuantity: 0,
      price: money(BigInt(line.unitPrice)),
      unitPrice: money(BigInt(line.unitPrice)),
      totalPrice: money(amount),
      image: line.sellable.image,
      metadata: line.metadata,
      customizations: line.customizations,
      modifiers: []
    })),
    createdAt: at,
    updatedAt: at,
    syncWarning: null,
    paymentStatus: "pending",
    paymentProviderType: "manual",
    paymentProviderName: "manual",
    paymentId: made.paymentId,
    paymentExternalId: null,
    paymentAmount: total,
    paymentCurrency: checkout.currency,
    paymentRefundedAmount: "0.00",
    invoiceUrl: null,
    invoiceNumber: null,
    numberOfPayments: 1,
    paymentCapabilities: { refund: false, manualRefundUrl: null },
    refunds: [],
    disputes: [],
    tenders: [
      { id: made.paymentId, type: "manual", amountBase: total, currencyBase: checkout.currency, giftCard: null }
    ],
    isRead: false,
    downloadMeta: { files: [] },
    trackingNumber: null,
    trackingUrl: null,
    carrier: null,
    shippingSelection: made["selection"],
    deliveryType: "shipping",
    pickupLocationData: null
  }
}

const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, canonical(inner)]))
}
const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest("hex")

const isRecord = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)
const isText = (value: unknown) => typeof value === "string" && value.length <= 2_000

/** The body of an added line, field by field. */
const readLine = (body: unknown) => {
  if (!isRecord(body)) throw invalid({ body: "must be an object" })
  const {
    productId,
    variantId = null,
    quantity,
    notes = null,
    metadata = {},
    customizations = {},
    modifiers = []
  } = body
  const errors: Json = {}
  if (typeof productId !== "string" || productId === "") errors["productId"] = "must be a non-empty string"
  if (variantId !== null && (typeof variantId !== "string" || variantId === ""))
    errors["variantId"] = "must be a non-empty string"
  if (!Number.isInteger(quantity) || Number(quantity) < 1 || Number(quantity) > 999_999)
    errors["quantity"] = "must be a whole number from 1 to 999999"
  if (notes !== null && !isText(notes)) errors["notes"] = "must be a text"
  if (!isRecord(metadata)) errors["metadata"] = "must be an object"
  if (!isRecord(customizations) || Object.keys(customizations).length > 0)
    errors["customizations"] = "has no such field"
  if (!Array.isArray(modifiers) || modifiers.length > 0) errors["modifiers"] = "has no such group"
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return { productId, variantId, quantity, notes, metadata, customizations } as Pick<
    Line,
    "productId" | "variantId" | "quantity" | "notes" | "metadata" | "customizations"
  >
}

const readCompletion = (body: unknown) => {
  if (!isRecord(body)) throw invalid({ body: "must be an object" })
  const errors: Json = {}
  for (const field of ["paymentMethod", "paymentReference", "providerId", "expectedTotal", "notes"]) {
    if (body[field] !== undefined && !isText(body[field])) errors[field] = "must be a text"
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return body as { readonly paymentMethod?: string; readonly expectedTotal?: string; readonly notes?: string }
}

const wholeNumber = (text: string | null, otherwise: number, name: string): number => {
  if (text === null) return otherwise
  if (!/^[0-9]{1,9}$/.test(text) || Number(text) < 1) throw invalid({ [name]: "must be a whole number from 1" })
  return Number(text)
}

const makeRoutes = (pool: Pool, findsFirst: boolean) => {
  const wake = makeWaker(pool)
  const rulesOf = new Map<string, Rules>()

  const rules = async (on: PoolClient, storeId: string, version: string): Promise<Rules> => {
    const known = rulesOf.get(storeId)
    if (known?.version === version) return known
    const [taxes] = await run<{ rates: ReadonlyArray<TaxRate> }>(on, "taxRates", [storeId])
    const [shipping] = await run<{ rates: ReadonlyArray<ShippingRate> }>(on, "shippingRates", [storeId])
    const read = { version, taxes: taxes?.rates ?? [], shipping: shipping?.rates ?? [] }
    rulesOf.set(storeId, read)
    return read
  }

  const isVisible = (
    { channel }: Access,
    row: { readonly customer_id: string | null; readonly sales_channel_id: string | null } | undefined
  ) => row !== undefined && row.customer_id === null && row.sales_channel_id === channel.id

  const listProducts = async ({ store }: Access, query: URLSearchParams) => {
    const page = wholeNumber(query.get("page"), 1, "page")
    const limit = Math.min(100, wholeNumber(query.get("limit"), 20, "limit"))
    const filter = readFilter(query)
    if (filter !== undefined) {
      const { ids, total } = await findFiltered(pool, store.id, filter, { limit, offset: (page - 1) * limit })
      return pageOf(await run<ProductRow>(pool, "foundProducts", [store.id, ids]), page, limit, total)
    }
    const [rows, counted] = await Promise.all([
      run<ProductRow>(pool, findsFirst ? "listFoundProducts" : "listProducts", [
        store.id,
        "active",
        limit,
        (page - 1) * limit
      ]),
      run<{ n: string }>(pool, "countProducts", [store.id, "active"])
    ])
    return pageOf(rows, page, limit, Number(counted[0]?.n ?? 0))
  }

  const productBySlug = async ({ store }: Access, slug: string) => {
    const [row] = await run<ProductRow>(pool, "productBySlug", [store.id, slug])
    if (row === undefined) throw notFound("Product")
    return productView(row, Date.now())
  }

  const getCart = async (access: Access, id: string) => {
    const [cart] = await run<CartRow>(pool, "cart", [access.store.id, id])
    if (cart === undefined || !isVisible(access, cart)) throw notFound("Cart")
    return cartView(cart, access.store, Date.now())
  }

  const addLine = (access: Access, id: string, body: unknown) => {
    const wanted = readLine(body)
    const { store } = access
    return transaction(pool, store.id, async (client) => {
      const now = Date.now()
      const locked = await run(client, "lockCart", [store.id, id])
      const [cart] = locked.length === 0 ? [] : await run<CartRow>(client, "cart", [store.id, id])
      if (cart === undefined || !isVisible(access, cart)) throw notFound("Cart")
      const status = cartStatus(cart, now)
      if (status !== "ACTIVE" && status !== "ABANDONED") throw conflict(`The cart is ${status}`)
      const identity = sha256(
        JSON.stringify([
          wanted.productId,
          wanted.variantId,
          canonical(wanted.customizations),
          canonical(wanted.metadata)
        ])
      )
      const present = cart.lines.find((line) => line.identity === identity)
      if (present === undefined && cart.lines.length >= 50)
        throw new Refusal(400, "CART_LINE_LIMIT_REACHED", "The cart is full", { maxLines: 50 })
      const refs = JSON.stringify([{ productId: wanted.productId, variantId: wanted.variantId }])
      const sellable =
        present?.sellable ?? (await run<{ sellable: Sellable }>(client, "sellables", [store.id, refs]))[0]?.sellable
      if (sellable === undefined || !isBuyable(sellable, wanted.variantId)) throw conflict("The product is not sold")
      const line: Line =
        present === undefined
          ? {
              ...wanted,
              id: makeId("item", now),
              identity,
              unitPrice: priceNow(sellable, now),
              modifiers: [],
              held: 0,
              sellable
            }
          : { ...present, quantity: present.quantity + wanted.quantity, notes: wanted.notes ?? present.notes }
      const lines =
        present === undefined ? [...cart.lines, line] : cart.lines.map((other) => (other === present ? line : other))
      const same = lines.filter((other) => other.productId === line.productId && other.variantId === line.variantId)
      const requested = same.reduce((sum, other) => sum + other.quantity, 0)
      const available = unitsAvailable(sellable.stock, line.held)
      if (requested > available)
        throw new Refusal(400, "INSUFFICIENT_STOCK", "Not enough stock", { available, requested })
      const at = new Date(now)
      const expiresAt = new Date(now + store.cart_lifetime_minutes * 60_000)
      const { productId, variantId, quantity, unitPrice, notes } = line
      const extras = [
        JSON.stringify(line.metadata),
        JSON.stringify(line.customizations),
        JSON.stringify(line.modifiers)
      ]
      await run(client, "saveLine", [
        store.id,
        id,
        line.id,
        identity,
        productId,
        variantId,
        quantity,
        unitPrice,
        notes,
        ...extras,
        at,
        expiresAt
      ])
      return cartView({ ...cart, status: "ACTIVE", lines, updated_at: at, expires_at: expiresAt }, store, now)
    })
  }

  const place = async (
    client: PoolClient,
    { store, channel }: Access,
    checkout: CheckoutRow,
    input: ReturnType<typeof readCompletion>,
    now: number
  ) => {
    const read = await rules(client, store.id, checkout.rules_version)
    const { chosen, address } = checkCheckout(checkout, read, now)
    const totals = totalsOf(checkout, taxesAt(read.taxes, address), chosen)
    const total = money(totals.total)
    if (input.expectedTotal !== undefined && input.expectedTotal !== total)
      throw conflict("The total is another", { actualTotal: total })
    if (input.paymentMethod !== undefined && input.paymentMethod !== "manual")
      throw new Refusal(503, "PROVIDER_NOT_CONFIGURED", "No such way of paying")
    const at = new Date(now)
    const id = makeId("ord", now)
    const wanted = checkout.lines.map(({ productId, variantId, quantity }) => ({
      productId,
      variantId,
      quantity,
      key: variantId ?? productId,
      movementId: makeId("mov", now)
    }))
    await run(client, "lockStock", [store.id, wanted.map((want) => want.key), null])
    const judged = await run(client, "takeStock", [JSON.stringify(wanted), store.id, null, id, at])
    const verdicts = new Map(judged.map((row) => [row["key"], row]))
    if (wanted.some((want) => verdicts.get(want.key)?.["refused"] !== false))
      throw new Refusal(400, "INSUFFICIENT_STOCK", "Not enough stock")
    const stockEvents = wanted.map(({ key, productId, quantity }) => {
      const row = verdicts.get(key)
      const level = {
        trackingMode: row?.["tracking_mode"],
        total: Number(row?.["total"]) - quantity,
        reserved: Number(row?.["reserved"])
      }
      const inventory = {
        productId,
        ...level,
        available: level.total - level.reserved,
        lastInventorySyncAt: null,
        variants: []
      }
      return { id: makeEventId(), type: "inventory.updated", data: { productId, inventory } }
    })
    await run(client, "events", [store.id, at, JSON.stringify(stockEvents)])
    const bought = checkout.lines.flatMap((line) => (typeof line.cartItemId === "string" ? [line.cartItemId] : []))
    await run(client, "completeCheckout", [at, store.id, checkout.id, checkout.cart_id, bought])
    const { firstName, lastName, phone = null } = checkout.customer
    const customerName =
      [firstName, lastName].filter((part) => typeof part === "string" && part !== "").join(" ") || null
    const shippingAmount = money(totals.shipping)
    const selection =
      chosen === undefined
        ? null
        : { carrier: null, service: null, methodName: chosen.name, amount: shippingAmount, shippingRateId: chosen.id }
    const taxBreakdown = {
      subtotal: Number(money(totals.subtotal)),
      shippingNet: Number(shippingAmount),
      totalTax: Number(money(totals.taxAmount)),
      total: Number(total),
      pricesIncludeTax: false,
      breakdown: totals.breakdown.map((row) => ({ ...row, amount: Number(row.amount) })),
      currency: checkout.currency
    }
    const history = [{ from: null, to: "PENDING", reason: null, at: at.toISOString() }]
    const notes = input.notes ?? checkout.notes
    const isTest = channel.mode === "test"
    const paymentId = makeId("pay", now)
    const items = totals.items.map(({ line, position, amount, lineTax, taxLines }) => ({
      id: line.id,
      position,
      productId: line.productId,
      variantId: line.variantId,
      sku: line.sellable.sku,
      name: nameOf(line.sellable),
      image: line.sellable.image,
      quantity: line.quantity,
      unitPrice: line.unitPrice,
      subtotal: String(amount),
      discount: "0",
      tax: String(lineTax),
      total: String(amount + lineTax),
      taxLines,
      metadata: line.metadata,
      customizations: line.customizations
    }))
    const payments = [
      {
        id: paymentId,
        provider: "manual",
        method: "manual",
        reference: null,
        status: "pending",
        amount: String(totals.total),
        captured: "0"
      }
    ]
    const sums = [totals.subtotal, 0n, 0n, totals.shipping, 0n, totals.taxAmount, totals.total, 0n].map(String)
    const text = (value: unknown) => (value === null ? null : JSON.stringify(value))
    const origin = [
      store.id,
      id,
      null,
      checkout.id,
      checkout.sales_channel_id,
      checkout.customer_id,
      null,
      "storefront"
    ]
    const amounts = ["PENDING", "pending", "unfulfilled", checkout.currency, ...sums, text(taxBreakdown), null]
    const person = [
      checkout.email,
      text({ name: customerName, phone }),
      text(checkout.shipping_address),
      text(checkout.billing_address)
    ]
    const requests = [
      text(selection),
      "shipping",
      null,
      "manual",
      notes,
      text(checkout.custom_field_values),
      text(history),
      null,
      isTest,
      at,
      at
    ]
    const values = [...origin, ...amounts, ...person, ...requests, JSON.stringify(items), JSON.stringify(payments)]
    const [placed] = await run<{ order_number: string }>(client, "order", values)
    const orderNumber = `#${placed?.order_number}`
    const made = {
      id,
      paymentId,
      at,
      storeId: store.id,
      orderNumber,
      taxBreakdown,
      history,
      notes,
      isTest,
      customerName,
      selection
    }
    const data = { orderId: id, order: orderView(checkout, totals, made) }
    const orderEvents = [
      { id: makeEventId(), type: "order.created", data },
      { id: makeEventId(), type: "checkout.completed", data: { checkoutId: checkout.id, ...data } }
    ]
    await run(client, "events", [store.id, at, JSON.stringify(orderEvents)])
    return { orderId: id, orderNumber, status: "PENDING", message: "Order placed; payment is pending", total }
  }

  const complete = async (access: Access, id: string, body: unknown) => {
    const input = readCompletion(body)
    const { store } = access
    const now = Date.now()
    const done = await transaction(pool, store.id, async (client) => {
      await run(client, "lockCartOfCheckout", [store.id, id])
      await run(client, "lockCheckout", [store.id, id])
      const [checkout] = await run<CheckoutRow>(client, "checkout", [store.id, id])
      if (checkout === undefined || !isVisible(access, checkout)) throw notFound("Checkout")
      return place(client, access, checkout, input, now)
    })
    wake(store.id)
    return done
  }

  return { listProducts, productBySlug, getCart, addLine, complete }
}

const exposed =
  "ETag, X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-RateLimit-Limit-long, " +
  "X-RateLimit-Remaining-long, X-RateLimit-Reset-long, Retry-After, Idempotency-Replayed"
const maxBody = 1_048_576
const cacheMillis = 4_000

const readBody = (request: IncomingMessage): Promise<Buffer> =>
  new Promise((done, fail) => {
    const chunks: Array<Buffer> = []
    let size = 0
    request.on("data", (chunk: Buffer) => {
      size += chunk.length
      if (size > maxBody) fail(new Refusal(413, "PAYLOAD_TOO_LARGE", "The body is too large"))
      else chunks.push(chunk)
    })
    request.on("end", () => done(Buffer.concat(chunks)))
    request.on("error", fail)
  })

const utf8 = new TextDecoder("utf-8", { fatal: true })
const isBadText = (value: unknown): boolean => {
  if (typeof value === "string") return value.includes("\u0000") || !value.isWellFormed()
  if (Array.isArray(value)) return value.some(isBadText)
  return isRecord(value) && Object.entries(value).some(([key, inner]) => isBadText(key) || isBadText(inner))
}

const parseBody = (request: IncomingMessage, bytes: Buffer): unknown => {
  const type = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase()
  if (type !== undefined && type !== "" && type !== "application/json")
    throw new Refusal(415, "UNSUPPORTED_MEDIA_TYPE", "Send application/json")
  try {
    const text = utf8.decode(bytes)
    const value: unknown = text === "" ? {} : JSON.parse(text)
    if (text.includes("\u0000") || (text.includes("\\u") && isBadText(value)))
      throw invalid({ body: "must not contain NUL characters or lone surrogates" })
    return value
  } catch (error) {
    throw error instanceof Refusal ? error : invalid({ body: "must be valid JSON" })
  }
}

const admits = (channel: Channel, origin: string | undefined): boolean => {
  if (channel.domain === null) return channel.mode === "test"
  if (origin === undefined || !URL.canParse(origin)) return false
  const { protocol, hostname } = new URL(origin)
  return (
    (protocol === "https:" || protocol === "http:") &&
    (hostname === channel.domain || hostname.endsWith(`.${channel.domain}`))
  )
}

/** Answers the five routes; `close` ends the connections. */
export const openBaseline = (options: BaselineOptions) => {
  const pool = new Pool({ ...options.database, max: options.maxConnections })
  pool.on("error", () => undefined)
  const routes = makeRoutes(pool, options.findsFirst === true)
  const known = new Map<string, { readonly access: Access; readonly until: number }>()

  const accessOf = async (channelId: string): Promise<Access> => {
    const now = Date.now()
    const cached = known.get(channelId)
    if (cached !== undefined && now < cached.until) return cached.access
    const [channel] = await run<Channel>(pool, "channel", [channelId])
    const [store] = channel === undefined ? [] : await run<Store>(pool, "store", [channel.store_id])
    if (channel === undefined || store === undefined) throw notFound("Sales channel")
    const access = { channel, store }
    known.set(channelId, { access, until: now + cacheMillis })
    return access
  }

  /** A completion runs once per Idempotency-Key; its answer is kept. */
  const once = async (
    access: Access,
    request: IncomingMessage,
    place: { readonly path: string; readonly id: string },
    owner: string
  ) => {
    const key = request.headers["idempotency-key"]
    const bytes = await readBody(request)
    if (typeof key !== "string" || key === "")
      throw new Refusal(400, "MISSING_REQUIRED_FIELDS", "An Idempotency-Key is required", { header: "Idempotency-Key" })
    if (key.length > 255) throw invalid({ "Idempotency-Key": "must be at most 255 characters" })
    const credential = `guest:${access.channel.id}:${place.id}`
    const print = sha256(Buffer.concat([Buffer.from(`POST\n${place.path}\n`), bytes]))
    const now = Date.now()
    const ends = [new Date(now + 30_000), new Date(now + 86_400_000), new Date(now)]
    const [claim] = await run(pool, "claim", [access.store.id, credential, key, print, owner, ...ends])
    if (claim?.["mine"] !== true) {
      if (claim?.["fingerprint"] !== print) throw conflict("The Idempotency-Key was used for another request")
      if (!(claim["body"] instanceof Buffer)) throw conflict("A request with this Idempotency-Key is still running")
      return { status: Number(claim["status"]), body: claim["body"], replayed: true }
    }
    const answer = await routes.complete(access, place.id, parseBody(request, bytes)).then(
      (value) => ({ status: 200, body: Buffer.from(JSON.stringify(value)) }),
      (error: unknown) => answerOf(error, place.path)
    )
    await run(pool, "saveAnswer", [
      answer.status,
      "application/json",
      answer.body,
      access.store.id,
      credential,
      key,
      owner
    ])
    return { ...answer, replayed: false }
  }

  const answerOf = (error: unknown, path: string) => {
    const refusal =
      error instanceof Refusal ? error : new Refusal(500, "INTERNAL_SERVER_ERROR", "Internal server error")
    if (refusal.status === 500) process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
    const { status, code, message, details } = refusal
    const body = {
      statusCode: status,
      code,
      message,
      ...(details === undefined ? {} : { details }),
      timestamp: new Date().toISOString(),
      path
    }
    return { status, body: Buffer.from(JSON.stringify(body)) }
  }

  const dispatch = async (
    request: IncomingMessage,
    url: { readonly path: string; readonly query: string },
    owner: string,
    allow: (origin: string) => void
  ) => {
    const [, api, vc, channelId = "", room, a, b, ...more] = url.path.split("/").map(decodeURIComponent)
    if (api !== "api" || vc !== "vc" || more.length > 0) throw notFound("Route")
    const access = await accessOf(channelId)
    const { origin } = request.headers
    if (!admits(access.channel, origin))
      throw new Refusal(401, "UNAUTHORIZED", "The Origin is not a domain of this sales channel")
    if (origin !== undefined) allow(origin)
    if (access.store.suspended) throw new Refusal(403, "STORE_SUSPENDED", "The store is suspended")
    const needs =
      room === "products" || room === "inventory"
        ? "storefront_read_enabled"
        : b === "complete"
          ? "orders_write_enabled"
          : "cart_enabled"
    if (access.channel[needs] !== true) throw new Refusal(403, "FORBIDDEN", "This channel may not do that")
    const route = `${request.method} ${room}`
    const json = (value: unknown) => ({ status: 200, body: Buffer.from(JSON.stringify(value)), replayed: false })
    if (request.method === "GET" && request.headers["idempotency-key"] !== undefined)
      throw invalid({ "Idempotency-Key": "is for writes" })
    if (route === "GET products" && a === undefined)
      return json(await routes.listProducts(access, new URLSearchParams(url.query)))
    if (route === "GET products" && a === "slug" && b !== undefined) return json(await routes.productBySlug(access, b))
    if (route === "GET inventory" && a === undefined) {
      const ids = new URLSearchParams(url.query).get("productIds") ?? ""
      return json(await inventoryOf(pool, access.store.id, [...new Set(ids.split(","))]))
    }
    if (route === "GET cart" && a !== undefined && b === undefined) return json(await routes.getCart(access, a))
    if (route === "POST cart" && a !== undefined && b === "items")
      return json(await routes.addLine(access, a, parseBody(request, await readBody(request))))
    if (route === "POST checkout" && a !== undefined && b === "complete")
      return once(access, request, { path: url.path, id: a }, owner)
    throw notFound("Route")
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [path = "", query = ""] = (request.url ?? "").split("?", 2)
    const asked = request.headers["x-request-id"]
    const id =
      typeof asked === "string" && /^[\w.:-]{1,128}$/.test(asked) ? asked : `req_${randomBytes(12).toString("hex")}`
    const headers: Record<string, string | number> = { "x-request-id": id, "access-control-expose-headers": exposed }
    const allow = (origin: string) => {
      headers["access-control-allow-origin"] = origin
      headers["vary"] = "Origin"
    }
    const { status, body, ...rest } = await dispatch(request, { path, query }, id, allow).catch((error: unknown) =>
      answerOf(error, path)
    )
    headers["content-type"] = "application/json"
    headers["content-length"] = body.length
    if ("replayed" in rest && rest.replayed) headers["idempotency-replayed"] = "true"
    response.writeHead(status, headers)
    response.end(body)
  }

  const server = createServer(
    { requestTimeout: 30_000, headersTimeout: 15_000 },
    (request, response) => void answer(request, response)
  )
  return { server, close: () => pool.end() }
}

interface Started extends BaselineOptions {
  readonly port: number
}

if (import.meta.main) {
  const options = JSON.parse(process.argv[2] ?? "") as Started
  const { server } = openBaseline(options)
  server.listen(options.port, "127.0.0.1", () => process.stdout.write("listening\n"))
}
