import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { rowsOf } from "../customer/SignedIn.ts"

/**
 * How many of a thing a store may have: the last place is taken once, also by two at once, and the next is refused by
 * name.
 */
let shop: TestCommerce
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
})
afterAll(() => shop.close())

interface Collection {
  readonly thing: string
  readonly most: number
  readonly path: string
  /** Fills a store with `n` of them. */
  readonly fill: string
  readonly body: (name: string) => object
  readonly status?: number
}

const collections: ReadonlyArray<Collection> = [
  {
    thing: "categories",
    most: 5_000,
    path: "/v1/categories",
    fill: "INSERT INTO category (store_id, id, name, slug, created_at, updated_at) SELECT $1, 'cat_' || n, 'C', 'c-' || n, now(), now() FROM generate_series(1, $2::int) n",
    body: (name) => ({ name })
  },
  {
    thing: "salesChannels",
    most: 200,
    path: "/v1/sales-channels",
    // One is there from the beginning.
    fill: "INSERT INTO sales_channel (store_id, id, name, created_at, updated_at) SELECT $1, 'vc_' || n, 'C', now(), now() FROM generate_series(2, $2::int) n",
    body: (name) => ({ name })
  },
  {
    thing: "webhookSubscriptions",
    most: 100,
    path: "/v1/webhook-subscriptions",
    fill: `INSERT INTO webhook_subscription (store_id, id, url, events, is_active, secret, secret_prefix, created_at, updated_at)
      SELECT $1, 'whs_' || n, 'https://example.com', '{*}', false, 's', 'p', now(), now() FROM generate_series(1, $2::int) n`,
    body: () => ({ url: "https://93.184.216.34/hook", events: ["order.created"] })
  },
  {
    thing: "emailTemplates",
    most: 1_000,
    path: "/v1/email/templates",
    fill: `INSERT INTO email_template (store_id, id, name, event_type, language, subject, html_content, is_active, created_at, updated_at)
      SELECT $1, 'tmpl_' || n, 'T', 'NEW_CUSTOMER', 'en', 'S', 'H', false, now(), now() FROM generate_series(1, $2::int) n`,
    body: (name) => ({
      name,
      eventType: "NEW_CUSTOMER",
      language: "en",
      subject: "S",
      htmlContent: "H",
      isActive: false
    })
  },
  {
    thing: "taxClasses",
    most: 1_000,
    path: "/v1/tax/classes",
    fill: "INSERT INTO tax_class (store_id, id, name, created_at, updated_at) SELECT $1, 'taxclass_' || n, 'T' || n, now(), now() FROM generate_series(1, $2::int) n",
    body: (name) => ({ name })
  },
  {
    thing: "shippingClasses",
    most: 1_000,
    path: "/v1/shipping/classes",
    fill: `INSERT INTO shipping_class (store_id, id, name, slug, created_at, updated_at)
      SELECT $1, 'shipclass_' || n, 'S' || n, 's-' || n, now(), now() FROM generate_series(1, $2::int) n`,
    body: (name) => ({ name })
  },
  {
    thing: "modifierGroups",
    most: 500,
    path: "/v1/modifier-groups",
    fill: `INSERT INTO modifier_group (store_id, id, name, selection_type, min_selections, required, free_quantity,
        free_allocation_policy, status, created_at, updated_at)
      SELECT $1, 'modgrp_' || n, 'G', 'MULTIPLE', 0, false, 0, 'CHEAPEST_FREE', 'active', now(), now()
      FROM generate_series(1, $2::int) n`,
    body: (name) => ({ name, selectionType: "MULTIPLE" })
  },
  {
    thing: "imports",
    most: 50,
    path: "/v1/products/bulk",
    fill: "INSERT INTO product_import (store_id, id, created_at) SELECT $1, 'job_' || n, now() FROM generate_series(1, $2::int) n",
    body: (name) => ({ products: [{ name }] }),
    status: 202
  },
  {
    thing: "apiKeys",
    most: 500,
    path: "/v1/api-keys",
    // One is there from the beginning; what has ended or was revoked does not count.
    fill: `INSERT INTO api_key (id, account_id, store_id, name, key_hash, key_prefix, scopes, expires_at, revoked_at, created_at, updated_at)
      SELECT 'key_' || n || s.id, s.account_id, s.id, 'K', 'hash' || n || s.id, 'svc_', '{orders:read}', CASE WHEN n > 1000 THEN now() END,
        CASE WHEN n < 0 THEN now() END, now(), now()
      FROM store s, (SELECT generate_series(2, $2::int) n UNION SELECT generate_series(-600, -1) UNION SELECT generate_series(1001, 1600)) n WHERE s.id = $1`,
    body: (name) => ({ name, scopes: ["orders:read"] })
  }
]

describe("how many of a thing a store may have", () => {
  it.each(collections)(
    "$most $thing, also where two are made at once",
    async ({ thing, most, path, fill, body, status = 201 }) => {
      const store = await shop.openStore()
      await rowsOf(shop, fill, [store.storeId, most - 1])
      const create = (name: string) => shop.call("POST", path, { key: store.apiKey, body: body(name) })
      const both = await Promise.all([create("one"), create("two")])
      const [made, refused] = both.toSorted((a, b) => a.status - b.status)
      expect([made?.status, refused?.status, refused?.body.code]).toEqual([status, 400, "VALIDATION_FAILED"])
      expect(Object.keys(refused?.body.details.errors)).toEqual([thing])
      expect(refused?.body.details.errors[thing]).toContain(`there are ${most} `)
      // Another store has room of its own.
      expect((await shop.call("POST", path, { body: body("elsewhere") })).status).toBe(status)
    }
  )

  it("counts a key that is rotated as one where the old one ends at once, and as two where it goes on", async () => {
    const store = await shop.openStore()
    await rowsOf(shop, collections.at(-1)?.fill ?? "", [store.storeId, 500])
    const rotate = (body: object) =>
      shop.call("POST", `/v1/api-keys/key_2${store.storeId}/rotate`, { key: store.apiKey, body })
    expect((await rotate({ overlapHours: 1 })).body.details.errors).toEqual({
      apiKeys: "there are 500 API keys, which is the most"
    })
    expect((await rotate({ overlapHours: 0 })).status).toBe(200)
    const { body } = await shop.call("GET", "/v1/api-keys?limit=1", { key: store.apiKey })
    expect(body.meta.total).toBe(500 + 600 + 1)
  })

  it("bounds the name of a key and its scopes", async () => {
    const create = (body: object) => shop.call("POST", "/v1/api-keys", { body })
    const scopes = ["orders:read"]
    expect((await create({ name: "k".repeat(200), scopes: Array(200).fill("orders:read") })).body.scopes).toEqual(
      scopes
    )
    expect((await create({ name: "k".repeat(201), scopes })).body.details.errors).toHaveProperty("name")
    expect((await create({ name: "k", scopes: Array(201).fill("orders:read") })).body.details.errors).toHaveProperty(
      "scopes"
    )
  })
})
