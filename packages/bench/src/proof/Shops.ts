/** Shops to buy in and goods to buy, made by SQL, so that they cost nothing. */
import { randomBytes } from "node:crypto"
import { sha256Hex } from "@effect-commerce/core/crypto/Hashing"
import { everyScope } from "@effect-commerce/core/identity/Scope"

export type Query = (
  sql: string,
  params?: ReadonlyArray<unknown>
) => Promise<ReadonlyArray<Readonly<Record<string, unknown>>>>

export interface ShopOptions {
  /** ON_PAYMENT by default: carts do not reserve stock. */
  readonly strategy?: "ON_PAYMENT" | "ON_CART"
  /** What happens with a payment for an expired checkout; `create_order` by default. */
  readonly lateCapture?: "create_order" | "refund"
}

export interface Shop {
  readonly storeId: string
  readonly channelId: string
  readonly apiKey: string
}

export interface Product {
  readonly id: string
  readonly initial: number
}

export interface Shops {
  readonly openShop: (options?: ShopOptions) => Promise<Shop>
  readonly stock: (shop: Shop, count: number, units: number) => Promise<ReadonlyArray<Product>>
}

/** `query` runs as the superuser, to whom row-level security does not apply. */
export const shopsOn = (query: Query): Shops => {
  const openShop: Shops["openShop"] = async ({ strategy = "ON_PAYMENT", lateCapture = "create_order" } = {}) => {
    const id = randomBytes(8).toString("hex")
    const shop = { storeId: `store_${id}`, channelId: `vc_${id}`, apiKey: `svc_${randomBytes(32).toString("hex")}` }
    const account = `acct_${id}`
    await query("INSERT INTO account (id, name, created_at) VALUES ($1, 'Proof', now())", [account])
    await query(
      "INSERT INTO store (id, account_id, name, currency, country, reservation_strategy, late_capture, created_at, " +
        "updated_at) VALUES ($1, $2, 'Proof', 'USD', 'US', $3, $4, now(), now())",
      [shop.storeId, account, strategy, lateCapture]
    )
    await query(
      "INSERT INTO sales_channel (id, store_id, name, created_at, updated_at) VALUES ($1, $2, 'Storefront', now(), " +
        "now())",
      [shop.channelId, shop.storeId]
    )
    await query(
      "INSERT INTO api_key (id, account_id, store_id, name, key_hash, key_prefix, scopes, tier, rate_limit, " +
        "created_at) VALUES ($1, $2, $3, 'proof', $4, $5, $6, 'ENTERPRISE', 1000000, now())",
      [`key_${id}`, account, shop.storeId, sha256Hex(shop.apiKey), shop.apiKey.slice(0, 12), everyScope]
    )
    return shop
  }

  let stocked = 0
  const stock: Shops["stock"] = async (shop, count, units) => {
    const first = stocked
    stocked += count
    const rows = await query(
      `WITH made AS (
        INSERT INTO product (store_id, id, type, status, name, slug, base_price, created_at, updated_at)
        SELECT $1, 'prod_proof' || lpad(i::text, 8, '0'), 'SIMPLE', 'active', 'Product ' || i, 'product-' || i, 700 + i
          * 13 % 900, now(), now()
        FROM generate_series($2::int, $3::int) i RETURNING id
      ), counted AS (
        INSERT INTO stock (store_id, key, product_id, total, updated_at) SELECT $1, id, id, $4, now() FROM made
      ), moved AS (
        INSERT INTO stock_movement (store_id, id, key, product_id, delta, reason, reference, created_at)
        SELECT $1, replace(id, 'prod_', 'mov_'), id, id, $4, 'correction', 'initial', now() FROM made
      ) SELECT id FROM made ORDER BY id`,
      [shop.storeId, first, first + count - 1, units]
    )
    return rows.map((row) => ({ id: String(row["id"]), initial: units }))
  }

  return { openShop, stock }
}
