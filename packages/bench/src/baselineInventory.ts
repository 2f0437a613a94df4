/** The baseline's inventory of several products: one statement, and what somebody writes by hand to show it. */
import type { Pool } from "pg"

const statement = `SELECT p.id AS product_id, p.sku, p.name, p.type, v.id AS variant_id, v.sku AS variant_sku,
  v.name AS variant_name, s.tracking_mode, s.backorder_mode, s.backorder_limit, s.total, s.reserved - coalesce((
    SELECT sum(r.quantity)::int FROM reservation r WHERE r.store_id = s.store_id AND r.key = s.key
      AND r.expires_at <= $3), 0) AS reserved
  FROM product p
  LEFT JOIN product_variant v ON v.store_id = p.store_id AND v.product_id = p.id AND v.status = 'active'
  LEFT JOIN stock s ON s.store_id = p.store_id AND s.key = coalesce(v.id, p.id)
  WHERE p.store_id = $1 AND p.id = ANY($2::text[]) AND p.status = 'active' AND p.deleted_at IS NULL
  ORDER BY p.id, v.position, v.id`

interface Row {
  readonly product_id: string
  readonly sku: string | null
  readonly name: string
  readonly type: string
  readonly variant_id: string | null
  readonly variant_sku: string | null
  readonly variant_name: string | null
  readonly tracking_mode: string | null
  readonly backorder_mode: string | null
  readonly backorder_limit: number | null
  readonly total: number | null
  readonly reserved: number | null
}

const countsOf = (row: Row) => {
  const { total, reserved, tracking_mode: mode } = row
  const left = (total ?? 0) - (reserved ?? 0)
  const beyond = row.backorder_mode === "LIMITED" ? (row.backorder_limit ?? 0) : 0
  const sells = mode === "UNTRACKED" || row.backorder_mode === "ALLOW" || left + beyond > 0
  return {
    total: total ?? 0,
    reserved: reserved ?? 0,
    available: Math.max(0, left),
    trackingMode: mode ?? "TRACKED",
    inStock: mode === "UNTRACKED" || left > 0,
    canPurchase: mode !== "DISABLED" && sells
  }
}

export const inventoryOf = async (pool: Pool, storeId: string, ids: ReadonlyArray<string>) => {
  const values = [storeId, ids, new Date()]
  const rows = (await pool.query({ name: "inventory", text: statement, values })).rows as unknown as ReadonlyArray<Row>
  const products = Map.groupBy(rows, (row) => row.product_id)
  const inventory = ids.flatMap((id) => {
    const [first, ...more] = products.get(id) ?? []
    if (first === undefined) return []
    const { product_id: productId, sku, name, type } = first
    const variants = (first.variant_id === null ? [] : [first, ...more]).map((row) => ({
      variantId: row.variant_id,
      sku: row.variant_sku,
      name: row.variant_name,
      inventory: countsOf(row)
    }))
    const all = variants.map((variant) => variant.inventory)
    const sum = (field: "total" | "reserved" | "available") => all.reduce((n, one) => n + one[field], 0)
    const together = {
      total: sum("total"),
      reserved: sum("reserved"),
      available: sum("available"),
      trackingMode: all[0]?.trackingMode ?? "TRACKED",
      inStock: all.some((one) => one.inStock),
      canPurchase: all.some((one) => one.canPurchase)
    }
    return [{ productId, sku, name, type, inventory: variants.length === 0 ? countsOf(first) : together, variants }]
  })
  return { inventory }
}
