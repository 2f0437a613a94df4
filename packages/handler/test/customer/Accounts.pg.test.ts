import type * as Argon2 from "@node-rs/argon2"
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import { openTestCommerce, type TestCommerce, type TestStore } from "../../src/testing/TestCommerce.ts"
import { answer, customersOf, freshEmail, goodPassword, otherPassword, rowsOf, said } from "./SignedIn.ts"

const argon2 = vi.hoisted(() => ({ verified: 0, hashed: 0 }))
/** The real thing, counted: what an attempt costs is what its time tells. */
vi.mock("@node-rs/argon2", async (importOriginal) => {
  const real = await importOriginal<typeof Argon2>()
  return {
    ...real,
    verify: (...args: Parameters<typeof real.verify>) => {
      argon2.verified += 1
      return real.verify(...args)
    },
    hash: (...args: Parameters<typeof real.hash>) => {
      argon2.hashed += 1
      return real.hash(...args)
    }
  }
})

let shop: TestCommerce
let other: TestStore
let at: ReturnType<typeof customersOf>
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  other = await shop.openStore()
  at = customersOf(shop)
})
beforeEach(() => Object.assign(argon2, { verified: 0, hashed: 0 }))
afterAll(() => shop.close())

const identityKeys = ["email", "emailVerified", "firstName", "id", "lastName", "phone"]
const viewKeys = [
  ...identityKeys,
  "acceptsMarketing",
  "addresses",
  "birthDay",
  "birthMonth",
  "createdAt",
  "hasAccount",
  "role",
  "updatedAt"
].toSorted()
const now = async (): Promise<number> =>
  Date.parse((await shop.call("POST", "/test/clock", { body: { advanceMs: 0 } })).body.now)

