/**
 * The catalogue that storefront reads are measured on: one store of many products with two variants each, among a
 * thousand stores whose products have the same words. Written by SQL as an older release would write it: the server
 * under measurement composes what it reads from the rows before it says that it is ready.
 */
import type { Client } from "pg"
import type { Shop } from "./seed.ts"

/** Stores beside the one that is asked. */
const neighbours = 999
const productsOfNeighbour = 10

const number = (prefix: string, value: string): string => `'${prefix}' || lpad((${value})::text, 8, '0')`

export const words = ["Oak", "Pine", "Steel", "Linen", "Glass", "Copper", "Slate", "Cotton", "Walnut", "Marble"]
export const kinds = ["lamp", "table", "chair", "shelf", "bowl", "vase", "rug", "stool", "desk", "mirror"]
const word = (list: ReadonlyArray<string>, value: string): string =>
  `(ARRAY[${list.map((one) => `'${one}'`).join(", ")}])[1 + (${value}) % ${list.length}]`

/** Categories of two levels, ten below each of ten. */
const seedCategories = (client: Client, storeId: string, tag: string) =>
  client.query(
    `INSERT INTO category (store_id, id, parent_id, name, slug, created_at, updated_at)
     SELECT $1, ${number(`cat_${tag}`, "i")}, CASE WHEN i < 10 THEN NULL ELSE ${number(`cat_${tag}`, "i % 10")} END,
       'Department ' || i, 'department-' || i, now(), now() FROM generate_series(0, 109) i`,
    [storeId]
  )

/** Products 1 to `count` of a store, whose ids begin with `tag`. */
export const seedStore = async (client: Client, storeId: string, tag: string, count: number): Promise<void> => {
  const run = (text: string) => client.query(text, [storeId, count])
  await seedCategories(client, storeId, tag)
  const name = `${word(words, "i")} || ' ' || ${word(kinds, "i / 10")} || ' ' || i`
  await run(
    `INSERT INTO product (store_id, id, type, status, name, slug, sku, description, base_price, menu_order, tags,
      images, search, created_at, updated_at)
     SELECT $1, ${number(`prod_${tag}`, "i")}, 'VARIABLE', 'active', ${name}, 'good-' || i, 'SKU-' || i,
       '<p>' || repeat('Made to be used every day. ', 8) || '</p>', 500 + (i * 37) % 9500, i,
       ARRAY['new', 'tag-' || i % 7],
       jsonb_build_array(jsonb_build_object('id', 'img_' || i, 'url', 'https://media.example/' || i || '.jpg', 'key',
         NULL, 'alt', 'Good ' || i, 'position', 0, 'isMain', true, 'createdAt', '2026-01-01T00:00:00.000Z')),
       lower(${name}), now(), now()
     FROM generate_series(1, $2) i`
  )
  // The checks of what follows look products up: as if there were none, until their number is known.
  if (count > productsOfNeighbour) await client.query("ANALYZE product, category")
  await run(
    `INSERT INTO product_category (store_id, product_id, category_id, position)
     SELECT $1, ${number(`prod_${tag}`, "i")}, ${number(`cat_${tag}`, "10 + i % 100")}, 1 FROM generate_series(1, $2) i`
  )
  await run(
    `INSERT INTO product_variant (store_id, id, product_id, sku, name, attributes, price, position, created_at,
      updated_at)
     SELECT $1, ${number(`var_${tag}`, "i * 10 + v")}, ${number(`prod_${tag}`, "i")}, 'SKU-' || i || '-' || v,
       'Size ' || v, jsonb_build_object('Size', v::text), 500 + (i * 37) % 9500 + v * 100, v, now(), now()
     FROM generate_series(1, $2) i, generate_series(1, 2) v`
  )
  await run(
    `INSERT INTO stock (store_id, key, product_id, variant_id, total, updated_at)
     SELECT $1, ${number(`var_${tag}`, "i * 10 + v")}, ${number(`prod_${tag}`, "i")},
       ${number(`var_${tag}`, "i * 10 + v")}, 1000000, now()
     FROM generate_series(1, $2) i, generate_series(1, 2) v`
  )
}

/** Stores like the one of `shop`: `name` and a number from 1. */
export const copyStores = (client: Client, { storeId }: Shop, name: string, count: number) =>
  client.query(
    `INSERT INTO store SELECT (jsonb_populate_record(s, jsonb_build_object('id', $3::text || i))).*
     FROM store s, generate_series(1, $2) i WHERE s.id = $1`,
    [storeId, count, name]
  )

/** The store of `shop` with `count` products, and its neighbours with a few each. */
export const seedCatalogue = async (client: Client, shop: Shop, count: number): Promise<void> => {
  await copyStores(client, shop, "store_near", neighbours)
  for (let i = 1; i <= neighbours; i++)
    await seedStore(client, `store_near${i}`, `near${String(i).padStart(4, "0")}`, productsOfNeighbour)
  await seedStore(client, shop.storeId, "bench", count)
  await client.query("VACUUM (ANALYZE) product, product_variant, product_category, category, stock")
}

/** Once a server has composed it: what the database does afterwards by itself is done, and disturbs nothing. */
export const settleCatalogue = async (client: Client): Promise<void> => {
  await client.query("VACUUM (ANALYZE) product, product_listing, product_document, product_stale, catalog_version")
  await client.query("CHECKPOINT")
}
