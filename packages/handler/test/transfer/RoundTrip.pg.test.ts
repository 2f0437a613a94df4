/** A store goes to another database whole, by its file, and sells there. */
import type { Imported } from "@effect-commerce/core/transfer/StoreImport"
import { type MemoryObjectStore, memoryObjectStore } from "@effect-commerce/core/testing/MemoryObjectStore"
import { Redacted } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { customersOf, goodPassword } from "../customer/SignedIn.ts"
import { shopperOf } from "../Shopper.ts"
import {
  exported,
  fillWithPeople,
  findingsIn,
  imported,
  keyOf,
  linesOf,
  openClient,
  person,
  rowsIn,
  tablesIn,
  told
} from "./transferShops.ts"

/** As an installation of the same root secret, and one of another. */
let shop: TestCommerce
let same: TestCommerce
let other: TestCommerce
let made: Awaited<ReturnType<typeof fillWithPeople>>
let file: string
const ours = memoryObjectStore()
const theirs = memoryObjectStore()

beforeAll(async () => {
  shop = await openTestCommerce({ media: { store: ours } })
  same = await openTestCommerce({ media: { store: theirs } })
  other = await openTestCommerce({ secret: Redacted.make("another root secret, of 32 bytes and more") })
  made = await fillWithPeople(shop)
  const client = await openClient(shop)
  await client.rows(
    `INSERT INTO api_key (id, account_id, name, key_hash, key_prefix, scopes, created_at)
      VALUES ('key_all', $1, 'All stores', 'none', 'none', '{}', now())`,
    [shop.accountId]
  )
  await client.end()
  file = await exported(shop, { media: true })
})
afterAll(async () => {
  await shop.close()
  await same.close()
  await other.close()
})

const hexOf = (store: MemoryObjectStore, key: string) => Buffer.from(store.objects.get(key) ?? []).toString("hex")

/** Without what names the moment or the whole of a file. */
const carriedRows = (text: string) => linesOf(text).filter((line) => line.table !== undefined)

