import { readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { withTable } from "../../../../scripts/readmeTable.ts"
import { Api } from "../../src/Api.ts"
import { routesOf } from "../../src/middleware/routesOf.ts"
import { type CallOptions, type Called, openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { redPixel } from "../media/redPixel.ts"
import { formOf } from "../media/sendForm.ts"
import { differencesOf, documentedPath } from "../system/documentedAnswers.ts"
import { calledParts } from "./calledParts.ts"
import { operationOf, parts } from "./operationList.ts"

/**
 * Every operation of the interface, from a list that knows nothing of the declarations: what is missing is a failing
 * test. Those of the catalogue are called once, in an order in which each finds what it needs, and must do their work.
 */
const declared = new Set(routesOf(Api).map(({ method, path }) => operationOf(method, path)))

describe("the list of operations", () => {
  it.each(parts.map((part) => [part.name, part] as const))("%s is declared, all of it", (_name, part) => {
    expect(part.operations.filter((operation) => !declared.has(operation))).toEqual([])
  })

  it("has every operation that is declared, and each once", () => {
    const listed = parts.flatMap(({ operations }) => operations)
    expect([...declared].filter((operation) => !listed.includes(operation))).toEqual([])
    expect(listed.length).toBe(new Set(listed).size)
  })

  it("is what the README's table and counts are made from: `npm run readme`", () => {
    const readme = readFileSync(new URL("../../../../README.md", import.meta.url), "utf8")
    expect(readme).toBe(withTable(readme, parts))
    expect(parts.filter(({ words }) => words === "").map(({ name }) => name)).toEqual([])
  })
})

const picture = () => formOf({ bytes: redPixel, name: "red.png" })

let shop: TestCommerce
let token: string
/** Ids that earlier operations have made, by kind. */
const made: Record<string, string> = {}

beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  const shopper = { email: "operations@example.com", password: "Corr3ct-Horse", firstName: "Ada" }
  token = (await shop.call("POST", `/vc/${shop.channelId}/customers/register`, { body: shopper })).body.token
})
afterAll(() => shop.close())

interface Step {
  /** As operations.txt writes it. */
  readonly operation: string
  /** What stands in the place of each `{}` but the first of a channel or a public store. */
  readonly ids?: () => ReadonlyArray<string | undefined>
  readonly query?: string
  readonly body?: () => unknown
  readonly raw?: () => BodyInit
  readonly asCustomer?: true
  readonly status: number
  /** Keeps what later steps need, and looks at the answer. */
  readonly check?: (answer: Called) => void
}

const keep = (kind: string) => (answer: Called) => void (made[kind] = answer.body.id)
const shows = (subset: object) => (answer: Called) => expect(answer.body).toMatchObject(subset)
const keepConflict = (kind: string) => (answer: Called) => {
  expect(answer.body.conflicts).toMatchObject([{ key: "material" }])
  made[kind] = answer.body.conflicts[0].conflictId
}
const deleted = shows({ success: true })

const call = ({ operation, ids, query, body, raw, asCustomer }: Step): Promise<Called> => {
  const [method = "", path = ""] = operation.split(" ")
  const rest = [
    ...(path.startsWith("/vc/") ? [shop.channelId] : []),
    ...(path.startsWith("/stores/") ? [shop.storeId] : []),
    ...(ids?.() ?? [])
  ]
  const filled = path.replace(/\{\}/g, () => rest.shift() ?? "missing")
  const options: CallOptions = {
    ...(body === undefined ? {} : { body: body() }),
    ...(raw === undefined ? {} : { raw: raw() }),
    headers: {
      origin: "https://shop.example",
      ...(asCustomer === undefined ? {} : { authorization: `Bearer ${token}` })
    }
  }
  return shop.call(method, `${filled}${query ?? ""}`, options)
}

const at = (...kinds: ReadonlyArray<string>) => ({ ids: () => kinds.map((kind) => made[kind]) })

