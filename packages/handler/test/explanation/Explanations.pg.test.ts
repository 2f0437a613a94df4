/** Where amounts come from: over HTTP, for carts, checkouts and every way in which an order is placed. */
import { findingsOf, questionOf } from "@effect-commerce/core/audit/Law"
import { explanationLaws } from "@effect-commerce/core/explanation/explanationLaws"
import { type AdjustmentSource, FurtherAdjustmentSources } from "@effect-commerce/core/pricing/AdjustmentSource"
import { spread } from "@effect-commerce/core/pricing/LineScope"
import { Effect } from "effect"
import pg, { type Client } from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"
import { defaultInFile } from "../../../core/test/defaultInFile.ts"

/** Everybody gets 10 %, TEN gives 1.00 more, and a rule for twenty units lacks some. */
const granted: AdjustmentSource = {
  load: (_store, { codes }) =>
    Effect.succeed({
      codes: codes.filter((code) => code === "TEN"),
      notApplied: [
        {
          kind: "promotion",
          sourceId: "promo_20",
          name: "Twenty units",
          code: null,
          reason: "quantity",
          missingQuantity: 17,
          lostTo: []
        }
      ],
      discounts: [
        {
          kind: "promotion",
          sourceId: "promo_10",
          name: "Ten <percent>",
          code: null,
          type: "PERCENTAGE_OFF",
          value: "10",
          part: "rule_discount" as const,
          combines: true,
          evaluate: ({ lines }) => {
            const due = lines.reduce((sum, line) => sum + line.due, 0n)
            return { lines: spread((due * 10n + 50n) / 100n, lines), formula: "10 % of the subtotal" }
          }
        },
        ...(codes.includes("TEN")
          ? [
              {
                kind: "coupon",
                sourceId: "coupon_1",
                name: "One off",
                code: "TEN",
                type: "FIXED_AMOUNT",
                value: "1.00",
                part: "discount" as const,
                combines: true,
                evaluate: ({ lines }: { readonly lines: Parameters<typeof spread>[1] }) => ({
                  lines: spread(100n, lines),
                  formula: "1.00"
                })
              }
            ]
          : [])
      ]
    })
}

let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
let client: Client
let lamp: string
let pin: string
let rate: { readonly path: string; readonly id: string }
let tax: string
defaultInFile(FurtherAdjustmentSources, [Effect.succeed(granted)])
beforeAll(async () => {
  shop = await openTestCommerce()
  shopper = shopperOf(shop)
  client = new pg.Client(shop.database.nodePostgres)
  await client.connect()
  const post = async (path: string, body: object) => (await shop.call("POST", path, { body })).body
  tax = (await post("/v1/tax/rates", { name: "California", country: "US", region: "CA", rate: 8.5, stackable: true }))
    .id
  await post("/v1/tax/rates", { name: "City", country: "US", region: "CA", rate: 1, stackable: true, priority: 2 })
  const zone = await post("/v1/shipping/zones", { name: "United States", countries: ["US"] })
  const path = `/v1/shipping/zones/${zone.id}/rates`
  const made = await post(path, { name: "Standard", type: "FLAT", rateConfig: { amount: "5.00" }, taxStatus: "none" })
  rate = { path: `${path}/${made.id}`, id: made.id }
  lamp = await shopper.product({ name: "Lamp", price: 1_999n, stock: 500 })
  pin = await shopper.product({ name: "Pin", price: 55n, stock: 500 })
})
afterAll(async () => {
  await client.end()
  await shop.close()
})

const explain = (path: string, options: Parameters<TestCommerce["call"]>[2] = {}) =>
  shop.call("GET", `${path}/explain`, options)
type Entry = {
  readonly step: string
  readonly target: { readonly type: string; readonly id: string | null }
  readonly source: { readonly type: string; readonly id: string; readonly name: string } | null
  readonly amount: string
}
/** What is added up, without the ids of lines, which differ between a cart, a checkout and an order. */
const told = ({ entries }: { readonly entries: ReadonlyArray<Entry> }) =>
  entries.map(({ step, target, source, amount }) => [step, target.type, source?.name ?? null, amount])
