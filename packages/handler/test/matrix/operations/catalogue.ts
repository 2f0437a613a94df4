/** Products, categories, stock, taxes, shipping: what an admin key keeps and a storefront reads. */
import { expect } from "vitest"
import { type Ask, careOf } from "./asking.ts"

const address = { country: "US", region: "CA", postalCode: "94105", line1: "1 Main St", city: "Town" }

const categories = async (ask: Ask) => {
  const category = await careOf(ask, "/v1/categories", {
    create: { name: "Lamps", slug: "lamps", translations: { de: { name: "Lampen" } } },
    another: { name: "Spare", slug: "spare" },
    change: { description: "Bright" }
  })
  for (const operation of ["GET /vc/{}/categories", "GET /stores/{}/categories"])
    expect((await ask(operation, 200)).body.categories).toMatchObject([{ id: category, slug: "lamps" }])
  const page = await ask("GET /vc/{}/categories/slug/{}", 200, { ids: ["lamps"] })
  expect(page.body).toMatchObject({ id: category, breadcrumb: [{ slug: "lamps" }] })
  return category
}

const variants = async (ask: Ask) => {
  const options = [{ name: "S" }, { name: "M" }]
  const width = (await ask("POST /v1/attributes", 201, { body: { name: "Width", options } })).body
  const optionIds = width.options.map((one: { readonly id: string }) => one.id)
  const attributes = [{ attributeId: width.id, optionIds }]
  const body = { name: "Shelf", type: "VARIABLE", basePrice: "40.00", status: "active", attributes }
  const { id, variants: made } = (await ask("POST /v1/products", 201, { body })).body
  const medium = made.find((one: { readonly attributes: { readonly Width: string } }) => one.attributes.Width === "M")
  await ask("POST /v1/products/{}/variants/preview", 200, { ids: [id], body: { attributes } })
  expect((await ask("GET /v1/products/{}/variants", 200, { ids: [id] })).text).toContain(medium.id)
  const gone = await ask("DELETE /v1/products/{}/variants/{}", 200, { ids: [id, medium.id] })
  expect(gone.body).toMatchObject({ success: true })
  const again = { sku: "SHELF-M", attributes: { Width: "M" }, price: "45.00" }
  const added = await ask("POST /v1/products/{}/variants", 201, { ids: [id], body: again })
  const ids = [id, added.body.id]
  const changed = await ask("PATCH /v1/products/{}/variants/{}", 200, { ids, body: { price: "46.00" } })
  expect(changed.body.price).toBe("46.00")
}

const products = async (ask: Ask, category: string) => {
  const lamp = await careOf(ask, "/v1/products", {
    create: {
      name: "Lamp",
      slug: "lamp",
      status: "active",
      basePrice: "10.00",
      categories: [category],
      inventory: { trackingMode: "TRACKED", total: 100 }
    },
    another: { name: "Spare", slug: "spare" },
    change: { name: "Oak lamp" }
  })
  for (const at of ["/vc/{}", "/stores/{}"]) {
    expect((await ask(`GET ${at}/products`, 200)).text).toContain(lamp)
    expect((await ask(`GET ${at}/products/{}`, 200, { ids: [lamp] })).body).toMatchObject({ id: lamp, slug: "lamp" })
    expect((await ask(`GET ${at}/products/slug/{}`, 200, { ids: ["lamp"] })).body.id).toBe(lamp)
    await ask(`GET ${at}/products/{}/recommendations`, 200, { ids: [lamp] })
  }
  const queued = await ask("POST /v1/products/bulk", 202, {
    body: { products: [{ name: "Bulk lamp", basePrice: "7.00", status: "active" }] }
  })
  const job = () => ask("GET /v1/products/bulk/{}", 200, { ids: [queued.body.jobId ?? queued.body.id] })
  await expect.poll(async () => (await job()).text).toContain("prod_")
  return lamp
}

