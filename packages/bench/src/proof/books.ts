/**
 * Whether a shop's books agree with each other and with the responses its shoppers got. Every finding is a line; no
 * line means proved.
 */
import { type Finding, findingsOf, type Law, questionOf } from "@effect-commerce/core/audit/Law"
import { laws } from "@effect-commerce/core/audit/Laws"
import type { Installation } from "./Installation.ts"
import type { Shop } from "./Shops.ts"
import type { Entry } from "./Journal.ts"

/**
 * The laws are `commerce audit`'s. Beside them: in a shop of the proof every product is counted, so whatever was
 * ordered has left the stock. An order that was paid for after its stock was gone says so, and may have taken less than
 * it sold.
 */
const sold = `SELECT coalesce(i.key, m.key) AS id, coalesce(i.sure, 0) || ' to ' || coalesce(i.sold, 0) AS expected,
  coalesce(m.gone, 0) AS found
  FROM (SELECT coalesce(t.variant_id, t.product_id) AS key, sum(t.quantity)::int AS sold,
    coalesce(sum(t.quantity) FILTER (WHERE o.sync_warning IS NULL), 0)::int AS sure
    FROM (
      SELECT order_id, product_id, variant_id, quantity FROM order_item WHERE store_id = $1 AND kit_components IS NULL
      UNION ALL SELECT k.order_id, c."productId", c."variantId", k.quantity * c.quantity FROM order_item k,
        jsonb_to_recordset(k.kit_components) AS c ("productId" text, "variantId" text, quantity int)
        WHERE k.store_id = $1
    ) t JOIN orders o ON o.store_id = $1 AND o.id = t.order_id GROUP BY 1) i
  FULL JOIN (SELECT key,
    -sum(delta)::int AS gone FROM stock_movement WHERE store_id = $1 AND reason = 'sale' GROUP BY 1) m ON m.key = i.key
  WHERE coalesce(m.gone, 0) NOT BETWEEN coalesce(i.sure, 0) AND coalesce(i.sold, 0)`
const everythingCounted: Law = {
  law: "proof.sold",
  says: "what was sold is what left the stock",
  table: "stock",
  sql: sold
}

const mostShown = 3

const shown = ({ law, says }: Law, rows: ReadonlyArray<Finding>): ReadonlyArray<string> =>
  rows.length === 0
    ? []
    : [
        `broken: ${says} (${law}, ${rows.length} rows): ${rows
          .slice(0, mostShown)
          .map(({ table, id, expected, found }) => `${table} ${id}: ${found}, must be ${expected}`)
          .join("; ")}`
      ]

/** The books by themselves. */
export const auditBooks = async (installation: Installation, shop: Shop): Promise<ReadonlyArray<string>> => {
  const findings: Array<string> = []
  for (const law of [...laws, everythingCounted]) {
    findings.push(
      ...shown(law, findingsOf(law, shop.storeId, await installation.query(questionOf(law), [shop.storeId])))
    )
  }
  return findings
}

/** Of these checkouts those that the provider was asked to charge, by its own books. */
export const chargedOf = async (
  installation: Installation,
  shop: Shop,
  checkoutIds: ReadonlyArray<string>
): Promise<ReadonlyArray<string>> => {
  const rows = await installation.query(
    "SELECT DISTINCT checkout_id FROM test_charge WHERE store_id = $1 AND checkout_id = ANY($2::text[])",
    [shop.storeId, checkoutIds]
  )
  return rows.map((row) => String(row["checkout_id"]))
}

/** What a checkout's charges have moved at the provider, by its own books: minor units authorised and captured by key. */
export const movedAtProvider = async (installation: Installation, shop: Shop, checkoutId: string): Promise<string> => {
  const rows = await installation.query(
    "SELECT charge_key, authorized::text, captured::text FROM test_charge " +
      "WHERE store_id = $1 AND checkout_id = $2 ORDER BY charge_key",
    [shop.storeId, checkoutId]
  )
  return JSON.stringify(rows)
}

/**
 * 503 promises that nothing was done: completions that were sent once and got it must not have reached the provider.
 */
export const chargedDespite503 = async (
  installation: Installation,
  shop: Shop,
  entries: ReadonlyArray<Entry>
): Promise<ReadonlyArray<string>> => {
  const refused = entries.filter(({ known }) => known.status === 503).map(({ checkoutId }) => checkoutId)
  return (await chargedOf(installation, shop, refused)).map(
    (checkoutId) => `${checkoutId} was charged and answered 503`
  )
}

/**
 * Compares the books with the journal: what was acknowledged is stored, what was rejected is not, nothing is stored
 * twice.
 */
