/** Every operation of webhook subscriptions on both of its paths: by a person of the dashboard, and by a key. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openSink, type Sink } from "../../../core/test/webhook/sink.ts"
import { type Called, openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { ownerOf } from "../team/desk.ts"

let shop: TestCommerce
let sink: Sink
let session: string
beforeAll(async () => {
  sink = await openSink()
  shop = await openTestCommerce({ outbound: { allowPrivate: true }, role: "api" })
  session = await ownerOf(shop, shop, "owner@example.com")
})
afterAll(async () => {
  await shop.close()
  await sink.close()
})

/** Each operation, with what it answers: a status, and the fields of its body or of the rows of its list. */
const operations: ReadonlyArray<{
  readonly method: string
  readonly path: string
  readonly body?: object
  readonly status: number
  readonly fields: ReadonlyArray<string>
}> = (() => {
  const view = [
    "id",
    "storeId",
    "url",
    "events",
    "description",
    "isActive",
    "standardHeaders",
    "circuitOpen",
    "circuitOpenedAt",
    "failureCount",
    "lastSuccessAt",
    "lastFailureAt",
    "secretPrefix",
    "createdAt",
    "updatedAt"
  ]
  return [
    { method: "GET", path: "/event-catalog", status: 200, fields: ["type", "status", "description", "schema"] },
    { method: "POST", path: "", body: { events: ["order.*"] }, status: 201, fields: [...view, "secret"] },
    { method: "GET", path: "", status: 200, fields: view },
    { method: "GET", path: "/:id", status: 200, fields: view },
    { method: "PATCH", path: "/:id", body: { description: "ERP" }, status: 200, fields: view },
    { method: "POST", path: "/:id/rotate-secret", status: 200, fields: ["secret"] },
    {
      method: "POST",
      path: "/:id/test",
      body: { type: "order.paid" },
      status: 200,
      fields: ["delivered", "statusCode", "durationMs", "error"]
    },
    { method: "GET", path: "/:id/deliveries", status: 200, fields: ["data", "meta"] },
    { method: "DELETE", path: "/:id", status: 200, fields: ["success"] }
  ]
})()

/** The fields of a body, or of the first row of a list. */
const fieldsOf = ({ body }: Called): ReadonlyArray<string> => {
  const rows = Array.isArray(body) ? body : body.data
  return Object.keys(Array.isArray(rows) && rows.length > 0 ? rows[0] : body).toSorted()
}

describe("a subscription", () => {
  it.each([
    ["under /v1, by a key", () => "/v1/webhook-subscriptions", () => shop.apiKey],
    ["in the dashboard, by an owner", () => `/stores/${shop.storeId}/webhook-subscriptions`, () => session],
    ["in the dashboard, by a key", () => `/stores/${shop.storeId}/webhook-subscriptions`, () => shop.apiKey]
  ])("has every operation %s", async (_, base, key) => {
    let id = ""
    for (const { method, path, body, status, fields } of operations) {
      const sent = method === "POST" && path === "" ? { ...body, url: sink.url("/all") } : body
      const answer = await shop.call(method, base() + path.replace(":id", id), {
        key: key(),
        ...(sent === undefined ? {} : { body: sent })
      })
      expect([method, path, answer.status, fieldsOf(answer)]).toEqual([method, path, status, fields.toSorted()])
      if (status === 201) id = answer.body.id
      if (path === "/:id/test") expect(answer.body).toMatchObject({ delivered: true, statusCode: 200, error: null })
    }
    const gone = await shop.call("GET", `${base()}/${id}`, { key: key() })
    expect([gone.status, gone.body.code]).toEqual([404, "RESOURCE_NOT_FOUND"])
  })

  it("is not opened under /v1 by a session, nor in the dashboard of another's store", async () => {
    const other = await shop.openStore()
    for (const { method, path } of operations) {
      const at = path.replace(":id", "whs_none")
      const underV1 = await shop.call(method, `/v1/webhook-subscriptions${at}`, { key: session })
      expect([method, path, underV1.status, underV1.body.code]).toEqual([method, path, 401, "UNAUTHORIZED"])
      const theirs = await shop.call(method, `/stores/${other.storeId}/webhook-subscriptions${at}`, { key: session })
      expect([method, path, theirs.status]).toEqual([method, path, 404])
    }
  })
})