const steps: ReadonlyArray<Step> = [
  // Brands
  {
    operation: "POST /v1/brands",
    body: () => ({ name: "Acme", description: "Tools", translations: { de: { name: "Akme" } } }),
    status: 201,
    check: keep("brand")
  },
  { operation: "GET /v1/brands", query: "?search=acm", status: 200, check: shows({ meta: { total: 1 } }) },
  { operation: "GET /v1/brands/{}", ...at("brand"), status: 200, check: shows({ name: "Acme", slug: "acme" }) },
  { operation: "PATCH /v1/brands/{}", ...at("brand"), body: () => ({ name: "Acme Ltd" }), status: 200 },
  {
    operation: "GET /vc/{}/brands",
    status: 200,
    check: (answer) => expect(answer.body.brands.map((one: { name: string }) => one.name)).toEqual(["Acme Ltd"])
  },
  { operation: "GET /vc/{}/brands/slug/{}", ids: () => ["acme"], status: 200, check: shows({ name: "Acme Ltd" }) },
  { operation: "GET /stores/{}/brands", status: 200 },
  // Attributes
  {
    operation: "POST /v1/attributes",
    body: () => ({
      name: "Size",
      options: [
        { name: "S", value: "s" },
        { name: "M", value: "m" }
      ]
    }),
    status: 201,
    check: (answer) => {
      made["attribute"] = answer.body.id
      made["small"] = answer.body.options[0].id
    }
  },
  { operation: "GET /v1/attributes", status: 200, check: shows({ meta: { total: 1 } }) },
  { operation: "GET /v1/attributes/{}", ...at("attribute"), status: 200, check: shows({ name: "Size" }) },
  { operation: "PATCH /v1/attributes/{}", ...at("attribute"), body: () => ({ displayType: "swatch" }), status: 200 },
  {
    operation: "POST /v1/attributes/{}/options",
    ...at("attribute"),
    body: () => ({ name: "L", value: "l" }),
    status: 201,
    check: (answer) => {
      const options = answer.body.options as ReadonlyArray<{ readonly id: string; readonly name: string }> | undefined
      made["large"] = options?.find((one) => one.name === "L")?.id ?? answer.body.id
    }
  },
  {
    operation: "PATCH /v1/attributes/{}/options/{}",
    ...at("attribute", "large"),
    body: () => ({ name: "Large" }),
    status: 200
  },
  // Modifiers
  {
    operation: "POST /v1/modifier-groups",
    body: () => ({ name: "Extras", selectionType: "MULTIPLE", modifiers: [{ name: "Gift wrap", priceDelta: "2.50" }] }),
    status: 201,
    check: keep("group")
  },
  { operation: "GET /v1/modifier-groups", status: 200, check: shows({ meta: { total: 1 } }) },
  { operation: "GET /v1/modifier-groups/{}", ...at("group"), status: 200, check: shows({ name: "Extras" }) },
  { operation: "PATCH /v1/modifier-groups/{}", ...at("group"), body: () => ({ name: "More" }), status: 200 },
  {
    operation: "POST /v1/modifier-groups",
    body: () => ({ name: "Spare", selectionType: "SINGLE" }),
    status: 201,
    check: keep("spare")
  },
  { operation: "DELETE /v1/modifier-groups/{}", ...at("spare"), status: 200, check: deleted },
  // Metafields
  {
    operation: "POST /v1/metafield-definitions",
    body: () => ({
      name: "Material",
      key: "material",
      type: "SELECT",
      filterable: true,
      enumValues: [
        { label: "Oak", value: "oak" },
        { label: "Pine", value: "pine" }
      ]
    }),
    status: 201,
    check: keep("definition")
  },
  { operation: "GET /v1/metafield-definitions", status: 200, check: (answer) => expect(answer.body).toHaveLength(1) },
  {
    operation: "GET /v1/metafield-definitions/{}",
    ...at("definition"),
    status: 200,
    check: shows({ key: "material" })
  },
  {
    operation: "PATCH /v1/metafield-definitions/{}",
    ...at("definition"),
    body: () => ({ description: "What it is made of" }),
    status: 200
  },
  // Products that use all of it
  {
    operation: "POST /v1/products",
    body: () => ({
      name: "Table",
      status: "active",
      basePrice: "100.00",
      type: "VARIABLE",
      brands: [made["brand"]],
      attributes: [{ attributeId: made["attribute"], optionIds: [made["small"]] }],
      modifierGroups: [{ groupId: made["group"], position: 0 }],
      metafields: { material: "oak" }
    }),
    status: 201,
    check: (answer) => {
      made["product"] = answer.body.id
      expect(answer.body.variants.map((one: { attributes: object }) => one.attributes)).toEqual([{ Size: "S" }])
    }
  },
  {
    operation: "POST /v1/products/{}/publish",
    ...at("product"),
    body: () => ({ salesChannelIds: [shop.channelId] }),
    status: 200
  },
  {
    operation: "GET /v1/products/{}/metafields",
    ...at("product"),
    status: 200,
    check: (answer) => expect(answer.body).toEqual({ values: { material: "oak" } })
  },
  {
    operation: "PUT /v1/products/{}/metafields",
    ...at("product"),
    body: () => ({ values: { material: "pine" }, source: "shopify" }),
    status: 200,
    check: keepConflict("disputed")
  },
  {
    operation: "GET /v1/metafield-conflicts",
    status: 200,
    check: (answer) =>
      expect(answer.body).toMatchObject([{ id: made["disputed"], currentValue: "oak", sourceValue: "pine" }])
  },
  {
    operation: "POST /v1/metafield-conflicts/{}/resolve",
    ...at("disputed"),
    body: () => ({ resolution: "accept_source" }),
    status: 200,
    check: shows({ status: "RESOLVED", resolution: "accept_source" })
  },
  {
    operation: "PUT /v1/products/{}/metafields",
    ...at("product"),
    body: () => ({ values: { material: "oak" }, source: "magento" }),
    status: 200,
    check: keepConflict("ignored")
  },
  {
    operation: "POST /v1/metafield-conflicts/{}/ignore",
    ...at("ignored"),
    status: 200,
    check: shows({ status: "IGNORED", resolution: null, currentValue: "pine" })
  },
  {
    operation: "POST /v1/metafield-values/bulk",
    body: () => ({ values: [{ productId: made["product"], key: "material", value: "oak" }] }),
    status: 200,
    check: (answer) => expect(JSON.stringify(answer.body)).toContain("WRITTEN")
  },
  { operation: "GET /vc/{}/metafield-definitions", status: 200, check: shows({ definitions: [{ key: "material" }] }) },
  {
    operation: "GET /vc/{}/metafield-filters",
    status: 200,
    check: shows({ filters: [{ key: "material", values: [{ value: "oak", count: 1 }] }] })
  },
  // Regions
  {
    operation: "POST /v1/regions",
    body: () => ({ name: "Europe", currency: "EUR", countries: ["DE", "FR"] }),
    status: 201,
    check: keep("region")
  },
  { operation: "GET /v1/regions", status: 200 },
  { operation: "GET /v1/regions/{}", ...at("region"), status: 200, check: shows({ name: "Europe", currency: "EUR" }) },
  { operation: "PATCH /v1/regions/{}", ...at("region"), body: () => ({ countries: ["DE"] }), status: 200 },
  {
    operation: "GET /v1/regions/{}/compatible-providers",
    ...at("region"),
    status: 200,
    check: (answer) => expect(Array.isArray(answer.body)).toBe(true)
  },
  { operation: "GET /vc/{}/regions", status: 200 },
  { operation: "DELETE /v1/regions/{}", ...at("region"), status: 200, check: deleted },
  // Media
  { operation: "POST /v1/media", raw: picture, status: 201, check: keep("media") },
  { operation: "GET /v1/media", status: 200, check: shows({ meta: { total: 1 } }) },
  {
    operation: "GET /v1/media/{}",
    ...at("media"),
    status: 200,
    check: shows({ mimeType: "image/png", width: 1, height: 1, size: redPixel.length })
  },
  {
    operation: "PATCH /v1/media/{}",
    ...at("media"),
    body: () => ({ alt: "Red" }),
    status: 200,
    check: shows({ alt: "Red" })
  },
  { operation: "DELETE /v1/media/{}", ...at("media"), status: 200, check: deleted },
  { operation: "POST /vc/{}/customization-upload", raw: picture, status: 200, check: shows({ width: 1, height: 1 }) },
  {
    operation: "POST /vc/{}/stock-alerts",
    body: () => ({ email: "Ada@example.com ", productId: made["product"] }),
    status: 200,
    check: (answer) => expect(answer.body).toEqual({ ok: true })
  },
  // Reviews
  {
    operation: "POST /vc/{}/products/{}/review-photo",
    ...at("product"),
    raw: picture,
    asCustomer: true,
    status: 200,
    check: (answer) => void (made["photo"] = answer.body.url)
  },
  {
    operation: "POST /vc/{}/products/{}/reviews",
    ...at("product"),
    asCustomer: true,
    body: () => ({ rating: 5, title: "Good", body: "A good table", photos: [{ url: made["photo"] }] }),
    status: 201,
    check: (answer) => {
      made["review"] = answer.body.id
      const photos = [{ url: made["photo"] }]
      expect(answer.body).toMatchObject({ rating: 5, authorName: "Ada", status: "PENDING", photos })
    }
  },
  { operation: "GET /v1/reviews", status: 200, check: shows({ meta: { total: 1 } }) },
  { operation: "PATCH /v1/reviews/{}", ...at("review"), body: () => ({ status: "APPROVED" }), status: 200 },
  {
    operation: "GET /vc/{}/products/{}/reviews",
    ...at("product"),
    status: 200,
    check: shows({ summary: { average: 5, count: 1 } })
  },
  { operation: "DELETE /v1/reviews/{}", ...at("review"), status: 200, check: deleted },
  // Payment providers
  {
    operation: "POST /v1/payment-providers",
    body: () => ({ type: "manual", name: "Bank transfer" }),
    status: 201,
    check: keep("provider")
  },
  { operation: "GET /v1/payment-providers", status: 200, check: shows({ meta: { total: 1 } }) },
  {
    operation: "GET /v1/payment-providers/{}",
    ...at("provider"),
    status: 200,
    check: shows({ kind: "manual", account: "", credentialFields: [] })
  },
  {
    operation: "PATCH /v1/payment-providers/{}",
    ...at("provider"),
    body: () => ({ name: "Wire transfer" }),
    status: 200,
    check: shows({ name: "Wire transfer" })
  },
  { operation: "DELETE /v1/payment-providers/{}", ...at("provider"), status: 200, check: deleted },
  // What is left is taken away again
  {
    operation: "DELETE /v1/attributes/{}/options/{}",
    ...at("attribute", "large"),
    status: 200
  },
  { operation: "DELETE /v1/attributes/{}", ...at("attribute"), query: "?force=true", status: 200, check: deleted },
  {
    operation: "DELETE /v1/metafield-definitions/{}",
    ...at("definition"),
    query: "?force=true",
    status: 200,
    check: deleted
  },
  { operation: "DELETE /v1/brands/{}", ...at("brand"), status: 200, check: deleted }
]

describe("the operations of the catalogue", () => {
  it("are called below, each of them", () => {
    const asked = new Set(steps.map(({ operation }) => operation))
    const built = parts.filter(({ name }) => calledParts.includes(name)).flatMap(({ operations }) => operations)
    expect(built.filter((operation) => !asked.has(operation))).toEqual([])
  })

  it.each(steps.map((step, i) => [`${i + 1}. ${step.operation}`, step] as const))("%s", async (_name, step) => {
    const answer = await call(step)
    expect([answer.status, answer.status < 300 ? "" : answer.text]).toEqual([step.status, ""])
    const [method = "", path = ""] = step.operation.split(" ")
    const documented = documentedPath(method, path) ?? ""
    expect(differencesOf(method, documented, answer)).toEqual([])
    step.check?.(answer)
  })
})
