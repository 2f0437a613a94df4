/** Labels of the merchant's own, and what an order shows of them. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { rowsOf } from "../customer/SignedIn.ts"
import { orderCareOf } from "../orderedit/orderCare.ts"

let shop: TestCommerce
let care: ReturnType<typeof orderCareOf>
let lamp: string
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  care = orderCareOf(shop)
  lamp = await care.shopper.product({ price: 2_500n, stock: 500 })
})
afterAll(async () => {
  expect(await care.findings()).toEqual([])
  await shop.close()
})

const path = "/v1/order-status-labels"

it("is created, listed, read, changed and deleted", async () => {
  const made = await care.post(path, { name: " Waiting for parts ", color: "#cc8800", canonicalStatus: "PROCESSING" })
  expect([made.status, made.body]).toEqual([
    201,
    {
      id: expect.stringMatching(/^olabel_/),
      accountId: shop.accountId,
      storeId: shop.storeId,
      name: "Waiting for parts",
      color: "#cc8800",
      canonicalStatus: "PROCESSING",
      createdAt: expect.any(String),
      updatedAt: expect.any(String)
    }
  ])
  const { id } = made.body
  expect((await shop.call("GET", `${path}/${id}`)).body).toEqual(made.body)
  expect((await shop.call("GET", path)).body).toMatchObject({ data: [made.body], meta: { total: 1 } })
  const changed = await care.patch(`${path}/${id}`, { color: null })
  expect(changed.body).toEqual({ ...made.body, color: null, updatedAt: changed.body.updatedAt })
  const taken = await care.post(path, { name: "Waiting for parts", canonicalStatus: "PAID" })
  expect([taken.status, taken.body.code]).toEqual([409, "CONFLICT"])
  expect((await shop.call("DELETE", `${path}/${id}`)).body).toEqual({ success: true })
  for (const method of ["GET", "DELETE"] as const)
    expect((await shop.call(method, `${path}/${id}`)).body.code).toBe("RESOURCE_NOT_FOUND")
})

it("is refused without a name or a status, with a strange colour, and as the 201st", async () => {
  for (const [body, field] of [
    [{ name: "x" }, "canonicalStatus"],
    [{ canonicalStatus: "PAID" }, "name"],
    [{ name: " ", canonicalStatus: "PAID" }, "name"],
    [{ name: "x", canonicalStatus: "LOST" }, "canonicalStatus"],
    [{ name: "x", canonicalStatus: "PAID", color: "red" }, "color"]
  ] as const) {
    const { status, body: error } = await care.post(path, body)
    expect([status, Object.keys(error.details.errors)]).toEqual([400, [field]])
  }
  await rowsOf(
    shop,
    `INSERT INTO order_status_label (store_id, id, name, canonical_status, created_at, updated_at)
      SELECT $1, 'olabel_' || n, 'Many ' || n, 'PAID', now(), now() FROM generate_series(1, 200) n`,
    [shop.storeId]
  )
  const { status, body } = await care.post(path, { name: "One more", canonicalStatus: "PAID" })
  expect([status, body.details.errors]).toEqual([
    400,
    { orderStatusLabels: "there are 200 order status labels, which is the most" }
  ])
  await rowsOf(shop, "DELETE FROM order_status_label WHERE name LIKE 'Many %'")
})

it("is shown by an order while it has the label's status, and the system's at any other time", async () => {
  const packing = (await care.post(path, { name: "Packing", color: "#123456", canonicalStatus: "PROCESSING" })).body
  const { id } = await care.placed([{ productId: lamp, quantity: 1 }])
  const system = (name: string, canonicalStatus: string) => ({
    id: null,
    name,
    color: null,
    canonicalStatus,
    isSystem: true
  })
  const early = await care.patch(`/v1/orders/${id}`, { statusLabelId: packing.id })
  expect(early.body.statusLabel).toEqual(system("Pending", "PENDING"))
  const moved = await care.patch(`/v1/orders/${id}/status`, { status: "PROCESSING" })
  const shown = { id: packing.id, name: "Packing", color: "#123456", canonicalStatus: "PROCESSING", isSystem: false }
  expect(moved.body.statusLabel).toEqual(shown)
  expect((await care.orderOf(id)).statusLabel).toEqual(shown)
  expect((await shop.call("GET", "/v1/orders?limit=1")).body.data[0].statusLabel).toEqual(shown)
  await care.patch(`/v1/orders/${id}/status`, { status: "PAID" })
  expect((await care.orderOf(id)).statusLabel).toEqual(system("Paid", "PAID"))
  await care.patch(`/v1/orders/${id}/status`, { status: "PROCESSING" })
  await shop.call("DELETE", `${path}/${packing.id}`)
  expect((await care.orderOf(id)).statusLabel).toEqual(system("Processing", "PROCESSING"))
  const cleared = await care.patch(`/v1/orders/${id}`, { statusLabelId: null })
  expect([cleared.status, cleared.body.statusLabel]).toEqual([200, system("Processing", "PROCESSING")])
})

it("of another store is none", async () => {
  const other = await shop.openStore()
  const theirs = await shop.call("POST", path, {
    body: { name: "Theirs", canonicalStatus: "PENDING" },
    key: other.apiKey
  })
  const { id } = await care.placed([{ productId: lamp, quantity: 1 }])
  const { status, body } = await care.patch(`/v1/orders/${id}`, { statusLabelId: theirs.body.id })
  expect([status, body.details.errors]).toEqual([400, { statusLabelId: "is no label of this store" }])
  expect((await shop.call("GET", `${path}/${theirs.body.id}`)).status).toBe(404)
})
