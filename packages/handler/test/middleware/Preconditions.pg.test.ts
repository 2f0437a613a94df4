import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Api } from "../../src/Api.ts"
import { routesOf } from "../../src/middleware/routesOf.ts"
import { signedIn, versionOf } from "../../src/middleware/Versioned.ts"
import { makeApiDocument } from "../../src/system/ApiDocument.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"

/** Two merchants edit the same thing: who read it before the other wrote is told, and overwrites nothing. */
let shop: TestCommerce
beforeAll(async () => {
  shop = await openTestCommerce()
})
afterAll(() => shop.close())

const later = () => shop.call("POST", "/test/clock", { body: { advanceMs: 1_500 } })
const quoted = (updatedAt: string) => `"${updatedAt}"`

/** A fresh resource of each kind: where it lives, a change that it takes, and where it can be read. */
const resources: Record<
  string,
  () => Promise<{ readonly path: string; readonly change: object; readonly updatedAt: string }>
> = {
  product: async () => {
    const { body } = await shop.call("POST", "/v1/products", { body: { name: "Lamp" } })
    return { path: `/v1/products/${body.id}`, change: { name: "Lantern" }, updatedAt: body.updatedAt }
  },
  variant: async () => {
    const variants = [
      { attributes: { Size: "S" }, price: 1 },
      { attributes: { Size: "M" }, price: 1 }
    ]
    const { body } = await shop.call("POST", "/v1/products", { body: { name: "Shirt", type: "VARIABLE", variants } })
    const [variant] = body.variants
    return {
      path: `/v1/products/${body.id}/variants/${variant.id}`,
      change: { sku: "S-1" },
      updatedAt: variant.updatedAt
    }
  },
  category: async () => {
    const { body } = await shop.call("POST", "/v1/categories", { body: { name: "Light" } })
    return { path: `/v1/categories/${body.id}`, change: { name: "Lights" }, updatedAt: body.updatedAt }
  },
  "tax rate": async () => {
    const { body } = await shop.call("POST", "/v1/tax/rates", { body: { name: "VAT", country: "DE", rate: 19 } })
    return { path: `/v1/tax/rates/${body.id}`, change: { rate: 7 }, updatedAt: body.updatedAt }
  },
  "tax class": async () => {
    const { body } = await shop.call("POST", "/v1/tax/classes", { body: { name: `Reduced ${Math.random()}` } })
    return { path: `/v1/tax/classes/${body.id}`, change: { name: `Books ${Math.random()}` }, updatedAt: body.updatedAt }
  },
  "shipping zone": async () => {
    const { body } = await shop.call("POST", "/v1/shipping/zones", { body: { name: "Home", countries: ["US"] } })
    return { path: `/v1/shipping/zones/${body.id}`, change: { name: "Away" }, updatedAt: body.updatedAt }
  },
  "shipping rate": async () => {
    const zone = await shop.call("POST", "/v1/shipping/zones", { body: { name: "Home", countries: ["US"] } })
    const { body } = await shop.call("POST", `/v1/shipping/zones/${zone.body.id}/rates`, {
      body: { name: "Free", type: "FREE" }
    })
    return {
      path: `/v1/shipping/zones/${zone.body.id}/rates/${body.id}`,
      change: { name: "Gratis" },
      updatedAt: body.updatedAt
    }
  },
  "sales channel": async () => {
    const { body } = await shop.call("POST", "/v1/sales-channels", { body: { name: "Web" } })
    return { path: `/v1/sales-channels/${body.id}`, change: { name: "Shop" }, updatedAt: body.updatedAt }
  },
  store: async () => ({
    path: "/v1/store",
    change: { name: "New name" },
    updatedAt: (await shop.call("GET", "/v1/store")).body.updatedAt
  })
}

