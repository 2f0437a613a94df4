/**
 * The catalogue that storefront reads are measured on: one store of products with two variants each, among a hundred
 * stores whose products have the same words. The first thousand products are rows as an older release would write them:
 * a server composes what it reads from them before it says that it is ready. More products are copies of the second
 * half of these, with all that the server has written of them, so that 100,000 take seconds and the first half, a
 * category of its own, has as many products in a large store as in a small one.
 */
import type { Client } from "pg"
import type { Shop } from "./seed.ts"

/** Stores beside the one that is measured. */
const neighbours = 99
const productsOfNeighbour = 10

/** Products that a server composes; more are copies. */
export const composedProducts = 1_000
/** The first products of the store, in a category of their own. */
export const collectionSize = 500
export const collectionSlug = "collection"

const digits = 8
const padded = (value: number): string => String(value).padStart(digits, "0")
const number = (prefix: string, value: string): string => `'${prefix}' || lpad((${value})::text, ${digits}, '0')`

export const slugOf = (product: number): string => `good-${padded(product)}`
export const productIdOf = (product: number): string => `prod_bench${padded(product)}`
/** `which` is 1 or 2. */
export const variantIdOf = (product: number, which: number): string => `var_bench${padded(product)}${which}`

export const words = ["Oak", "Pine", "Steel", "Linen", "Glass", "Copper", "Slate", "Cotton", "Walnut", "Marble"]
export const kinds = ["lamp", "table", "chair", "shelf", "bowl", "vase", "rug", "stool", "desk", "mirror"]
/** A word in the description of every product. */
export const commonWord = "made"
const word = (list: ReadonlyArray<string>, value: string): string =>
  `(ARRAY[${list.map((one) => `'${one}'`).join(", ")}])[1 + (${value}) % ${list.length}]`

/** Categories of two levels, ten below each of ten, and one for the collection. */
const seedCategories = (client: Client, storeId: string, tag: string) =>
  client.query(
    `INSERT INTO category (store_id, id, parent_id, name, slug, created_at, updated_at)
     SELECT $1, ${number(`cat_${tag}`, "i")},
       CASE WHEN i < 10 OR i = 110 THEN NULL ELSE ${number(`cat_${tag}`, "i % 10")} END,
       'Department ' || i, CASE i WHEN 110 THEN '${collectionSlug}' ELSE 'department-' || i END, now(), now()
     FROM generate_series(0, 110) i`,
    [storeId]
  )

/**
 * Products 1 to `count` of a store, whose ids begin with `tag`. Every value of one product alone has its number in
 * eight digits. Those up to `collection` are in that category, the others in departments.
 */