describe("a store that moves to an installation with the same root secret", () => {
  it("arrives with every row that it had, in the account that is named", async () => {
    const done = await imported(same, file, same.accountId)
    expect(done).toMatchObject({ id: shop.storeId, accountId: same.accountId, name: "Test store", anonymised: false })
    expect(carriedRows(await exported(same, { storeId: shop.storeId, media: true }))).toEqual(carriedRows(file))
    expect(done.rows["orders"]).toBe(rowsIn(file, "orders").length)
    expect(done.rows["orders"]).toBeGreaterThan(2)
    expect(tablesIn(file).length).toBeGreaterThan(60)
  })

  it("lists what is to be made again: keys and tokens, and nothing that is sealed", async () => {
    const header = JSON.parse(file.slice(0, file.indexOf("\n")))
    expect(header.again).toContainEqual({ what: "API key", name: "test" })
    expect(header.again).toContainEqual({ what: "API key of the whole account", name: "All stores" })
    expect(header.again).toContainEqual({ what: "token of the app", name: "Connector" })
    expect(header.sealed.map(({ what }: { readonly what: string }) => what)).toEqual(
      expect.arrayContaining([
        "credentials of the payment provider",
        "client secret of the login provider",
        "secret of the webhook subscription",
        "domain that mails come from",
        "secrets of the app",
        "gift cards, whose codes are found by the root secret"
      ])
    )
    expect(file).not.toContain(shop.apiKey)
    expect(tablesIn(file)).not.toEqual(expect.arrayContaining(["api_key"]))
  })

  it("brings the bytes of its files", () => {
    const keys = [...ours.objects.keys()].filter((key) => rowsIn(file, "media_file").some((row) => row["key"] === key))
    expect(keys.length).toBeGreaterThan(0)
    for (const key of keys) expect(hexOf(theirs, key)).toBe(hexOf(ours, key))
  })

  it("keeps the books in order on both sides", async () => {
    expect(await findingsIn(shop)).toEqual([])
    expect(await findingsIn(same)).toEqual([])
  })

  it("sells there: its shoppers, products, stock and numbers go on", async () => {
    const there = { ...shop, call: same.call, run: same.run }
    const customers = customersOf(there as TestCommerce)
    expect((await customers.login(person.email)).status).toBe(200)
    const shopper = shopperOf(there as TestCommerce)
    const before = Math.max(...rowsIn(file, "orders").map((row) => Number(row["order_number"])))
    const listed = await same.call("GET", `/vc/${shop.channelId}/products?search=Lamp`)
    expect(listed.body.data.length, listed.text).toBeGreaterThan(0)
    const checkout = await shopper.checkout(await shopper.cart([made.lamp, 1]))
    const done = await shopper.complete(checkout, "there", { paymentMethod: "test", paymentReference: "approve" })
    expect(done.status, done.text).toBe(200)
    const client = await openClient(same)
    const [order] = await client.rows("SELECT order_number FROM orders WHERE id = $1", [done.body.orderId])
    expect(Number(order?.["order_number"])).toBe(before + 1)
    await client.end()
    expect(await findingsIn(same)).toEqual([])
  })

  it("tells nobody twice: every event was relayed, and no mail and no delivery is due", async () => {
    const fresh = await openTestCommerce({ role: "api" })
    await imported(fresh, file)
    const client = await openClient(fresh)
    const count = async (sql: string) => Number((await client.rows(sql, [shop.storeId]))[0]?.["n"])
    expect(await count("SELECT count(*) AS n FROM event WHERE store_id = $1 AND relayed_at IS NULL")).toBe(0)
    expect(await count("SELECT count(*) AS n FROM event WHERE store_id = $1")).toBe(rowsIn(file, "event").length)
    expect(await count("SELECT count(*) AS n FROM email_message WHERE store_id = $1 AND status = 'QUEUED'")).toBe(0)
    expect(await count("SELECT count(*) AS n FROM webhook_delivery WHERE store_id = $1 AND due_at IS NOT NULL")).toBe(0)
    await client.end()
    await fresh.close()
  })

  it("goes on numbering events: receivers see the same sequences, and a greater one with each new event", async () => {
    const before = rowsIn(file, "event").map((row) => Number(row["seq"]))
    const client = await openClient(same)
    const numbers = async () =>
      (await client.rows("SELECT seq FROM event WHERE store_id = $1 ORDER BY seq", [shop.storeId])).map(({ seq }) =>
        Number(seq)
      )
    const arrived = await numbers()
    expect(arrived.slice(0, before.length)).toEqual(before)
    expect(before.length).toBeGreaterThan(10)
    // Of events that were written there since, by whichever store.
    const last = Math.max(...before)
    expect(arrived.slice(before.length).every((seq) => seq > last)).toBe(true)
    const written = await client.rows(
      "SELECT number_events_after($1) AS high, number_events_after(5) AS low, number_events_after($2) AS none",
      [last + 5_000_000, "4503599627370497"]
    )
    expect(written).toEqual([{ high: true, low: true, none: false }])
    const product = await same.call("POST", "/v1/products", { body: { name: "Later" } })
    expect(product.status, product.text).toBe(201)
    const [newest] = await client.rows("SELECT max(seq) AS seq FROM event")
    expect(Number(newest?.["seq"])).toBeGreaterThan(last + 5_000_000)
    expect(Number(newest?.["seq"])).toBeLessThan(last + 5_002_000)
    await client.end()
  })

  it("numbers events that were not relayed yet behind the others, in the order in which they were written", async () => {
    const quiet = await openTestCommerce({ role: "api" })
    for (const price of ["1.00", "2.00", "3.00", "4.00"]) {
      const order = await quiet.call("POST", "/v1/orders", { body: { items: [{ name: "X", price, quantity: 1 }] } })
      expect(order.status, order.text).toBe(201)
    }
    const events = rowsIn(await exported(quiet), "event")
    const client = await openClient(quiet)
    const stored = await client.rows("SELECT id, relayed_at FROM event WHERE store_id = $1 ORDER BY seq", [
      quiet.storeId
    ])
    await client.end()
    expect(stored.length).toBeGreaterThan(3)
    expect(stored.every((row) => row["relayed_at"] === null)).toBe(true)
    expect(events.map((row) => row["id"])).toEqual(stored.map((row) => row["id"]))
    expect(events.map((row) => Number(row["position"]))).toEqual(events.map((_, i) => i + 1))
    expect(events.every((row) => row["relayed_at"] !== null)).toBe(true)
    await quiet.close()
  })
})