describe("a write that names the version it read", () => {
  it.each(Object.keys(resources))(
    "of a %s goes through once, and is 409 CONFLICT for whoever read before it",
    async (kind) => {
      const made = await resources[kind]?.()
      if (made === undefined) throw new Error(kind)
      const { path, change, updatedAt } = made
      await later()
      const first = await shop.call("PATCH", path, { body: change, headers: { "if-match": quoted(updatedAt) } })
      expect([first.status, first.text]).toEqual([200, first.text])
      expect(first.body.updatedAt > updatedAt).toBe(true)
      const stale = await shop.call("PATCH", path, { body: change, headers: { "if-match": quoted(updatedAt) } })
      expect([stale.status, stale.body.code, stale.body.details]).toEqual([
        409,
        "CONFLICT",
        { updatedAt: first.body.updatedAt }
      ])
      const since = await shop.call("PATCH", path, { body: change, headers: { "if-unmodified-since": updatedAt } })
      expect([since.status, since.body.code]).toEqual([409, "CONFLICT"])
      const fresh = await shop.call("PATCH", path, {
        body: change,
        headers: { "if-unmodified-since": first.body.updatedAt }
      })
      expect(fresh.status).toBe(200)
      expect((await shop.call("PATCH", path, { body: change, headers: { "if-match": "*" } })).status).toBe(200)
      if (kind === "store") return
      expect((await shop.call("DELETE", path, { headers: { "if-match": quoted(updatedAt) } })).status).toBe(409)
      expect((await shop.call("DELETE", path, { headers: { "if-match": "*" } })).status).toBe(200)
      expect((await shop.call("DELETE", path, { headers: { "if-match": "*" } })).status).toBe(404)
    }
  )

  it("changes nothing when it is refused, and leaves no event", async () => {
    const { body } = await shop.call("POST", "/v1/products", { body: { name: "Kept" } })
    const refused = await shop.call("PATCH", `/v1/products/${body.id}`, {
      body: { name: "Lost" },
      headers: { "if-match": '"2001-01-01T00:00:00.000Z"' }
    })
    expect(refused.status).toBe(409)
    expect((await shop.call("GET", `/v1/products/${body.id}`)).body).toEqual(body)
  })

  it("wins alone of twenty that read the same version at once", async () => {
    const { body } = await shop.call("POST", "/v1/products", { body: { name: "Contested" } })
    await later()
    const headers = { "if-match": quoted(body.updatedAt) }
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        shop.call("PATCH", `/v1/products/${body.id}`, { body: { name: `Editor ${i}` }, headers })
      )
    )
    const won = answers.filter(({ status }) => status === 200)
    expect([won.length, answers.filter(({ status }) => status === 409).length]).toEqual([1, 19])
    expect((await shop.call("GET", `/v1/products/${body.id}`)).body.name).toBe(won[0]?.body.name)
  })

  it("takes an HTTP date by its second", async () => {
    const { body } = await shop.call("POST", "/v1/categories", { body: { name: "Dated" } })
    const patch = (at: number) =>
      shop.call("PATCH", `/v1/categories/${body.id}`, {
        body: {},
        headers: { "if-unmodified-since": new Date(at).toUTCString() }
      })
    const made = Date.parse(body.updatedAt)
    expect((await patch(made - 1_000)).status).toBe(409)
    expect((await patch(made)).status).toBe(200)
  })

  it.each([
    ["if-match", "2026-01-31T12:00:00.000Z"],
    ["if-match", 'W/"2026-01-31T12:00:00.000Z"'],
    ["if-match", '"yesterday"'],
    ["if-match", '"2026-13-41T12:00:00.000Z"'],
    ["if-match", '"2026-01-31T12:00:00.000Z", "2026-01-31T12:00:01.000Z"'],
    ["if-match", ""],
    ["if-unmodified-since", "yesterday"]
  ])("is 400 when its %s is %s", async (header, value) => {
    const { status, body } = await shop.call("PATCH", "/v1/products/prod_none", {
      body: {},
      headers: { [header]: value }
    })
    expect([status, body.code]).toEqual([400, "VALIDATION_FAILED"])
  })

  it("of another store's product, or of none, is 404 as ever", async () => {
    const other = await shop.openStore()
    const theirs = await shop.call("POST", "/v1/products", { body: { name: "Theirs" }, key: other.apiKey })
    for (const id of [theirs.body.id, "prod_none"]) {
      const { status, body } = await shop.call("PATCH", `/v1/products/${id}`, {
        body: {},
        headers: { "if-match": '"2001-01-01T00:00:00.000Z"' }
      })
      expect([status, body.code]).toEqual([404, "PRODUCT_NOT_FOUND"])
    }
  })
})