describe("registering", () => {
  it("answers who was made and a token for seven days, and tells of the customer once", async () => {
    const before = await now()
    const made = await at.register({
      email: "  Ada@Example.COM ",
      firstName: " Ada ",
      lastName: "Byron",
      phone: "+15550100",
      acceptsMarketing: true,
      birthMonth: 2,
      birthDay: 29
    })
    expect([made.status, Object.keys(made.body).toSorted()]).toEqual([
      200,
      ["customer", "expiresAt", "requiresVerification", "token"]
    ])
    const { id } = made.body.customer
    expect(id).toMatch(/^cust_[0-9a-z]{26}$/)
    expect(made.body.customer).toEqual({
      id,
      email: "ada@example.com",
      firstName: "Ada",
      lastName: "Byron",
      phone: "+15550100",
      emailVerified: false
    })
    expect(made.body.requiresVerification).toBe(false)
    const sevenDays = Date.parse(made.body.expiresAt) - 7 * 86_400_000
    expect(sevenDays).toBeGreaterThanOrEqual(before - 1_000)
    expect(sevenDays).toBeLessThanOrEqual(await now())
    const told = await at.told(id)
    expect(told.map((event) => event.type)).toEqual(["customer.created"])
    const data = told[0]?.data
    const { createdAt } = data.customer
    expect(data).toEqual({
      customerId: id,
      customer: {
        ...made.body.customer,
        hasAccount: true,
        acceptsMarketing: true,
        birthMonth: 2,
        birthDay: 29,
        role: "CUSTOMER",
        addresses: [],
        createdAt,
        updatedAt: createdAt
      }
    })
  })

  it.each([
    ["Sh0rt-7", "must have at least 8 characters"],
    ["no-upper-1", "must contain an uppercase letter"],
    ["NO-LOWER-1", "must contain a lowercase letter"],
    ["No-digit-here", "must contain a digit"],
    ["NoSpecial123", "must contain a special character"],
    ["alllower", "must contain an uppercase letter, a digit, a special character"],
    [`A1-${"a".repeat(254)}`, "must have at most 256 characters"]
  ])("refuses the password %s", async (password, reason) => {
    const email = freshEmail()
    const refused = await at.register({ email, password })
    expect([refused.status, refused.body.code, refused.body.details]).toEqual([
      400,
      "VALIDATION_FAILED",
      { errors: { password: reason } }
    ])
    expect(await answer(at.login(email, password))).toEqual([401, "UNAUTHORIZED"])
  })

  it.each([
    [{ email: undefined }, "email"],
    [{ email: "nobody" }, "email"],
    [{ email: `${"a".repeat(250)}@b.co` }, "email"],
    [{ password: undefined }, "password"],
    [{ firstName: "x".repeat(101) }, "firstName"],
    [{ acceptsMarketing: "yes" }, "acceptsMarketing"],
    [{ birthMonth: 13, birthDay: 1 }, "birthMonth"],
    [{ birthMonth: 2, birthDay: 30 }, "birthDay"],
    [{ birthMonth: 2 }, "birthDay"],
    [{ birthDay: 2 }, "birthDay"],
    [{ birthMonth: 4, birthDay: null }, "birthDay"]
  ])("refuses %j, naming the field", async (body, field) => {
    const refused = await at.register(body)
    expect([refused.status, refused.body.code, Object.keys(refused.body.details.errors)]).toEqual([
      400,
      "VALIDATION_FAILED",
      [field]
    ])
    expect(refused.body.message).toContain(field)
    expect(argon2.hashed).toBe(0)
  })

  it("takes no field of a merchant; a referral code in the wrong form stops nobody, one in the right form is kept", async () => {
    const refused = await at.register({
      email: "role@example.com",
      password: otherPassword,
      role: "ADMIN",
      emailVerified: true,
      id: "cust_mine"
    })
    expect([refused.status, Object.keys(refused.body.details.errors)]).toEqual([400, ["role", "emailVerified", "id"]])
    const good = await at.signUp({ referralCode: "ref-ab12cd34", privacyPolicyAccepted: true })
    const bad = await at.signUp({ referralCode: { $ne: 1 } })
    const kept = await rowsOf(
      shop,
      "SELECT id, referral_code, privacy_policy_accepted_at IS NOT NULL AS accepted, email_verified FROM customer WHERE id = ANY($1)",
      [[good.id, bad.id]]
    )
    expect(kept.toSorted((a, b) => String(a["id"]).localeCompare(String(b["id"])))).toEqual([
      { id: good.id, referral_code: "REF-AB12CD34", accepted: true, email_verified: false },
      { id: bad.id, referral_code: null, accepted: false, email_verified: false }
    ])
  })

  it("with an e-mail address that is taken, in whatever case, is 409 and changes nothing", async () => {
    const first = await at.signUp({ firstName: "First" })
    const again = await at.register({
      email: ` ${first.email.toUpperCase()}`,
      password: otherPassword,
      firstName: "Second"
    })
    expect([again.status, again.body.code, again.body.details]).toEqual([409, "CONFLICT", { field: "email" }])
    expect((await at.me(first.token)).body.firstName).toBe("First")
    expect(await answer(at.login(first.email, otherPassword))).toEqual([401, "UNAUTHORIZED"])
    expect(await at.told(first.id)).toHaveLength(1)
  })

  it("in two stores with one e-mail address makes two customers who share nothing", async () => {
    const theirs = customersOf(shop, other)
    const email = freshEmail()
    const here = await at.signUp({ email })
    const there = await theirs.signUp({ email, password: otherPassword })
    expect(there.id).not.toBe(here.id)
    expect(await answer(at.login(email, otherPassword))).toEqual([401, "UNAUTHORIZED"])
    expect(await answer(theirs.login(email))).toEqual([401, "UNAUTHORIZED"])
    expect(await answer(theirs.me(here.token))).toEqual([401, "UNAUTHORIZED"])
    await at.me(here.token, "DELETE", "", { password: goodPassword })
    expect((await theirs.me(there.token)).body.email).toBe(email)
  })

  it("is 403 on a channel that has customers switched off, and so is everything customers do", async () => {
    const { body: off } = await at.admin("POST", "/sales-channels", { name: "off", scopes: { customerAuth: false } })
    const closed = customersOf(shop, { ...shop, channelId: off.id })
    const { id } = await at.known()
    const token = await at.issue(id, off.id)
    for (const call of [
      closed.register(),
      closed.login("a@b.co"),
      closed.post("forgot-password", { email: "a@b.co" }),
      closed.me(token),
      closed.me(token, "GET", "/cart")
    ]) {
      expect(await answer(call)).toEqual([403, "INSUFFICIENT_PERMISSION"])
    }
    // A shopper is a guest there, whatever token comes along.
    expect((await closed.as(token, "POST", `${closed.vc}/cart`)).body.customerId).toBeNull()
  })
})

