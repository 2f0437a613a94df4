/** Whether a shop's books agree with each other and with what its shoppers were told. Every finding is a line; none is the proof. */
import { checkGapless } from "./History.ts"
import type { Installation } from "./Installation.ts"
import type { Shop } from "./Shops.ts"
import type { Entry } from "./Journal.ts"

interface Check {
  readonly what: string
  /** Rows are findings; $1 is the store. */
  readonly sql: string
}

const checks: ReadonlyArray<Check> = [
  {
    what: "stock is not the sum of its movements",
    sql: `SELECT s.key, s.total, coalesce(sum(m.delta), 0)::int AS moved FROM stock s LEFT JOIN stock_movement m ON m.store_id = s.store_id AND m.key = s.key
      WHERE s.store_id = $1 GROUP BY s.key, s.total HAVING s.total <> coalesce(sum(m.delta), 0)`
  },
  {
    what: "reserved is not the sum of the reservations",
    sql: `SELECT s.key, s.reserved, coalesce(sum(r.quantity), 0)::int AS held FROM stock s LEFT JOIN reservation r ON r.store_id = s.store_id AND r.key = s.key
      WHERE s.store_id = $1 GROUP BY s.key, s.reserved HAVING s.reserved <> coalesce(sum(r.quantity), 0)`
  },
  { what: "stock is below zero", sql: "SELECT key, total, reserved FROM stock WHERE store_id = $1 AND (total < 0 OR total - reserved < 0)" },
  {
    what: "what was sold is not what left the stock",
    // An order that was paid for after its stock was gone says so, and may have taken less than it sold.
    sql: `SELECT coalesce(i.key, m.key) AS key, coalesce(i.sold, 0) AS sold, coalesce(m.gone, 0) AS gone
      FROM (SELECT coalesce(variant_id, product_id) AS key, sum(quantity)::int AS sold, coalesce(sum(quantity) FILTER (WHERE o.sync_warning IS NULL), 0)::int AS sure
        FROM order_item t JOIN orders o ON o.store_id = t.store_id AND o.id = t.order_id WHERE t.store_id = $1 GROUP BY 1) i
      FULL JOIN (SELECT key, -sum(delta)::int AS gone FROM stock_movement WHERE store_id = $1 AND reason = 'sale' GROUP BY 1) m ON m.key = i.key
      WHERE coalesce(m.gone, 0) NOT BETWEEN coalesce(i.sure, 0) AND coalesce(i.sold, 0)`
  },
  {
    what: "an order has not exactly one order.created",
    sql: `SELECT coalesce(o.id, e.id) AS id, coalesce(e.n, 0) AS events FROM (SELECT id FROM orders WHERE store_id = $1) o
      FULL JOIN (SELECT data->>'orderId' AS id, count(*)::int AS n FROM event WHERE store_id = $1 AND type = 'order.created' GROUP BY 1) e ON e.id = o.id
      WHERE o.id IS NULL OR coalesce(e.n, 0) <> 1`
  },
  {
    what: "an event was told twice",
    sql: `SELECT type, data->>'orderId' AS id, count(*)::int AS n FROM event WHERE store_id = $1 AND type IN ('order.paid', 'checkout.completed') GROUP BY 1, 2 HAVING count(*) > 1`
  },
  {
    what: "a completed checkout has not exactly one order",
    sql: `SELECT c.id, c.status, count(o.id)::int AS orders FROM checkout c LEFT JOIN orders o ON o.store_id = c.store_id AND o.checkout_id = c.id
      WHERE c.store_id = $1 GROUP BY c.id, c.status HAVING count(o.id) <> CASE c.status WHEN 'COMPLETED' THEN 1 ELSE 0 END`
  },
  {
    what: "an order's total is not the sum of its parts",
    sql: `SELECT o.id, o.total_amount, o.subtotal FROM orders o
      JOIN (SELECT order_id, sum(subtotal) AS subtotal, sum(quantity * unit_price) AS priced FROM order_item WHERE store_id = $1 GROUP BY 1) i ON i.order_id = o.id
      WHERE o.store_id = $1 AND (o.subtotal <> i.subtotal OR i.subtotal <> i.priced
        OR (NOT (o.tax_breakdown->>'pricesIncludeTax')::boolean AND o.total_amount <> o.subtotal - o.discount_amount - o.rule_discount_amount
          + o.shipping_amount + o.surcharge_amount + o.tax_amount))`
  },
  {
    what: "what an order has captured is not what its payments have",
    sql: `SELECT o.id, o.captured_amount, coalesce(sum(p.captured), 0) AS captured FROM orders o LEFT JOIN payment p ON p.store_id = o.store_id AND p.order_id = o.id
      WHERE o.store_id = $1 GROUP BY o.id, o.captured_amount HAVING o.captured_amount <> coalesce(sum(p.captured), 0) OR coalesce(sum(p.captured), 0) > max(o.total_amount)`
  },
  {
    what: "a payment's amount is not its order's total",
    sql: `SELECT o.id, o.total_amount, sum(p.amount) AS due FROM orders o JOIN payment p ON p.store_id = o.store_id AND p.order_id = o.id
      WHERE o.store_id = $1 AND p.status NOT IN ('failed', 'voided') GROUP BY o.id, o.total_amount HAVING o.total_amount <> sum(p.amount)`
  },
  {
    what: "an answer was kept for an order that is not there",
    sql: `SELECT i.key, convert_from(i.body, 'UTF8') AS body FROM idempotency i WHERE i.store_id = $1 AND i.status = 200 AND convert_from(i.body, 'UTF8') LIKE '{"orderId"%'
      AND NOT EXISTS (SELECT FROM orders o WHERE o.store_id = $1 AND o.id = convert_from(i.body, 'UTF8')::jsonb->>'orderId')`
  }
]

