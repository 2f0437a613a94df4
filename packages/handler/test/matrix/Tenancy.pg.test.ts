import { OutboxRelay } from "@effect-commerce/core/outbox/OutboxRelay"
import type { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Api } from "../../src/Api.ts"
import { type DeclaredRoute, routesOf } from "../../src/middleware/routesOf.ts"
import { png } from "@effect-commerce/core/testing/TestImages"
import { formOf } from "../media/sendForm.ts"
import { bodies } from "./rooms.ts"
import { filledPath, filledShopper, fillStore, type Fingerprints, openFingerprints } from "./filledStore.ts"
import { ownerOf } from "../team/desk.ts"
import { type Called, openTestCommerce, type TestCommerce, type TestStore } from "../../src/testing/TestCommerce.ts"

/**
 * Every declared route that names a thing by id, called with the id of another store's thing: it must answer as it does
 * for an id that never was.
 */
const routes = routesOf(Api).filter((route) => route.path.includes(":") && route.policy.surface !== "open")

let shop: TestCommerce
let other: TestStore
/** Ids of the other store, by the path segment that precedes them. */
let foreign: Record<string, string>
/** A customer's token of our own channel. */
let bearer: string
/** A session of our own store's owner. */
let session: string
let fingerprints: Fingerprints

beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  other = await shop.openStore()
  foreign = (await fillStore(shop, other)).ids
  // The same address in our store is somebody else, and sees nothing of theirs.
  bearer = (await shop.call("POST", `/vc/${shop.channelId}/customers/register`, { body: filledShopper })).body.token
  session = await ownerOf(shop, shop, "ours@example.com")
  fingerprints = await openFingerprints(shop)
  // Events are marked in the background: nothing of the store changes by itself from here on.
  await shop.run(OutboxRelay.use((relay) => relay.relayStore(other.storeId)) as unknown as Effect.Effect<void>)
})
afterAll(async () => {
  await fingerprints.close()
  await shop.close()
})

/** Routes that take a form with a file. */
const takesFile = (route: DeclaredRoute): boolean => route.path.endsWith("-photo")

const queries: Record<string, string> = {
  "GET /api/vc/:salesChannelId/orders/:id/status": "?email=theirs@example.com",
  "GET /api/vc/:salesChannelId/customers/oauth/:provider/authorize": "?redirectUrl=http://localhost/signed-in"
}

/** The path with our own channel or store, and every other parameter filled by `idOf`. */
const fill = (route: DeclaredRoute, idOf: (kind: string) => string): string => filledPath(route, shop, idOf)

const call = (route: DeclaredRoute, path: string, idempotencyKey: string, credential = shop.apiKey) => {
  const body =
    bodies[`${route.method} ${route.path}`] ?? (route.method === "GET" || route.method === "DELETE" ? undefined : {})
  return shop.call(route.method, `${path}${queries[`${route.method} ${route.path}`] ?? ""}`, {
    ...(route.policy.surface === "admin" ? { key: credential } : {}),
    ...(route.policy.surface === "person" ? { key: session } : {}),
    ...(takesFile(route) ? { raw: formOf({ bytes: png(2, 2) }) } : body === undefined ? {} : { body }),
    headers: {
      origin: "https://shop.example",
      ...(route.policy.customer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...(route.policy.idempotency === "required" ? { "idempotency-key": idempotencyKey } : {})
    }
  })
}

/** The body without what differs by itself: the id that was asked for, the time and the path. */
const saidOf = (answer: Called, idOf: (kind: string) => string, kinds: ReadonlyArray<string>): unknown => {
  const text = kinds.reduce((one, kind) => one.replaceAll(idOf(kind), "(id)"), answer.text)
  const { timestamp: _timestamp, path: _path, ...said } = JSON.parse(text) as Record<string, unknown>
  return said
}
const foreignId = (kind: string): string => foreign[kind] ?? "x"
const unknownId = (kind: string): string => `${(foreign[kind] ?? "x_x").split("_")[0]}_00000000000000000000000000`
const kindsOf = (route: DeclaredRoute): ReadonlyArray<string> => {
  const kinds: Array<string> = []
  fill(route, (kind) => (kinds.push(kind), "x"))
  return kinds
}

const named = routes.filter((route) => /:(?!salesChannelId|storeId)/.test(route.path))

describe("another store's ids", () => {
  it("are covered for every route that takes one", () => {
    const missing = named.flatMap((route) => {
      const unknown = kindsOf(route).filter((kind) => foreign[kind] === undefined)
      return unknown.map((kind) => `${route.method} ${route.path}: ${kind}`)
    })
    expect(missing).toEqual([])
  })

  it.each(named.map((route) => [`${route.method} ${route.path}`, route] as const))(
    "are as unknown to %s as ids that never were",
    async (name, route) => {
      const before = await fingerprints.of(other.storeId)
      const theirs = await call(route, fill(route, foreignId), `theirs-${name}`)
      const unknown = await call(route, fill(route, unknownId), `unknown-${name}`)
      const kinds = kindsOf(route)
      expect([theirs.status, saidOf(theirs, foreignId, kinds)]).toEqual([
        unknown.status,
        saidOf(unknown, unknownId, kinds)
      ])
      expect(theirs.text).not.toContain(other.storeId)
      // A login provider that the store has not set up is not configured.
      const status = route.path.includes("/customers/oauth/") ? 503 : 404
      if (!route.path.endsWith("/inventory") || route.method !== "GET") expect(theirs.status).toBe(status)
      expect(await fingerprints.of(other.storeId)).toEqual(before)
    }
  )

  it.each(
    named
      .filter(({ policy }) => policy.area !== undefined)
      .map((route) => [`${route.method} ${route.path}`, route] as const)
  )("are as unknown to %s for a person of our team as ids that never were", async (name, route) => {
    const before = await fingerprints.of(other.storeId)
    const asked = (idOf: (kind: string) => string) => {
      const path = fill(route, idOf)
      const inQuery = route.policy.storeInPath === true ? path : `${path}?storeId=${shop.storeId}`
      return call(route, inQuery, `person-${name}`, session)
    }
    const [theirs, unknown] = [await asked(foreignId), await asked(unknownId)]
    const kinds = kindsOf(route)
    expect([theirs.status, saidOf(theirs, foreignId, kinds)]).toEqual([404, saidOf(unknown, unknownId, kinds)])
    expect(await fingerprints.of(other.storeId)).toEqual(before)
  })

  it("of a channel open no door to a store's keys, and a key none to another's channel routes", async () => {
    const throughTheirs = await shop.call("GET", `/vc/${other.channelId}/cart/${foreign["cart"]}`)
    expect(throughTheirs.status).toBe(200)
    const throughOurs = await shop.call("GET", `/vc/${shop.channelId}/cart/${foreign["cart"]}`)
    expect(throughOurs.status).toBe(404)
  })
})