export const seedStore = async (
  client: Client,
  storeId: string,
  tag: string,
  count: number,
  collection = 0
): Promise<void> => {
  const run = (text: string) => client.query(text, [storeId, count])
  await seedCategories(client, storeId, tag)
  const own = number("", "i")
  const variant = `${number(`var_${tag}`, "i")} || v`
  const name = `${word(words, "i")} || ' ' || ${word(kinds, "i / 10")} || ' ' || ${own}`
  await run(
    `INSERT INTO product (store_id, id, type, status, name, slug, sku, description, base_price, menu_order, tags,
      images, search, created_at, updated_at)
     SELECT $1, ${number(`prod_${tag}`, "i")}, 'VARIABLE', 'active', ${name}, 'good-' || ${own}, 'SKU-' || ${own},
       '<p>' || repeat('Made to be used every day. ', 8) || '</p>', 500 + (i * 37) % 9500, i,
       ARRAY['new', 'tag-' || i % 7],
       jsonb_build_array(jsonb_build_object('id', 'img_' || ${own}, 'url', 'https://media.example/' || ${own} || '.jpg',
         'key', NULL, 'alt', 'Good ' || ${own}, 'position', 0, 'isMain', true,
         'createdAt', '2026-01-01T00:00:00.000Z')),
       lower(${name}), now(), now()
     FROM generate_series(1, $2) i`
  )
  // Foreign-key checks of the following inserts look products up and would be planned for an empty table, so the tables
  // are analysed first.
  if (count > productsOfNeighbour) await client.query("ANALYZE product, category")
  await run(
    `INSERT INTO product_category (store_id, product_id, category_id, position)
     SELECT $1, ${number(`prod_${tag}`, "i")}, CASE WHEN i <= ${collection} THEN ${number(`cat_${tag}`, "110")}
       ELSE ${number(`cat_${tag}`, "10 + i % 100")} END, 1 FROM generate_series(1, $2) i`
  )
  await run(
    `INSERT INTO product_variant (store_id, id, product_id, sku, name, attributes, price, position, created_at,
      updated_at)
     SELECT $1, ${variant}, ${number(`prod_${tag}`, "i")}, 'SKU-' || ${own} || '-' || v,
       'Size ' || v, jsonb_build_object('Size', v::text), 500 + (i * 37) % 9500 + v * 100, v, now(), now()
     FROM generate_series(1, $2) i, generate_series(1, 2) v`
  )
  await run(
    `INSERT INTO stock (store_id, key, product_id, variant_id, total, updated_at)
     SELECT $1, ${variant}, ${number(`prod_${tag}`, "i")}, ${variant}, 1000000, now()
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

/** The store of `shop` with the products that a server composes, and its neighbours with a few each. */
export const seedCatalogue = async (client: Client, shop: Shop): Promise<void> => {
  await copyStores(client, shop, "store_near", neighbours)
  for (let i = 1; i <= neighbours; i++)
    await seedStore(client, `store_near${i}`, `near${String(i).padStart(4, "0")}`, productsOfNeighbour)
  await seedStore(client, shop.storeId, "bench", composedProducts, collectionSize)
  await settleCatalogue(client)
}

/**
 * Runs the maintenance that the database would start by itself after many writes, so that it does not disturb the
 * measurement.
 */
export const settleCatalogue = async (client: Client): Promise<void> => {
  await client.query("VACUUM (ANALYZE)")
  await client.query("CHECKPOINT")
}

/** Each table that has rows of products, with its columns but for those that PostgreSQL fills. */
const tablesOfProducts = `SELECT c.relname AS name,
    bool_or(a.attname = 'product_id') AS "isPart",
    string_agg(quote_ident(a.attname), ', ') FILTER (WHERE a.attgenerated = '' AND a.attidentity = '') AS columns
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
  GROUP BY c.relname
  HAVING bool_or(a.attname = 'store_id') AND (c.relname = 'product' OR bool_or(a.attname = 'product_id'))
  ORDER BY c.relname`

/**
 * Copies of the composed products that are not in the collection, until the store has `count`. A row is copied as its
 * text, in which the number of the product is another one. No trigger runs: what triggers would do is copied too.
 */
export const copyProducts = async (client: Client, { storeId }: Shop, count: number): Promise<void> => {
  const models = composedProducts - collectionSize
  const copies = Math.ceil((count - composedProducts) / models)
  const { rows: tables } = await client.query(tablesOfProducts)
  await client.query("SET session_replication_role = replica")
  for (const { name, isPart, columns } of tables) {
    const id = isPart === true ? "t.product_id" : "t.id"
    const of = `right(${id}, ${digits})`
    const copy = `lpad(($3::int * k + ${of}::int)::text, ${digits}, '0')`
    await client.query(
      `INSERT INTO ${name} (${columns}) SELECT c.* FROM ${name} t, generate_series(1, $2::int) k, LATERAL (
         SELECT ${columns}
         FROM jsonb_populate_record(NULL::${name}, replace(to_jsonb(t)::text, ${of}, ${copy})::jsonb)) c
       WHERE t.store_id = $1 AND ${id} > $4 AND starts_with(${id}, 'prod_bench')`,
      [storeId, copies, models, productIdOf(collectionSize)]
    )
  }
  await client.query("SET session_replication_role = DEFAULT")
  await settleCatalogue(client)
}
