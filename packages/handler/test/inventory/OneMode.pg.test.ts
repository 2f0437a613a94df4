/**
 * One product, one answer about how its stock is tracked and counted, wherever it is read, for every mode and every mix
 * of them.
 */
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

let shop: TestCommerce
let client: InstanceType<typeof pg.Client>
beforeAll(async () => {
  shop = await openTestCommerce()
  client = new pg.Client(shop.database.nodePostgres)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await shop.close()
})

type Mode = "TRACKED" | "UNTRACKED" | "DISABLED"
const modes: ReadonlyArray<Mode> = ["TRACKED", "UNTRACKED", "DISABLED"]
interface Part {
  readonly mode: Mode
  readonly status: "active" | "draft"
}
const parts: ReadonlyArray<Part> = modes.flatMap((mode) => [
  { mode, status: "active" as const },
  { mode, status: "draft" as const }
])
const mixes: ReadonlyArray<ReadonlyArray<Part>> = [
  ...parts.map((part) => [part]),
  ...parts.flatMap((first) => parts.map((second) => [first, second])),
  ...modes.flatMap((first) =>
    modes.flatMap((second) =>
      modes.map((third) => [first, second, third].map((mode) => ({ mode, status: "active" as const })))
    )
  )
]

/**
 * Written apart from the product: what is counted leads, then what is never refused; of what shoppers cannot see
 * nothing is said.
 */
const expectedMode = (mix: ReadonlyArray<Part>): Mode => {
  const seen = mix.filter((part) => part.status === "active").map((part) => part.mode)
  if (seen.length === 0) return "TRACKED"
  return seen.includes("TRACKED") ? "TRACKED" : seen.includes("UNTRACKED") ? "UNTRACKED" : "DISABLED"
}

const at = () => `/vc/${shop.channelId}`
const make = async (body: object) => {
  const answer = await shop.call("POST", "/v1/products", {
    body: { name: "Thing", basePrice: "1.00", status: "active", ...body }
  })
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body
}
type Counts = {
  readonly trackingMode: string
  readonly total: number
  readonly reserved: number
  readonly available: number
}
const countsOf = ({ trackingMode, total, reserved, available }: Counts) => ({
  trackingMode,
  total,
  reserved,
  available
})
const event = async (id: string, type: string) =>
  (
    await client.query(
      "SELECT data FROM event WHERE type = $2 AND data ->> 'productId' = $1 ORDER BY seq DESC LIMIT 1",
      [id, type]
    )
  ).rows[0]?.["data"] as {
    readonly product: { readonly inventory: Counts }
    readonly inventory: Counts
  }

/** Every surface on which merchants, and every one on which shoppers, read the stock of a product as a whole. */
const surfaces = async (id: string, sku: string) => ({
  merchant: {
    product: countsOf((await shop.call("GET", `/v1/products/${id}`)).body.inventory),
    list: countsOf((await shop.call("GET", `/v1/products?search=${sku}`)).body.data[0].inventory),
    inventory: countsOf((await shop.call("GET", `/v1/products/${id}/inventory`)).body),
    productEvent: countsOf((await event(id, "product.updated")).product.inventory),
    stockEvent: countsOf((await event(id, "inventory.updated")).inventory)
  },
  shopper: {
    product: countsOf((await shop.call("GET", `${at()}/products/${id}`)).body.inventory),
    list: countsOf((await shop.call("GET", `${at()}/products?search=${sku}`)).body.data[0].inventory),
    public: countsOf(
      (await shop.call("GET", `/stores/${shop.storeId}/products/${id}`, { headers: { origin: "https://a.example" } }))
        .body.inventory
    ),
    shelf: countsOf((await shop.call("GET", `${at()}/inventory?productIds=${id}`)).body.inventory[0].inventory)
  }
})

