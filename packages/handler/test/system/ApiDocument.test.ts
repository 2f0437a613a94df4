import { introductionAt } from "../../src/system/Introduction.ts"
import { mintableScopes } from "@effect-commerce/core/identity/Scope"
import { Effect, Schema } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { describe, expect, it } from "vitest"
import { Api } from "../../src/Api.ts"
import { Policy, type PolicyFacts } from "../../src/middleware/Policy.ts"
import { makeApiDocument } from "../../src/system/ApiDocument.ts"
import { codesOf, describedProperties, faultsOf, looseProperties, nameOf, operationsOf } from "./documentWords.ts"

const document = await Effect.runPromise(makeApiDocument(Api))
const operations = operationsOf(document)
const operationOf = (method: string, path: string) =>
  operations.find((one) => one.method === method && one.path === path)?.operation
const codes = (method: string, path: string) =>
  Object.fromEntries(
    Object.entries(operationOf(method, path)?.responses ?? {})
      .filter(([status]) => !status.startsWith("2"))
      .map(([status, refusal]) => [status, codesOf(document, refusal)])
  )

/** Counted by tag, so that whoever adds a room sees what is missing in it. */
const byTag = (faults: ReturnType<typeof faultsOf>) =>
  Object.entries(Object.groupBy(faults, ({ where }) => where))
    .map(([where, found = []]) => `${where} (${found.length})\n${found.map(({ what }) => `  ${what}`).join("\n")}`)
    .join("\n")

