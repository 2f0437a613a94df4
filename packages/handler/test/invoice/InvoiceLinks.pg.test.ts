/** The link to the invoice, in the answer of every route that answers with an order. */
import { HttpApi } from "effect/http-api"
import { SchemaAST } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Api } from "../../src/Api.ts"
import { ordersAnswered } from "../../src/middleware/InvoiceLinks.ts"
import { type Called, openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { customersOf, type Shopper } from "../customer/SignedIn.ts"
import { draftsOf } from "../draftorder/drafts.ts"
import { orderCareOf } from "../orderedit/orderCare.ts"
import { refundShopOf } from "../refund/refundShop.ts"

let shop: TestCommerce
let care: ReturnType<typeof orderCareOf>
let drafts: ReturnType<typeof draftsOf>
let refunds: ReturnType<typeof refundShopOf>
let ada: Shopper
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  care = orderCareOf(shop)
  drafts = draftsOf(shop)
  refunds = refundShopOf(shop)
  ada = await customersOf(shop).known()
})
afterAll(() => shop.close())

const items = [{ name: "Lamp", price: "10.00", quantity: 2 }]
const paid = async (): Promise<string> => (await care.paid(items)).id
const own = async (): Promise<string> => (await care.placed(items, { customer: undefined, customerId: ada.id })).id
const reserved = async () => (await refunds.bought("authorize")).orderId
const draft = async () => (await drafts.make({ items, customer: { email: "ada@example.com" } })).id as string
const completed = async () => {
  const id = await draft()
  return { id, orderId: (await drafts.call("POST", `${id}/complete`, {})).body.id as string }
}
const me = (path: string) => customersOf(shop).me(ada.token, "GET", path)
const first = async (page: Promise<Called>) => (await page).body.data[0]
const one = async (answer: Promise<Called>) => (await answer).body

/** What each route answers: the order that it is about, and the order in its answer. */
const asked: Readonly<Record<string, () => Promise<readonly [id: string, answered: { readonly invoiceUrl: string }]>>> =
  {
    "GET /v1/orders": async () => [await paid(), await first(shop.call("GET", "/v1/orders?limit=1"))],
    "POST /v1/orders": async () => {
      const made = await care.placed(items)
      return [made.id, made]
    },
    "POST /v1/orders/:id/payments": async () => {
      const made = await care.paid(items)
      return [made.id, made]
    },
    "GET /v1/orders/:id": async () => {
      const id = await paid()
      return [id, await care.orderOf(id)]
    },
    "PATCH /v1/orders/:id": async () => {
      const id = await paid()
      return [id, await one(care.patch(`/v1/orders/${id}`, { notes: "Ring twice" }))]
    },
    "PATCH /v1/orders/:id/status": async () => {
      const id = await paid()
      return [id, await one(care.patch(`/v1/orders/${id}/status`, { status: "PROCESSING" }))]
    },
    "POST /v1/orders/:id/fulfill": async () => {
      const id = await paid()
      return [id, await one(care.post(`/v1/orders/${id}/fulfill`, {}))]
    },
    // Without an invoice a cancelled order gets none any more.
    "POST /v1/orders/:id/cancel": async () => {
      const { id } = await care.placed(items)
      await shop.call("GET", `/v1/orders/${id}/invoice`)
      return [id, await one(care.post(`/v1/orders/${id}/cancel`, {}))]
    },
    "POST /v1/orders/:id/capture": async () => {
      const id = await reserved()
      return [id, await one(care.post(`/v1/orders/${id}/capture`, {}))]
    },
    "POST /v1/orders/:id/void": async () => {
      const id = await reserved()
      return [id, await one(care.post(`/v1/orders/${id}/void`, {}))]
    },
    "POST /v1/orders/draft/:id/complete": async () => {
      const answered = await one(drafts.call("POST", `${await draft()}/complete`, {}))
      return [answered.id, answered]
    },
    "GET /v1/orders/draft/:id": async () => {
      const { id, orderId } = await completed()
      return [orderId, await one(drafts.call("GET", id))]
    },
    "GET /v1/orders/draft": async () => {
      const { orderId } = await completed()
      return [orderId, await first(shop.call("GET", "/v1/orders/draft?status=COMPLETED&limit=1"))]
    },
    "GET /vc/:salesChannelId/customers/me/orders": async () => [await own(), await first(me("/orders?limit=1"))],
    "GET /vc/:salesChannelId/customers/me/orders/:orderId": async () => {
      const id = await own()
      return [id, await one(me(`/orders/${id}`))]
    }
  }

/** Routes that answer with a draft that has no order, and so no invoice. */
const unplaced: Readonly<Record<string, () => Promise<Called>>> = {
  "POST /v1/orders/draft": () => drafts.call("POST", "", { items }),
  "PATCH /v1/orders/draft/:id": async () => drafts.call("PATCH", await draft(), { notes: "Ring twice" }),
  "POST /v1/orders/draft/:id/send-invoice": async () => drafts.call("POST", `${await draft()}/send-invoice`, {})
}

const declared: Array<string> = []
const elsewhere: Array<string> = []
/** Whether an order stands anywhere in what is answered. */
const hasOrder = (ast: SchemaAST.AST): boolean => {
  if (SchemaAST.isObjects(ast))
    return ast.propertySignatures.some(({ name, type }) => name === "invoiceUrl" || hasOrder(type))
  if (SchemaAST.isArrays(ast)) return [...ast.elements, ...ast.rest].some(hasOrder)
  return SchemaAST.isUnion(ast) && ast.types.some(hasOrder)
}
HttpApi.reflect(Api, {
  onGroup: () => undefined,
  onEndpoint: ({ endpoint }) => {
    const route = `${endpoint.method} ${endpoint.path.replace(/^\/api/, "")}`
    if (ordersAnswered(endpoint) !== undefined) declared.push(route)
    else if ([...endpoint.success].some(({ ast }) => hasOrder(ast))) elsewhere.push(route)
  }
})

describe("the link to the invoice", () => {
  it("is asked for, below, of every route that answers with an order", () => {
    expect(declared.toSorted()).toEqual([...Object.keys(asked), ...Object.keys(unplaced)].toSorted())
    expect(elsewhere).toEqual([])
  })

  it.each(Object.entries(asked))("is in the answer of %s, and opens the invoice", async (_, ask) => {
    const [id, answered] = await ask()
    expect(answered.invoiceUrl).toContain(`/api/invoices/${shop.storeId}.${id}.`)
    const path = new URL(answered.invoiceUrl).pathname.replace("/api", "")
    expect((await shop.call("GET", path)).status).toBe(200)
  })

  it.each(Object.entries(unplaced))("is not in the answer of %s: a draft has no invoice", async (_, ask) => {
    const { body } = await ask()
    expect([typeof body.draftStatus, body.invoiceUrl]).toEqual(["string", null])
  })
})
