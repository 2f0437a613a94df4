import { Client } from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { parseSearch } from "../../src/storefront/internal/searchQuery.ts"
import { searchMark } from "../../src/storefront/internal/searchVector.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"

/** What a search reads to be understood, in a store of 2,100 products and 5,000 words, right after they were loaded. */
let database: Awaited<ReturnType<typeof TestDatabase.open>>
let client: Client
const store = "store_large"
const mark = searchMark(store)

const lexemes = (level: number, words: string) => words.split(" ").map((word, i) => `'${mark}${level}${word}':${i + 1}`)

beforeAll(async () => {
  database = await TestDatabase.open()
  client = new Client(database.nodePostgres)
  await client.connect()
  // Products are listed without being there: what finds them is what is measured.
  await client.query("SET session_replication_role = replica")
  const common = lexemes(3, "made to be used by night").join(" ")
  await client.query(
    `INSERT INTO product_listing (store_id, product_id, status, type, name, slug, menu_order, base_price, price,
      price_since, price_until, regular_price, sale_price, buyable, filter_keys, created_at, updated_at, search)
     SELECT $1, 'prod_' || i, 'active', 'SIMPLE', 'n', 's' || i, i, 1, 1, '-infinity', 'infinity', 1, 1, true, '{}', now(),
       now(), ('''' || $2 || ''' ' || $3 || CASE WHEN i <= 1900 THEN $4 ELSE '' END)::tsvector
     FROM generate_series(1, 2100) i`,
    [store, mark, common, ` ${lexemes(3, "made to be used by night day and").slice(6).join(" ")}`]
  )
  // Every word begins as "constant" does.
  await client.query(
    "SELECT search_words_known($1, ARRAY(SELECT 'cons' || chr(97 + i % 26) || chr(97 + i / 26 % 26) || chr(97 + i / 676) FROM generate_series(0, 4999) i))",
    [store]
  )
  await client.query(
    "INSERT INTO search_name (store_id, word, id) SELECT $1, 'department', 'cat_' || i FROM generate_series(1, 80) i",
    [store]
  )
  await client.query("SET session_replication_role = origin")
}, 60_000)
afterAll(async () => {
  await client.end()
  await database.close()
})

/** What the session has read of the tables since it last reported it. */
const readSoFar = async () => {
  const { rows } = await client.query(
    `SELECT coalesce(sum(seq_scan), 0)::int AS scans, coalesce(sum(idx_tup_fetch), 0)::int AS rows
     FROM pg_stat_xact_user_tables WHERE relname IN ('product_listing', 'search_word', 'search_name')`
  )
  return rows[0] as { readonly scans: number; readonly rows: number }
}

/** The question that is put to the products' words, and what putting it together has read. */
const understood = async (search: string) => {
  await client.query("BEGIN")
  const before = await readSoFar()
  const { rows }: { readonly rows: ReadonlyArray<unknown> } = await client.query(
    "SELECT catalog_search($1, $2::jsonb, '{active}', NULL)::text[] AS q",
    [store, JSON.stringify(parseSearch(search))]
  )
  const after = await readSoFar()
  await client.query("ROLLBACK")
  const [{ q: query }] = rows as [{ readonly q: ReadonlyArray<string> }]
  return { query, scans: after.scans - before.scans, rows: after.rows - before.rows }
}

describe("to understand a search", () => {
  it.each([
    [
      "sixteen words that nobody knows",
      "qwaz qwbz qwcz qwdz qwez qwfz qwgz qwhz qwiz qwjz qwkz qwlz qwmz qwnz qwoz qwpz"
    ],
    ["sixteen letters", "a b c d e f g h i j k l m n o p"],
    ["any of sixteen letters", "a or b or c or d or e or f or g or h or i or j or k or l or m or n or o or p"],
    ["sixteen numbers", "11 22 33 44 55 66 77 88 99 1010 1111 1212 1313 1414 1515 1616"],
    ["words without others", "-qwaz -qwbz -qwcz -qwdz"]
  ])("%s cost look-ups by an index, and no row", async (_what, search) => {
    expect(await understood(search)).toMatchObject({ scans: 0, rows: 0 })
  })

  it("words of descriptions are found by the index too, four of a search at most", async () => {
    const { scans, rows } = await understood("made used night made1 used1 night1 day1 and1")
    expect(scans).toBe(0)
    // Of "made", "used" and "night" the products of a first page or more, and none for the rest.
    expect(rows).toBeLessThan(4 * 2_100 + 1)
  })

  it("a word that is like thousands reads few of them", async () => {
    const { scans, rows } = await understood("constantinople")
    expect(scans).toBe(0)
    expect(rows).toBeLessThanOrEqual(15 * 200)
  })

  it("no single letter and no more than four words are corrected", async () => {
    const near = async (search: string) => (await understood(search)).query[3]?.match(/'[^']*consaaa'/g)?.length ?? 0
    expect(await near("consaax x")).toBe(1)
    expect(await near("consaax consaaq consaaw consaaz x")).toBe(4)
    expect(await near("consaax consaaq consaaw consaaz consaay x")).toBe(4)
    expect(await near("c x")).toBe(0)
  })

  it("a name of many things names fifty", async () => {
    const { query } = await understood("department department -x department")
    expect(query[3]?.match(/#cat_/g)).toHaveLength(50)
  })

  it("the order of quoted words is looked at where two thousand products have them all, and not where more have", async () => {
    expect((await understood('"day and"')).query[3]).toContain("<->")
    expect((await understood('"made to"')).query[3]).toBe(`'${mark}3made' & '${mark}3to'`)
    expect((await understood('made -"used by"')).query[3]).toBe(`'${mark}3made' & !( '${mark}3used' & '${mark}3by' )`)
    expect((await understood('day -"used by"')).query[3]).toContain("<->")
  })
})