const cents = (text: string) => Math.round(Number(text) * 100) + 0
const sums = ({ entries }: { readonly entries: ReadonlyArray<Entry> }) => {
  const found: Record<string, number> = {}
  for (const { step, amount } of entries) found[step] = (found[step] ?? 0) + cents(amount)
  return found
}
const expectWhole = (view: { readonly entries: ReadonlyArray<Entry>; readonly totals: Record<string, string> }) => {
  const of = (name: string) => cents(view.totals[name] ?? "")
  const { prices, rules = 0, coupon = 0, shipping = 0, tax: taxes, surcharges = 0, total, tenders = 0 } = sums(view)
  expect({ prices, rules, coupon, shipping, taxes, surcharges, total, due: (total ?? 0) + tenders }).toEqual({
    prices: of("subtotal"),
    rules: 0 - of("ruleDiscountAmount"),
    coupon: 0 - of("discountAmount"),
    shipping: of("shippingAmount"),
    taxes: of("taxAmount"),
    surcharges: of("surchargeAmount"),
    total: of("total"),
    due: of("amountDue")
  })
}
let keys = 0
const buy = async (body: object = {}) => {
  const checkoutId = await shopper.checkout(await shopper.cart([lamp, 2], [pin, 1]))
  const before = (await explain(`${shopper.at}/checkout/${checkoutId}`)).body
  const done = await shopper.complete(checkoutId, `explained-${keys++}`, body)
  return { checkoutId, before, done, orderId: done.body.orderId as string }
}
const setRates = async (name: string, percent: number, shipping: string, amount: string) => {
  await shop.call("PATCH", `/v1/tax/rates/${tax}`, { body: { name, rate: percent } })
  await shop.call("PATCH", rate.path, { body: { name: shipping, rateConfig: { amount } } })
}

const bought = [
  ["prices", "line", "Lamp", "39.98"],
  ["prices", "line", "Pin", "0.55"],
  ["rules", "line", "Ten <percent>", "-4.00"],
  ["rules", "line", "Ten <percent>", "-0.05"],
  ["shipping", "shipping", "Standard", "5.00"],
  ["tax_rounding", "line", null, "3.42"],
  ["tax_rounding", "line", null, "0.05"],
  ["tax", "shipping", null, "0.00"],
  ["tax", "line", "California", "3.06"],
  ["tax", "line", "City", "0.36"],
  ["tax", "line", "California", "0.04"],
  ["tax", "line", "City", "0.01"],
  ["total", "order", null, "44.95"]
]

