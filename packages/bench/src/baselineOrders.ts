/**
 * The baseline of the merchant's reads of orders: what somebody writes by hand over the same tables, with node:http and
 * node-postgres and no framework. An order is four statements sent together, a list finds the page's ids, counts, and
 * reads the four for the whole page. It checks the key and answers the same JSON as the product.
 */
import { createHash } from "node:crypto"
import { createServer } from "node:http"
import { type ClientConfig, Pool } from "pg"
import { type OrderRows, orderView, type Row } from "./baselineOrderView.ts"

interface Options {
  readonly port: number
  readonly maxConnections: number
  readonly database: ClientConfig
}

const sorts: Readonly<Record<string, string>> = {
  createdAt: "created_at",
  updatedAt: "updated_at",
  orderNumber: "order_number",
  totalAmount: "total_amount",
  status: "status"
}

const ofOrders = (name: string, table: string, order: string) => ({
  name,
  text: `SELECT * FROM ${table} WHERE store_id = $1 AND order_id = ANY($2::text[]) ORDER BY ${order}`
})
const itemsOf = ofOrders("items", "order_item", "order_id, position")
const paymentsOf = ofOrders("payments", "payment", "order_id, created_at, id")
const refundsOf = ofOrders("refunds", "refund", "order_id, created_at, id")
const adjustmentsOf = ofOrders("adjustments", "order_adjustment", "order_id, position")

const openBaseline = ({ database, maxConnections }: Options) => {
  const pool = new Pool({ ...database, max: maxConnections })
  const rows = async (query: { readonly name: string; readonly text: string }, values: ReadonlyArray<unknown>) =>
    (await pool.query({ ...query, values: [...values] })).rows as ReadonlyArray<Row>
  const keys = new Map<string, Promise<string | undefined>>()

  const storeOf = (key: string): Promise<string | undefined> => {
    const hash = createHash("sha256").update(key).digest("hex")
    const known = keys.get(hash)
    if (known !== undefined) return known
    const text = "SELECT store_id FROM api_key WHERE key_hash = $1 AND revoked_at IS NULL"
    const found = rows({ name: "key", text }, [hash]).then(([row]) => row?.["store_id"] as string | undefined)
    keys.set(hash, found)
    return found
  }

  const views = async (storeId: string, orders: ReadonlyArray<Row>): Promise<ReadonlyArray<object>> => {
    const ids = orders.map((row) => row["id"])
    const parts = await Promise.all(
      [itemsOf, paymentsOf, refundsOf, adjustmentsOf].map((query) => rows(query, [storeId, ids]))
    )
    const [items = [], payments = [], refunds = [], adjustments = []] = parts
    const of = (part: ReadonlyArray<Row>, id: unknown) => part.filter((row) => row["order_id"] === id)
    return orders.map((order) => {
      const { id } = order
      const found: OrderRows = {
        order,
        items: of(items, id),
        payments: of(payments, id),
        refunds: of(refunds, id),
        adjustments: of(adjustments, id)
      }
      return orderView(found)
    })
  }

  const get = async (storeId: string, id: string) => {
    const text = "SELECT * FROM orders WHERE store_id = $1 AND id = $2"
    return (await views(storeId, await rows({ name: "order", text }, [storeId, id])))[0]
  }

  const list = async (storeId: string, query: URLSearchParams) => {
    const [page, limit] = [Number(query.get("page") ?? 1), Number(query.get("limit") ?? 20)]
    const statuses = query.get("status")?.split(",")
    const direction = query.get("sortOrder") === "asc" ? "ASC" : "DESC"
    const sort = sorts[query.get("sortBy") ?? "createdAt"] ?? "created_at"
    const where = `WHERE store_id = $1${statuses === undefined ? "" : " AND status = ANY($2::text[])"}`
    const values = statuses === undefined ? [storeId] : [storeId, statuses]
    const order = `ORDER BY ${sort} ${direction}, id ${direction} LIMIT ${limit} OFFSET ${(page - 1) * limit}`
    const kind = `${statuses === undefined ? "all" : "some"}_${sort}_${direction}_${page}_${limit}`
    const [found, counted] = await Promise.all([
      rows({ name: `list_${kind}`, text: `SELECT * FROM orders ${where} ${order}` }, values),
      rows({ name: `count_${values.length}`, text: `SELECT count(*)::int AS n FROM orders ${where}` }, values)
    ])
    const total = Number(counted[0]?.["n"] ?? 0)
    return {
      data: await views(storeId, found),
      meta: { page, limit, total, totalPages: Math.ceil(total / limit) }
    }
  }

  return createServer((request, response) => {
    const answer = async () => {
      const [path = "", query = ""] = (request.url ?? "").split("?", 2)
      const storeId = await storeOf((request.headers.authorization ?? "").slice("Bearer ".length))
      if (storeId === undefined) return { status: 401, body: { code: "UNAUTHORIZED" } }
      const [, , , , id] = path.split("/")
      const body = id === undefined ? await list(storeId, new URLSearchParams(query)) : await get(storeId, id)
      return body === undefined ? { status: 404, body: { code: "ORDER_NOT_FOUND" } } : { status: 200, body }
    }
    void answer()
      .catch((error: unknown) => ({ status: 500, body: { message: String(error) } }))
      .then(({ status, body }) => {
        const bytes = Buffer.from(JSON.stringify(body))
        response.writeHead(status, { "content-type": "application/json", "content-length": bytes.length })
        response.end(bytes)
      })
  })
}

if (import.meta.main) {
  const options = JSON.parse(process.argv[2] ?? "") as Options
  openBaseline(options).listen(options.port, "127.0.0.1", () => process.stdout.write("listening\n"))
}
