import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { TestCommerce } from "../../src/testing/TestCommerce.ts"
import { answer } from "../customer/SignedIn.ts"
import { type Answering, FakeIssuer, signedWithPublicKey, unsigned } from "./FakeIssuer.ts"
import { loginsOf, openLoginShop, redirectUrl, somebody } from "./LoginShop.ts"

let shop: TestCommerce
let issuer: FakeIssuer
const logged: Array<string> = []
/** Whoever has written another issuer in their keys and tokens. */
let stranger: FakeIssuer
let at: ReturnType<typeof loginsOf>
const acme = "CUSTOM:acme"
const other = "CUSTOM:other"
beforeAll(async () => {
  issuer = await new FakeIssuer().start()
  stranger = await new FakeIssuer().start()
  shop = await openLoginShop({
    login: { timeoutMillis: 4_000 },
    logger: ({ message }) => void logged.push(message)
  })
  at = loginsOf(shop)
  await at.setUp(acme, { issuer: issuer.issuer })
  await at.setUp(other, { issuer: stranger.issuer })
})
afterAll(async () => {
  await shop.close()
  await issuer.stop()
  await stranger.stop()
})

const unauthorized = [401, "UNAUTHORIZED"]
const invalid = [400, "VALIDATION_FAILED"]
const notReady = [503, "PROVIDER_NOT_READY"]
const seconds = () => Math.floor(Date.now() / 1_000)

/** The answer of a sign-in, after which everything must be as it was. */
const refusedBy = async (answering: Partial<Answering>) => {
  const before = await at.written()
  const returned = issuer.logIn(await at.begun(acme), { person: somebody(), ...answering })
  const given = await answer(at.callback(acme, returned))
  expect(await at.written()).toEqual(before)
  return given
}

describe("an ID token that does not hold signs nobody in", () => {
  const claims: ReadonlyArray<readonly [string, () => Answering["claims"] & object]> = [
    ["of another issuer", () => ({ iss: "https://accounts.example.net" })],
    ["without an issuer", () => ({ iss: undefined })],
    ["for another client", () => ({ aud: "another-client" })],
    ["without an audience", () => ({ aud: undefined })],
    ["for several clients, of which another is authorized", () => ({ aud: ["shop-client", "other"], azp: "other" })],
    ["for several clients, without a word which is authorized", () => ({ aud: ["shop-client", "other"] })],
    ["with another nonce", () => ({ nonce: "another-nonce" })],
    ["without a nonce", () => ({ nonce: undefined })],
    ["that expired more than a minute ago", () => ({ exp: seconds() - 70 })],
    ["without an expiry", () => ({ exp: undefined })],
    ["issued in more than a minute", () => ({ iat: seconds() + 90 })],
    ["issued longer ago than a sign-in may take", () => ({ iat: seconds() - 720 })],
    ["without a time of issue", () => ({ iat: undefined })],
    ["that is valid later", () => ({ nbf: seconds() + 90 })],
    ["without a subject", () => ({ sub: undefined })],
    ["with an empty subject", () => ({ sub: "" })],
    ["with a subject that is no text", () => ({ sub: 4711 })],
    ["with a subject that is too long", () => ({ sub: "s".repeat(256) })],
    ["with a subject beyond ASCII", () => ({ sub: "sub\u0000ject" })]
  ]
  it.each(claims)("%s", async (_, wrong) => {
    expect(await refusedBy({ claims: wrong() })).toEqual(unauthorized)
  })

  const tokens: ReadonlyArray<readonly [string, Answering["token"] & object]> = [
    ["that nobody signed (alg none)", unsigned],
    ["signed with the public key as a shared secret (HS256)", signedWithPublicKey],
    ["signed by somebody else under the name of our key", (right) => stranger.sign(right, { kid: "key-1" })],
    ["signed by a key that the issuer does not publish", (right) => stranger.sign(right, { kid: "key-x" })],
    [
      "whose claims were changed after it was signed",
      async (right, by) => {
        const [head, , signature] = (await by.sign(right)).split(".")
        const changed = Buffer.from(JSON.stringify({ ...right, sub: "somebody-else" })).toString("base64url")
        return `${head}.${changed}.${signature}`
      }
    ],
    ["that is no token", () => Promise.resolve("no.token")],
    ["whose parts are no JSON", () => Promise.resolve("a.b.c")]
  ]
  it.each(tokens)("%s", async (_, token) => {
    expect(await refusedBy({ token })).toEqual(unauthorized)
  })

  it("while one whose clock is off by less than a minute holds", async () => {
    const late = { iat: seconds() + 45, exp: seconds() + 345 }
    const returned = issuer.logIn(await at.begun(acme), { person: somebody(), claims: late })
    expect((await at.callback(acme, returned)).status).toBe(200)
    const early = { iat: seconds() - 345, exp: seconds() - 45 }
    const again = issuer.logIn(await at.begun(acme), { person: somebody(), claims: early })
    expect((await at.callback(acme, again)).status).toBe(200)
  })
})