describe("a cart", () => {
  it("is explained to its shopper and its merchant alike: what applies, and what does not", async () => {
    const cartId = await shopper.cart([lamp, 2], [pin, 1])
    await shop.call("POST", `${shopper.at}/cart/${cartId}/coupon`, { body: { code: "TEN" } })
    const { status, body } = await explain(`${shopper.at}/cart/${cartId}`)
    expect([status, body.subject, body.currency]).toEqual([200, { type: "cart", id: cartId }, "USD"])
    expect((await explain(`/v1/cart/${cartId}`)).body).toEqual(body)
    const [first] = (await shop.call("GET", `${shopper.at}/cart/${cartId}`)).body.items
    expect(body.entries[0]).toEqual({
      step: "prices",
      target: { type: "line", id: first.id },
      source: { type: "product", id: lamp, name: "Lamp" },
      formula: "2 x 19.99",
      unrounded: "39.98000000",
      rounding: null,
      amount: "39.98"
    })
    expect(body.entries[2]).toMatchObject({
      step: "rules",
      formula: "10 % of the subtotal",
      unrounded: "-3.99800000",
      rounding: { point: "allocation", mode: null },
      amount: "-4.00"
    })
    expect(body.notApplied).toEqual([
      {
        source: { type: "promotion", id: "promo_20", name: "Twenty units" },
        code: null,
        reason: "quantity",
        missing: { amount: null, quantity: 17 }
      }
    ])
    expect(sums(body)["coupon"]).toBe(-100)
    expectWhole({ ...body, entries: [...body.entries] })
  })

  it("and a checkout are explained to nobody else", async () => {
    const other = await shop.openStore()
    const cartId = await shopper.cart([lamp, 1])
    const checkoutId = await shopper.checkout(cartId)
    const elsewhere = [
      [`/vc/${other.channelId}/cart/${cartId}`, {}],
      [`/vc/${other.channelId}/checkout/${checkoutId}`, {}],
      [`/v1/cart/${cartId}`, { key: other.apiKey }],
      [`/v1/checkout/${checkoutId}`, { key: other.apiKey }],
      [`${shopper.at}/cart/cart_none`, {}],
      [`${shopper.at}/checkout/chk_none`, {}],
      ["/v1/orders/ord_none", {}]
    ] as const
    for (const [path, options] of elsewhere) expect([path, (await explain(path, options)).status]).toEqual([path, 404])
    const readsCarts = await shop.mintKey({ scopes: ["cart:read"] })
    expect((await explain(`/v1/cart/${cartId}`, { key: readsCarts })).status).toBe(200)
    expect((await explain(`/v1/checkout/${checkoutId}`, { key: readsCarts })).status).toBe(403)
    expect((await explain("/v1/orders/ord_none", { key: readsCarts })).status).toBe(403)
    const registered = await shop.call("POST", `${shopper.at}/customers/register`, {
      body: { email: "ada@example.com", password: "Corr3ct-Horse" }
    })
    const headers = { authorization: `Bearer ${registered.body.token}` }
    const own = (await shop.call("POST", `${shopper.at}/cart`, { key: null, headers })).body
    expect((await explain(`${shopper.at}/cart/${own.id}`, { key: null })).status).toBe(404)
    expect((await explain(`${shopper.at}/cart/${own.id}`, { key: null, headers })).status).toBe(200)
  })
})

