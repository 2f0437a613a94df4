/**
 * What has no other name than its Idempotency-Key is not made twice, also where the answer was lost between the writes
 * and its keeping.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { rowsOf } from "../customer/SignedIn.ts"

let shop: TestCommerce
let shirtId: string
let productId: string
let cartId: string
beforeAll(async () => {
  shop = await openTestCommerce()
  await rowsOf(
    shop,
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the answer is lost'; END $$`
  )
  const product = await shop.call("POST", "/v1/products", {
    body: { name: "Mug", status: "active", basePrice: "8.00", inventory: { total: 40 } }
  })
  productId = product.body.id
  shirtId = (await shop.call("POST", "/v1/products", { body: { name: "Shirt", type: "VARIABLE", basePrice: "20.00" } }))
    .body.id
  cartId = (await shop.call("POST", "/v1/cart", { body: {} })).body.id
})
afterAll(() => shop.close())

const losingAnswers = async <A>(work: () => Promise<A>): Promise<A> => {
  await rowsOf(
    shop,
    "CREATE TRIGGER lost BEFORE UPDATE OF status ON idempotency FOR EACH ROW EXECUTE FUNCTION refuse()"
  )
  try {
    return await work()
  } finally {
    await rowsOf(shop, "DROP TRIGGER lost ON idempotency")
  }
}
const numberOf = async (query: string): Promise<number> => Number((await rowsOf(shop, query))[0]?.["n"] ?? 0)
const rows = (table: string) => numberOf(`SELECT count(*) AS n FROM ${table}`)
const held = () => numberOf("SELECT sum(quantity) AS n FROM cart_item")
const units = () => numberOf("SELECT sum(total) AS n FROM stock")

describe("a write whose response could not be stored", () => {
  it.each([
    [
      "an order",
      () => ["/v1/orders", { customer: { email: "ada@example.com" }, items: [{ productId, quantity: 2 }] }],
      () => rows("orders"),
      1
    ],
    ["a product", () => ["/v1/products", { name: "Bowl", basePrice: "12.00" }], () => rows("product"), 1],
    [
      "a variant",
      () => [`/v1/products/${shirtId}/variants`, { attributes: { Size: "S" }, price: "20.00" }],
      () => rows("product_variant"),
      1
    ],
    ["a category", () => ["/v1/categories", { name: "Kitchen" }], () => rows("category"), 1],
    ["a tax rate", () => ["/v1/tax/rates", { name: "State", country: "US", rate: 5 }], () => rows("tax_rate"), 1],
    [
      "a shipping zone",
      () => ["/v1/shipping/zones", { name: "Home", countries: ["US"] }],
      () => rows("shipping_zone"),
      1
    ],
    [
      "units that came in",
      () => [`/v1/products/${productId}/inventory/adjust`, { delta: 3, reason: "received" }],
      units,
      3
    ],
    ["a line of a cart", () => [`/v1/cart/${cartId}/items`, { productId, quantity: 2 }], held, 2]
  ] as const)("is taken back, and its retry is the first: %s", async (what, ask, count, one) => {
    const [path, body] = ask() as [string, object]
    const send = () => shop.call("POST", path, { body, headers: { "idempotency-key": `lost ${what}` } })
    const before = await count()
    const lost = await losingAnswers(send)
    expect([lost.status, await count()]).toEqual([500, before])
    await shop.call("POST", "/test/clock", { body: { advanceMs: 31_000 } })
    const again = await send()
    const replayed = await send()
    expect([again.status < 300, replayed.body]).toEqual([true, again.body])
    expect(replayed.headers.get("idempotency-replayed")).toBe("true")
    expect(await count()).toBe(before + one)
  })
})
