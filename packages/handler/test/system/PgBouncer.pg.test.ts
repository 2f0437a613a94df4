/** Two instances through PgBouncer in transaction mode, which gives each transaction any of a few sessions, under load. */
import {
  pgBouncerProgram,
  sayWithoutPgBouncer,
  startTestPgBouncer,
  type TestPgBouncer
} from "@effect-commerce/core/testservers/TestPgBouncer"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import type { Commerce } from "../../src/createCommerce.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { addressIn, shopperOf } from "../Shopper.ts"

sayWithoutPgBouncer("nobody has sold anything through it")

/** Sessions that everything of both instances shares. */
const sessions = 6
const purchases = 40

describe.skipIf(pgBouncerProgram === undefined)("through PgBouncer in transaction mode", () => {
  let bouncer: TestPgBouncer
  let shop: TestCommerce
  let twin: Commerce
  beforeAll(async () => {
    bouncer = await startTestPgBouncer(sessions)
    shop = await openTestCommerce({
      reach: async ({ connection }) => ({
        connection: bouncer.connectionTo(String(connection.database)),
        direct: connection
      })
    })
    twin = await shop.openTwin()
  })
  afterAll(async () => {
    await shop?.close()
    await bouncer?.close()
  })

  const on =
    (commerce: Commerce) =>
    async (method: string, path: string, body?: object, headers = {}) => {
      const answer = await commerce.fetch(
        new Request(`http://commerce.test/api${path}`, {
          method,
          headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
          ...(body === undefined ? {} : { body: JSON.stringify(body) })
        })
      )
      const text = await answer.text()
      return { status: answer.status, text, body: text === "" ? undefined : JSON.parse(text) }
    }

  /** From an empty cart to the order. Each request goes to the other instance. */
  const buy = async (i: number, productId: string): Promise<number> => {
    let turn = i
    const ask = (method: string, path: string, body?: object, headers = {}) =>
      on(turn++ % 2 === 0 ? shop.commerce : twin)(method, `/vc/${shop.channelId}${path}`, body, headers)
    const cart = await ask("POST", "/cart")
    const added = await ask("POST", `/cart/${cart.body.id}/items`, { productId, quantity: 1 })
    const checkout = await ask("POST", "/checkout", { cartId: cart.body.id })
    const id = String(checkout.body.id)
    const customer = await ask("PATCH", `/checkout/${id}/customer`, {
      email: `a${i}@example.com`,
      firstName: "A",
      lastName: "B"
    })
    const shipped = await ask("PATCH", `/checkout/${id}/shipping`, { shippingAddress: addressIn("CA", "94105") })
    const done = await ask(
      "POST",
      `/checkout/${id}/complete`,
      { paymentMethod: "manual" },
      { "idempotency-key": `k${i}` }
    )
    const answers = [cart, added, checkout, customer, shipped, done]
    expect(answers.filter(({ status }) => status >= 300).map(({ text }) => text)).toEqual([])
    return done.status
  }

  it("sells, shows the catalogue, writes products and calls listeners, all at once, without an error", async () => {
    const shopper = shopperOf(shop)
    const productId = await shopper.product({ stock: purchases })
    const heard: Array<string> = []
    await shop.commerce.events.on("order.created", ({ data }) => void heard.push(data.order.id))
    const reads = async (i: number) => {
      const paths = [
        "/products",
        `/products/${productId}`,
        "/categories",
        `/products?search=lamp&page=${1 + (i % 3)}`,
        "/brands"
      ]
      const answer = await on(i % 2 === 0 ? twin : shop.commerce)(
        "GET",
        `/vc/${shop.channelId}${paths[i % paths.length]}`
      )
      return answer.status
    }
    const lookAround = async (shopper: number) => {
      const statuses: Array<number> = []
      for (let i = 0; i < 25; i++) statuses.push(await reads(shopper + i))
      return statuses
    }
    const writes = async (i: number) =>
      (
        await on(i % 2 === 0 ? shop.commerce : twin)(
          "POST",
          "/v1/products",
          { name: `Lamp ${i}`, basePrice: "5.00", status: "active", inventory: { total: 1 } },
          { authorization: `Bearer ${shop.apiKey}` }
        )
      ).status
    const [bought, read, written] = await Promise.all([
      Promise.all(Array.from({ length: purchases }, (_, i) => buy(i, productId))),
      // Eight shoppers who look at one page after another: more searches of a store at once are refused as too many.
      Promise.all(Array.from({ length: 8 }, (_, shopper) => lookAround(shopper))),
      Promise.all(Array.from({ length: 40 }, (_, i) => writes(i)))
    ])
    expect(bought).toEqual(Array.from({ length: purchases }, () => 200))
    expect([...new Set(read.flat())]).toEqual([200])
    expect([...new Set(written)]).toEqual([201])
    const orders = await shop.call("GET", "/v1/orders?limit=1")
    expect(orders.body.meta.total).toBe(purchases)
    await vi.waitFor(() => expect(new Set(heard).size).toBe(purchases), 60_000)
    expect(heard.length).toBe(purchases)
  })

  it("leaves nothing in the sessions that others are given: no setting, statement, lock, listener or table", async () => {
    const {
      host,
      port,
      username: user,
      database
    } = bouncer.connectionTo(String(shop.database.connection.database)) as {
      readonly host: string
      readonly port: number
      readonly username: string
      readonly database: string
    }
    const clients = Array.from({ length: sessions }, () => new pg.Client({ host, port, user, database }))
    for (const client of clients) await client.connect()
    // As many transactions as there are sessions: each holds another one.
    for (const client of clients) await client.query("BEGIN")
    const left = await Promise.all(
      clients.map(async (client) => {
        const { rows } = await client.query(`SELECT current_user = session_user AS "isItself",
          coalesce(current_setting('app.store_id', true), '') AS store,
          current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
          current_setting('idle_in_transaction_session_timeout') AS idle,
          (SELECT count(*)::int FROM pg_prepared_statements) AS prepared,
          (SELECT count(*)::int FROM pg_listening_channels()) AS listening,
          (SELECT count(*)::int FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()) AS locks,
          pg_my_temp_schema()::int AS temporary, (SELECT count(*)::int FROM pg_cursors) AS cursors`)
        return rows[0]
      })
    )
    for (const client of clients) await client.query("COMMIT")
    for (const client of clients) await client.end()
    expect(left).toEqual(
      Array.from({ length: sessions }, () => ({
        isItself: true,
        store: "",
        statement: "0",
        lock: "0",
        idle: "0",
        prepared: 0,
        listening: 0,
        locks: 0,
        temporary: 0,
        cursors: 0
      }))
    )
  })
})