describe("the API document", () => {
  it("has words, named schemas and codes for every operation", () => {
    expect(byTag(faultsOf(document))).toBe("")
  })

  it("describes at least four of five properties", () => {
    const { total, bare } = describedProperties(document)
    expect(total).toBeGreaterThan(500)
    expect(bare.length / total, bare.join(" ")).toBeLessThanOrEqual(0.2)
  })

  it("lists the words of closed sets, and names the form of times, addresses and e-mail addresses", () => {
    expect(looseProperties(document)).toEqual([])
  })

  it("shows the storefront first, and describes every group under one part of the interface", () => {
    const grouped = document["x-tagGroups"].flatMap(({ tags }) => tags)
    expect(document["x-tagGroups"].map(({ name }) => name)).toEqual([
      "Storefront",
      "Admin",
      "Public",
      "Dashboard",
      "Apps",
      "System"
    ])
    expect(document.tags.map(({ name }) => name)).toEqual(grouped)
    expect(grouped.filter((title, i) => grouped.indexOf(title) !== i)).toEqual([])
    expect(document.tags.filter(({ description }) => description.length < 15)).toEqual([])
    const used = [...new Set(operations.flatMap(({ operation }) => operation.tags))]
    expect(used).toEqual(grouped)
  })

  it("names each operation once, in the way of generators of code", () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.filter((id) => !/^[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/.test(id))).toEqual([])
  })

  it("is at most 4 kB an operation", () => {
    const sizes = operations.map(({ operation }) => JSON.stringify(operation).length)
    expect(JSON.stringify(document.paths).length / operations.length).toBeLessThanOrEqual(4_096)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(8_192)
  })

  it("points at nothing that is not there", () => {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)]
    expect(refs.length).toBeGreaterThan(1_000)
    const components = document.components as unknown as Record<string, Record<string, unknown>>
    expect(refs.filter(([, kind = "", name = ""]) => components[kind]?.[name] === undefined)).toEqual([])
  })

  it("lists for each refusal the codes that this operation can answer, and no others", () => {
    expect(codes("GET", "/health/live")).toEqual({
      400: ["VALIDATION_FAILED"],
      500: ["INTERNAL_SERVER_ERROR"],
      503: ["SERVICE_TEMPORARILY_UNAVAILABLE"]
    })
    expect(codes("GET", "/vc/{salesChannelId}/cart/{cartId}")).toEqual({
      400: ["VALIDATION_FAILED", "IDEMPOTENCY_KEY_NOT_SUPPORTED"],
      401: ["UNAUTHORIZED"],
      403: ["INSUFFICIENT_PERMISSION", "STORE_SUSPENDED"],
      404: ["RESOURCE_NOT_FOUND"],
      429: ["RATE_LIMITED"],
      500: ["INTERNAL_SERVER_ERROR"],
      503: ["SERVICE_TEMPORARILY_UNAVAILABLE"]
    })
    expect(codes("POST", "/vc/{salesChannelId}/checkout/{checkoutId}/complete")).toMatchObject({
      400: expect.arrayContaining(["MISSING_REQUIRED_FIELDS", "PRICE_DRIFT"]),
      409: [
        "CONFLICT",
        "IDEMPOTENCY_KEY_REUSED",
        "COUPON_USAGE_LIMIT_REACHED",
        "COUPON_PER_CUSTOMER_LIMIT_REACHED",
        "RESERVATION_EXPIRED"
      ],
      422: ["COUPON_EXPIRED", "COUPON_NOT_ACTIVE", "CARD_DECLINED"],
      503: expect.arrayContaining(["IDEMPOTENCY_LOCK_UNAVAILABLE"])
    })
    const paid = operations.filter(({ operation }) => "402" in operation.responses)
    expect(paid.map(({ path }) => path).sort()).toEqual([
      "/v1/checkout/{checkoutId}/complete",
      "/v1/media",
      "/v1/orders",
      "/v1/orders/draft/{id}/complete",
      "/v1/products",
      "/vc/{salesChannelId}/checkout/{checkoutId}/complete",
      "/vc/{salesChannelId}/checkout/{checkoutId}/payment",
      "/vc/{salesChannelId}/customization-upload",
      "/vc/{salesChannelId}/orders",
      "/vc/{salesChannelId}/products/{productId}/review-photo"
    ])
  })

  it("writes a refusal once for all operations that can answer the same codes", () => {
    const inline = operations.flatMap(({ operation }) =>
      Object.entries(operation.responses).filter(([status, one]) => /^[45]/.test(status) && nameOf(one) === undefined)
    )
    expect(inline).toEqual([])
    expect(Object.keys(document.components.responses).length).toBeLessThan(80)
  })

  it("shows closed sets as enumerations, also that of sort fields, of which an unknown one is ignored", () => {
    const parameters = operations.flatMap(({ path, operation }) =>
      operation.parameters.map((one) => {
        const name = nameOf(one)
        return {
          path,
          shown: (name === undefined ? one : document.components.parameters[name]) as unknown as {
            readonly name: string
            readonly schema: { readonly enum?: ReadonlyArray<string>; readonly items?: { readonly enum?: unknown } }
          }
        }
      })
    )
    const closed = parameters.filter(({ shown }) => ["sortBy", "sortOrder"].includes(shown.name))
    expect(closed.length).toBeGreaterThanOrEqual(8)
    expect(closed.filter(({ shown }) => shown.schema.enum === undefined).map(({ path }) => path)).toEqual([])
  })

  it("shows the scopes that a new key can be given as an enumeration, as it shows those of a key", () => {
    const schemas = document.components.schemas as unknown as Record<
      string,
      { readonly properties: { readonly scopes: { readonly items: { readonly enum?: ReadonlyArray<string> } } } }
    >
    expect(schemas["NewApiKey"]?.properties.scopes.items.enum).toEqual(mintableScopes)
  })

  it("shows an example only where the schema of the route takes it", () => {
    const wrong: Array<string> = []
    let shown = 0
    for (const group of Object.values(Api.groups))
      for (const endpoint of Object.values(group.endpoints) as ReadonlyArray<HttpApiEndpoint.Top>) {
        const facts = endpoint.annotations.mapUnsafe.get(Policy.key) as PolicyFacts
        const bodies = [...endpoint.payload.values()].flatMap(({ schemas }) => [...schemas])
        const value = facts.exampleRequest
        if (value === undefined) continue
        shown += 1
        const takes = bodies.some((schema) => Schema.is(Schema.toEncoded(Schema.toCodecJson(schema)))(value))
        if (!takes) wrong.push(`${endpoint.method} ${endpoint.path}`)
      }
    expect(wrong).toEqual([])
    expect(shown).toBeGreaterThanOrEqual(8)
  })

  it("names the base path as its server, relative to its own address, and paths begin behind it", async () => {
    expect(document.servers.map(({ url }) => url)).toEqual(["/api"])
    const firsts = new Set(Object.keys(document.paths).map((path) => path.split("/")[1]))
    expect([...firsts].toSorted()).toEqual([
      "auth",
      "coupons",
      "downloads",
      "email",
      "exports",
      "health",
      "invoices",
      "media",
      "orders",
      "payment-events",
      "stores",
      "v1",
      "vc"
    ])
    const { servers, info, ...rest } = document
    const moved = await Effect.runPromise(makeApiDocument(Api, "/shop/api"))
    expect(moved).toEqual({
      ...rest,
      info: { ...info, description: introductionAt("/shop/api") },
      servers: servers.map((one) => ({ ...one, url: "/shop/api" }))
    })
    expect((await Effect.runPromise(makeApiDocument(Api, ""))).servers[0]?.url).toBe("/")
  })
})