describe("signing in", () => {
  it("answers as registering does, whatever the case of the e-mail address and however the password's letters are composed", async () => {
    const password = "Zo\u00eb-Passw0rd"
    const { id, email } = await at.signUp({ password })
    const signed = await at.login(` ${email.toUpperCase()} `, password.normalize("NFD"))
    expect([signed.status, Object.keys(signed.body).toSorted()]).toEqual([
      200,
      ["customer", "expiresAt", "requiresVerification", "token"]
    ])
    expect(Object.keys(signed.body.customer).toSorted()).toEqual(identityKeys)
    expect([signed.body.customer.id, signed.body.requiresVerification]).toEqual([id, false])
    expect((await at.me(signed.body.token)).body.id).toBe(id)
  })

  it("is refused in the same words and for the same work whether the password, the address or any password is missing", async () => {
    const { email } = await at.signUp()
    const { email: passwordless } = await at.known()
    const refusals: Array<object> = []
    for (const attempt of [email, passwordless, "nobody@example.com", "not an address", ""]) {
      argon2.verified = 0
      refusals.push(await said(at.login(attempt, otherPassword)))
      expect(argon2.verified).toBe(1)
    }
    expect(new Set(refusals.map((refusal) => JSON.stringify(refusal))).size).toBe(1)
    expect(refusals[0]).toEqual({
      statusCode: 401,
      code: "UNAUTHORIZED",
      message: "E-mail address or password is wrong",
      path: `/api${at.at}/login`
    })
  })

  it("needs both an address and a password", async () => {
    const refused = await at.post("login", {})
    expect([refused.status, Object.keys(refused.body.details.errors)]).toEqual([400, ["email", "password"]])
    expect(await answer(at.login("a@b.co", "x".repeat(1_025)))).toEqual([400, "VALIDATION_FAILED"])
    expect(argon2.verified).toBe(0)
  })
})

describe("the profile", () => {
  it("is shown whole and nothing beside", async () => {
    const { id, email, token } = await at.known({ firstName: "Ada", birthMonth: 12, birthDay: 10 })
    const shown = await at.me(token)
    const { createdAt, updatedAt, ...rest } = shown.body
    expect([shown.status, new Date(createdAt).toISOString(), new Date(updatedAt).toISOString()]).toEqual([
      200,
      createdAt,
      updatedAt
    ])
    const named = {
      id,
      email,
      firstName: "Ada",
      lastName: null,
      phone: null,
      birthMonth: 12,
      birthDay: 10,
      role: "CUSTOMER",
      addresses: []
    }
    expect(rest).toEqual({ ...named, emailVerified: false, hasAccount: false, acceptsMarketing: false })
    const changed = await at.me(token, "PATCH", "", { lastName: "Byron" })
    expect((await at.me(token)).body).toEqual(changed.body)
  })

  it("changes what is named, clears what is null, and keeps the rest; the whole profile is the answer and the event", async () => {
    const { id, email, token } = await at.known({ firstName: "Ada", phone: "1", birthMonth: 12, birthDay: 10 })
    const body = {
      lastName: " Byron ",
      phone: null,
      acceptsMarketing: true,
      email: "evil@example.com",
      emailVerified: true,
      role: "ADMIN"
    }
    const changed = await at.me(token, "PATCH", "", body)
    expect([changed.status, Object.keys(changed.body).toSorted()]).toEqual([200, viewKeys])
    expect(changed.body).toMatchObject({
      id,
      email,
      firstName: "Ada",
      lastName: "Byron",
      phone: null,
      acceptsMarketing: true,
      emailVerified: false
    })
    expect(changed.body).toMatchObject({
      hasAccount: false,
      birthMonth: 12,
      birthDay: 10,
      role: "CUSTOMER",
      addresses: []
    })
    const told = await at.told(id)
    expect(told.map((event) => event.type)).toEqual(["customer.created", "customer.updated"])
    expect(told[1]?.data).toEqual({ customerId: id, customer: changed.body })
  })

  it("gives up a birthday only whole, and refuses one no year has", async () => {
    const { id, token } = await at.known({ birthMonth: 12, birthDay: 10 })
    for (const body of [
      { birthMonth: null },
      { birthDay: 1 },
      { birthMonth: 2, birthDay: 30 },
      { birthMonth: 1, birthDay: null }
    ]) {
      const refused = await at.me(token, "PATCH", "", body)
      expect([refused.status, Object.keys(refused.body.details.errors)]).toEqual([400, ["birthDay"]])
    }
    expect((await at.me(token, "PATCH", "", { birthMonth: null, birthDay: null })).body).toMatchObject({
      birthMonth: null,
      birthDay: null
    })
    expect(await at.told(id, "customer.updated")).toHaveLength(1)
  })
})

