/** Bodies whose values are wrong in several fields: each of them is named, and nothing is written. */
import { OutboxRelay } from "@effect-commerce/core/outbox/OutboxRelay"
import { png } from "@effect-commerce/core/testing/TestImages"
import type { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Api } from "../../src/Api.ts"
import { type DeclaredRoute, routesOf } from "../../src/middleware/routesOf.ts"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { formOf } from "../media/sendForm.ts"
import { type FilledCatalogue, fillCatalogue } from "./filledCatalogue.ts"
import { failingBodies } from "./rooms.ts"
import { filledPath, fillStore, type Fingerprints, openFingerprints } from "./filledStore.ts"

const routes = new Map(routesOf(Api).map((route) => [`${route.method} ${route.path.slice("/api".length)}`, route]))

let shop: TestCommerce
let ids: Record<string, string>
let token: string
let catalogue: FilledCatalogue
let fingerprints: Fingerprints

beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  const filled = await fillStore(shop, shop)
  token = filled.token
  catalogue = await fillCatalogue(shop, filled.ids)
  const modifiers = (await shop.call("GET", `/v1/modifier-groups/${filled.ids["modifier-groups"]}`)).body.modifiers
  ids = {
    ...filled.ids,
    categories: catalogue.categoryId,
    variants: catalogue.variantId,
    variable: catalogue.variableId,
    modifier: modifiers[0].id
  }
  fingerprints = await openFingerprints(shop, ["idempotency"])
  await shop.run(OutboxRelay.use((relay) => relay.relayStore(shop.storeId)) as unknown as Effect.Effect<void>)
})
afterAll(async () => {
  await fingerprints.close()
  await shop.close()
})

let calls = 0
const send = (route: DeclaredRoute, body: object) =>
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
        ...(route.policy.idempotency === "required" ? { "idempotency-key": `fields-${calls++}` } : {})
      }
    }
  )

describe("a body with several wrong values", () => {
  it.each(failingBodies.map((one) => [one.route, one] as const))(
    "is refused by each of them: %s",
    async (name, { body, fields, code = "VALIDATION_FAILED" }) => {
      const route = routes.get(name)
      if (route === undefined) throw new Error(`no route ${name}`)
      const before = await fingerprints.of(shop.storeId)
      const { status, body: answer } = await send(route, body(ids))
      const errors: Readonly<Record<string, string>> = answer.details?.errors ?? {}
      expect([status, answer.code, Object.keys(errors)]).toEqual([400, code, fields])
      const told = Object.entries(errors).map(([field, reason]) => `${field}: ${reason}`)
      expect(answer.message).toBe(`Invalid request: ${told.join("; ")}`)
      expect(await fingerprints.of(shop.storeId)).toEqual(before)
    }
  )
})

describe("the form of an upload", () => {
  const errorsOf = async (path: string, texts: Readonly<Record<string, string>>, headers = {}) => {
    const answer = await shop.call("POST", path, {
      raw: formOf({ bytes: png(2, 2) }, texts),
      headers: { origin: "https://shop.example", ...headers }
    })
    return [answer.status, answer.body.details?.errors]
  }

  it("has the parts that the route takes: each other one is named, with the nearest", async () => {
    expect(await errorsOf("/v1/media", { altt: "A lamp", folder: "x", name: "Lamp" })).toEqual([
      400,
      { altt: "no field of this request; did you mean alt?", folder: "no field of this request" }
    ])
    expect(await errorsOf("/v1/media", { storeId: shop.storeId, alt: "A lamp" })).toEqual([201, undefined])
    expect(await errorsOf(`/vc/${shop.channelId}/customization-upload`, { productId: "x" })).toEqual([
      400,
      { productId: "no field of this request" }
    ])
    const bearer = { authorization: `Bearer ${token}` }
    expect(
      await errorsOf(`/vc/${shop.channelId}/products/${ids["products"]}/review-photo`, { name: "x" }, bearer)
    ).toEqual([400, { name: "no field of this request" }])
  })

  it("names every text that is too long", async () => {
    expect(await errorsOf("/v1/media", { name: "x".repeat(256), alt: "x".repeat(1_001) })).toEqual([
      400,
      { name: "must have at most 255 characters", alt: "must have at most 1000 characters" }
    ])
  })
})