/** Beside the books of the `test` provider, which stand for another company's. */
const moneyChecks: ReadonlyArray<Check> = [
  {
    what: "the provider has other money than the orders say",
    sql: `SELECT c.checkout_id, c.kept, coalesce(o.kept, 0) AS told
      FROM (SELECT checkout_id, sum(captured - refunded) AS kept, max(id) AS id FROM test_charge WHERE store_id = $1 GROUP BY 1) c
      LEFT JOIN (SELECT o.checkout_id, sum(o.captured_amount - o.refunded_amount) AS kept FROM orders o
        WHERE o.store_id = $1 AND EXISTS (SELECT FROM payment p WHERE p.store_id = $1 AND p.order_id = o.id AND p.provider = 'test') GROUP BY 1) o ON o.checkout_id = c.checkout_id
      WHERE c.kept <> coalesce(o.kept, 0)`
  },
  {
    what: "a checkout was charged twice",
    sql: "SELECT checkout_id, count(*)::int AS charges FROM test_charge WHERE store_id = $1 AND captured > refunded GROUP BY 1 HAVING count(*) > 1"
  }
]

const mostShown = 3

const shown = (what: string, rows: ReadonlyArray<object>): ReadonlyArray<string> =>
  rows.length === 0
    ? []
    : [
        `${what} (${rows.length} rows): ${rows
          .slice(0, mostShown)
          .map((row) => JSON.stringify(row))
          .join(" ")}`
      ]

/** The books by themselves. */
export const auditBooks = async (installation: Installation, shop: Shop): Promise<ReadonlyArray<string>> => {
  const findings: Array<string> = []
  const hasMoney = await takesPayments(installation)
  for (const { what, sql } of hasMoney ? [...checks, ...moneyChecks] : checks) findings.push(...shown(what, await installation.query(sql, [shop.storeId])))
  const numbers = await installation.query("SELECT order_number::int AS number FROM orders WHERE store_id = $1", [shop.storeId])
  findings.push(...checkGapless(numbers.map((row) => Number(row["number"]))))
  return findings
}

