/**
 * What the baseline is measured against: node:http, node-postgres, the same statements in the same transactions, and
 * nothing else. It checks nothing and returns the rows as they are; what an order's statements need is a fixed text
 * with new ids. `loop` runs the same without HTTP.
 */
import { randomUUID } from "node:crypto"
import { createServer } from "node:http"
import { Pool, type PoolClient } from "pg"
import { type BaselineOptions, type Line, makeEventId, makeId, makeWaker, statements, transaction } from "./baseline.ts"

export interface BareOptions extends BaselineOptions {
  readonly port: number
  readonly storeId: string
}

type Values = ReadonlyArray<unknown>
type Rows = ReadonlyArray<Readonly<Record<string, unknown>>>

const run = async (on: Pool | PoolClient, name: keyof typeof statements, values: Values): Promise<Rows> =>
  (await on.query({ name, text: statements[name], values })).rows

/** As long as what the product and the baseline write. */
const address =
  `{"firstName":"Ada","lastName":"Byron","company":null,"line1":"1 Main St","line2":null,"city":"San Francisco",` +
  `"region":"CA","postalCode":"94105","country":"US","phone":null,"lat":null,"lng":null}`
const taxes = `[{"rateId":"tax_01m7y5hek54pbbws1a6swdbnnn","name":"California","rate":"6","amount":"78"},{"rateId":"tax_01m7y5hek54pbbws1a6swdbnnm","name":"San Francisco","rate":"2.5","amount":"32"}]`
const breakdown = `{"subtotal":"28.14","shippingNet":"5.00","totalTax":"2.82","total":"35.96","pricesIncludeTax":false,"breakdown":[{"name":"California","rate":6,"amount":"1.99"},{"name":"San Francisco","rate":2.5,"amount":"0.83"}],"currency":"USD"}`
const history = `[{"from":null,"to":"PENDING","reason":null,"at":"2026-01-01T00:00:00.000Z"}]`
const selection = `{"carrier":null,"service":null,"methodName":"Standard","amount":"5.00","shippingRateId":"shiprate_01m7y5hekrvs47ykp6c9rz8s9y"}`
const snapshot = `{"order":{"padding":"${"x".repeat(2_800)}"}}`
const stockSnapshot = `{"productId":"prod_bench00000001","inventory":{"productId":"prod_bench00000001","trackingMode":"TRACKED","total":999998,"reserved":0,"available":999998,"lastInventorySyncAt":null,"variants":[]}}`

const eventRows = (...events: ReadonlyArray<readonly [type: string, data: string]>): string =>
  `[${events.map(([type, data]) => `{"id":"${makeEventId()}","type":"${type}","data":${data}}`).join(",")}]`