describe("a state", () => {
  it("works once, whatever came of it", async () => {
    const returned = issuer.logIn(await at.begun(acme), { person: somebody() })
    expect((await at.callback(acme, returned)).status).toBe(200)
    const before = await at.written()
    const asked = issuer.exchanges.length
    expect(await answer(at.callback(acme, returned))).toEqual(invalid)
    expect(issuer.exchanges).toHaveLength(asked)
    const refused = issuer.logIn(await at.begun(acme), { person: somebody(), claims: { nonce: "x" } })
    expect(await answer(at.callback(acme, refused))).toEqual(unauthorized)
    expect(await answer(at.callback(acme, refused))).toEqual(invalid)
    expect(await at.written()).toEqual(before)
  })

  it("is needed, and one that was made up or changed is none", async () => {
    const { code, state } = issuer.logIn(await at.begun(acme), { person: somebody() })
    const asked = issuer.exchanges.length
    for (const body of [
      { code },
      { code, state: "" },
      { code, state: "made-up" },
      { code, state: `${state}x` },
      { code, state: `${state.slice(0, -2)}AA` },
      { state },
      { code: "", state }
    ])
      expect(await answer(at.callback(acme, body))).toEqual(invalid)
    expect(issuer.exchanges).toHaveLength(asked)
  })

  it("of another provider, channel or store is none", async () => {
    const { body: channel } = await at.admin("POST", "/sales-channels", { name: "Other", mode: "test" })
    const elsewhere = loginsOf(shop, channel.id)
    const returned = issuer.logIn(await at.begun(acme), { person: somebody() })
    const asked = [issuer.exchanges.length, stranger.exchanges.length]
    expect(await answer(at.callback(other, returned))).toEqual(invalid)
    expect(await answer(elsewhere.callback(acme, returned))).toEqual(invalid)
    expect([issuer.exchanges.length, stranger.exchanges.length]).toEqual(asked)
    // It was not used up by those who could not use it.
    expect((await at.callback(acme, returned)).status).toBe(200)
  })

  it("of a provider that was deleted and set up anew is none", async () => {
    const again = "CUSTOM:again"
    await at.setUp(again, { issuer: issuer.issuer })
    const returned = issuer.logIn(await at.begun(again), { person: somebody() })
    await at.admin("DELETE", `/oauth-providers/${encodeURIComponent(again)}`)
    await at.setUp(again, { issuer: issuer.issuer })
    expect(await answer(at.callback(again, returned))).toEqual(invalid)
  })

  it("is good for ten minutes, and used ones are forgotten after them", async () => {
    const [inTime, tooLate] = [await at.begun(acme), await at.begun(acme)]
    const claims = { iat: seconds() + 599, exp: seconds() + 900 }
    const used = await at.rows("oauth_used_state")
    expect(used.length).toBeGreaterThan(0)
    await shop.call("POST", "/test/clock", { body: { advanceMs: 595_000 } })
    expect((await at.callback(acme, issuer.logIn(inTime, { person: somebody(), claims }))).status).toBe(200)
    await shop.call("POST", "/test/clock", { body: { advanceMs: 10_000 } })
    expect(await answer(at.callback(acme, issuer.logIn(tooLate, { person: somebody(), claims })))).toEqual(invalid)
    const next = issuer.logIn(await at.begun(acme), { person: somebody(), claims })
    expect((await at.callback(acme, next)).status).toBe(200)
    const hashes = new Set((await at.rows("oauth_used_state")).map((row) => row["state_hash"]))
    expect(used.filter((row) => hashes.has(row["state_hash"]))).toEqual([])
    await shop.call("POST", "/test/clock", { body: { advanceMs: -605_000 } })
  })
})

