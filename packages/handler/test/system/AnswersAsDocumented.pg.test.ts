import { afterAll, beforeAll, expect, it } from "vitest"
import { type Called, openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { install } from "../app/installed.ts"
import { formOf } from "../media/sendForm.ts"
import { shopperOf } from "../Shopper.ts"
import { redPixel } from "../media/redPixel.ts"
import { ownerOf } from "../team/desk.ts"
import { differencesOf, document, type Json } from "./documentedAnswers.ts"
import { furnish } from "./furnishedStore.ts"
import { makeKnown, mutated, randomOf, requestMaker } from "./randomRequests.ts"

/**
 * `FUZZ_SEED` and `FUZZ_REQUESTS` make other and longer runs: rounds that call every operation, deletions half as
 * often, until so many requests were sent. A third of their bodies have something wrong.
 */
const seed = Number(process.env["FUZZ_SEED"] ?? 1)
const least = Number(process.env["FUZZ_REQUESTS"] ?? 1_200)
/** Milliseconds that a response may take; a machine that runs other tests beside has no bound. */
const slowest = Number(process.env["FUZZ_SLOWEST"] ?? Number.POSITIVE_INFINITY)
/** No request asks for these. */
const undue: ReadonlySet<unknown> = new Set(["INTERNAL_SERVER_ERROR", "SERVICE_TEMPORARILY_UNAVAILABLE"])

let shop: TestCommerce
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
})
afterAll(() => shop.close())

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: Json
}

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([verb, operation]) => ({ path, method: verb.toUpperCase(), operation }))
)
type Operation = (typeof operations)[number]

const parametersOf = ({ operation }: Operation): ReadonlyArray<Parameter> =>
  operation.parameters.map((one) => {
    const name = (one as unknown as { readonly $ref?: string }).$ref?.split("/").at(-1)
    return (name === undefined ? one : document.components.parameters[name]) as unknown as Parameter
  })

/** The credential that the document names for an operation; of several the one that opens the most. */
type Credential = "key" | "app" | "session" | "none"
const credentialOf = ({ operation }: Operation): Credential => {
  const named = new Set(
    (operation as unknown as { readonly security: ReadonlyArray<Json> }).security.flatMap(Object.keys)
  )
  if (named.has("appToken")) return "app"
  if (named.has("apiKey")) return "key"
  return named.has("session") ? "session" : "none"
}
const endsSession = ({ method, path }: Operation): boolean =>
  method !== "GET" && /logout|customers\/me$|password/.test(path)

/** What is wrong with the form of a request, now and then: the pipeline refuses it before any room is asked. */
const malformed = [
  { query: "?x=%00" },
  { query: `?x=${"y".repeat(20_000)}` },
  { raw: "{" },
  { raw: '{"name":"\\u0000"}' },
  { raw: "a=b", headers: { "content-type": "text/plain" } }
] as const

