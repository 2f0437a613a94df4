/**
 * Ids in bodies: what the store does not have is an error, wherever a body names it. The fields are those of the
 * declared bodies, so that a route with a new one fails until it stands here.
 */
import { BodyShape } from "@effect-commerce/core/body/BodyShape"
import { HttpApi, type HttpApiEndpoint } from "effect/http-api"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Api } from "../../src/Api.ts"
import { bodiesOf } from "../../src/middleware/BodyFields.ts"
import { type DeclaredRoute, routesOf } from "../../src/middleware/routesOf.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { type FilledCatalogue, fillCatalogue } from "./filledCatalogue.ts"
import { filledPath, fillStore } from "./filledStore.ts"
import type { Body } from "./RoomMatrix.ts"
import { allowedIds, idCases } from "./rooms.ts"

/** Fields of bodies that end as ids do, and name nothing of the store: they are names in systems of others. */
const notOurs: ReadonlySet<string> = new Set([
  "externalId",
  "externalSourceId",
  "sourceExternalId",
  "analyticsClientId",
  "analyticsSessionId",
  "storageKey"
])

const endpoints: Array<HttpApiEndpoint.Top> = []
HttpApi.reflect(Api, {
  onGroup: () => undefined,
  onEndpoint: ({ endpoint }) => void endpoints.push(endpoint as HttpApiEndpoint.Top)
})
const routes = new Map(routesOf(Api).map((route) => [`${route.method} ${route.path.slice("/api".length)}`, route]))

/** Lists of ids whose names do not say so. */
const listsOfIds = [
  "categories",
  "brands",
  "crossSells",
  "upsells",
  "related",
  "applicableProducts",
  "applicableCategories",
  "applicableBrands"
]
const isId = (name: string) => /(?:^id|Ids?|[kK]ey)$/.test(name) || listsOfIds.includes(name)

/** Paths of all fields that name something by its id: `kitComponents.0.productId`. */
const idsOf = (shape: BodyShape, path = ""): ReadonlyArray<string> => {
  if (path.split(".").length > 6 || shape.isFree) return []
  const below = shape.names.flatMap((name) => {
    const at = path === "" ? name : `${path}.${name}`
    const own = isId(name) && !notOurs.has(name) ? [at] : []
    return [...own, ...idsOf(shape.field(name), at)]
  })
  return [...below, ...(shape.isList ? idsOf(shape.item, `${path}.0`) : [])]
}

const fields = endpoints.flatMap((endpoint) => {
  const bodies = bodiesOf(endpoint)
  const route = `${endpoint.method} ${endpoint.path.slice("/api".length)}`
  return bodies.length === 0 ? [] : idsOf(new BodyShape(bodies.map(({ ast }) => ast))).map((at) => `${route} ${at}`)
})

let shop: TestCommerce
let ids: Record<string, string>
let foreign: Record<string, string>
let token: string
let catalogue: FilledCatalogue

beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  const filled = await fillStore(shop, shop)
  token = filled.token
  catalogue = await fillCatalogue(shop, filled.ids)
  ids = {
    ...filled.ids,
    categories: catalogue.categoryId,
    variants: catalogue.variantId,
    variable: catalogue.variableId
  }
  const other = await shop.openStore()
  foreign = (await fillStore(shop, other)).ids
  await shop.call("PATCH", "/v1/store", { body: { reservation: { strategy: "ON_CART" } } })
})
afterAll(() => shop.close())

let calls = 0
const send = (route: DeclaredRoute, body: Body) =>
  shop.call(
    route.method,
    filledPath(route, shop, (kind) => {
      const isVariants = kind === "variants" || route.path.includes("/variants")
      return (kind === "products" && isVariants ? catalogue.variableId : ids[kind]) ?? "none_1"
    }),
    {
      ...(route.policy.surface === "admin" ? { key: shop.apiKey } : {}),
      body,
      headers: {
        origin: "https://shop.example",
        ...(route.policy.customer === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(route.policy.idempotency === "required" ? { "idempotency-key": `id-${calls++}` } : {})
      }
    }
  )

/** The body with the id at its path; a list of ids has it alone. */
const withId = (body: unknown, [name = "", ...rest]: ReadonlyArray<string>, id: string): unknown => {
  const isMany = rest.length === 0 && (name.endsWith("Ids") || listsOfIds.includes(name))
  if (Array.isArray(body) || name === "0")
    return [rest.length === 0 ? id : withId(Array.isArray(body) ? body[0] : {}, rest, id)]
  const inner = (body as Body | undefined)?.[name]
  return { ...(body as Body), [name]: rest.length > 0 ? withId(inner, rest, id) : isMany ? [id] : id }
}

const split = (field: string) => {
  const at = field.lastIndexOf(" ")
  return { name: field.slice(0, at), path: field.slice(at + 1) }
}

const answerOf = async (field: string, id: string) => {
  const { name, path } = split(field)
  const route = routes.get(name)
  if (route === undefined) throw new Error(`no route ${name}`)
  const { body = () => ({}) } = idCases[field] ?? {}
  const answer = await send(route, withId(body(ids), path.split("."), id) as Body)
  const told = answer.status === 400 && answer.body.details?.errors !== undefined
  return [answer.status, told ? Object.keys(answer.body.details.errors) : (answer.body.code ?? answer.text)]
}

describe("an id that the store does not have", () => {
  it("is looked for in every field that names one", () => {
    expect(fields.filter((field) => !(field in idCases) && !(field in allowedIds))).toEqual([])
    expect([...Object.keys(idCases), ...Object.keys(allowedIds)].filter((field) => !fields.includes(field))).toEqual([])
  })

  it.each(Object.entries(idCases))("is refused as %s", async (field, { answer, kind }) => {
    const expected = answer ?? [400, [split(field).path]]
    expect(await answerOf(field, "none_01jzzzzzzzzzzzzzzzzzzzzzzz")).toEqual(expected)
    if (kind !== undefined) expect(await answerOf(field, foreign[kind] ?? "")).toEqual(expected)
  })
})
