/**
 * Checks, before anything is measured, that the baseline does the product's work. Reads are answered with the same
 * JSON; writes with the same JSON but for ids and times, and they leave the same rows and events behind. Fields that
 * the product has gained since the baseline was frozen are left out.
 */
import { deepStrictEqual } from "node:assert"
import type { Client } from "pg"
import type { Request } from "./load.ts"
import { scenarios } from "./scenarios.ts"
import type { Shop } from "./seed.ts"

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** Headers of the transport and of one answer alone, and those for caches, which the frozen baseline does not send. */
const passing = new Set(
  "date connection keep-alive x-request-id content-length cache-control etag vary content-language".split(" ")
)

/** Fields that the product has gained since the baseline was frozen, where they are null. */
const learnt = new Set(["seoScore"])

const call = async (port: number, { method, path, body, headers }: Request): Promise<Answer> => {
  const init =
    body === undefined
      ? { method, headers: { ...headers } }
      : { method, headers: { ...headers, "content-type": "application/json" }, body }
  const response = await fetch(`http://127.0.0.1:${port}${path}`, init)
  const kept = [...response.headers].filter(([name]) => !passing.has(name))
  return { status: response.status, headers: Object.fromEntries(kept), body: await response.json() }
}

/**
 * The same value with what differs from run to run replaced: made ids, times, order numbers, and the batch's own names.
 */
const masked = (value: unknown): unknown => {
  if (typeof value === "string") {
    if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return "time"
    return value
      .replace(/^([a-z]+)_[0-9a-hjkmnp-tv-z]{26}$/, "$1_made")
      .replace(/^#\d+$/, "#number")
      .replace(/(same)[ab]/g, "$1")
  }
  if (Array.isArray(value)) return value.map(masked)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, masked(inner)]))
}

/** The fields of the product's response that the frozen baseline has too: the product may have more. */
const asFarAs = (baseline: unknown, product: unknown): unknown => {
  if (Array.isArray(baseline) && Array.isArray(product) && baseline.length === product.length)
    return product.map((one, i) => asFarAs(baseline[i], one))
  if (typeof baseline !== "object" || typeof product !== "object" || baseline === null || product === null)
    return product
  if (Array.isArray(baseline) || Array.isArray(product)) return product
  const fields = product as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    Object.entries(baseline).map(([key, inner]) => [
      key,
      learnt.has(key) && inner === null ? null : key in fields ? asFarAs(inner, fields[key]) : "is not answered"
    ])
  )
}

/** The rows and events of a completed checkout, without ids and times. */
const tracesOf = async (seeder: Client, shop: Shop, batch: string): Promise<unknown> => {
  const of = async (text: string) => (await seeder.query(text, [shop.storeId, `chk_${batch}%`])).rows
  const order = `(SELECT id FROM orders WHERE store_id = $1 AND checkout_id LIKE $2)`
  return masked({
    orders: await of(
      `SELECT to_jsonb(o) - ARRAY['order_number', 'created_at', 'updated_at'] AS row FROM orders o WHERE store_id = $1
        AND checkout_id LIKE $2 ORDER BY checkout_id`
    ),
    items: await of(
      `SELECT to_jsonb(i) - 'order_id' AS row FROM order_item i WHERE store_id = $1 AND order_id IN
        ${order} ORDER BY id`
    ),
    payments: await of(
      `SELECT to_jsonb(p) - ARRAY['order_id', 'created_at', 'updated_at'] AS row FROM payment p WHERE store_id = $1 AND
        order_id IN ${order} ORDER BY amount`
    ),
    movements: await of(
      `SELECT key, delta, reason FROM stock_movement WHERE store_id = $1 AND reference IN ${order} ORDER BY key`
    ),
    events: await of(
      `SELECT type, data FROM event WHERE store_id = $1 AND data ->> 'orderId' IN ${order} ORDER BY type, seq`
    ),
    checkouts: await of(
      `SELECT k.status, c.status AS cart FROM checkout k JOIN cart c ON c.store_id = k.store_id AND c.id = k.cart_id
        WHERE k.store_id = $1 AND k.id LIKE $2`
    )
  })
}

/** Throws at the first difference. */
export const compareAnswers = async (
  seeder: Client,
  shop: Shop,
  ports: { readonly product: number; readonly baseline: number }
): Promise<void> => {
  for (const { route, kind, prepare } of scenarios) {
    const ofProduct = await prepare(seeder, shop, `${kind}samea`, 10)
    const ofBaseline = kind === "read" ? ofProduct : await prepare(seeder, shop, `${kind}sameb`, 10)
    for (let i = 0; i < Math.min(10, ofProduct.length); i++) {
      const expected = await call(ports.product, ofProduct[i]!)
      const actual = await call(ports.baseline, ofBaseline[i]!)
      if (expected.status !== 200)
        throw new Error(`${route}: the product answers ${expected.status} ${JSON.stringify(expected.body)}`)
      const [left, right] = kind === "read" ? [actual, expected] : [masked(actual), masked(expected)]
      deepStrictEqual(left, asFarAs(left, right), `${route}: the baseline answers something else than the product`)
    }
    if (route === "complete checkout") {
      const [left, right] = [await tracesOf(seeder, shop, `${kind}sameb`), await tracesOf(seeder, shop, `${kind}samea`)]
      deepStrictEqual(
        left,
        asFarAs(left, right),
        `${route}: the baseline leaves something else behind than the product`
      )
    }
    await forget(seeder, shop)
  }
}

/** Deletes the compared carts, so that the next route can use their names. */
const forget = async (seeder: Client, shop: Shop): Promise<void> => {
  const like = [shop.storeId, "%same%"]
  const of = `(SELECT id FROM orders WHERE store_id = $1 AND checkout_id LIKE $2)`
  for (const text of [
    `DELETE FROM order_item WHERE store_id = $1 AND order_id IN ${of}`,
    `DELETE FROM payment WHERE store_id = $1 AND order_id IN ${of}`,
    "DELETE FROM orders WHERE store_id = $1 AND checkout_id LIKE $2",
    "DELETE FROM checkout WHERE store_id = $1 AND id LIKE $2",
    "DELETE FROM cart WHERE store_id = $1 AND id LIKE $2"
  ]) {
    await seeder.query(text, like)
  }
}