describe("a code", () => {
  it("that the provider does not know, or knew once, is refused", async () => {
    const before = await at.written()
    const { state } = issuer.logIn(await at.begun(acme), { person: somebody() })
    const { status, body } = await at.callback(acme, { code: "unknown", state })
    expect([status, body.code, Object.keys(body.details.errors)]).toEqual([...invalid, ["code"]])
    const first = issuer.logIn(await at.begun(acme), { person: somebody() })
    const second = new URL(await at.begun(acme)).searchParams.get("state") ?? ""
    expect((await at.callback(acme, { ...first, state: second })).status).toBe(400)
    expect(await answer(at.callback(acme, first))).toEqual(invalid)
    expect(await at.written()).toEqual(before)
  })

  it("of another issuer, as the storefront passes it on, is refused before it is sent anywhere (mix-up)", async () => {
    const before = await at.written()
    const returned = issuer.logIn(await at.begun(acme), { person: somebody() })
    const asked = issuer.exchanges.length
    expect(await answer(at.callback(acme, { ...returned, iss: stranger.issuer }))).toEqual(unauthorized)
    expect([issuer.exchanges.length, await at.written()]).toEqual([asked, before])
    const right = issuer.logIn(await at.begun(acme), { person: somebody() })
    expect((await at.callback(acme, { ...right, iss: issuer.issuer })).status).toBe(200)
  })
})

describe("a key that is not among those that are kept", () => {
  it("is asked for once, and not again within a minute", async () => {
    await at.signIn(issuer, acme, somebody())
    await shop.call("POST", "/test/clock", { body: { advanceMs: 61_000 } })
    const claims = { iat: seconds() + 61, exp: seconds() + 361 }
    await issuer.rotate("key-2")
    const keysAsked = () => issuer.asked.filter((path) => path === "/jwks").length
    const before = keysAsked()
    const turned = issuer.logIn(await at.begun(acme), { person: somebody(), claims })
    expect((await at.callback(acme, turned)).status).toBe(200)
    expect(keysAsked()).toBe(before + 1)
    for (const kid of ["key-3", "key-4"]) {
      const token: Answering["token"] = (right, by) => by.sign(right, { kid })
      expect(await refusedBy({ claims, token })).toEqual(unauthorized)
    }
    expect(keysAsked()).toBe(before + 1)
    await shop.call("POST", "/test/clock", { body: { advanceMs: -61_000 } })
  })
})