interface Parameter {
  readonly name: string
  readonly in: string
}
interface Operation {
  readonly parameters: ReadonlyArray<Parameter | { readonly $ref: string }>
  readonly responses: Record<
    string,
    { readonly content?: Record<string, { readonly schema: { readonly $ref?: string; readonly properties?: object } }> }
  >
  readonly "x-surface": string
}
const document = (await Effect.runPromise(makeApiDocument(Api))) as unknown as {
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: {
    readonly schemas: Record<string, { readonly properties?: object }>
    readonly parameters: Record<string, Parameter>
  }
}
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path: `/api${path.replaceAll(/\{(\w+)\}/g, ":$1")}`,
    operation
  }))
)
const names = (operation: Operation, kind: string) =>
  operation.parameters
    .flatMap((one) =>
      "$ref" in one ? (document.components.parameters[one.$ref.split("/").at(-1) ?? ""] ?? []) : [one]
    )
    .filter((one) => one.in === kind)
    .map((one) => one.name)

describe("the document", () => {
  it("declares storeId once for every admin route whose path does not name the store, and for no other surface", () => {
    expect(operations.length).toBeGreaterThan(50)
    const admin = operations.filter(
      ({ path, operation }) => operation["x-surface"] === "admin" && !path.includes(":storeId")
    )
    const counted = admin.map(({ operation }) => names(operation, "query"))
    expect(counted.filter((query) => query.filter((name) => name === "storeId").length !== 1)).toEqual([])
    const elsewhere = operations.filter(
      (one) => !admin.includes(one) && names(one.operation, "query").includes("storeId")
    )
    expect(elsewhere.map(({ path }) => path)).toEqual([])
  })

  /** Whether an answer of the operation shows when its resource changed. */
  const shows = ({ responses }: Operation): boolean => {
    const schema = responses["200"]?.content?.["application/json"]?.schema
    const properties =
      schema?.$ref === undefined
        ? schema?.properties
        : document.components.schemas[schema.$ref.split("/").at(-1) ?? ""]?.properties
    return properties !== undefined && "updatedAt" in properties
  }
  const routes = routesOf(Api)
  const policyOf = (method: string, path: string) =>
    routes.find((route) => route.method === method && route.path === path)?.policy ?? { surface: "open" as const }

  it("declares a version for every PATCH, PUT and DELETE of something that shows when it changed, or says why not", () => {
    const dated = new Set(operations.filter(({ operation }) => shows(operation)).map(({ path }) => path))
    const writes = operations.filter(
      ({ method, path }) => ["PATCH", "PUT", "DELETE"].includes(method) && dated.has(path)
    )
    expect(writes.length).toBeGreaterThanOrEqual(40)
    const silent = writes.filter(({ method, path }) => policyOf(method, path).version === undefined)
    expect(silent.map(({ method, path }) => `${method} ${path}`)).toEqual([])
  })

  it("declares a version for every POST to something that shows when it changed, or says why not", () => {
    const dated = new Set(operations.filter(({ operation }) => shows(operation)).map(({ path }) => path))
    const actions = operations.filter(
      ({ method, path }) => method === "POST" && /:\w+\/[^/]+$/.test(path) && dated.has(path.replace(/\/[^/]+$/, ""))
    )
    expect(actions.length).toBeGreaterThanOrEqual(10)
    const silent = actions.filter(({ method, path }) => policyOf(method, path).version === undefined)
    expect(silent.map(({ method, path }) => `${method} ${path}`)).toEqual([])
  })

  it("declares If-Match on every route with a version, and on no other", () => {
    const takes = operations.filter(({ operation }) => names(operation, "header").includes("If-Match"))
    const versioned = operations.filter(({ method, path }) => versionOf(policyOf(method, path)) !== undefined)
    expect(versioned.length).toBeGreaterThanOrEqual(60)
    expect(takes).toEqual(versioned)
  })

  it("names the row of a version by parameters that the path has", () => {
    const unknown = routes.filter(({ path, policy }) => {
      const version = versionOf(policy)
      if (version?.by !== "row") return false
      return version.ids.some((id) => (id === signedIn ? policy.customer !== "required" : !path.includes(`:${id}`)))
    })
    expect(unknown.map(({ path }) => path)).toEqual([])
  })
})
