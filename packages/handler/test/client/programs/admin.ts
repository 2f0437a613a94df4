/**
 * A merchant's own program, as one is written with types of the API document (`openapi-typescript`) and `openapi-fetch`:
 * it opens a shop with one product, and later has an order paid. No cast is needed.
 */
import createClient from "openapi-fetch"
import type { components, paths } from "./commerce.ts"

type Schemas = components["schemas"]

const [baseUrl = "http://127.0.0.1:4000/api", apiKey = "svc_", orderId] = process.argv.slice(2)
const api = createClient<paths>({ baseUrl, headers: { "X-API-Key": apiKey } })

const need = <Data>(answer: { readonly data?: Data; readonly error?: unknown }): Data => {
  if (answer.data === undefined) throw new Error(`unexpected error ${JSON.stringify(answer.error)}`)
  return answer.data
}

/** A form of the parts of a body: what is a Blob is sent as a file. */
const asForm = (parts: object): FormData => {
  const form = new FormData()
  for (const [name, part] of Object.entries(parts)) form.append(name, part instanceof Blob ? part : String(part))
  return form
}

/** One pixel. */
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="

const upload = async (): Promise<Schemas["MediaAsset"]> => {
  const file = new Blob([Buffer.from(png, "base64")], { type: "image/png" })
  return need(
    await api.POST("/v1/media", { body: { file, name: "shirt.png", alt: "A shirt" }, bodySerializer: asForm })
  )
}

const colour = async (): Promise<Schemas["ProductAttributeInput"]> => {
  const options = [
    { name: "Navy", translations: { de: { name: "Marine" } } },
    { name: "White", translations: { de: { name: "Weiß" } } }
  ]
  const made = need(await api.POST("/v1/attributes", { body: { name: "Colour", options } }))
  return { attributeId: made.id, optionIds: made.options.map(({ id }) => id) }
}

/** A draft that is complete goes live with `status`, and is shown on the channels that it is published to. */
const createShirt = async (): Promise<Schemas["AdminProduct"]> => {
  const [picture, attribute] = await Promise.all([upload(), colour()])
  const category = need(await api.POST("/v1/categories", { body: { name: "Shirts" } }))
  const inventory = { trackingMode: "TRACKED", total: 0 } as const
  const body: Schemas["CreateProduct"] = {
    name: "Shirt",
    type: "VARIABLE",
    status: "active",
    basePrice: "20.00",
    categories: [category.id],
    images: [{ url: picture.url, alt: picture.alt }],
    translations: { de: { name: "Hemd" }, fr: { name: "Chemise" } },
    attributes: [attribute],
    variants: [
      { attributes: { Colour: "Navy" }, price: "20.00", sku: "SHIRT-NAVY", inventory },
      { attributes: { Colour: "White" }, price: "22.00", sku: "SHIRT-WHITE", inventory }
    ]
  }
  return need(await api.POST("/v1/products", { body, params: { header: { "Idempotency-Key": "shirt-1" } } }))
}

const ship = async () => {
  const zone = need(await api.POST("/v1/shipping/zones", { body: { name: "Here", countries: ["US"] } }))
  const params = { path: { zoneId: zone.id } }
  const body = { name: "Post", type: "FLAT", rateConfig: { amount: "5.00" } } as const
  return need(await api.POST("/v1/shipping/zones/{zoneId}/rates", { params, body }))
}

/** What is wrong with a product, field by field. */
const problemsOf = async (body: Schemas["CreateProduct"]): Promise<ReadonlyArray<string>> => {
  const { error } = await api.POST("/v1/products", { body })
  return error?.code === "VALIDATION_FAILED" ? Object.keys(error.details.errors) : []
}

/** Only what was read: somebody else's change in between is a conflict, which names the version of now. */
const rename = async (product: Schemas["AdminProduct"], name: string): Promise<string> => {
  const params = { path: { id: product.id }, header: { "If-Match": `"${product.updatedAt}"` } }
  const { data, error } = await api.PATCH("/v1/products/{id}", { params, body: { name } })
  if (data !== undefined) return data.name
  return error.code === "CONFLICT" ? `changed at ${new Date(error.details?.updatedAt ?? 0).getTime() > 0}` : error.code
}

const open = async () => {
  const made = await createShirt()
  const path = { id: made.id }
  for (const { id } of made.variants)
    need(await api.PUT("/v1/products/{id}/inventory", { params: { path }, body: { variantId: id, total: 5 } }))
  const channels = need(await api.GET("/v1/sales-channels"))
  const salesChannelIds = channels.data.map(({ id }) => id)
  need(await api.POST("/v1/products/{id}/publish", { params: { path }, body: { salesChannelIds } }))
  const rate = await ship()
  const shirt = need(await api.GET("/v1/products/{id}", { params: { path } }))
  return {
    stock: shirt.variants.map(({ sku, inventory }) => `${sku} ${inventory.available}`),
    picture: shirt.images[0]?.alt ?? null,
    rate: rate.rateConfig["amount"],
    renamed: [await rename(shirt, "Fine shirt"), await rename(shirt, "Finest shirt")],
    problems: await problemsOf({ name: "", basePrice: "-1" }),
    known: await problemsOf({ name: "Lamp", translations: { de: { name: "Lampe" } }, metafields: { material: "oak" } })
  }
}

/** Paid by bank transfer; what is paid already cannot be paid again. */
const pay = async (id: string) => {
  const params = { path: { id } }
  const orders = need(await api.GET("/v1/orders", { params: { query: { limit: 5 } } }))
  const order = need(await api.GET("/v1/orders/{id}", { params }))
  const body = { amount: order.totalAmount, method: "bank transfer", paidAt: null }
  const paid = need(await api.POST("/v1/orders/{id}/payments", { params, body }))
  const twice = await api.POST("/v1/orders/{id}/payments", { params, body })
  const short = await api.POST("/v1/orders", {
    body: { items: order.items.map(({ productId, variantId }) => ({ ...line(productId, variantId), quantity: 50 })) }
  })
  const lacking = short.error?.code === "INSUFFICIENT_STOCK" ? (short.error.details?.items ?? []) : []
  return {
    listed: orders.meta.total,
    before: order.financialStatus,
    ships: order.shippingAddress?.city ?? null,
    after: paid.financialStatus,
    history: paid.statusHistory.map(({ from, to }) => `${from ?? "nothing"} to ${to}`),
    twice: twice.error?.code ?? null,
    lacking: lacking.map(({ available, requested }) => `${available} of ${requested}`)
  }
}

const line = (productId: string | null, variantId: string | null) => ({
  productId: productId ?? "",
  ...(variantId === null ? {} : { variantId })
})

process.stdout.write(JSON.stringify(orderId === undefined ? await open() : await pay(orderId)))
