import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeStatementCounter } from "@effect-commerce/core/database/StatementLog"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { shopperOf } from "../Shopper.ts"

/** A cart read with `include=recommendations`. */
const statementLog = makeStatementCounter()
let shop: TestCommerce
let shopper: ReturnType<typeof shopperOf>
const made: Record<string, string> = {}
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api", statementLog })
  shopper = shopperOf(shop)
  const lamps = (await shop.call("POST", "/v1/categories", { body: { name: "Lamps" } })).body.id
  const product = async (name: string, body: object = {}) => {
    const all = { name, basePrice: 1, status: "active", inventory: { total: 9 }, ...body }
    made[name] = (await shop.call("POST", "/v1/products", { body: all })).body.id
  }
  await product("bulb")
  await product("cord")
  await product("draft", { status: "draft" })
  await product("other", { categories: [lamps], menuOrder: 2 })
  await product("first", { categories: [lamps], menuOrder: 1 })
  await product("elsewhere", { salesChannelIds: [] })
  await product("apart")
  await product("lamp", {
    categories: [lamps],
    related: [made["cord"], made["draft"]],
    crossSells: [made["elsewhere"], made["bulb"]]
  })
  for (let i = 0; i < 12; i += 1) await product(`more ${i}`, { categories: [lamps], menuOrder: 3 })
})
afterAll(() => shop.close())

const read = async (id: string, query = "") => {
  const { body } = await shop.call("GET", `${shopper.at}/cart/${id}${query}`)
  return body
}
const names = async (id: string, query = "?include=recommendations") =>
  (await read(id, query)).recommendations.map(({ name }: { readonly name: string }) => name)

describe("recommendations of a cart", () => {
  it("are what its products name, then others of their categories, visible ones, eight at most", async () => {
    const cart = await shopper.cart([made["lamp"] ?? "", 1])
    expect((await names(cart)).slice(0, 4)).toEqual(["cord", "bulb", "first", "other"])
    expect(await names(cart)).toHaveLength(8)
    const [cord] = (await read(cart, "?include=bundles,recommendations")).recommendations
    expect(cord).toEqual((await shop.call("GET", `${shopper.at}/products/${made["cord"]}`)).body)
  })

  it("leave out what is in the cart already", async () => {
    const cart = await shopper.cart([made["lamp"] ?? "", 1], [made["bulb"] ?? "", 1])
    expect((await names(cart)).slice(0, 3)).toEqual(["cord", "first", "other"])
  })

  it("are none unless they are asked for, of an empty cart, and where nothing goes with it", async () => {
    const cart = await shopper.cart([made["lamp"] ?? "", 1])
    for (const query of ["", "?include=bundles", "?include="]) expect(await names(cart, query)).toEqual([])
    expect(await names(await shopper.cart())).toEqual([])
    expect(await names(await shopper.cart([made["apart"] ?? "", 1]))).toEqual([])
  })

  it("cost one statement more than the cart", async () => {
    const cart = await shopper.cart([made["lamp"] ?? "", 1], [made["bulb"] ?? "", 1])
    await names(cart)
    statementLog.reset()
    await names(cart)
    expect(statementLog.statements()).toHaveLength(2)
  })
})