describe("leaving", () => {
  it("by logout ends the token presented, and no other", async () => {
    const { id, token } = await at.known()
    const elsewhere = await at.issue(id)
    expect(await answer(at.post("logout", {}, token))).toEqual([200, undefined])
    expect(await answer(at.me(token))).toEqual([401, "UNAUTHORIZED"])
    expect(await answer(at.post("logout", {}, token))).toEqual([401, "UNAUTHORIZED"])
    expect((await at.me(elsewhere)).status).toBe(200)
  })

  it("by another password ends every token; the old password is no password any more", async () => {
    const { email, token } = await at.signUp()
    const { token: second } = (await at.login(email)).body
    const change = (currentPassword: string, newPassword: string) =>
      at.post("change-password", { currentPassword, newPassword }, token)
    expect(await answer(change(otherPassword, "An0ther-One"))).toEqual([401, "UNAUTHORIZED"])
    expect(await answer(change(goodPassword, "weak"))).toEqual([400, "VALIDATION_FAILED"])
    expect((await at.me(second)).status).toBe(200)
    expect((await change(goodPassword, otherPassword)).body).toEqual({
      success: true,
      message: "The password is changed; sign in with the new one"
    })
    expect(await answer(at.me(token))).toEqual([401, "UNAUTHORIZED"])
    expect(await answer(at.me(second))).toEqual([401, "UNAUTHORIZED"])
    expect(await answer(at.login(email))).toEqual([401, "UNAUTHORIZED"])
    expect((await at.login(email, otherPassword)).status).toBe(200)
  })

  it("for good needs the password, clears the person, and frees the address", async () => {
    const { id, email, token } = await at.signUp({
      firstName: "Ada",
      lastName: "Byron",
      phone: "1",
      birthMonth: 1,
      birthDay: 1,
      referralCode: "REF-ABCDEFGH"
    })
    await at.me(token, "POST", "/addresses", { line1: "1 Main St", city: "Town", country: "US" })
    await at.post("forgot-password", { email })
    expect(await answer(at.me(token, "DELETE", "", { password: otherPassword }))).toEqual([401, "UNAUTHORIZED"])
    expect(await answer(at.me(token, "DELETE"))).toEqual([400, "VALIDATION_FAILED"])
    expect((await at.me(token, "DELETE", "", { password: goodPassword })).body).toEqual({ success: true })
    expect(await answer(at.me(token))).toEqual([401, "UNAUTHORIZED"])
    expect(await answer(at.login(email))).toEqual([401, "UNAUTHORIZED"])
    expect((await at.told(id, "customer.deleted")).map((event) => event.data)).toEqual([{ customerId: id }])
    const left = await rowsOf(
      shop,
      `SELECT email, first_name, last_name, phone, password_hash, birth_month, birth_day, referral_code,
        (SELECT count(*)::int FROM customer_address WHERE customer_id = c.id) AS addresses,
        (SELECT count(*)::int FROM customer_token WHERE customer_id = c.id) AS tokens FROM customer c WHERE id = $1`,
      [id]
    )
    const nothing = {
      email: null,
      first_name: null,
      last_name: null,
      phone: null,
      password_hash: null,
      birth_month: null,
      birth_day: null,
      referral_code: null
    }
    expect(left).toEqual([{ ...nothing, addresses: 0, tokens: 0 }])
    expect((await at.signUp({ email })).id).not.toBe(id)
  })
})