export const auditJournal = async (
  installation: Installation,
  shop: Shop,
  entries: ReadonlyArray<Entry>
): Promise<ReadonlyArray<string>> => {
  const ids = entries.map((entry) => entry.checkoutId)
  const rows = await installation.query(
    "SELECT id, checkout_id, order_number::int AS number FROM orders WHERE store_id = $1 AND checkout_id = " +
      "ANY($2::text[])",
    [shop.storeId, ids]
  )
  const orders = new Map<string, Array<string>>()
  for (const row of rows)
    orders.set(String(row["checkout_id"]), [...(orders.get(String(row["checkout_id"])) ?? []), String(row["id"])])
  // A checkout that was refused under one key may be ordered under another.
  const ordered = new Set(entries.flatMap(({ checkoutId, known }) => (known.what === "fail" ? [] : [checkoutId])))
  const findings = entries.flatMap(({ checkoutId, known }) => {
    const found = orders.get(checkoutId) ?? []
    if (found.length > 1) return [`${checkoutId} has ${found.length} orders`]
    if (known.what === "ok" && found.length === 0)
      return [`the order ${known.orderId} of ${checkoutId} was acknowledged and is lost`]
    if (known.what === "ok" && found[0] !== known.orderId)
      return [`${checkoutId} was acknowledged as ${known.orderId} and is ${found[0]}`]
    if (!ordered.has(checkoutId) && found.length > 0)
      return [`${checkoutId} was refused (${known.status} ${known.code}) and has the order ${found[0]}`]
    return []
  })
  return [...findings, ...(await auditAnswers(installation, shop, entries))]
}

/** Every acknowledged completion has its answer kept, byte for byte. */
const auditAnswers = async (
  installation: Installation,
  shop: Shop,
  entries: ReadonlyArray<Entry>
): Promise<ReadonlyArray<string>> => {
  const acked = entries.filter(({ known }) => known.what === "ok")
  const rows = await installation.query(
    "SELECT key, status, encode(body, 'base64') AS body FROM idempotency WHERE store_id = $1 AND key = ANY($2::text[])",
    [shop.storeId, acked.map((entry) => entry.key)]
  )
  const kept = new Map(rows.map((row) => [String(row["key"]), String(row["body"]).replaceAll("\n", "")]))
  return acked.flatMap(({ key, known }) =>
    kept.get(key) === known.bytes
      ? []
      : [`the answer to ${key} is ${kept.has(key) ? "kept otherwise than it was given" : "not kept"}`]
  )
}

/** Units held for carts, and rows that hold them. */
export const heldUnits = async (installation: Installation, shop: Shop): Promise<number> => {
  const [row] = await installation.query(
    "SELECT (SELECT coalesce(sum(reserved), 0) FROM stock WHERE store_id = $1)::int + (SELECT " +
      "coalesce(sum(quantity), 0) FROM reservation WHERE store_id = $1)::int AS held",
    [shop.storeId]
  )
  return Number(row?.["held"])
}

const takesPayments = async ({ query }: Installation): Promise<boolean> => {
  const [row] = await query("SELECT to_regclass('provider_operation') IS NOT NULL AS is")
  return row?.["is"] === true
}

/**
 * Payments whose outcome nobody has settled yet: attempts under way, also those that wait for the shopper, changes that
 * are not final, refunds that are due, and notices that were stored and not acted on. So is one that failed to be
 * recorded and, because the clock was moved past an hour before it was tried again, waits for a person until then.
 */
export const openPayments = async (installation: Installation, shop: Shop): Promise<number> => {
  if (!(await takesPayments(installation))) return 0
  const [row] = await installation.query(
    `SELECT (SELECT count(*) FROM provider_operation WHERE store_id = $1 AND (state IN ('calling',
        'awaiting_shopper', 'pending', 'refund_due') OR (attention_at IS NOT NULL AND check_at IS NOT NULL)))::int
      + (SELECT count(*) FROM provider_notice WHERE (store_id = $1 OR store_id IS NULL) AND state = 'open')::int AS open`,
    [shop.storeId]
  )
  return Number(row?.["open"])
}

/** Orders that a gift card has paid a part of. */
export const paidByGiftCard = async (installation: Installation, shop: Shop): Promise<number> => {
  const [row] = await installation.query(
    "SELECT count(*)::int AS orders FROM gift_card_transaction WHERE store_id = $1 AND type = 'REDEEM'",
    [shop.storeId]
  )
  return Number(row?.["orders"])
}

/** Completions claimed and never answered: what killed servers leave behind. */
export const openClaims = async (installation: Installation, shop: Shop): Promise<number> => {
  const [row] = await installation.query(
    "SELECT count(*)::int AS open FROM idempotency WHERE store_id = $1 AND status IS NULL",
    [shop.storeId]
  )
  return Number(row?.["open"])
}
