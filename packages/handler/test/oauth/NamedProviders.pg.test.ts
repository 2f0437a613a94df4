/** Google, Facebook and GitHub, as local servers that answer as the companies document it. */
import { createHash, createHmac } from "node:crypto"
import { createServer, type IncomingMessage, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import type { TestCommerce } from "../../src/testing/TestCommerce.ts"
import { answer } from "../customer/SignedIn.ts"
import { clientId, clientSecret, FakeIssuer } from "./FakeIssuer.ts"
import { loginsOf, openLoginShop, redirectUrl, somebody } from "./LoginShop.ts"

type Answers = Readonly<
  Record<string, (given: URLSearchParams, request: IncomingMessage) => readonly [number, unknown]>
>

/** A company's server: `/token` and the paths of its API. */
let company: Server
let base = ""
let answers: Answers = {}
const asked: Array<{ readonly path: string; readonly given: URLSearchParams; readonly headers: object }> = []

let google: FakeIssuer
let shop: TestCommerce
let at: ReturnType<typeof loginsOf>

beforeAll(async () => {
  company = createServer(async (request, response) => {
    const chunks: Array<Buffer> = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const url = new URL(request.url ?? "/", base)
    const given = new URLSearchParams(request.method === "POST" ? Buffer.concat(chunks).toString() : url.search)
    asked.push({ path: url.pathname, given, headers: request.headers })
    const [status, body] = answers[url.pathname]?.(given, request) ?? [404, { message: "Not Found" }]
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
  })
  await new Promise<void>((done) => company.listen(0, "127.0.0.1", done))
  base = `http://127.0.0.1:${(company.address() as AddressInfo).port}`
  google = await new FakeIssuer().start()
  const addresses = { authorize: `${base}/dialog?from=shop`, token: `${base}/token`, api: base }
  shop = await openLoginShop({ login: { google: google.issuer, facebook: addresses, github: addresses } })
  at = loginsOf(shop)
  for (const provider of ["google", "Facebook", "GITHUB"]) await at.setUp(provider)
})
afterAll(async () => {
  await shop.close()
  await google.stop()
  company.closeAllConnections()
  await new Promise((done) => void company.close(done))
})
beforeEach(() => {
  asked.length = 0
})

let codes = 0
/** Begins, and comes back as the company sends people back. */
const returned = async (provider: string) => {
  const { searchParams } = new URL(await at.begun(provider))
  codes += 1
  return { begun: searchParams, body: { code: `code-${codes}`, state: searchParams.get("state") ?? "" } }
}
const tokenOf = (accessToken: string): Answers => ({
  "/token": () => [200, { access_token: accessToken, token_type: "bearer", scope: "user:email,read:user" }]
})
const challengeOf = (verifier: string | null): string =>
  createHash("sha256")
    .update(verifier ?? "")
    .digest("base64url")

describe("Google", () => {
  it("is an OpenID Connect provider under its own issuer", async () => {
    const person = somebody({ given_name: "Ada" })
    const { status, body } = await at.signIn(google, "google", person)
    expect([status, body.customer.email, body.customer.emailVerified]).toEqual([200, person.email, true])
    const [identity] = await at.rows("oauth_identity")
    expect([identity?.["provider"], identity?.["issuer"], identity?.["subject"]]).toEqual([
      "GOOGLE",
      google.issuer,
      person.sub
    ])
  })

  it("signs in members of the tenant alone, where one is named", async () => {
    await at.admin("PATCH", "/oauth-providers/google", { providerConfig: { tenant: "example.com" } })
    const url = await at.begun("google")
    expect(new URL(url).searchParams.get("hd")).toBe("example.com")
    const before = await at.written()
    const stranger = google.logIn(url, { person: somebody() })
    expect(await answer(at.callback("google", stranger))).toEqual([401, "UNAUTHORIZED"])
    expect(await at.written()).toEqual(before)
    expect((await at.signIn(google, "google", somebody({ hd: "example.com" }))).status).toBe(200)
    await at.admin("PATCH", "/oauth-providers/google", { providerConfig: { tenant: "" } })
    expect((await at.signIn(google, "google", somebody())).status).toBe(200)
  })
})

describe("GitHub", () => {
  const emails = [
    { email: "octo@old.example.com", verified: true, primary: false },
    { email: "Octo@Example.com", verified: true, primary: true }
  ]
  const api = (user: unknown, listed: unknown): Answers => ({
    ...tokenOf("gho_1"),
    "/user": () => [200, user],
    "/user/emails": () => [200, listed]
  })

  it("is asked who signed in, with the access token, and for the primary address", async () => {
    answers = api({ id: 583_231, login: "octocat", name: "The Octocat" }, emails)
    const { begun, body: back } = await returned("github")
    expect([begun.get("scope"), begun.get("from"), begun.get("response_type")]).toEqual([
      "read:user user:email",
      "shop",
      "code"
    ])
    const { status, body } = await at.callback("github", back)
    expect([status, body.customer]).toEqual([
      200,
      {
        id: expect.any(String),
        email: "octo@example.com",
        firstName: "The Octocat",
        lastName: null,
        phone: null,
        emailVerified: true
      }
    ])
    const [token, user] = asked
    expect(Object.fromEntries(token?.given ?? [])).toEqual({
      grant_type: "authorization_code",
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uri: redirectUrl,
      code: back.code,
      code_verifier: expect.any(String)
    })
    expect(challengeOf(token?.given.get("code_verifier") ?? null)).toBe(begun.get("code_challenge"))
    expect(user?.headers).toMatchObject({ authorization: "Bearer gho_1", "user-agent": "effect-commerce" })
    expect((await at.rows("oauth_identity")).map((row) => row["subject"])).toContain("583231")
  })

  it("may have verified no address, which then counts as unverified, or name none", async () => {
    answers = api({ id: 2, login: "b" }, [{ email: "b@example.com", verified: false, primary: true }])
    const { body } = await at.callback("github", (await returned("github")).body)
    expect([body.customer.email, body.customer.emailVerified]).toEqual(["b@example.com", false])
    expect(await at.mailed(body.customer.id, "verification")).toHaveLength(1)
    answers = api({ id: 3, login: "c" }, [{ email: "3+c@users.noreply.github.com", verified: true, primary: true }])
    expect(await answer(at.callback("github", (await returned("github")).body))).toEqual([
      422,
      "BUSINESS_RULE_VIOLATION"
    ])
  })

  it("says with the status 200 that a code is wrong, or the client", async () => {
    const before = await at.written()
    answers = { "/token": () => [200, { error: "bad_verification_code" }] }
    expect(await answer(at.callback("github", (await returned("github")).body))).toEqual([400, "VALIDATION_FAILED"])
    answers = { "/token": () => [200, { error: "incorrect_client_credentials" }] }
    expect(await answer(at.callback("github", (await returned("github")).body))).toEqual([503, "PROVIDER_NOT_READY"])
    answers = api({ login: "no id" }, emails)
    expect(await answer(at.callback("github", (await returned("github")).body))).toEqual([503, "PROVIDER_NOT_READY"])
    answers = { ...api({ id: 5 }, emails), "/user/emails": () => [403, {}] }
    expect(await answer(at.callback("github", (await returned("github")).body))).toEqual([503, "PROVIDER_NOT_READY"])
    expect(await at.written()).toEqual(before)
  })
})

describe("Facebook", () => {
  const me = (person: unknown): Answers => ({ ...tokenOf("EAAB"), "/me": () => [200, person] })

  it("is asked with a proof of the app's secret, and its address counts as unverified", async () => {
    answers = me({ id: "10159", first_name: "Ada", last_name: "Lovelace", email: "ada.fb@example.com" })
    const { begun, body: back } = await returned("facebook")
    expect(begun.get("scope")).toBe("email public_profile")
    const { status, body } = await at.callback("facebook", back)
    expect([status, body.customer.email, body.customer.emailVerified]).toEqual([200, "ada.fb@example.com", false])
    expect([body.customer.firstName, body.customer.lastName]).toEqual(["Ada", "Lovelace"])
    expect(Object.fromEntries(asked.at(-1)?.given ?? [])).toEqual({
      fields: "id,name,first_name,last_name,email",
      appsecret_proof: createHmac("sha256", clientSecret).update("EAAB").digest("hex")
    })
    expect(await at.mailed(body.customer.id, "verification")).toHaveLength(1)
  })

  it("never links by its address, also where the customer has verified theirs", async () => {
    const { body: known } = await at.admin("POST", "/customers", { email: "bob.fb@example.com", emailVerified: true })
    answers = me({ id: "10160", email: "bob.fb@example.com" })
    const before = await at.written()
    const { status, body } = await at.callback("facebook", (await returned("facebook")).body)
    expect([status, body.code, body.details]).toEqual([
      409,
      "CONFLICT",
      { reason: "link_required", provider: "FACEBOOK" }
    ])
    expect(await at.written()).toEqual(before)
    const advance = (minutes: number) => shop.call("POST", "/test/clock", { body: { advanceMs: minutes * 60_000 } })
    await advance(-11)
    const earlier = await at.issue(known.id)
    await advance(11)
    // Somebody else may have begun the sign-in, with an account that names the address of a customer who is signed in.
    const unasked = await at.callback("facebook", (await returned("facebook")).body, earlier)
    expect([unasked.status, unasked.body.details]).toEqual([409, { reason: "link_required", provider: "FACEBOOK" }])
    expect(await at.written()).toEqual(before)
    const token = await at.issue(known.id)
    const linked = await at.callback("facebook", (await returned("facebook")).body, token)
    expect([linked.status, linked.body.customer.id]).toEqual([200, known.id])
  })

  it("may give no address, and says by a number that a code is wrong", async () => {
    const before = await at.written()
    answers = me({ id: "10161", name: "Nobody" })
    expect(await answer(at.callback("facebook", (await returned("facebook")).body))).toEqual([
      422,
      "BUSINESS_RULE_VIOLATION"
    ])
    answers = { "/token": () => [400, { error: { type: "OAuthException", code: 100, message: "used" } }] }
    expect(await answer(at.callback("facebook", (await returned("facebook")).body))).toEqual([400, "VALIDATION_FAILED"])
    answers = { "/token": () => [400, { error: { type: "OAuthException", code: 101, message: "no such app" } }] }
    expect(await answer(at.callback("facebook", (await returned("facebook")).body))).toEqual([
      503,
      "PROVIDER_NOT_READY"
    ])
    expect(await at.written()).toEqual(before)
  })
})