describe("an order", () => {
  it("is explained as its checkout was, and nothing of later changes that", async () => {
    const { before, done, orderId } = await buy()
    expect([done.status, told(before)]).toEqual([200, bought])
    const { body } = await explain(`/v1/orders/${orderId}`)
    expect(told(body)).toEqual(bought)
    expect(body).toEqual({ ...before, subject: { type: "order", id: orderId } })
    expectWhole(body)
    await setRates("Renamed", 20, "Express", "9.00")
    await shop.call("DELETE", rate.path)
    expect((await explain(`/v1/orders/${orderId}`)).body).toEqual(body)
    const path = rate.path.slice(0, rate.path.lastIndexOf("/"))
    const made = await shop.call("POST", path, {
      body: { name: "Standard", type: "FLAT", rateConfig: { amount: "5.00" }, taxStatus: "none" }
    })
    rate = { path: `${path}/${made.body.id}`, id: made.body.id }
    await shop.call("PATCH", `/v1/tax/rates/${tax}`, { body: { name: "California", rate: 8.5 } })
  })

  it("is explained however it was placed", async () => {
    const paid = await buy({ paymentMethod: "test", paymentReference: "approve" })
    expect(told((await explain(`/v1/orders/${paid.orderId}`)).body)).toEqual(bought)
    // A provider that says later what became of its charge: the order is placed from its draft, at the old prices.
    const slow = await buy({ paymentMethod: "test", paymentReference: "timeout" })
    await setRates("Renamed", 20, "Express", "9.00")
    const late = await shop.call("POST", "/test/provider-events", {
      body: { checkoutId: slow.checkoutId, type: "captured" }
    })
    const explained = (await explain(`/v1/orders/${late.body.orderId}`)).body
    await setRates("California", 8.5, "Standard", "5.00")
    expect(told(explained)).toEqual(bought)
    expect(explained.entries).toEqual(slow.before.entries)

    const quick = await shop.call("POST", `${shopper.at}/orders`, {
      body: {
        items: [{ productId: lamp, quantity: 1, price: "19.99" }],
        customer: { email: "ada@example.com" },
        shippingAddress: { line1: "1 Main St", city: "Town", region: "CA", postalCode: "94105", country: "US" }
      }
    })
    const made = await shop.call("POST", "/v1/orders", {
      body: {
        items: [
          { productId: lamp, quantity: 1 },
          { name: "Engraving", quantity: 3, price: "1.11" }
        ],
        discountAmount: "3.33",
        shippingAmount: "4.00",
        taxAmount: "2.22"
      }
    })
    for (const id of [quick.body.orderId, made.body.id]) expectWhole((await explain(`/v1/orders/${id}`)).body)
    const stated = told((await explain(`/v1/orders/${made.body.id}`)).body)
    expect(stated).toContainEqual(["prices", "line", "Engraving", "3.33"])
    expect(stated).toContainEqual(["tax", "order", null, "2.22"])
    expect(stated).toContainEqual(["shipping", "shipping", null, "4.00"])
    const { rows } = await client.query("SELECT count(*) FROM orders WHERE explanation IS NULL")
    expect(rows).toEqual([{ count: "0" }])
  })

  it("from before is explained by what was recorded with it", async () => {
    const { orderId } = await buy()
    const stored = (await explain(`/v1/orders/${orderId}`)).body
    await client.query("UPDATE orders SET explanation = NULL WHERE id = $1", [orderId])
    const recorded = (await explain(`/v1/orders/${orderId}`)).body
    expectWhole(recorded)
    expect(recorded.totals).toEqual(stored.totals)
    expect(told(recorded)).toEqual(
      bought.filter(([step, target]) => step !== "tax_rounding" && !(step === "tax" && target === "shipping"))
    )
  })

  it("is not explained by what another release has stored: what was recorded is there", async () => {
    const { orderId } = await buy()
    await client.query(`UPDATE orders SET explanation = '{"version": 99}' WHERE id = $1`, [orderId])
    const { status, body } = await explain(`/v1/orders/${orderId}`)
    expect([status, body.totals.total]).toEqual([200, "44.95"])
    await client.query("UPDATE orders SET explanation = NULL WHERE id = $1", [orderId])
  })

  it("breaks a law of the audit where its stored explanation does not add up to it", async () => {
    const { orderId } = await buy()
    const broken = async () => {
      const found = []
      for (const law of explanationLaws)
        found.push(...findingsOf(law, shop.storeId, (await client.query(questionOf(law), [shop.storeId])).rows))
      return found.map(({ law, id, expected, found: is }) => [law, id, Number(expected), Number(is)])
    }
    expect(await broken()).toEqual([])
    const change = (path: string, to: string) =>
      client.query(`UPDATE orders SET explanation = jsonb_set(explanation, '${path}', '"${to}"') WHERE id = $1`, [
        orderId
      ])
    await change("{explanation,entries,0,amount}", "39.99")
    await change("{explanation,totals,amountDue}", "1.00")
    expect(await broken()).toEqual([
      ["explanation.sums", `${orderId} prices`, 4053, 4054],
      ["explanation.due", orderId, 1, 44.95]
    ])
    await client.query("UPDATE orders SET explanation = NULL WHERE id = $1", [orderId])
  })
})

describe("a page", () => {
  it("is sent to whoever prefers HTML, and JSON to everybody else", async () => {
    const { orderId } = await buy()
    const asked = (accept: string) => explain(`/v1/orders/${orderId}`, { headers: { accept } })
    const browser = await asked("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8")
    expect([browser.status, browser.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
    expect(browser.headers.get("content-security-policy")).toContain("default-src 'none'")
    expect(browser.headers.get("vary")).toContain("Accept")
    expect(browser.text).toContain("How this order adds up")
    expect(browser.text).toContain("Ten &lt;percent&gt;")
    expect(browser.text).toContain("<td>amount x (8.5 + 1) / 100 = 3.41810000</td>")
    expect(browser.text).not.toMatch(/<script|differs/)
    for (const accept of ["*/*", "application/json", "text/html;q=0", "text/html;q=0.5, application/json"]) {
      const { headers, body } = await asked(accept)
      expect([accept, headers.get("content-type"), body?.subject.id]).toEqual([accept, "application/json", orderId])
      expect(headers.get("vary")).toContain("Accept")
    }
    const missing = await explain("/v1/orders/ord_none", { headers: { accept: "text/html" } })
    expect([missing.status, missing.body.code]).toEqual([404, "ORDER_NOT_FOUND"])
  })
})