describe("how a product's stock is tracked", () => {
  it.each(mixes.map((mix) => [mix.map(({ mode, status }) => `${status} ${mode}`).join(", "), mix] as const))(
    "is one thing on every surface where its variants are %s",
    async (_, mix) => {
      const sku = `MIX-${mixes.indexOf(mix)}-END`
      const variants = mix.map(({ mode, status }, i) => ({
        attributes: { N: String(i) },
        status,
        inventory: { total: 2 ** i, trackingMode: mode }
      }))
      const { id, variants: own } = await make({ sku, type: "VARIABLE", variants })
      // Both events tell of the product as it is now: the first variant is counted anew, then the product is renamed.
      const set = await shop.call("PUT", `/v1/products/${id}/inventory`, { body: { variantId: own[0].id, total: 16 } })
      expect(set.status).toBe(200)
      await shop.call("PATCH", `/v1/products/${id}`, { body: { metaDescription: "now" } })
      const totals = mix.map((_one, i) => (i === 0 ? 16 : 2 ** i))
      const sum = (of: ReadonlyArray<number>) => of.reduce((all, one) => all + one, 0)
      const trackingMode = expectedMode(mix)
      const { merchant, shopper } = await surfaces(id, sku)
      const whole = { trackingMode, total: sum(totals), reserved: 0, available: sum(totals) }
      expect(merchant).toEqual({
        product: whole,
        list: whole,
        inventory: whole,
        productEvent: whole,
        stockEvent: whole
      })
      const seen = sum(totals.filter((_one, i) => mix[i]?.status === "active"))
      const shown = { trackingMode, total: seen, reserved: 0, available: seen }
      expect(shopper).toEqual({ product: shown, list: shown, public: shown, shelf: shown })
    }
  )

  it.each(modes)("is one thing on every surface for a product counted by itself: %s", async (trackingMode) => {
    const sku = `SELF-${trackingMode}-END`
    const { id } = await make({ sku, inventory: { total: 3, trackingMode } })
    await shop.call("PUT", `/v1/products/${id}/inventory`, { body: { total: 4 } })
    await shop.call("PATCH", `/v1/products/${id}`, { body: { metaDescription: "now" } })
    const whole = { trackingMode, total: 4, reserved: 0, available: 4 }
    expect(await surfaces(id, sku)).toEqual({
      merchant: { product: whole, list: whole, inventory: whole, productEvent: whole, stockEvent: whole },
      shopper: { product: whole, list: whole, public: whole, shelf: whole }
    })
    const [entry] = (await shop.call("POST", `${at()}/availability`, { body: { productIds: [id] } })).body
    const { results } = (
      await shop.call("POST", `${at()}/inventory/check-availability`, {
        body: { items: [{ productId: id, quantity: 1 }] }
      })
    ).body
    expect([countsOf(entry), results[0].trackingMode]).toEqual([whole, trackingMode])
  })

  it("is said of each variant as of the product it stands in, also where it is asked for alone", async () => {
    const variants = modes.map((mode) => ({ attributes: { Mode: mode }, inventory: { total: 1, trackingMode: mode } }))
    const { id, variants: own } = await make({ type: "VARIABLE", variants })
    const asked = own.map((one: { readonly id: string }) => one.id) as ReadonlyArray<string>
    const items = asked.map((variantId) => ({ productId: id, variantId, quantity: 1 }))
    const entries = (await shop.call("POST", `${at()}/availability`, { body: { productIds: [id] } })).body
    const { results } = (await shop.call("POST", `${at()}/inventory/check-availability`, { body: { items } })).body
    const shelf = (await shop.call("GET", `${at()}/inventory?productIds=${id}`)).body.inventory[0].variants
    const admin = await Promise.all(
      asked.map(
        async (variantId) => (await shop.call("GET", `/v1/products/${id}/inventory?variantId=${variantId}`)).body
      )
    )
    for (const [i, mode] of modes.entries()) {
      expect([
        entries[i].trackingMode,
        results[i].trackingMode,
        shelf[i].inventory.trackingMode,
        admin[i].trackingMode,
        own[i].inventory.trackingMode
      ]).toEqual(Array.from({ length: 5 }, () => mode))
    }
  })

  it("of something that is not there is what is said of what was never counted", async () => {
    const { results } = (
      await shop.call("POST", `${at()}/inventory/check-availability`, {
        body: { items: [{ productId: "prod_none", quantity: 1 }] }
      })
    ).body
    expect(results[0].trackingMode).toBe("TRACKED")
  })
})
