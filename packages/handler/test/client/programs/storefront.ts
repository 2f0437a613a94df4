/**
 * A storefront, as one is written with types of the API document (`openapi-typescript`) and `openapi-fetch`: a shopper
 * browses, fills a cart, buys, and opens an account. No cast is needed.
 */
import createClient from "openapi-fetch"
import type { components, paths } from "./commerce.ts"

type Schemas = components["schemas"]

const [baseUrl = "http://127.0.0.1:4000/api", salesChannelId = "vc_"] = process.argv.slice(2)
const path = { salesChannelId }

const api = createClient<paths>({
  baseUrl,
  headers: { Origin: "http://localhost:3000" },
  // Lists are written with commas between their values, and each of `filters` is a parameter of its own.
  querySerializer: { array: { style: "form", explode: false }, object: { style: "form", explode: true } }
})

/** The data of an answer, where nothing is expected to go wrong. */
const need = <Data>(answer: { readonly data?: Data; readonly error?: unknown }): Data => {
  if (answer.data === undefined) throw new Error(`unexpected error ${JSON.stringify(answer.error)}`)
  return answer.data
}

const priceOf = ({ displayPrice, displaySalePrice, displayCurrency }: Schemas["Product"]): string =>
  `${displaySalePrice ?? displayPrice} ${displayCurrency}`

/** What somebody sees who looks for shirts: a page, what it can be narrowed by, one product with its variants. */
const browse = async () => {
  const query = { inStock: "true", facets: "true", limit: 12, filters: { "attr.Colour": "Navy,White" } } as const
  const page = need(await api.GET("/vc/{salesChannelId}/products", { params: { path, query } }))
  const colours = page.facets?.attributes.find(({ name }) => name === "Colour")?.options ?? []
  const slug = page.data[0]?.slug ?? ""
  const bySlug = { params: { path: { ...path, slug }, query: { locale: "de" } } }
  const product = need(await api.GET("/vc/{salesChannelId}/products/slug/{slug}", bySlug))
  const { categories } = need(await api.GET("/vc/{salesChannelId}/categories", { params: { path } }))
  const shown = {
    total: page.meta.total,
    colours: colours.map(({ name, count }) => `${name} ${count}`),
    name: product.name,
    translated: Object.entries(product.translations).map(([language, texts]) => `${language}: ${texts.name ?? ""}`),
    price: priceOf(product),
    picture: product.images[0]?.alt ?? null,
    saleEnds: product.salePriceEndsAt === null ? null : new Date(product.salePriceEndsAt).getTime(),
    categories: categories.map(({ name, children }) => [name, children.length])
  }
  return { product, shown }
}

type Added =
  | { readonly cart: Schemas["Cart"] }
  | { readonly left: number | undefined }
  | { readonly wrong: Readonly<Record<string, string>> }
  | { readonly failed: string }