const stock = async (ask: Ask, lamp: string) => {
  const ids = [lamp]
  expect((await ask("PUT /v1/products/{}/inventory", 200, { ids, body: { total: 50 } })).body.total).toBe(50)
  const adjusted = await ask("POST /v1/products/{}/inventory/adjust", 200, {
    ids,
    body: { delta: 5, reason: "received" }
  })
  expect(adjusted.body.total).toBe(55)
  expect((await ask("GET /v1/products/{}/inventory", 200, { ids })).body.available).toBe(55)
  expect((await ask("GET /v1/products/{}/inventory/history", 200, { ids })).text).toContain("received")
  expect((await ask("POST /v1/inventory/bulk", 200, { body: { productIds: ids } })).text).toContain(lamp)
  await ask("PUT /v1/inventory/bulk", 200, { body: { items: [{ productId: lamp, total: 60 }] } })
  await ask("POST /v1/inventory/reconcile", 200, { body: { productIds: ids } })
  const shown = await ask("GET /vc/{}/inventory", 200, { query: `?productIds=${lamp}` })
  expect(shown.body.inventory).toMatchObject([{ productId: lamp, inventory: { available: 60 } }])
  const items = [{ productId: lamp, quantity: 61 }]
  expect((await ask("POST /vc/{}/inventory/check-availability", 200, { body: { items } })).body).toMatchObject({
    allAvailable: false,
    results: [{ shortfall: 1 }]
  })
  expect((await ask("POST /vc/{}/availability", 200, { body: { productIds: ids } })).body).toMatchObject([
    { productId: lamp, available: 60 }
  ])
}

const taxes = async (ask: Ask, lamp: string) => {
  await careOf(ask, "/v1/tax/classes", {
    create: { name: "Books" },
    another: { name: "Spare" },
    change: { name: "Reduced" }
  })
  await careOf(ask, "/v1/tax/rates", {
    create: { name: "California", country: "US", region: "CA", rate: 10 },
    another: { name: "Spare", region: "NY" },
    change: { name: "Sales tax" }
  })
  const lines = [{ productId: lamp, amount: "10.00" }]
  expect((await ask("POST /v1/tax/quote", 200, { body: { address, lines } })).body).toMatchObject({
    totalTax: "1.00",
    total: "11.00"
  })
}

const shipping = async (ask: Ask, lamp: string) => {
  await careOf(ask, "/v1/shipping/classes", {
    create: { name: "Bulky", slug: "bulky" },
    another: { name: "Spare", slug: "spare" },
    change: { name: "Large" }
  })
  const zone = await careOf(ask, "/v1/shipping/zones", {
    create: { name: "States", countries: ["US"] },
    another: { name: "Spare" },
    change: { priority: 1 }
  })
  const rate = (body: object) => ask("POST /v1/shipping/zones/{}/rates", 201, { ids: [zone], body })
  const flat = (await rate({ name: "Post", type: "FLAT", rateConfig: { amount: "5.00" } })).body.id
  const pickup = (
    await rate({
      name: "Counter",
      type: "PICKUP",
      rateConfig: { amount: "0.00", location: { name: "Counter" } }
    })
  ).body.id
  const spare = (await rate({ name: "Spare", type: "FREE" })).body.id
  await ask("PATCH /v1/shipping/zones/{}/rates/{}", 200, { ids: [zone, flat], body: { name: "Parcel" } })
  await ask("DELETE /v1/shipping/zones/{}/rates/{}", 200, { ids: [zone, spare] })
  expect((await ask("GET /vc/{}/shipping/destinations", 200)).body.countries).toMatchObject([{ code: "US" }])
  expect((await ask("GET /vc/{}/pickup-locations", 200)).body.pickupLocations).toMatchObject([{ name: "Counter" }])
  const items = [{ productId: lamp, quantity: 1 }]
  const quote = await ask("POST /v1/shipping/quote", 200, { body: { address, items } })
  expect(quote.body).toMatchObject({ zone: { id: zone }, unserved: false })
  return { zone, flat, pickup }
}

const markets = async (ask: Ask) => {
  await ask("PUT /v1/fx-rates", 200, { body: { quote: "EUR", rate: "0.9" } })
  expect((await ask("GET /v1/fx-rates", 200)).text).toContain("EUR")
}

export interface Catalogue {
  readonly lamp: string
  readonly category: string
  readonly flat: string
  readonly pickup: string
}

export const walkCatalogue = async (ask: Ask): Promise<Catalogue> => {
  const category = await categories(ask)
  await variants(ask)
  const lamp = await products(ask, category)
  await stock(ask, lamp)
  await taxes(ask, lamp)
  const { flat, pickup } = await shipping(ask, lamp)
  await markets(ask)
  return { lamp, category, flat, pickup }
}
