/** What is said of tables is true of the schema: none is forgotten, and neither is a column of people. */
import { Effect, Layer } from "effect"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Database } from "../../src/database/Database.ts"
import { platformTables } from "../../src/database/PlatformTables.ts"
import { open, type TestDatabaseMethods } from "../../src/testing/TestDatabase.ts"
import { carriedOf } from "../../src/transfer/internal/rowSelection.ts"
import { carriedTables } from "../../src/transfer/internal/tableOrder.ts"
import { people } from "../../src/transfer/People.ts"
import { unsealed } from "../../src/transfer/Seals.ts"
import { carried, carriedAnonymised, leftOut } from "../../src/transfer/TransferredTables.ts"
import type { TableFacts } from "../../src/transfer/TableFacts.ts"
import { TransferRepository } from "../../src/transfer/TransferRepository.ts"

let database: TestDatabaseMethods & { readonly close: () => Promise<void> }
let client: InstanceType<typeof pg.Client>
let tables: ReadonlyArray<TableFacts>

beforeAll(async () => {
  database = await open()
  client = new pg.Client(database.nodePostgres)
  await client.connect()
  tables = await Effect.runPromise(
    TransferRepository.use((repository) => repository.tables).pipe(
      Effect.provide(TransferRepository.layer.pipe(Layer.provide(Database.layer(database.connection))))
    )
  )
})
afterAll(async () => {
  await client.end()
  await database.close()
})

const named = (name: string) => tables.find((table) => table.name === name)
const columnNames = (name: string) => (named(name)?.columns ?? []).map((column) => column.name)

describe("the tables of the schema", () => {
  it("are all carried or left out with a reason: a new one of the installation is decided on here", () => {
    const ofNoStore = platformTables.filter((name) => !columnNames(name).includes("store_id") && name !== "store")
    expect(ofNoStore.filter((name) => leftOut[name] === undefined)).toEqual([])
    for (const name of [
      ...Object.keys(leftOut),
      ...Object.keys(carried),
      ...Object.keys(carriedAnonymised),
      ...people.keys(),
      ...Object.keys(unsealed)
    ])
      expect(named(name)?.name, name).toBe(name)
    for (const name of [...Object.keys(carried), ...people.keys(), ...Object.keys(unsealed)])
      expect(leftOut[name], name).toBeUndefined()
  })

  it("that are left out are exactly these, which somebody has decided", () => {
    expect(Object.keys(leftOut).toSorted()).toEqual([
      "account",
      "api_key",
      "app_token",
      "catalog_version",
      "commerce_migration",
      "customer_token",
      "dashboard_reset",
      "dashboard_session",
      "dashboard_user",
      "email_pace",
      "event_listener",
      "event_listener_cursor",
      "export_job",
      "export_part",
      "idempotency",
      "oauth_used_state",
      "product_document",
      "product_import",
      "product_import_row",
      "product_listing",
      "product_stale",
      "provider_notice",
      "rate_window",
      "search_name",
      "search_word",
      "shared_size",
      "team_member",
      "webhook_delivery_count"
    ])
    expect(
      carriedTables(tables)
        .map(({ name }) => name)
        .toSorted()
    ).toEqual(tables.map(({ name }) => name).filter((name) => leftOut[name] === undefined))
  })

  it("come in an order in which each foreign key finds its row", () => {
    const order = carriedTables(tables).map(({ name }) => name)
    for (const { name, needs } of carriedTables(tables))
      for (const needed of needs)
        if (leftOut[needed] === undefined)
          expect([name, needed, order.indexOf(needed) < order.indexOf(name)]).toEqual([name, needed, true])
    expect(order[0]).toBe("store")
    expect(order.indexOf("stock_watch")).toBeGreaterThan(order.indexOf("stock"))
  })

  it("have a parent where a row names another of the same table", () => {
    expect(tables.flatMap(({ name, parent }) => (parent === null ? [] : [[name, parent]]))).toEqual([
      ["category", "parent_id"],
      ["provider_operation", "charge_id"]
    ])
  })

  it("have the columns that are given other values", () => {
    for (const { name } of carriedTables(tables))
      for (const column of [...Object.keys(carriedOf(name, true).set ?? {}), ...(carriedOf(name, true).without ?? [])])
        expect([name, columnNames(name).includes(column), column]).toEqual([name, true, column])
  })
})

/** Columns that may hold what somebody has written. */
const mayTell = ({ name, type }: TableFacts["columns"][number]) =>
  ["text", "text[]", "jsonb", "bytea"].includes(type) && name !== "id" && !name.endsWith("_id")

/** What is carried of these names no person: their rows are the merchant's, or ids and numbers alone. */
const ofNobody = [
  "app_installation",
  "app_secret",
  "attribute",
  "attribute_option",
  "brand",
  "bundle_offer",
  "category",
  "checkout_field",
  "coupon_conflict",
  "email_domain",
  "email_template",
  "event_feed",
  "fulfilment_item",
  "fx_rate",
  "gift_card_hold",
  "invoice_counter",
  "kit_component",
  "loyalty_account",
  "loyalty_hold",
  "loyalty_order",
  "loyalty_program",
  "loyalty_referral",
  "media_storage",
  "metafield_conflict",
  "metafield_definition",
  "metafield_definition_product",
  "metafield_value",
  "modifier",
  "modifier_group",
  "newsletter_benefit",
  "oauth_provider",
  "order_adjustment",
  "order_counter",
  "order_status_label",
  "payment_provider",
  "payment_provider_store",
  "product",
  "product_attribute",
  "product_brand",
  "product_category",
  "product_modifier_group",
  "product_rating",
  "product_slug",
  "product_variant",
  "promotion",
  "redemption",
  "redemption_counter",
  "refund_item",
  "region",
  "region_country",
  "reservation",
  "sales_channel",
  "shipping_class",
  "shipping_rate",
  "shipping_zone",
  "stock",
  "stock_watch",
  "store",
  "tax_class",
  "tax_rate"
]

describe("columns of people", () => {
  it("are all declared: a new column of a table with people fails here until it is", () => {
    const undeclared = [...people].flatMap(([table, rules]) =>
      (named(table)?.columns ?? [])
        .filter((column) => mayTell(column) && !rules.has(column.name))
        .map((column) => `${table}.${column.name}`)
    )
    expect(undeclared).toEqual([])
    const gone = [...people].flatMap(([table, rules]) =>
      [...rules.keys()].filter((name) => !columnNames(table).includes(name)).map((name) => `${table}.${name}`)
    )
    expect(gone).toEqual([])
  })

  it("are in declared tables: a new table is declared, or added to those that name nobody", () => {
    const names = carriedTables(tables).map(({ name }) => name)
    expect(names.filter((name) => !people.has(name)).toSorted()).toEqual(ofNobody)
  })
})
