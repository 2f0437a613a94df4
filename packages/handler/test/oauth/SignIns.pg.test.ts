import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { TestCommerce } from "../../src/testing/TestCommerce.ts"
import { answer, goodPassword, rowsOf } from "../customer/SignedIn.ts"
import { clientId, clientSecret, FakeIssuer } from "./FakeIssuer.ts"
import { loginsOf, openLoginShop, redirectUrl, somebody } from "./LoginShop.ts"

let shop: TestCommerce
let issuer: FakeIssuer
let at: ReturnType<typeof loginsOf>
const acme = "CUSTOM:acme"
beforeAll(async () => {
  issuer = await new FakeIssuer().start()
  shop = await openLoginShop()
  at = loginsOf(shop)
  await at.setUp(acme, { issuer: issuer.issuer })
})
afterAll(async () => {
  await shop.close()
  await issuer.stop()
})

const linked = { status: 409, code: "CONFLICT", reason: "link_required" }
const advance = (minutes: number) => shop.call("POST", "/test/clock", { body: { advanceMs: minutes * 60_000 } })
const refusal = async (call: ReturnType<TestCommerce["call"]>) => {
  const { status, body } = await call
  return { status, code: body.code, reason: body.details?.reason }
}

describe("a sign-in by a provider", () => {
  it("begins at the provider's page with the client, PKCE, a nonce and a sealed state", async () => {
    const { status, body } = await at.authorize(acme, { redirectUrl, state: "/checkout" })
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(["url"])
    const url = new URL(body.url)
    expect(`${url.origin}${url.pathname}`).toBe(`${issuer.issuer}/authorize`)
    const given = Object.fromEntries(url.searchParams)
    expect(given).toEqual({
      response_type: "code",
      client_id: clientId,
      redirect_uri: redirectUrl,
      scope: "openid email profile",
      state: expect.stringMatching(/^[0-9a-f]{8}\.[\w-]+$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256"
    })
    expect(body.url).not.toContain("checkout")
    expect(await at.rows("oauth_used_state")).toEqual([])
  })

  it("comes back with whatever it could begin with: what is too long once it is sealed is refused", async () => {
    const filled = (letter: string, long: number, state: string) => ({
      redirectUrl: `${redirectUrl}?${letter.repeat(long - redirectUrl.length - 1)}`,
      state
    })
    const longest = filled("a", 1_000, "b".repeat(500))
    const { body } = await at.authorize(acme, longest)
    const signedIn = await at.callback(acme, issuer.logIn(body.url, { person: somebody() }))
    expect([signedIn.status, signedIn.body.state]).toEqual([200, longest.state])
    // Each of these is six characters long in JSON.
    const refused = await at.authorize(acme, filled("\u20ac", 900, "\u0001".repeat(500)))
    expect([refused.status, refused.body.details]).toEqual([
      400,
      { errors: { redirectUrl: "is too long together with state, once both are encoded" } }
    ])
  })

  it("makes a customer of a new person, who is signed in, and sends the code with its verifier and secret", async () => {
    const person = somebody({ given_name: "Ada", family_name: "Lovelace" })
    const { body: begun } = await at.authorize(acme, { redirectUrl, state: "/checkout" })
    const { status, body } = await at.callback(acme, issuer.logIn(begun.url, { person }))
    expect(status).toBe(200)
    expect(body).toEqual({
      customer: {
        id: expect.stringMatching(/^cust_/),
        email: person.email,
        firstName: "Ada",
        lastName: "Lovelace",
        phone: null,
        emailVerified: true
      },
      token: expect.any(String),
      expiresAt: expect.any(String),
      requiresVerification: false,
      state: "/checkout"
    })
    expect(Object.fromEntries(issuer.exchanges.at(-1) ?? [])).toEqual({
      grant_type: "authorization_code",
      redirect_uri: redirectUrl,
      code: expect.any(String),
      code_verifier: expect.stringMatching(/^[\w-]{43}$/),
      client_id: clientId,
      client_secret: clientSecret
    })
    const me = await at.me(body.token)
    expect([me.status, me.body.hasAccount]).toEqual([200, false])
    expect((await at.told(body.customer.id)).map(({ type }) => type)).toEqual(["customer.created"])
    expect(await at.mailed(body.customer.id, "verification")).toEqual([])
  })

  it("finds the same customer again by the subject, whatever the address is now", async () => {
    const person = somebody()
    const first = await at.signIn(issuer, acme, person)
    const again = await at.signIn(issuer, acme, { ...person, email: "moved@example.com" })
    expect([again.status, again.body.customer.id, again.body.customer.email]).toEqual([
      200,
      first.body.customer.id,
      person.email
    ])
    expect((await at.rows("oauth_identity")).filter(({ subject }) => subject === person.sub)).toHaveLength(1)
  })

  it("is open to upper and lower case in the provider's name", async () => {
    const url = await at.begun("custom:ACME")
    expect((await at.callback("Custom:Acme", issuer.logIn(url, { person: somebody() }))).status).toBe(200)
  })

  it("sends the verification mail to a new address that the provider has not verified", async () => {
    const person = somebody({ email_verified: false })
    const { status, body } = await at.signIn(issuer, acme, person)
    expect([status, body.customer.emailVerified, body.requiresVerification]).toEqual([200, false, false])
    expect(await at.mailed(body.customer.id, "verification")).toHaveLength(1)
    expect((await at.told(body.customer.id)).map(({ type }) => type)).toEqual(["customer.created"])
  })

  it("needs an address: a person without one gets no account", async () => {
    const before = await at.written()
    const { email: _, ...person } = somebody()
    expect(await refusal(at.signIn(issuer, acme, person))).toEqual({
      status: 422,
      code: "BUSINESS_RULE_VIOLATION",
      reason: "email_missing"
    })
    expect(await at.written()).toEqual(before)
  })
})

describe("an address that a customer has", () => {
  it("is linked where the provider and the customer have verified it", async () => {
    const person = somebody()
    const { body: known } = await at.admin("POST", "/customers", { email: person.email, emailVerified: true })
    const { status, body } = await at.signIn(issuer, acme, person)
    expect([status, body.customer.id]).toEqual([200, known.id])
    expect((await at.rows("oauth_identity")).filter((row) => row["customer_id"] === known.id)).toHaveLength(1)
  })

  it.each([
    ["the customer has not", true, false],
    ["the provider has not", false, true],
    ["neither has", false, false]
  ])("is not linked where %s verified it, and nothing is written", async (_, byProvider, byCustomer) => {
    const person = somebody({ email_verified: byProvider })
    await at.admin("POST", "/customers", { email: person.email, emailVerified: byCustomer })
    const before = await at.written()
    expect(await refusal(at.signIn(issuer, acme, person))).toEqual({
      status: 409,
      code: "CONFLICT",
      reason: "link_required"
    })
    expect(await at.written()).toEqual(before)
  })

  it("is linked by logging in with the password and authorizing again, and the callback's token is enough", async () => {
    const person = somebody({ email_verified: false })
    const ada = await at.signUp({ email: person.email })
    expect(await refusal(at.signIn(issuer, acme, person))).toEqual(linked)
    const { body: login } = await at.login(ada.email, goodPassword)
    const again = issuer.logIn(await at.begun(acme), { person })
    const { status, body } = await at.callback(acme, again, login.token)
    expect([status, body.customer.id]).toEqual([200, ada.id])
    // From then on without the password.
    expect((await at.signIn(issuer, acme, person)).body.customer.id).toBe(ada.id)
  })

  it.each([
    ["where the provider vouches for it", true, 11, true],
    ["at most ten minutes after a log-in", false, 9, true],
    ["not long after the log-in: somebody else may have begun it", false, 11, false]
  ])("is linked by the callback's token alone %s", async (_, email_verified, minutes, links) => {
    await advance(-minutes)
    const ada = await at.signUp()
    await advance(minutes)
    const person = somebody({ email: ada.email, email_verified })
    const returned = issuer.logIn(await at.begun(acme), { person })
    const before = await at.written()
    const { status, body } = await at.callback(acme, returned, ada.token)
    if (links) return expect([status, body.customer.id]).toEqual([200, ada.id])
    expect([status, body.code, body.details.reason]).toEqual([409, "CONFLICT", "link_required"])
    expect(await at.written()).toEqual(before)
  })

  it("is not linked by a sign-in that began before the customer logged in", async () => {
    const person = somebody({ email_verified: false })
    const { email } = await at.signUp({ email: person.email })
    await advance(-1)
    const returned = issuer.logIn(await at.begun(acme), { person })
    await advance(1)
    const { body: login } = await at.login(email, goodPassword)
    expect(await refusal(at.callback(acme, returned, login.token))).toEqual(linked)
  })

  it("of another person is linked only where the customer was signed in when the sign-in began", async () => {
    const ada = await at.signUp()
    const person = somebody()
    const unasked = issuer.logIn(await at.begun(acme), { person })
    expect(await refusal(at.callback(acme, unasked, ada.token))).toEqual(linked)
    const url = await at.begun(acme, ada.token)
    const { status, body } = await at.callback(acme, issuer.logIn(url, { person }), ada.token)
    expect([status, body.customer.id, body.customer.email]).toEqual([200, ada.id, ada.email])
  })

  it("is the twentieth of a customer at most", async () => {
    const ada = await at.signUp()
    await rowsOf(
      shop,
      `INSERT INTO oauth_identity (store_id, provider, issuer, subject, customer_id, created_at, last_used_at)
        SELECT $1, $2, $3, 'many-' || n, $4, now(), now() FROM generate_series(1, 19) n`,
      [shop.storeId, acme, issuer.issuer, ada.id]
    )
    expect((await at.signIn(issuer, acme, somebody(), ada.token)).status).toBe(200)
    const before = await at.written()
    const { status, body } = await at.signIn(issuer, acme, somebody(), ada.token)
    expect([status, body.code, body.details]).toEqual([
      400,
      "VALIDATION_FAILED",
      { errors: { linkedAccounts: "there are 20 linked accounts, which is the most" } }
    ])
    expect(await at.written()).toEqual(before)
    expect((await at.signIn(issuer, acme, { sub: "many-7" })).body.customer.id).toBe(ada.id)
  })

  it("is not linked to a customer other than the one who began it, nor to nobody", async () => {
    const [ada, bob] = [await at.known(), await at.known()]
    const person = somebody()
    const before = await at.written()
    const begin = async () => issuer.logIn(await at.begun(acme, ada.token), { person })
    expect(await answer(at.callback(acme, await begin(), bob.token))).toEqual([400, "VALIDATION_FAILED"])
    expect(await answer(at.callback(acme, await begin()))).toEqual([400, "VALIDATION_FAILED"])
    expect(await at.written()).toEqual(before)
  })

  it("is refused where the account is another customer's", async () => {
    const person = somebody()
    await at.signIn(issuer, acme, person)
    const bob = await at.known()
    const before = await at.written()
    const url = await at.begun(acme, bob.token)
    expect(await refusal(at.callback(acme, issuer.logIn(url, { person }), bob.token))).toEqual({
      status: 409,
      code: "CONFLICT",
      reason: "identity_taken"
    })
    expect(await at.written()).toEqual(before)
  })

  it("may have several accounts at providers", async () => {
    const ada = await at.known()
    for (const person of [somebody(), somebody()]) {
      const url = await at.begun(acme, ada.token)
      expect((await at.callback(acme, issuer.logIn(url, { person }), ada.token)).body.customer.id).toBe(ada.id)
      expect((await at.signIn(issuer, acme, person)).body.customer.id).toBe(ada.id)
    }
  })

  it("signed up without being verified: who chooses a password by the mailbox ends the account's sign-in", async () => {
    const stranger = somebody({ email_verified: false })
    const { body: made } = await at.signIn(issuer, acme, stranger)
    expect((await at.signIn(issuer, acme, stranger)).status).toBe(200)
    await at.post("forgot-password", { email: stranger.email })
    const [token] = await at.mailed(made.customer.id, "reset")
    await at.post("reset-password", { token, newPassword: goodPassword })
    expect(await refusal(at.signIn(issuer, acme, stranger))).toEqual(linked)
  })
})

describe("an account that somebody opened with a victim's address", () => {
  /** The victim gets the mail for a new password, and chooses one. */
  const resets = async ({ id, email }: { readonly id: string; readonly email: string }) => {
    await at.post("forgot-password", { email })
    const token = (await at.mailed(id, "reset")).at(-1)
    expect((await at.post("reset-password", { token, newPassword: "Str0ng-Other!" })).status).toBe(200)
  }
  const identitiesOf = (id: string) => rowsOf(shop, "SELECT subject FROM oauth_identity WHERE customer_id = $1", [id])

  it.each([
    ["before anybody has verified it", false],
    ["after the victim has followed the mail that verifies it", true]
  ])("and linked %s, is the victim's alone after a reset by mail", async (_, isVerified) => {
    const victim = await at.signUp()
    if (isVerified) {
      await at.post("resend-verification", { email: victim.email })
      const [token] = await at.mailed(victim.id, "verification")
      expect((await at.post("verify-email", { token })).status).toBe(200)
    }
    // One account at the provider has an address of the attacker's, the other names the victim's and cannot prove it.
    const [own, naming] = [somebody(), somebody({ email: victim.email, email_verified: false })]
    for (const person of [own, naming])
      expect((await at.signIn(issuer, acme, person, victim.token)).body).toMatchObject({ customer: { id: victim.id } })
    await resets(victim)
    expect(await identitiesOf(victim.id)).toEqual([])
    expect(await refusal(at.signIn(issuer, acme, naming))).toEqual(linked)
    expect((await at.me(victim.token)).status).toBe(401)
    const { body } = await at.signIn(issuer, acme, own)
    expect([body.customer.id === victim.id, body.customer.email]).toEqual([false, own.email])
    expect((await at.login(victim.email, "Str0ng-Other!")).status).toBe(200)
  })

  it("keeps an account at a provider that has proved the address", async () => {
    const ada = await at.signUp()
    const person = somebody({ email: ada.email })
    expect((await at.signIn(issuer, acme, person, ada.token)).body.customer.emailVerified).toBe(true)
    await resets(ada)
    expect((await at.signIn(issuer, acme, person)).body.customer.id).toBe(ada.id)
  })
})

describe("orders that a person placed as a guest", () => {
  const order = (email: string) =>
    at.admin("POST", "/orders", { customer: { email }, items: [{ name: "A book", price: "10.00", quantity: 1 }] })
  const countOf = async (token: string) => (await at.me(token, "GET", "/orders")).body.meta.total

  it("are the customer's once the provider vouches for the address, at the first sign-in and at later ones", async () => {
    const person = somebody()
    expect((await order(person.email)).status).toBe(201)
    const { body } = await at.signIn(issuer, acme, person)
    expect(await countOf(body.token)).toBe(1)
    await order(person.email)
    expect(await countOf((await at.signIn(issuer, acme, person)).body.token)).toBe(2)
  })

  it("stay a guest's where the provider does not vouch for it", async () => {
    const person = somebody({ email_verified: false })
    await order(person.email)
    const { body } = await at.signIn(issuer, acme, person)
    expect(await countOf(body.token)).toBe(0)
  })
})

describe("a store that requires verification", () => {
  beforeAll(() => at.admin("PATCH", "/store", { customerVerification: "required" }))
  afterAll(() => at.admin("PATCH", "/store", { customerVerification: "optional" }))

  it("signs a new person in whose address the provider has verified", async () => {
    const { body } = await at.signIn(issuer, acme, somebody())
    expect([body.requiresVerification, typeof body.token]).toEqual([false, "string"])
    expect((await at.told(body.customer.id)).map(({ type }) => type)).toEqual(["customer.created"])
  })

  it("gives no token and announces nobody before the address is verified, by mail or by the provider", async () => {
    const person = somebody({ email_verified: false })
    const { status, body } = await at.signIn(issuer, acme, person)
    expect([status, body.token, body.expiresAt, body.requiresVerification]).toEqual([200, null, null, true])
    expect(await at.told(body.customer.id)).toEqual([])
    const [token] = await at.mailed(body.customer.id, "verification")
    await at.post("verify-email", { token })
    expect((await at.signIn(issuer, acme, person)).body.requiresVerification).toBe(false)

    const other = somebody({ email_verified: false })
    const { body: waiting } = await at.signIn(issuer, acme, other)
    const { body: proved } = await at.signIn(issuer, acme, { ...other, email_verified: true })
    expect([proved.requiresVerification, proved.customer.emailVerified]).toEqual([false, true])
    expect((await at.told(waiting.customer.id)).map(({ type }) => type)).toEqual(["customer.created"])
  })
})

describe("a deleted customer", () => {
  it("leaves no account at a provider behind, and the person begins anew", async () => {
    const person = somebody()
    const { body: first } = await at.signIn(issuer, acme, person)
    await at.admin("DELETE", `/customers/${first.customer.id}`)
    expect(await rowsOf(shop, "SELECT 1 FROM oauth_identity WHERE customer_id = $1", [first.customer.id])).toEqual([])
    const { body: second } = await at.signIn(issuer, acme, person)
    expect(second.customer.id).not.toBe(first.customer.id)
  })
})
