/**
 * What has no counterpart in the baseline, so only its figures are reported: a whole purchase request by request,
 * signing in, and many callers who complete checkouts of one and the same product.
 */
import type { ChildProcess } from "node:child_process"
import type { Client } from "pg"
import type { Measured, Request } from "./load.ts"
import { ask } from "./processes.ts"
import { type Answer, eachOf, send } from "./proof/Client.ts"
import { checkoutIdOf, productIdOf, seedCheckouts, type Shop, simpleProduct } from "./seed.ts"

export interface JourneyResult {
  readonly what: string
  readonly callers: number
  readonly count: number
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
}

export interface JourneyPlace {
  readonly port: number
  readonly shop: Shop
  readonly seeder: Client
  readonly loader: ChildProcess
}

export interface JourneyPlan {
  readonly purchases: number
  readonly logins: number
  /** Completions at each number of callers. */
  readonly hot: number
}

export const journeyNames = ["whole purchase", "login", "hot product"] as const

const callers = 16
const customers = 20
export const password = "A long enough 1 passphrase!"
export const customerOf = (i: number): string => `shopper-${i}@example.com`

/** A shopper's requests; each is expected to be answered as a success. */
export const asShopper =
  ({ port, shop }: Pick<JourneyPlace, "port" | "shop">) =>
  async (
    method: string,
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {}
  ): Promise<Answer["body"]> => {
    const answer = await send(port, method, `/vc/${shop.channelId}${path}`, {
      body,
      headers: { origin: shop.origin, ...headers }
    })
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${answer.bytes.toString("utf8").slice(0, 300)}`)
    return answer.body
  }

const address = {
  firstName: "Ada",
  lastName: "Byron",
  line1: "1 Main St",
  city: "San Francisco",
  region: "CA",
  postalCode: "94105",
  country: "US"
}

/**
 * Cart, two lines, checkout, customer, address, method, complete: eight requests. `entered` adds one for a coupon and
 * one for a gift card.
 */
export const purchase = async (
  ask: ReturnType<typeof asShopper>,
  i: number,
  entered?: { readonly code: string; readonly giftCardCode: string }
): Promise<void> => {
  const cart = await ask("POST", "/cart")
  for (const k of [2 * i, 2 * i + 1])
    await ask("POST", `/cart/${cart.id}/items`, { productId: productIdOf(simpleProduct(k)), quantity: 1 })
  if (entered !== undefined) await ask("POST", `/cart/${cart.id}/coupon`, { code: entered.code })
  const { id } = await ask("POST", "/checkout", { cartId: cart.id })
  if (entered !== undefined) await ask("POST", `/checkout/${id}/gift-card`, { code: entered.giftCardCode })
  await ask("PATCH", `/checkout/${id}/customer`, { email: "ada@example.com", firstName: "Ada", lastName: "Byron" })
  const { availableShippingRates } = await ask("PATCH", `/checkout/${id}/shipping`, { shippingAddress: address })
  await ask("PATCH", `/checkout/${id}/shipping-method`, { shippingRateId: availableShippingRates[0].id })
  await ask("POST", `/checkout/${id}/complete`, { paymentMethod: "manual" }, { "idempotency-key": `purchase-${id}` })
}

const quantile = (sorted: ReadonlyArray<number>, q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0

/** The first of every ten warm the server up and are not counted. */
const measurePurchases = async (place: JourneyPlace, count: number): Promise<JourneyResult> => {
  const ask = asShopper(place)
  const run = (i: number) => purchase(ask, i)
  await eachOf(Array.from({ length: Math.ceil(count / 10) }), callers, (_, i) => run(i))
  const start = performance.now()
  const times = await eachOf(Array.from({ length: count }), callers, async (_, i) => {
    const began = performance.now()
    await run(i)
    return performance.now() - began
  })
  const perSecond = (count * 1_000) / (performance.now() - start)
  const sorted = times.toSorted((a, b) => a - b)
  return {
    what: "whole purchase, eight requests",
    callers,
    count,
    perSecond,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99)
  }
}

const sendAll = async (
  { loader, port }: JourneyPlace,
  requests: ReadonlyArray<Request>,
  connections: number
): Promise<Measured> => {
  const { measured } = await ask<{ readonly measured: Measured }>(loader, { port, connections, seconds: 0, requests })
  if (measured.failed > 0)
    throw new Error(
      `${measured.failed} of ${measured.answered} requests failed, the first with ${measured.firstFailure}`
    )
  return measured
}

const post = (shop: Shop, path: string, body: object, headers: Readonly<Record<string, string>> = {}): Request => ({
  method: "POST",
  path: `/api/vc/${shop.channelId}${path}`,
  body: JSON.stringify(body),
  headers: { origin: shop.origin, ...headers }
})

/** Passwords are hashed on purpose slowly, a few at a time: that is what is measured. */
const measureLogins = async (place: JourneyPlace, count: number): Promise<JourneyResult> => {
  const ask = asShopper(place)
  const emails = Array.from({ length: customers }, (_, i) => customerOf(i))
  for (const email of emails)
    await ask("POST", "/customers/register", { email, password, firstName: "Ada", lastName: "Byron" })
  const login = (i: number) => post(place.shop, "/customers/login", { email: emails[i % customers], password })
  const { perSecond, p50, p99 } = await sendAll(
    place,
    Array.from({ length: count }, (_, i) => login(i)),
    callers
  )
  return { what: "login", callers, count, perSecond, p50, p99 }
}

/** Checkouts of one line each, all of the same product. */
const seedHotCheckouts = async ({ seeder, shop }: JourneyPlace, batch: string, count: number): Promise<void> => {
  await seedCheckouts(seeder, shop, batch, count)
  const product = productIdOf(simpleProduct(0))
  for (const [table, parent, prefix] of [
    ["checkout_line", "checkout_id", "chk_"],
    ["cart_item", "cart_id", "cart_"]
  ]) {
    const ofBatch = `l.store_id = $1 AND starts_with(l.${parent}, $2)`
    const values = [shop.storeId, `${prefix}${batch}`]
    await seeder.query(
      `DELETE FROM
        ${table} l WHERE
          ${ofBatch} AND l.id <> (SELECT min(o.id) FROM
            ${table} o WHERE o.store_id = l.store_id AND o.${parent} = l.${parent})`,
      values
    )
    await seeder.query(
      `UPDATE ${table} l SET product_id = p.id, unit_price = p.base_price, quantity = 1 FROM product p WHERE
        ${ofBatch} AND p.store_id = $1 AND p.id = $3`,
      [...values, product]
    )
  }
  await seeder.query("VACUUM (ANALYZE) cart, cart_item, checkout, checkout_line, stock")
}

const measureHot = async (place: JourneyPlace, at: number, count: number): Promise<JourneyResult> => {
  const batch = `hot${at}x`
  await seedHotCheckouts(place, batch, count)
  const complete = (i: number) =>
    post(
      place.shop,
      `/checkout/${checkoutIdOf(batch, i)}/complete`,
      { paymentMethod: "manual" },
      { "idempotency-key": `${batch}-${i}` }
    )
  const { perSecond, p50, p99 } = await sendAll(
    place,
    Array.from({ length: count }, (_, i) => complete(i)),
    at
  )
  return { what: "complete checkout, one hot product", callers: at, count, perSecond, p50, p99 }
}

/** Of a server whose limits are off. */
export const measureJourneys = async (
  place: JourneyPlace,
  plan: JourneyPlan
): Promise<ReadonlyArray<JourneyResult>> => {
  const results = [await measurePurchases(place, plan.purchases), await measureLogins(place, plan.logins)]
  for (const at of [1, 16, 64]) results.push(await measureHot(place, at, plan.hot))
  return results
}
