/**
 * A shopper's way from an empty cart to the moment before the order, request by request, each to whichever server is
 * named for it.
 */
import type { Random } from "./Random.ts"
import { type Answer, send } from "./Client.ts"
import type { Product, Shop } from "./Shops.ts"

export interface Line {
  readonly productId: string
  readonly quantity: number
}

export interface Ready {
  readonly checkoutId: string
  readonly cartId: string
  readonly lines: ReadonlyArray<Line>
}

/** A step before completion was refused or not carried out. */
export class Cut extends Error {
  readonly answer: Answer
  readonly step: string
  constructor(step: string, answer: Answer) {
    super(`${step}: ${answer.status} ${answer.bytes.toString("utf8").slice(0, 300)}`)
    this.answer = answer
    this.step = step
  }
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

/** Which server the next request goes to. */
export type Where = () => number

/** Hears of each request that was answered as it should be. */
export type Hear = (step: string, answer: Answer) => void

const expecting = (step: string, status: number, hear?: Hear) => (answer: Answer) => {
  if (answer.status !== status) throw new Cut(step, answer)
  hear?.(step, answer)
  return answer
}

/** Fills a cart; it may stay there. */
export const fillCart = async (shop: Shop, where: Where, lines: ReadonlyArray<Line>, hear?: Hear): Promise<string> => {
  const at = `/vc/${shop.channelId}/cart`
  const cart = await send(where(), "POST", at).then(expecting("cart", 201, hear))
  for (const line of lines)
    await send(where(), "POST", `${at}/${cart.body.id}/items`, { body: line }).then(expecting("add", 200, hear))
  return String(cart.body.id)
}

/** A checkout that can be completed. Rejects with Cut or NoAnswer. */
export const prepare = async (shop: Shop, where: Where, lines: ReadonlyArray<Line>, hear?: Hear): Promise<Ready> => {
  const cartId = await fillCart(shop, where, lines, hear)
  const at = `/vc/${shop.channelId}/checkout`
  const made = await send(where(), "POST", at, { body: { cartId } }).then(expecting("checkout", 201, hear))
  const checkoutId = String(made.body.id)
  const customer = { email: "ada@example.com", firstName: "Ada", lastName: "Byron" }
  await send(where(), "PATCH", `${at}/${checkoutId}/customer`, { body: customer }).then(
    expecting("customer", 200, hear)
  )
  const shipped = await send(where(), "PATCH", `${at}/${checkoutId}/shipping`, {
    body: { shippingAddress: address }
  }).then(expecting("address", 200, hear))
  const rate = shipped.body.availableShippingRates[0]
  if (rate !== undefined)
    await send(where(), "PATCH", `${at}/${checkoutId}/shipping-method`, { body: { shippingRateId: rate.id } }).then(
      expecting("method", 200, hear)
    )
  return { checkoutId, cartId, lines }
}

const completePath = (shop: Shop, checkoutId: string): string => `/vc/${shop.channelId}/checkout/${checkoutId}/complete`

/** Rejects with NoAnswer. */
export const complete = (
  shop: Shop,
  port: number,
  checkoutId: string,
  key: string,
  body: object = {}
): Promise<Answer> => send(port, "POST", completePath(shop, checkoutId), { body, headers: { "idempotency-key": key } })

/** One to three lines of different products. */
export const drawLines = (random: Random, products: ReadonlyArray<Product>): ReadonlyArray<Line> => {
  const chosen = new Set<string>()
  const wanted = Math.min(random.between(1, 3), products.length)
  while (chosen.size < wanted) chosen.add(random.pick(products).id)
  return [...chosen].map((productId) => ({ productId, quantity: random.between(1, 3) }))
}

export const admin = (shop: Shop, port: number, method: string, path: string, body?: unknown): Promise<Answer> =>
  send(port, method, `/v1${path}`, {
    headers: { authorization: `Bearer ${shop.apiKey}` },
    ...(body === undefined ? {} : { body })
  })

/** Taxes and a zone with two rates, so that completing computes what it computes in earnest. */
export const furnish = async (shop: Shop, port: number): Promise<void> => {
  const made = async (path: string, body: object) => expecting(path, 201)(await admin(shop, port, "POST", path, body))
  await made("/tax/rates", { name: "California", country: "US", region: "CA", rate: 6, stackable: true })
  await made("/tax/rates", {
    name: "San Francisco",
    country: "US",
    region: "CA",
    postalCode: "94105",
    rate: 2.5,
    stackable: true
  })
  const zone = await made("/shipping/zones", { name: "United States", countries: ["US"] })
  await made(`/shipping/zones/${zone.body.id}/rates`, {
    name: "Standard",
    type: "FLAT",
    rateConfig: { amount: "5.00" }
  })
}

/** What an answer to completing may be, and what it means. */
export type Verdict = "ok" | "fail" | "unknown"

/**
 * 409 CONFLICT without more is the same request under way; 503 says nothing about a commit that the database was lost
 * in.
 */
export const verdictOf = ({ status, body }: Answer): Verdict => {
  if (status === 200) return "ok"
  if (status >= 500 || status === 429) return "unknown"
  return status === 409 && body?.code === "CONFLICT" && body?.details === undefined ? "unknown" : "fail"
}