const run = async () => {
  const known = makeKnown()
  const ownKeys = (await shop.call("GET", "/v1/api-keys")).body.data.map((one: { readonly id: string }) => one.id)
  const app = await install(shop)
  const spared = new Set([shop.channelId, shop.storeId, app.id, ...ownKeys])
  const random = randomOf(seed)
  const { value, inPath, often, oneOf } = requestMaker(random, known, spared)
  let token = ""
  let asked = 0
  let session = ""
  const logIn = async () => {
    session = await ownerOf(shop, shop, `owner${asked}@example.com`)
  }

  const signUp = async () => {
    const body = { email: `shopper${asked}@example.com`, password: "Corr3ct-Horse", firstName: "Ada" }
    const clientAddress = `10.1.${asked >> 8}.${asked & 255}`
    token = (await shop.call("POST", `${shopperOf(shop).at}/customers/register`, { body, clientAddress })).body.token
  }

  const pathOf = ({ path }: Operation, isApp: boolean): string =>
    path.replaceAll(/\{(\w+)\}/g, (_, name) => {
      if (name === "salesChannelId") return shop.channelId
      if (name === "installationId" && isApp) return app.id
      return name === "storeId" ? shop.storeId : encodeURIComponent(inPath(path, name))
    })

  const queryOf = (parameters: ReadonlyArray<Parameter>): string => {
    const given = parameters.flatMap(({ name, in: place, required, schema }): ReadonlyArray<[string, string]> => {
      if (place !== "query" || name === "storeId" || !often(required === true ? 0.98 : 0.15)) return []
      const made = value(name, schema)
      return typeof made === "object" && !Array.isArray(made) ? [] : [[name, String(made)]]
    })
    return given.length === 0 ? "" : `?${new URLSearchParams(given)}`
  }

  const headersOf = ({ method, path }: Operation, parameters: ReadonlyArray<Parameter>) => ({
    ...(path.startsWith("/v1/") || often(0.05) ? {} : { origin: "https://shop.example" }),
    ...(path.startsWith("/vc/") && often(0.8) ? { authorization: `Bearer ${token}` } : {}),
    ...(parameters.some(({ name }) => name === "Idempotency-Key") ? { "idempotency-key": `key-${asked}` } : {}),
    ...(method !== "GET" && often(0.02) ? { "if-match": '"2026-01-01T00:00:00.000Z"' } : {})
  })

  const bodyOf = ({ operation }: Operation) => {
    const content = operation.requestBody?.content
    if (content?.["multipart/form-data"] !== undefined && often(0.7)) return { raw: formOf({ bytes: redPixel }) }
    const schema = content?.["application/json"]?.schema
    if (schema === undefined) return {}
    const body = value("", schema)
    return { body: often(1 / 3) ? mutated(random, body) : body }
  }

  const call = async (at: Operation): Promise<Called> => {
    asked += 1
    const parameters = parametersOf(at)
    const wrong: { readonly query?: string; readonly raw?: string; readonly headers?: object } = often(0.04)
      ? oneOf(malformed)
      : {}
    const credential = credentialOf(at)
    const isApp = credential === "app" && often(0.7)
    const key = { app: isApp ? app.token : shop.apiKey, key: shop.apiKey, session, none: null }[credential]
    const answer = await shop.call(at.method, `${pathOf(at, isApp)}${wrong.query ?? queryOf(parameters)}`, {
      ...bodyOf(at),
      ...(wrong.raw === undefined || at.method === "GET" ? {} : { raw: wrong.raw }),
      headers: { ...headersOf(at, parameters), ...wrong.headers },
      ...(credential === "none" ? {} : { key: often(0.98) ? key : null }),
      clientAddress: `10.2.${asked >> 8}.${asked & 255}`
    })
    if (answer.status < 300) known.learn(answer.body)
    return answer
  }

  known.learn({ salesChannelId: shop.channelId })
  for (const round of [0, 1]) await furnish(shop, { round, learn: known.learn })
  await signUp()
  await logIn()
  const differences = new Set<string>()
  const done = new Set<string>()
  const early: Readonly<Record<string, number>> = { POST: -0.5, DELETE: 0.8 }
  const judge = async (at: Operation): Promise<void> => {
    const before = performance.now()
    const answer = await call(at)
    const took = performance.now() - before
    const what = `${at.method} ${at.path}`
    if (answer.status < 300) done.add(what)
    for (const found of differencesOf(at.method, at.path, answer)) differences.add(`${what} ${found}`)
    if (undue.has(answer.body?.code)) differences.add(`${what} ${answer.text}`)
    if (took > slowest) differences.add(`${what} took ${Math.round(took)} ms`)
    if (endsSession(at)) await (credentialOf(at) === "session" ? logIn() : signUp())
  }
  while (asked < least) {
    const placed = operations.map((at) => ({ at, place: random() + (early[at.method] ?? 0) }))
    for (const { at } of placed.toSorted((a, b) => a.place - b.place)) {
      if (at.method === "DELETE" && often(0.5)) continue
      await judge(at)
    }
  }
  return { differences, done }
}

it(`whatever is asked, the answer is as the document says (FUZZ_SEED=${seed})`, { timeout: 3_600_000 }, async () => {
  const { differences, done } = await run()
  expect([...differences]).toEqual([])
  // Otherwise little but refusals would have been looked at, of whoever has one of the credentials.
  for (const [credential, bound] of [
    ["key", 0.6],
    ["app", 0.5],
    ["session", 0.4],
    ["none", 0.5]
  ] as const) {
    const theirs = operations.filter((at) => credentialOf(at) === credential)
    const share = theirs.filter(({ method, path }) => done.has(`${method} ${path}`)).length / theirs.length
    expect([credential, share > bound]).toEqual([credential, true])
  }
})