describe("a provider that misbehaves", () => {
  const megabytes = Buffer.alloc(10 * 1_048_576, 32)
  const answers: ReadonlyArray<readonly [string, Answering["response"] & object]> = [
    ["answers 500", (response) => void response.writeHead(500).end()],
    ["answers garbage", (response) => void response.writeHead(200, { "content-type": "application/json" }).end("{{")],
    ["answers a list", (response) => void response.writeHead(200).end("[]")],
    ["answers no token", (response) => void response.writeHead(200).end("{}")],
    ["answers ten megabytes", (response) => void response.writeHead(200).end(megabytes)],
    [
      "sends us to a private address",
      (response) => {
        response.writeHead(307, { location: "http://169.254.169.254/latest/meta-data" }).end()
      }
    ],
    ["does not know the client", (response) => void response.writeHead(401).end('{"error":"invalid_client"}')],
    [
      "breaks off",
      (response) => void response.writeHead(200, { "content-length": "10" }).write("{", () => response.destroy())
    ],
    ["never answers", () => undefined]
  ]
  it.each(answers)("and %s is not ready, and nothing is written", async (_, response) => {
    const before = await at.written()
    const returned = issuer.logIn(await at.begun(acme), { person: somebody(), response })
    const { status, body, headers } = await at.callback(acme, returned)
    expect([status, body.code, body.details]).toEqual([...notReady, { provider: acme }])
    expect(headers.get("retry-after")).toBe("10")
    expect(await at.written()).toEqual(before)
    // One that answers well closes its circuit again.
    expect((await at.signIn(issuer, acme, somebody())).status).toBe(200)
  })

  it("is given up once a sign-in has taken its time, although one request may take longer", async () => {
    const returned = issuer.logIn(await at.begun(acme), { person: somebody(), response: () => undefined })
    expect(await answer(at.callback(acme, returned))).toEqual(notReady)
    expect(logged.filter((line) => line.includes("could not sign in")).at(-1)).toContain("it did not answer in time")
    expect((await at.signIn(issuer, acme, somebody())).status).toBe(200)
  })

  const discoveries: ReadonlyArray<readonly [string, (broken: FakeIssuer) => void]> = [
    ["500", (broken) => broken.overrides.set("/.well-known/openid-configuration", (r) => void r.writeHead(500).end())],
    [
      "ten megabytes",
      (broken) => broken.overrides.set("/.well-known/openid-configuration", (r) => void r.writeHead(200).end(megabytes))
    ],
    ["nothing, for ever", (broken) => broken.overrides.set("/.well-known/openid-configuration", () => undefined)],
    [
      "the metadata of another issuer",
      (broken) => {
        const metadata = JSON.stringify({ ...broken.metadata(), issuer: issuer.issuer })
        broken.overrides.set("/.well-known/openid-configuration", (r) => {
          r.writeHead(200, { "content-type": "application/json" }).end(metadata)
        })
      }
    ],
    [
      "a page that is a script",
      (broken) => {
        const metadata = JSON.stringify({ ...broken.metadata(), authorization_endpoint: "javascript:alert(1)" })
        broken.overrides.set("/.well-known/openid-configuration", (r) => {
          r.writeHead(200, { "content-type": "application/json" }).end(metadata)
        })
      }
    ],
    ["no keys", (broken) => broken.overrides.set("/jwks", (r) => void r.writeHead(200).end('{"keys":{}}'))]
  ]
  it.each(discoveries)("and publishes %s is not ready", async (_, breaks) => {
    const broken = await new FakeIssuer().start()
    breaks(broken)
    const code = `CUSTOM:broken-${new URL(broken.issuer).port}`
    await at.setUp(code, { issuer: broken.issuer })
    const { status, body } = await at.authorize(code, { redirectUrl })
    expect([status, body.code, body.details]).toEqual([...notReady, { provider: code }])
    await broken.stop()
    await at.admin("DELETE", `/oauth-providers/${encodeURIComponent(code)}`)
  })

  it.each([
    ["a code that it calls an invalid request", 400, '{"error":"invalid_request"}'],
    ["a client that it does not know", 401, '{"error":"invalid_client"}'],
    ["a path that it does not know", 404, "nothing here"]
  ])("and answers %s, however often, is there: others sign in by it", async (_, status, text) => {
    const picky = await new FakeIssuer().start()
    await at.setUp("CUSTOM:picky", { issuer: picky.issuer })
    const refuses: Answering["response"] = (response) => void response.writeHead(status).end(text)
    const urls = []
    for (let i = 0; i < 6; i += 1) urls.push(await at.begun("CUSTOM:picky"))
    for (const url of urls) {
      const returned = picky.logIn(url, { person: somebody(), response: refuses })
      expect(await answer(at.callback("CUSTOM:picky", returned))).toEqual(notReady)
    }
    expect(picky.exchanges).toHaveLength(6)
    expect((await at.signIn(picky, "CUSTOM:picky", somebody())).status).toBe(200)
    await picky.stop()
    await at.admin("DELETE", "/oauth-providers/CUSTOM%3Apicky")
  })

  it("again and again is asked less often, and holds up no other provider", async () => {
    const broken = await new FakeIssuer().start()
    broken.overrides.set("/.well-known/openid-configuration", (r) => void r.writeHead(500).end())
    await at.setUp("CUSTOM:down", { issuer: broken.issuer })
    for (let i = 0; i < 8; i += 1) expect(await answer(at.authorize("CUSTOM:down"))).toEqual(notReady)
    expect(broken.asked).toHaveLength(5)
    expect((await at.signIn(issuer, acme, somebody())).status).toBe(200)
    await broken.stop()
    await at.admin("DELETE", "/oauth-providers/CUSTOM%3Adown")
  })
})
