/**
 * What is measured on: a store made by core's services, then products, carts and checkouts by SQL, whole batches at a
 * time. Ids are made of the batch's name and a number, so that the requests for them can be written without asking the
 * database.
 */
import { coreLayer } from "@effect-commerce/core/CommerceCore"
import { type ConnectionOptions, nodePostgresConfig } from "@effect-commerce/core/database/ConnectionOptions"
import { up } from "@effect-commerce/core/migration/Migrations"
import { ShippingRates } from "@effect-commerce/core/shipping/ShippingRates"
import { ShippingZones } from "@effect-commerce/core/shipping/ShippingZones"
import { SalesChannels } from "@effect-commerce/core/store/SalesChannels"
import { Stores } from "@effect-commerce/core/store/Stores"
import { TaxRates } from "@effect-commerce/core/tax/TaxRates"
import { Effect, Layer, Redacted } from "effect"
import { Client } from "pg"

/** The shop under measurement; requests carry `origin`, which is the channel's domain. */
export interface Shop {
  readonly storeId: string
  readonly channelId: string
  readonly shippingRateId: string
  readonly origin: string
}

/** A tenth of the products has three variants; the others can be bought as they are. */
export const variableEvery = 10

const domain = "shop.example"

/** The root secret of what benchmarks make; a server that reads sealed data of theirs is started with it. */
export const secret = Redacted.make("the root secret of every benchmark")

/** Migrates, then makes a store with a channel, two stacking tax rates and a zone with two shipping rates. */
export const openShop = (connection: ConnectionOptions): Promise<Shop> =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        yield* up(connection)
        const services = yield* Layer.build(coreLayer({ connection, secret, maxConnections: 3 }))
        return yield* Effect.provideContext(makeShop, services)
      })
    )
  )

const makeShop = Effect.gen(function* () {
  const store = yield* (yield* Stores).create({ name: "Bench", currency: "USD", country: "US" })
  const channel = yield* (yield* SalesChannels).create(store.id, { name: "Storefront", domain, mode: "live" })
  const taxes = yield* TaxRates
  yield* taxes.create(store, { name: "California", country: "US", region: "CA", rate: 6, stackable: true })
  yield* taxes.create(store, {
    name: "San Francisco",
    country: "US",
    region: "CA",
    postalCode: "94105",
    rate: 2.5,
    stackable: true
  })
  const zone = yield* (yield* ShippingZones).create(store, { name: "United States", countries: ["US"] })
  const rates = yield* ShippingRates
  const standard = yield* rates.create(store, zone.id, {
    name: "Standard",
    type: "FLAT",
    rateConfig: { amount: "5.00" }
  })
  yield* rates.create(store, zone.id, { name: "Express", type: "FLAT", rateConfig: { amount: "15.00" } })
  return { storeId: store.id, channelId: channel.id, shippingRateId: standard.id, origin: `https://${domain}` }
})

/** A session of the superuser, to whom row-level security does not apply: for seeding only. */
export const openSeeder = async (connection: ConnectionOptions): Promise<Client> => {
  const client = new Client(nodePostgresConfig(connection))
  await client.connect()
  return client
}

const number = (prefix: string, value: string): string => `'${prefix}' || lpad((${value})::text, 8, '0')`

const padded = (prefix: string, value: number): string => `${prefix}${String(value).padStart(8, "0")}`
export const slugOf = (product: number): string => `product-${product}`
export const productIdOf = (product: number): string => padded("prod_bench", product)
export const cartIdOf = (batch: string, cart: number): string => padded(`cart_${batch}`, cart)
export const checkoutIdOf = (batch: string, checkout: number): string => padded(`chk_${batch}`, checkout)

/** The k-th product without variants, counted from 0 and round again after 900. */
export const simpleProduct = (k: number): number =>
  Math.floor((k % 900) / (variableEvery - 1)) * variableEvery + ((k % 900) % (variableEvery - 1)) + 1
const simpleProductSql = (k: string): string => `((${k}) % 900) / 9 * 10 + ((${k}) % 900) % 9 + 1`

