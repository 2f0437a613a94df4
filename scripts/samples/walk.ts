/** The main operations in the order in which a shopper and then a merchant call them, on the demo store. */
import type { Ask } from "./Recorder.ts"

const few = { limit: "2" }
const password = "Corr3ct-Horse!"
const shippingAddress = {
  firstName: "Ada",
  lastName: "Lovelace",
  line1: "12 Market Street",
  city: "San Francisco",
  region: "CA",
  postalCode: "94105",
  country: "US",
  phone: "+14155550100"
}

const browse = async (ask: Ask) => {
  const mug = await ask("storefront.productBySlug", { params: { slug: "marlow-mug" } })
  const params = { id: mug.id }
  await ask("storefront.product", { params })
  await ask("storefront.products", { query: { ...few, search: "mug", sortBy: "price" } })
  await ask("storefront.recommendations", { params })
  await ask("storefront.categories")
  await ask("storefront.categoryBySlug", { params: { slug: mug.categories[0].slug } })
  await ask("storefront.brands")
  await ask("storefront.brandBySlug", { params: { slug: mug.brands[0].slug } })
  await ask("storefrontMetafields.definitions")
  await ask("storefrontReviews.list", { params, query: few })
  await ask("storefrontStock.inventory", { query: { productIds: mug.id } })
  await ask("storefrontStock.availability", { body: { productIds: [mug.id] } })
  await ask("storefrontStock.check", { body: { items: [{ productId: mug.id, quantity: 2 }] } })
  await ask("storefrontRegions.list")
  await ask("shipping.destinations")
  return mug.id as string
}

const buy = async (ask: Ask, productId: string) => {
  const { id: cartId, sessionToken } = await ask("cart.create")
  const cart = { params: { cartId } }
  const filled = await ask("cart.addItem", { ...cart, body: { productId, quantity: 1 } })
  await ask("cart.changeItem", { params: { cartId, itemId: filled.items[0].id }, body: { quantity: 2 } })
  await ask("cart.update", { ...cart, body: { notes: "Please wrap it as a present." } })
  await ask("cart.get", cart)
  await ask("cart.getBySession", { params: { sessionToken } })
  const { id: checkoutId } = await ask("checkout.create", { body: { cartId } })
  const checkout = { params: { checkoutId } }
  await ask("checkout.setCustomer", {
    ...checkout,
    body: { email: "ada@example.com", firstName: "Ada", lastName: "Lovelace" }
  })
  await ask("checkout.setShipping", { ...checkout, body: { shippingAddress } })
  const { rates } = await ask("checkout.shippingRates", checkout)
  await ask("checkout.setShippingMethod", { ...checkout, body: { shippingRateId: rates[0].id } })
  await ask("checkout.get", checkout)
  const { orderId } = await ask("checkout.complete", {
    ...checkout,
    body: { paymentMethod: "test", paymentReference: "approve" }
  })
  await ask("storefrontOrders.status", { params: { id: orderId }, query: { email: "ada@example.com" } })
  return orderId as string
}

const signIn = async (ask: Ask, productId: string) => {
  const login = { email: "ada@example.com", password }
  await ask("customers.register", { body: { ...login, firstName: "Ada", lastName: "Lovelace" } })
  const { token } = await ask("customers.login", { body: login })
  await ask("customers.me", { token })
  await ask("customers.addAddress", { token, body: shippingAddress })
  await ask("customers.addresses", { token })
  await ask("storefrontReviews.write", {
    token,
    params: { id: productId },
    body: { rating: 5, title: "My first coffee", body: "Sits well in the hand, and keeps its warmth." }
  })
}

const sell = async (ask: Ask, productId: string, orderId: string) => {
  const params = { id: productId }
  await ask("orders.get", { params: { id: orderId } })
  await ask("orders.list", { query: few })
  const customer = { email: "grace@example.com", firstName: "Grace", lastName: "Hopper" }
  const { id } = await ask("orders.create", { body: { items: [{ productId, quantity: 1 }], customer } })
  await ask("orders.recordPayment", { params: { id }, body: { amount: "9.90", method: "bank_transfer" } })
  await ask("adminCustomers.create", {
    body: { email: "alan@example.com", firstName: "Alan", lastName: "Turing", phone: "+442071234567" }
  })
  await ask("inventory.get", { params })
  await ask("inventory.set", { params, body: { total: 120 } })
  await ask("inventory.adjust", { params, body: { delta: -2, reason: "damage", reference: "DN-4711" } })
  await ask("reviews.list", { query: few })
}

const stock = async (ask: Ask, mugId: string) => {
  await ask("products.get", { params: { id: mugId } })
  await ask("products.list", { query: few })
  const { id } = await ask("products.create", {
    body: { name: "Desk lamp", sku: "LAMP-1", basePrice: "49.00", description: "Brass, with a linen shade." }
  })
  await ask("products.update", { params: { id }, body: { basePrice: "45.00", status: "active" } })
  await ask("categories.list", { query: few })
  await ask("categories.create", { body: { name: "Lamps", description: "Light for desks and beds." } })
  await ask("brands.list", { query: few })
  await ask("brands.create", { body: { name: "Lumen & Co" } })
  await ask("attributes.list", { query: few })
  await ask("metafieldDefinitions.list", { query: few })
}

const run = async (ask: Ask) => {
  await ask("store.get")
  await ask("salesChannels.list")
  await ask("salesChannels.create", { body: { name: "Web shop", domain: "shop.example", mode: "live" } })
  await ask("regions.list")
  await ask("paymentProviders.create", { body: { type: "manual", name: "Bank transfer" } })
  await ask("paymentProviders.list")
  await ask("taxRates.list")
  await ask("taxRates.create", { body: { name: "NY sales tax", country: "US", region: "NY", rate: "4.00" } })
  await ask("shippingZones.list")
  const zone = await ask("shippingZones.create", { body: { name: "Canada", countries: ["CA"] } })
  await ask("shippingZones.createRate", {
    params: { zoneId: zone.id },
    body: { name: "Parcel", type: "FLAT", rateConfig: { amount: "14.90" }, minDeliveryDays: 4, maxDeliveryDays: 7 }
  })
  await ask("apiKeys.list")
  await ask("apiKeys.create", { body: { name: "erp", scopes: ["orders:read", "inventory:write"] } })
  await ask("webhookSubscriptions.create", {
    body: { url: "https://erp.example/hooks", events: ["order.*"], description: "Orders to the ERP" }
  })
  await ask("webhookSubscriptions.list")
  await ask("events.list", { query: few })
  await ask("media.list", { query: few })
}

export const walk = async (ask: Ask): Promise<void> => {
  const mugId = await browse(ask)
  const orderId = await buy(ask, mugId)
  await signIn(ask, mugId)
  await stock(ask, mugId)
  await sell(ask, mugId, orderId)
  await run(ask)
}
