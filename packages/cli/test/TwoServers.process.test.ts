/** The promises that must hold whichever process answers, over two real server processes on one data directory. */
import * as EmbeddedPostgres from "@effect-commerce/core/embedded/EmbeddedPostgres"
import { nodePostgresConfig } from "@effect-commerce/core/database/ConnectionOptions"
import { Effect, Exit, Scope } from "effect"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { commerce, folder, type Serving, serving } from "./runCli.ts"

interface Answer {
  readonly status: number
  readonly text: string
  readonly headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads any path of any answer
  readonly body: any
}

const data = folder()
const scope = Effect.runSync(Scope.make())
let servers: ReadonlyArray<Serving> = []
let client: InstanceType<typeof pg.Client>
let shop: { readonly storeId: string; readonly salesChannelId: string; readonly apiKey: string }

beforeAll(async () => {
  shop = JSON.parse((await commerce(["init", "--data-dir", data.path, "--json"])).out)
  const unlimited = { COMMERCE_RATE_LIMIT_PER_MINUTE: "off" }
  servers = await Promise.all([
    serving(["--data-dir", data.path], unlimited),
    serving(["--data-dir", data.path], unlimited)
  ])
  const { connection } = await Effect.runPromise(Scope.provide(EmbeddedPostgres.start({ dataDir: data.path }), scope))
  client = new pg.Client(nodePostgresConfig(connection))
  await client.connect()
})
afterAll(async () => {
  await client?.end()
  await Promise.all(servers.map((server) => server.end("SIGTERM")))
  await Effect.runPromise(Scope.close(scope, Exit.void))
  data.remove()
})

/** To the first server for even `turn`s, to the second for odd ones. */
const send = async (
  turn: number,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {}
): Promise<Answer> => {
  const answer = await fetch(`${servers[turn % 2]?.url}${path}`, {
    method,
    headers: { "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const text = await answer.text()
  return { status: answer.status, text, headers: answer.headers, body: JSON.parse(text) }
}
const admin = (method: string, path: string, body?: unknown) =>
  send(0, method, path, body, { "x-api-key": shop.apiKey })
const one = async (sql: string, ...values: ReadonlyArray<unknown>) => (await client.query(sql, [...values])).rows[0]

const address = {
  firstName: "Ada",
  lastName: "Byron",
  line1: "1 Main St",
  city: "Town",
  region: "CA",
  postalCode: "94105",
  country: "US"
}

const product = async (name: string, total: number): Promise<string> => {
  const made = await admin("POST", "/v1/products", {
    name,
    basePrice: "10.00",
    status: "active",
    inventory: { trackingMode: "TRACKED", total }
  })
  expect([made.status, made.text]).toEqual([201, made.text])
  return made.body.id
}

/** A checkout of one unit that lacks nothing but its completion; each step goes to the other server. */
const checkout = async (productId: string, turn: number): Promise<string> => {
  const at = `/vc/${shop.salesChannelId}`
  const cart = await send(turn, "POST", `${at}/cart`, {})
  await send(turn + 1, "POST", `${at}/cart/${cart.body.id}/items`, { productId, quantity: 1 })
  const made = await send(turn, "POST", `${at}/checkout`, { cartId: cart.body.id })
  await send(turn + 1, "PATCH", `${at}/checkout/${made.body.id}/customer`, { email: "ada@example.com" })
  const ready = await send(turn, "PATCH", `${at}/checkout/${made.body.id}/shipping`, { shippingAddress: address })
  if (ready.status !== 200) throw new Error(ready.text)
  return made.body.id
}
const checkouts = async (productId: string, count: number): Promise<ReadonlyArray<string>> => {
  const ids: Array<string> = []
  for (let i = 0; i < count; i += 20)
    ids.push(
      ...(await Promise.all(Array.from({ length: Math.min(20, count - i) }, (_, j) => checkout(productId, i + j))))
    )
  return ids
}
const complete = (turn: number, id: string, key: string) =>
  send(turn, "POST", `/vc/${shop.salesChannelId}/checkout/${id}/complete`, {}, { "idempotency-key": key })

describe("two server processes on one data directory", () => {
  it("sell seven units to two hundred buyers at once as exactly seven orders, and tell everybody else that nothing is left", async () => {
    const lamp = await product("The last lamps", 7)
    const ids = await checkouts(lamp, 200)
    const answers = await Promise.all(ids.map((id, i) => complete(i, id, `race-${i}`)))

    const sold = answers.filter((answer) => answer.status === 200)
    const refused = answers.filter((answer) => answer.status !== 200)
    expect([sold.length, refused.length]).toEqual([7, 193])
    const allowed = ["400 INSUFFICIENT_STOCK", "409 OUT_OF_STOCK"]
    expect(
      refused.map(({ status, body }) => `${status} ${body.code}`).filter((told) => !allowed.includes(told))
    ).toEqual([])
    expect(sold.map(({ body }) => Number(body.orderNumber.slice(1))).sort((a, b) => a - b)).toEqual([
      1001, 1002, 1003, 1004, 1005, 1006, 1007
    ])

    const { body: inventory } = await admin("GET", `/v1/products/${lamp}/inventory`)
    expect([inventory.total, inventory.reserved, inventory.available]).toEqual([0, 0, 0])
    expect((await admin("GET", "/v1/orders?limit=100")).body.meta.total).toBe(7)
    expect(
      await one(
        "SELECT count(*)::int AS n, count(DISTINCT data->>'orderId')::int AS orders FROM event WHERE type = 'order.created'"
      )
    ).toEqual({
      n: 7,
      orders: 7
    })
    expect(await one("SELECT sum(delta)::int AS left FROM stock_movement WHERE key = $1", lamp)).toEqual({ left: 0 })
  })

  it("run one completion once for one key sent two hundred times at once, and answer its twins with the same bytes or 409", async () => {
    const lamp = await product("Storm lamp", 50)
    const [id = ""] = await checkouts(lamp, 1)
    const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => complete(i, id, "storm")))

    const done = answers.filter((answer) => answer.status === 200)
    const twins = answers.filter((answer) => answer.status !== 200)
    expect(done.length).toBeGreaterThanOrEqual(1)
    expect(new Set(done.map((answer) => answer.text)).size).toBe(1)
    expect(done.filter((answer) => answer.headers.get("idempotency-replayed") === null).length).toBe(1)
    expect(
      twins.filter(
        (answer) =>
          !(answer.status === 409 && answer.body.code === "CONFLICT" && answer.headers.get("retry-after") === "1")
      )
    ).toEqual([])

    const later = await Promise.all([complete(0, id, "storm"), complete(1, id, "storm")])
    expect(later.map((answer) => [answer.status, answer.text])).toEqual([
      [200, done[0]?.text],
      [200, done[0]?.text]
    ])
    const orderId: string = done[0]?.body.orderId
    expect(await one("SELECT count(*)::int AS n FROM orders WHERE checkout_id = $1", id)).toEqual({ n: 1 })
    expect(
      await one("SELECT count(*)::int AS n FROM event WHERE type = 'order.created' AND data->>'orderId' = $1", orderId)
    ).toEqual({ n: 1 })
    expect((await admin("GET", `/v1/products/${lamp}/inventory`)).body.available).toBe(49)
  })
})