/** Products 1 to `count`, each with a picture, text, two tags, a category and stock that no run exhausts. */
export const seedProducts = async (client: Client, { storeId }: Shop, count: number): Promise<void> => {
  const run = (text: string) => client.query(text, [storeId, count])
  const isVariable = `i % ${variableEvery} = 0`
  await client.query(
    `INSERT INTO category (store_id, id, name, slug, created_at, updated_at)
     SELECT $1, ${number("cat_bench", "i")}, 'Category ' || i, 'category-' || i, now(),
       now() FROM generate_series(0, 9) i`,
    [storeId]
  )
  await run(
    `INSERT INTO product (store_id, id, type, status, name, slug, sku, description, base_price, menu_order, tags,
      images, search, created_at, updated_at)
     SELECT $1, ${number("prod_bench", "i")}, CASE WHEN ${isVariable} THEN 'VARIABLE' ELSE 'SIMPLE' END, 'active',
       'Product ' || i, 'product-' || i, 'SKU-' || i, '<p>' || repeat('Made to be used every day. ', 8) || '</p>',
       500 + (i * 37) % 9500, i, ARRAY['new', 'tag-' || i % 7],
         jsonb_build_array(jsonb_build_object('id', 'img_' || i, 'url', 'https://media.example/' || i || '.jpg', 'key',
           NULL, 'alt', 'Product ' || i, 'position', 0, 'isMain', true, 'createdAt', '2026-01-01T00:00:00.000Z')),
           'product ' || i, now(), now()
     FROM generate_series(1, $2) i`
  )
  await run(
    `INSERT INTO product_category (store_id, product_id, category_id, position)
     SELECT $1, ${number("prod_bench", "i")}, ${number("cat_bench", "i % 10")}, 1 FROM generate_series(1, $2) i`
  )
  await run(
    `INSERT INTO product_variant (store_id, id, product_id, sku, name, attributes, price, position, created_at,
      updated_at)
     SELECT $1, ${number("var_bench", "i * 10 + v")}, ${number("prod_bench", "i")}, 'SKU-' || i || '-' || v,
       'Size ' || v, jsonb_build_object('Size', v::text), 500 + (i * 37) % 9500 + v * 100, v, now(), now()
     FROM generate_series(1, $2) i, generate_series(1, 3) v WHERE ${isVariable}`
  )
  await run(
    `INSERT INTO stock (store_id, key, product_id, variant_id, total, updated_at)
     SELECT $1, ${number("prod_bench", "i")}, ${number("prod_bench", "i")}, NULL, 1000000,
       now() FROM generate_series(1, $2) i WHERE NOT ${isVariable}
     UNION ALL
     SELECT $1, ${number("var_bench", "i * 10 + v")}, ${number("prod_bench", "i")},
       ${number("var_bench", "i * 10 + v")}, 1000000, now()
     FROM generate_series(1, $2) i, generate_series(1, 3) v WHERE ${isVariable}`
  )
  await client.query("VACUUM (ANALYZE) product, product_variant, product_category, category, stock")
}

/** Carts 0 to `count` - 1 of a batch, each with `lines` lines of different products. */
export const seedCarts = async (
  client: Client,
  shop: Shop,
  batch: string,
  count: number,
  lines: number
): Promise<void> => {
  await client.query(
    `INSERT INTO cart (store_id, id, sales_channel_id, session_token, currency, expires_at, created_at, updated_at)
     SELECT $1, ${number(`cart_${batch}`, "c")}, $2, 'cs_${batch}_' || c, 'USD', now() + interval '30 days', now(),
       now() FROM generate_series(0, $3::int - 1) c`,
    [shop.storeId, shop.channelId, count]
  )
  if (lines === 0) return
  const product = number("prod_bench", simpleProductSql("c * $2::int + l"))
  await client.query(
    `INSERT INTO cart_item (store_id, cart_id, id, identity, product_id, quantity, unit_price, created_at)
     SELECT $1, ${number(`cart_${batch}`, "c")}, ${number(`item_${batch}`, "c * $2::int + l")}, md5(p.id), p.id, 2,
       p.base_price, now()
     FROM generate_series(0, $3::int - 1) c, generate_series(0, $2::int - 1) l
     JOIN product p ON true WHERE p.store_id = $1 AND p.id = ${product}`,
    [shop.storeId, lines, count]
  )
}

const address = {
  firstName: "Ada",
  lastName: "Byron",
  company: null,
  line1: "1 Main St",
  line2: null,
  city: "San Francisco",
  region: "CA",
  postalCode: "94105"
}
const shippingAddress = JSON.stringify({ ...address, country: "US", phone: null, lat: null, lng: null })

/** Checkouts of two lines over carts of the same batch, ready to be completed. */
export const seedCheckouts = async (client: Client, shop: Shop, batch: string, count: number): Promise<void> => {
  await seedCarts(client, shop, batch, count, 2)
  await client.query(
    `INSERT INTO checkout (store_id, id, cart_id, sales_channel_id, email, customer, shipping_address, billing_address,
      shipping_rate_id, currency, expires_at, created_at, updated_at)
     SELECT $1, ${number(`chk_${batch}`, "c")}, ${number(`cart_${batch}`, "c")}, $2, 'ada@example.com',
       '{"firstName":"Ada","lastName":"Byron"}', $3::jsonb, $3::jsonb, $4, 'USD', now() + interval '1 day', now(), now()
     FROM generate_series(0, $5::int - 1) c`,
    [shop.storeId, shop.channelId, shippingAddress, shop.shippingRateId, count]
  )
  await client.query(
    `INSERT INTO checkout_line (store_id, checkout_id, id, cart_item_id, position, product_id, quantity, unit_price)
     SELECT $1, replace(i.cart_id, 'cart_', 'chk_'), replace(i.id, 'item_', 'line_'), i.id,
       row_number() OVER (PARTITION BY i.cart_id ORDER BY i.id) - 1, i.product_id, i.quantity, i.unit_price
     FROM cart_item i WHERE i.store_id = $1 AND starts_with(i.cart_id, $2)`,
    [shop.storeId, `cart_${batch}`]
  )
}