/** Each error has its code, and each code its details: the switch knows what it may read. */
const add = async (cartId: string, body: Schemas["AddCartItem"]): Promise<Added> => {
  const params = { path: { ...path, cartId } }
  const { data, error } = await api.POST("/vc/{salesChannelId}/cart/{cartId}/items", { params, body })
  if (data !== undefined) return { cart: data }
  switch (error.code) {
    case "INSUFFICIENT_STOCK":
      return { left: error.details?.available }
    case "VALIDATION_FAILED":
      return { wrong: error.details.errors }
    case "PRODUCT_UNAVAILABLE":
      return { failed: `not sold: ${error.details.items.map(({ productId }) => productId).join()}` }
    case "MODIFIER_VALIDATION_FAILED":
      return { failed: error.details.errors.map(({ message }) => message).join() }
    case "CART_LINE_LIMIT_REACHED":
      return { failed: `a cart has at most ${error.details.maxLines} lines` }
    case "RATE_LIMITED":
      return { failed: `wait ${error.details.retryAfterSeconds} seconds` }
    case "CONFLICT":
    case "INSUFFICIENT_PERMISSION":
    case "INTERNAL_SERVER_ERROR":
    case "PAYLOAD_TOO_LARGE":
    case "RESOURCE_NOT_FOUND":
    case "SERVICE_TEMPORARILY_UNAVAILABLE":
    case "STORE_SUSPENDED":
    case "UNAUTHORIZED":
    case "UNSUPPORTED_MEDIA_TYPE":
      return { failed: error.message }
    default:
      // No code is left: a new one is an error of the compiler here.
      return error satisfies never
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

const checkOut = async (cartId: string) => {
  const started = need(await api.POST("/vc/{salesChannelId}/checkout", { params: { path }, body: { cartId } }))
  const params = { path: { ...path, checkoutId: started.id } }
  need(
    await api.PATCH("/vc/{salesChannelId}/checkout/{checkoutId}/customer", {
      params,
      body: { email: "ada@example.com", firstName: "Ada", lastName: "Byron" }
    })
  )
  const shipped = need(
    await api.PATCH("/vc/{salesChannelId}/checkout/{checkoutId}/shipping", {
      params,
      body: { shippingAddress: address }
    })
  )
  const [rate] = shipped.availableShippingRates
  if (rate === undefined) throw new Error("nothing is shipped there")
  const body = { shippingRateId: rate.id }
  return need(await api.PATCH("/vc/{salesChannelId}/checkout/{checkoutId}/shipping-method", { params, body }))
}

/** The same key and body again answer the same order, and nothing is bought twice. */
const complete = (checkout: Schemas["Checkout"]) =>
  api.POST("/vc/{salesChannelId}/checkout/{checkoutId}/complete", {
    params: { path: { ...path, checkoutId: checkout.id }, header: { "Idempotency-Key": checkout.id } },
    body: { paymentMethod: "manual", expectedTotal: checkout.total }
  })

/** An account, and what its token opens. */
const signUp = async () => {
  const credentials = { email: "ada@example.com", password: "Corr3ct-Horse" }
  const registered = await api.POST("/vc/{salesChannelId}/customers/register", {
    params: { path },
    body: { ...credentials, firstName: "Ada" }
  })
  const weak = await api.POST("/vc/{salesChannelId}/customers/register", {
    params: { path },
    body: { email: "no address", password: "Corr3ct-Horse" }
  })
  const wrong = weak.error?.code === "VALIDATION_FAILED" ? Object.keys(weak.error.details.errors) : []
  const login = { params: { path }, body: credentials }
  const { token } = need(await api.POST("/vc/{salesChannelId}/customers/login", login))
  const headers = { Authorization: `Bearer ${token}` }
  const me = need(await api.GET("/vc/{salesChannelId}/customers/me", { params: { path }, headers }))
  const nobody = await api.GET("/vc/{salesChannelId}/customers/me", { params: { path } })
  return { registered: registered.response.status, wrong, name: me.firstName, nobody: nobody.error?.code ?? null }
}

const { product, shown } = await browse()
const variant = product.variants.find(({ attributes }) => attributes["Colour"] === "Marine")
const { id: cartId } = need(await api.POST("/vc/{salesChannelId}/cart", { params: { path } }))
const line = { productId: product.id, variantId: variant?.id ?? null, metadata: { gift: true } }
const tooMany = await add(cartId, { ...line, quantity: 9 })
const none = await add(cartId, { ...line, quantity: 0 })
const added = await add(cartId, { ...line, quantity: 2 })
const checkout = await checkOut(cartId)
const order = need(await complete(checkout))
const again = need(await complete(checkout))

const account = await signUp()
const bought = "cart" in added ? added.cart.items.map(({ name, quantity }) => `${quantity} ${name}`) : []
const { total, taxBreakdown, tenders } = checkout
const result = {
  shown,
  tooMany,
  none,
  bought,
  checkout: { total, tax: taxBreakdown.totalTax, tenders: tenders.length },
  order: { id: order.orderId, number: order.orderNumber, status: order.status, same: again.orderId === order.orderId },
  account
}
process.stdout.write(JSON.stringify(result))
