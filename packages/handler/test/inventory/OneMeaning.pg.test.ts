import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

/** What a shopper is told of stock is the same wherever it is read: on the product, on the shelf, and by trying. */
let shop: TestCommerce
beforeAll(async () => {
  shop = await openTestCommerce()
})
afterAll(() => shop.close())

const at = () => `/vc/${shop.channelId}`
const make = async (body: object): Promise<string> => {
  const made = await shop.call("POST", "/v1/products", {
    body: { name: "Lamp", basePrice: 1, status: "active", ...body }
  })
  if (made.status !== 201) throw new Error(made.text)
  return made.body.id
}
const said = ({ trackingMode, total, available, inStock, canPurchase }: Record<string, unknown>) => ({
  trackingMode,
  total,
  available,
  inStock,
  canPurchase
})

const stocks = [
  { total: 3 },
  { total: 0 },
  { total: 0, backorderMode: "ALLOW" },
  { total: 0, backorderMode: "LIMITED", backorderLimit: 2 },
  { total: 0, backorderMode: "LIMITED" },
  { total: 0, trackingMode: "UNTRACKED" },
  { total: 9, trackingMode: "DISABLED" },
  { total: 9, trackingMode: "DISABLED", backorderMode: "ALLOW" }
]

describe("stock as shoppers are told", () => {
  it.each(stocks)("is one thing on the product, in the list, on the shelf and in the cart: %o", async (inventory) => {
    const id = await make({ inventory })
    const product = (await shop.call("GET", `${at()}/products/${id}`)).body.inventory
    const listed = (await shop.call("GET", `${at()}/products?limit=100`)).body.data.find(
      (one: { readonly id: string }) => one.id === id
    ).inventory
    const shelf = (await shop.call("GET", `${at()}/inventory?productIds=${id}`)).body.inventory[0].inventory
    expect(said(product)).toEqual(said(shelf))
    expect(listed).toEqual(product)
    const cart = await shop.call("POST", `${at()}/cart`)
    const added = await shop.call("POST", `${at()}/cart/${cart.body.id}/items`, {
      body: { productId: id, quantity: 1 }
    })
    expect(added.status).toBe(product.canPurchase ? 200 : 400)
  })

  it("of a product with variants is told by what is counted among them", async () => {
    const id = await make({
      type: "VARIABLE",
      variants: [
        { attributes: { Size: "S" }, price: 1, inventory: { total: 0, trackingMode: "DISABLED" } },
        { attributes: { Size: "M" }, price: 1, inventory: { total: 4 } }
      ]
    })
    const product = (await shop.call("GET", `${at()}/products/${id}`)).body.inventory
    const shelf = (await shop.call("GET", `${at()}/inventory?productIds=${id}`)).body.inventory[0].inventory
    expect(said(product)).toEqual({ trackingMode: "TRACKED", total: 4, available: 4, inStock: true, canPurchase: true })
    expect(said(shelf)).toEqual(said(product))
  })
})