/** The books beside the journal: what was promised is there, what was refused is not, nothing is there twice. */
export const auditJournal = async (installation: Installation, shop: Shop, entries: ReadonlyArray<Entry>): Promise<ReadonlyArray<string>> => {
  const ids = entries.map((entry) => entry.checkoutId)
  const rows = await installation.query(
    "SELECT id, checkout_id, order_number::int AS number FROM orders WHERE store_id = $1 AND checkout_id = ANY($2::text[])",
    [shop.storeId, ids]
  )
  const orders = new Map<string, Array<string>>()
  for (const row of rows) orders.set(String(row["checkout_id"]), [...(orders.get(String(row["checkout_id"])) ?? []), String(row["id"])])
  // A checkout that was refused under one key may be ordered under another.
  const ordered = new Set(entries.flatMap(({ checkoutId, known }) => (known.what === "fail" ? [] : [checkoutId])))
  const findings = entries.flatMap(({ checkoutId, known }) => {
    const found = orders.get(checkoutId) ?? []
    if (found.length > 1) return [`${checkoutId} has ${found.length} orders`]
    if (known.what === "ok" && found.length === 0) return [`the order ${known.orderId} of ${checkoutId} was acknowledged and is lost`]
    if (known.what === "ok" && found[0] !== known.orderId) return [`${checkoutId} was acknowledged as ${known.orderId} and is ${found[0]}`]
    if (!ordered.has(checkoutId) && found.length > 0) return [`${checkoutId} was refused (${known.status} ${known.code}) and has the order ${found[0]}`]
    return []
  })
  return [...findings, ...(await auditAnswers(installation, shop, entries))]
}

/** Every acknowledged completion has its answer kept, byte for byte. */
const auditAnswers = async (installation: Installation, shop: Shop, entries: ReadonlyArray<Entry>): Promise<ReadonlyArray<string>> => {
  const acked = entries.filter(({ known }) => known.what === "ok")
  const rows = await installation.query("SELECT key, status, encode(body, 'base64') AS body FROM idempotency WHERE store_id = $1 AND key = ANY($2::text[])", [
    shop.storeId,
    acked.map((entry) => entry.key)
  ])
  const kept = new Map(rows.map((row) => [String(row["key"]), String(row["body"]).replaceAll("\n", "")]))
  return acked.flatMap(({ key, known }) =>
    kept.get(key) === known.bytes ? [] : [`the answer to ${key} is ${kept.has(key) ? "kept otherwise than it was given" : "not kept"}`]
  )
}

/** Units held for carts, and rows that hold them. */
export const heldUnits = async (installation: Installation, shop: Shop): Promise<number> => {
  const [row] = await installation.query(
    "SELECT (SELECT coalesce(sum(reserved), 0) FROM stock WHERE store_id = $1)::int + (SELECT coalesce(sum(quantity), 0) FROM reservation WHERE store_id = $1)::int AS held",
    [shop.storeId]
  )
  return Number(row?.["held"])
}

const takesPayments = async ({ query }: Installation): Promise<boolean> => {
  const [row] = await query("SELECT to_regclass('payment_attempt') IS NOT NULL AS is")
  return row?.["is"] === true
}

/** Payments whose outcome nobody has settled yet: attempts under way, refunds that are due, notices that were kept and not acted on. */
export const openPayments = async (installation: Installation, shop: Shop): Promise<number> => {
  if (!(await takesPayments(installation))) return 0
  const [row] = await installation.query(
    `SELECT (SELECT count(*) FROM payment_attempt WHERE store_id = $1 AND status IN ('calling', 'refund_due'))::int
      + (SELECT count(*) FROM provider_event WHERE store_id = $1 AND applied_at IS NULL)::int AS open`,
    [shop.storeId]
  )
  return Number(row?.["open"])
}

/** Completions claimed and never answered: what killed servers leave behind. */
export const openClaims = async (installation: Installation, shop: Shop): Promise<number> => {
  const [row] = await installation.query("SELECT count(*)::int AS open FROM idempotency WHERE store_id = $1 AND status IS NULL", [shop.storeId])
  return Number(row?.["open"])
}