describe("an export", () => {
  it("reads two megabytes at once, or one larger row, however the sizes of rows jump", async () => {
    const { storeId } = await shop.openStore()
    const client = await openClient(shop)
    await client.rows(
      `INSERT INTO event (store_id, id, type, data, created_at, relayed_at, "position")
        SELECT $1, 'evt_' || lpad(n::text, 32, '0'), 'order.created', jsonb_build_object('text', repeat('x',
          CASE WHEN n % 1000 > 900 THEN 1048576 WHEN n = 500 THEN 3000000 ELSE 90 END)), now(), now(), n
        FROM generate_series(1, 912) n`,
      [storeId]
    )
    await client.end()
    const parts: Array<string> = []
    await exported(shop, { storeId, parts })
    const many = parts.filter((part) => part.trimEnd().includes("\n"))
    expect(Math.max(...many.map((part) => part.length))).toBeLessThan(2.2 * 1_048_576)
    expect(many.length).toBeGreaterThan(10)
    expect(parts.filter((part) => part.length > 2_900_000)).toHaveLength(1)
    expect(rowsIn(parts.join(""), "event")).toHaveLength(912)
  })

  it("lists two hundred things to be made again, and says how many more there are", async () => {
    const { storeId } = await shop.openStore()
    const client = await openClient(shop)
    await client.rows(
      `INSERT INTO api_key (id, account_id, store_id, name, key_hash, key_prefix, scopes, created_at)
        SELECT 'key_' || n, account_id, id, 'Key ' || n, 'hash ' || n, 'none', '{}', now()
        FROM store, generate_series(1, 210) n WHERE id = $1`,
      [storeId]
    )
    const [live] = await client.rows(
      `SELECT count(*) AS n FROM api_key k JOIN store s ON s.id = $1 AND s.account_id = k.account_id
        WHERE revoked_at IS NULL AND (store_id = $1 OR store_id IS NULL)`,
      [storeId]
    )
    await client.end()
    const [header = ""] = (await exported(shop, { storeId })).split("\n")
    const { again } = JSON.parse(header)
    expect(again).toHaveLength(201)
    expect(again.at(-1)).toEqual({ what: "and more of these", name: String(Number(live?.["n"]) - 200) })
  })

  it("says how many payments are under way, and of made-up people none", async () => {
    const { underWay: before } = await told(shop)
    const shopper = shopperOf(shop)
    const checkout = await shopper.checkout(await shopper.cart([made.lamp, 1]))
    const begun = await shopper.complete(checkout, "waits", { paymentMethod: "test", paymentReference: "redirect" })
    expect(begun.body.details).toMatchObject({ reason: "awaiting_shopper" })
    expect((await told(shop)).underWay).toEqual({ ...before, awaitingShopper: before.awaitingShopper + 1 })
    const copy = await told(shop, { anonymised: true })
    expect(copy.underWay).toEqual({ calling: 0, awaitingShopper: 0, unsettled: 0 })
  })
})

describe("a store that moves to an installation with another root secret", () => {
  let done: Imported

  it("comes without what does not open there, switched off, and says what is to be set again", async () => {
    done = await imported(other, file)
    expect(done.accountId).not.toBe(other.accountId)
    expect(done.again.map(({ what }) => what)).toEqual(
      expect.arrayContaining(["API key", "secret of the webhook subscription", "domain that mails come from"])
    )
    const client = await openClient(other)
    const rows = (sql: string) => client.rows(sql, [shop.storeId])
    expect(await rows("SELECT is_active FROM webhook_subscription WHERE store_id = $1")).toEqual([{ is_active: false }])
    const providers = "SELECT DISTINCT is_enabled, credentials FROM payment_provider WHERE store_id = $1"
    expect(await rows(providers)).toEqual([{ is_enabled: false, credentials: null }])
    for (const table of ["oauth_provider", "email_domain", "app_secret"])
      expect(await rows(`SELECT 1 FROM ${table} WHERE store_id = $1`), table).toEqual([])
    await client.end()
    expect(await findingsIn(other)).toEqual([])
  })

  it("seals a new secret for a webhook subscription, which can be rotated and switched on", async () => {
    const key = await keyOf(other, done, ["webhooks:*"])
    const [hook] = (await other.call("GET", "/v1/webhook-subscriptions", { key })).body.data
    const rotated = await other.call("POST", `/v1/webhook-subscriptions/${hook.id}/rotate-secret`, { key })
    expect(rotated.status, rotated.text).toBe(200)
    const tested = await other.call("POST", `/v1/webhook-subscriptions/${hook.id}/test`, { key, body: {} })
    expect(tested.status, tested.text).toBe(200)
  })

  it("gives each app a token that nobody knows, until it is renewed", async () => {
    const client = await openClient(other)
    const tokens = await client.rows("SELECT token_hash FROM app_token WHERE store_id = $1", [shop.storeId])
    const old = await openClient(shop)
    const before = await old.rows("SELECT token_hash FROM app_token WHERE store_id = $1", [shop.storeId])
    expect(tokens.length).toBe(1)
    expect(tokens).not.toEqual(before)
    for (const { token_hash } of before) expect(file).not.toContain(String(token_hash))
    await client.end()
    await old.end()
  })

  it("lets customers in by their passwords", async () => {
    const at = `/vc/${shop.channelId}/customers/login`
    const login = await other.call("POST", at, { body: { email: person.email, password: goodPassword } })
    expect(login.status, login.text).toBe(200)
  })
})