const makeOperations = (pool: Pool, storeId: string) => {
  const wake = makeWaker(pool)

  const complete = async (id: string, key: string) => {
    const now = Date.now()
    const at = new Date(now)
    const owner = randomUUID()
    await run(pool, "claim", [
      storeId,
      `guest:${id}`,
      key,
      "f".repeat(64),
      owner,
      new Date(now + 30_000),
      new Date(now + 86_400_000),
      at
    ])
    const answer = await transaction(pool, storeId, async (client) => {
      await run(client, "lockCartOfCheckout", [storeId, id])
      await run(client, "lockCheckout", [storeId, id])
      const [checkout] = await run(client, "checkout", [storeId, id])
      if (checkout === undefined) throw new Error(`no checkout ${id}`)
      const lines = checkout["lines"] as ReadonlyArray<Line>
      const orderId = makeId("ord", now)
      const wanted = lines.map(({ productId, variantId, quantity }) => ({
        productId,
        variantId,
        quantity,
        key: productId,
        movementId: makeId("mov", now)
      }))
      await run(client, "lockStock", [storeId, wanted.map((want) => want.key), null])
      await run(client, "takeStock", [JSON.stringify(wanted), storeId, null, orderId, at])
      await run(client, "events", [
        storeId,
        at,
        eventRows(["inventory.updated", stockSnapshot], ["inventory.updated", stockSnapshot])
      ])
      await run(client, "completeCheckout", [
        at,
        storeId,
        id,
        checkout["cart_id"],
        lines.map((line) => line.cartItemId)
      ])
      const items = lines.map(
        ({ id: lineId, productId, quantity }, position) =>
          `{"id":"${lineId}","position":${position},"productId":"${productId}","variantId":null,"sku":"SKU-1","name":"Product 1","image":"https://media.example/1.jpg","quantity":${quantity},"unitPrice":"648","subtotal":"1296","discount":"0","tax":"110","total":"1406","taxLines":${taxes},"metadata":{},"customizations":{}}`
      )
      const payments = `[{"id":"${makeId("pay", now)}","provider":"manual","method":"manual","reference":null,"status":"pending","amount":"3596","captured":"0"}]`
      const origin = [
        storeId,
        orderId,
        null,
        id,
        checkout["sales_channel_id"],
        null,
        null,
        "storefront",
        "PENDING",
        "pending",
        "unfulfilled",
        "USD"
      ]
      const amounts = [
        "2814",
        "0",
        "0",
        "500",
        "0",
        "282",
        "3596",
        "0",
        breakdown,
        null,
        "ada@example.com",
        `{"name":"Ada Byron","phone":null}`
      ]
      const rest = [
        address,
        address,
        selection,
        "shipping",
        null,
        "manual",
        null,
        "{}",
        history,
        null,
        false,
        at,
        at,
        `[${items.join(",")}]`,
        payments
      ]
      const placed = await run(client, "order", [...origin, ...amounts, ...rest])
      await run(client, "events", [
        storeId,
        at,
        eventRows(["order.created", snapshot], ["checkout.completed", snapshot])
      ])
      return JSON.stringify({ orderId, placed })
    })
    wake(storeId)
    await run(pool, "saveAnswer", [200, "application/json", Buffer.from(answer), storeId, `guest:${id}`, key, owner])
    return answer
  }

  const addLine = (id: string, productId: string) =>
    transaction(pool, storeId, async (client) => {
      const now = Date.now()
      const at = new Date(now)
      await run(client, "lockCart", [storeId, id])
      const rows = await run(client, "cart", [storeId, id])
      await run(client, "sellables", [storeId, `[{"productId":"${productId}","variantId":null}]`])
      const itemId = makeId("item", now)
      await run(client, "saveLine", [
        storeId,
        id,
        itemId,
        itemId,
        productId,
        null,
        1,
        "648",
        null,
        "{}",
        "{}",
        "[]",
        at,
        new Date(now + 2_592_000_000)
      ])
      return JSON.stringify(rows)
    })

  /** Answers one request, known by its path; `input` is the product of an added line, or the key of a completion. */
  return async (path: string, input: string): Promise<string> => {
    const [, , , , room, a = "", b = ""] = path.split("/")
    if (room?.startsWith("products?")) {
      const page = Number(/page=(\d+)/.exec(room)?.[1])
      const list = run(pool, "listProducts", [storeId, "active", 20, (page - 1) * 20])
      return JSON.stringify(await Promise.all([list, run(pool, "countProducts", [storeId, "active"])]))
    }
    if (room === "products") return JSON.stringify(await run(pool, "productBySlug", [storeId, b]))
    if (room === "checkout") return complete(a, input)
    return b === "items" ? addLine(a, input) : JSON.stringify(await run(pool, "cart", [storeId, a]))
  }
}

const productOf = (body: string): string => /"productId":"([^"]+)"/.exec(body)?.[1] ?? ""

const options = JSON.parse(process.argv[2] ?? "") as BareOptions
const operate = makeOperations(new Pool({ ...options.database, max: options.maxConnections }), options.storeId)

const server = createServer((request, response) => {
  let body = ""
  request.on("data", (chunk: Buffer) => (body += chunk.toString("utf8")))
  request.on("end", () => {
    const key = request.headers["idempotency-key"]
    operate(request.url ?? "", typeof key === "string" ? key : productOf(body)).then(
      (text) => {
        const bytes = Buffer.from(text)
        response.writeHead(200, { "content-type": "application/json", "content-length": bytes.length })
        response.end(bytes)
      },
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`)
        response.writeHead(500, { "content-length": 0 })
        response.end()
      }
    )
  })
})
server.listen(options.port, "127.0.0.1", () => process.stdout.write("listening\n"))

/** The paths of read requests, asked round and round without HTTP; answers how many a second. */
process.on(
  "message",
  ({
    paths,
    seconds,
    callers
  }: {
    readonly paths: ReadonlyArray<string>
    readonly seconds: number
    readonly callers: number
  }) => {
    const start = performance.now()
    let at = 0
    const caller = async () => {
      while (performance.now() - start < seconds * 1_000) await operate(paths[at++ % paths.length] ?? "", "")
    }
    Promise.all(Array.from({ length: callers }, caller)).then(
      () => process.send?.({ perSecond: (at * 1_000) / (performance.now() - start) }),
      (error: unknown) => process.send?.({ error: String(error) })
    )
  }
)
