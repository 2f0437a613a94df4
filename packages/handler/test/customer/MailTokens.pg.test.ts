import { createHash } from "node:crypto"
import { inspect } from "node:util"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { answer, customersOf, freshEmail, goodPassword, otherPassword, rowsOf, said } from "./SignedIn.ts"

let shop: TestCommerce
let at: ReturnType<typeof customersOf>
/** A store that demands verification. */
let strict: ReturnType<typeof customersOf>
const logged: Array<string> = []
beforeAll(async () => {
  for (const name of ["log", "info", "warn", "error", "debug"] as const) {
    vi.spyOn(console, name).mockImplementation((...parts: ReadonlyArray<unknown>) => {
      logged.push(parts.map((part) => inspect(part, { depth: null })).join(" "))
    })
  }
  shop = await openTestCommerce({ role: "api" })
  at = customersOf(shop)
  strict = customersOf(shop, await shop.openStore())
  await strict.admin("PATCH", "/store", { customerVerification: "required" })
})
afterAll(async () => {
  await shop.close()
  vi.restoreAllMocks()
})

const advance = (advanceMs: number) => shop.call("POST", "/test/clock", { body: { advanceMs } })
const hour = 3_600_000
type Customers = ReturnType<typeof customersOf>
const forgot = (customers: Customers, email: string) => customers.post("forgot-password", { email })
const reset = (customers: Customers, token: string, newPassword = otherPassword) =>
  customers.post("reset-password", { token, newPassword })
const verify = (customers: Customers, token: string) => customers.post("verify-email", { token })
const lastOf = (tokens: ReadonlyArray<string>): string => tokens.at(-1) ?? ""
/** Asks for a reset and reads the mail. */
const resetTokenOf = async (
  customers: Customers,
  { id, email }: { readonly id: string; readonly email: string }
): Promise<string> => {
  await forgot(customers, email)
  return lastOf(await customers.mailed(id, "reset"))
}
const noGood = { errors: { token: "is not valid, was used, or has expired" } }

describe("a forgotten password", () => {
  it("is answered alike and not faster for a customer, a stranger and nonsense, and mails the customer alone", async () => {
    const { id, email } = await at.known({ firstName: "Ada" })
    const answers: Array<object> = []
    for (const asked of [` ${email.toUpperCase()} `, "nobody@example.com", "nonsense", ""]) {
      const before = performance.now()
      answers.push({ ...(await forgot(at, asked)).body })
      expect(performance.now() - before).toBeGreaterThanOrEqual(99)
    }
    expect(new Set(answers.map((one) => JSON.stringify(one)))).toEqual(
      new Set([JSON.stringify({ success: true, message: "If an account needs it, a mail is on its way" })])
    )
    const mails = await at.events("internal.password_reset")
    const [mail] = mails
    expect(mails).toHaveLength(1)
    expect(mail?.data).toEqual({
      customerId: id,
      email,
      firstName: "Ada",
      language: "en",
      salesChannelId: shop.channelId,
      token: mail?.data.token
    })
    const token = lastOf(await at.mailed(id, "reset"))
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(JSON.stringify(mails)).not.toContain(token)
    const kept = await rowsOf(shop, "SELECT token_hash, purpose FROM customer_token WHERE customer_id = $1", [id])
    expect(kept).toEqual([{ token_hash: createHash("sha256").update(token).digest("hex"), purpose: "reset" }])
  })

  it("needs an address to be named", async () => {
    const refused = await at.post("forgot-password", {})
    expect([refused.status, Object.keys(refused.body.details.errors)]).toEqual([400, ["email"]])
  })

  it("is replaced once: tokens end, the mailbox is proved, and the old password and the mail are worth nothing", async () => {
    const customer = await at.signUp()
    const token = await resetTokenOf(at, customer)
    const spare = await resetTokenOf(at, customer)
    expect((await reset(at, token)).body).toEqual({
      success: true,
      message: "The password is changed; sign in with the new one"
    })
    expect(await answer(at.me(customer.token))).toEqual([401, "UNAUTHORIZED"])
    expect(await answer(at.login(customer.email))).toEqual([401, "UNAUTHORIZED"])
    const signed = await at.login(customer.email, otherPassword)
    expect([signed.status, signed.body.customer.emailVerified]).toEqual([200, true])
    for (const used of [token, spare]) {
      const refused = await reset(at, used, "An0ther-One")
      expect([refused.status, refused.body.code, refused.body.details]).toEqual([400, "VALIDATION_FAILED", noGood])
    }
    expect((await at.told(customer.id)).map((event) => event.type)).toEqual(["customer.created", "customer.updated"])
  })

  it("keeps its token when the new password is refused", async () => {
    const customer = await at.known()
    const token = await resetTokenOf(at, customer)
    for (const newPassword of ["weak", "P@ssw0rd", "Welcome2026!"]) {
      const refused = await reset(at, token, newPassword)
      expect([refused.status, refused.body.code, Object.keys(refused.body.details.errors)]).toEqual([
        400,
        "VALIDATION_FAILED",
        ["newPassword"]
      ])
    }
    expect((await reset(at, token)).status).toBe(200)
  })

  it("gives a customer of the merchant's their first password", async () => {
    const customer = await at.known()
    expect((await at.admin("GET", `/customers/${customer.id}`)).body.hasAccount).toBe(false)
    expect((await reset(at, await resetTokenOf(at, customer))).status).toBe(200)
    expect((await at.admin("GET", `/customers/${customer.id}`)).body).toMatchObject({
      hasAccount: true,
      emailVerified: true
    })
    expect((await at.login(customer.email, otherPassword)).status).toBe(200)
  })

  it("can be replaced for an hour, not for the millisecond that ends it", async () => {
    const customer = await at.known()
    const token = await resetTokenOf(at, customer)
    const [kept] = await rowsOf(shop, "SELECT created_at, expires_at FROM customer_token WHERE customer_id = $1", [
      customer.id
    ])
    expect(Number(kept?.["expires_at"]) - Number(kept?.["created_at"])).toBe(hour)
    await advance(hour)
    expect(await answer(reset(at, token))).toEqual([400, "VALIDATION_FAILED"])
  })

  it("asked for a sixth time by whomever mails nothing and ends no link, in the same words and time; one that ends makes room for another", async () => {
    const customer = await at.known()
    const said: Array<string> = []
    for (let i = 0; i < 6; i++) {
      const before = performance.now()
      said.push(JSON.stringify((await forgot(at, customer.email)).body))
      expect(performance.now() - before).toBeGreaterThanOrEqual(99)
    }
    expect(new Set(said).size).toBe(1)
    const mails = await at.mailed(customer.id, "reset")
    expect(mails).toHaveLength(5)
    await advance(hour)
    await forgot(at, customer.email)
    expect(await at.mailed(customer.id, "reset")).toHaveLength(6)
  })

  it("is replaced with the first of five links, however often others ask", async () => {
    const customer = await at.known()
    const own = await resetTokenOf(at, customer)
    for (let i = 0; i < 8; i++) await forgot(at, customer.email)
    expect((await reset(at, own)).status).toBe(200)
    expect(
      await rowsOf(shop, "SELECT count(*)::int AS n FROM customer_token WHERE customer_id = $1", [customer.id])
    ).toEqual([{ n: 0 }])
  })

  it("is another store's business where the token is another store's", async () => {
    const customer = await at.known()
    const token = await resetTokenOf(at, customer)
    expect(await answer(reset(strict, token))).toEqual([400, "VALIDATION_FAILED"])
    expect(await answer(verify(at, token))).toEqual([400, "VALIDATION_FAILED"])
    expect((await reset(at, token)).status).toBe(200)
  })

  it("ends with the address it was mailed to", async () => {
    const customer = await at.known()
    const token = await resetTokenOf(at, customer)
    await at.admin("PATCH", `/customers/${customer.id}`, { email: freshEmail() })
    expect(await answer(reset(at, token))).toEqual([400, "VALIDATION_FAILED"])
  })
})

describe("an e-mail address", () => {
  it("that must be verified comes first: no token, no customer.created, until the mail is answered, once", async () => {
    const made = await strict.register({ firstName: "Ada" })
    const { id, email } = made.body.customer
    expect(made.body).toEqual({
      customer: made.body.customer,
      token: null,
      expiresAt: null,
      requiresVerification: true
    })
    expect(await strict.told(id)).toEqual([])
    expect((await strict.login(email)).body).toEqual(made.body)
    expect(await answer(strict.login(email, otherPassword))).toEqual([401, "UNAUTHORIZED"])
    const token = lastOf(await strict.mailed(id, "verification"))
    expect((await verify(strict, token)).body).toEqual({ success: true, message: "The e-mail address is verified" })
    expect((await strict.told(id)).map(({ type, data }) => [type, data.customer.emailVerified])).toEqual([
      ["customer.created", true]
    ])
    const signed = await strict.login(email)
    expect([signed.body.requiresVerification, signed.body.customer.emailVerified]).toEqual([false, true])
    expect((await strict.me(signed.body.token)).status).toBe(200)
    expect((await verify(strict, token)).body.details).toEqual(noGood)
  })

  it("can be verified for a day, and a mail be asked for again in words that tell nobody anything", async () => {
    const { id, email } = (await strict.register()).body.customer
    const first = lastOf(await strict.mailed(id, "verification"))
    await advance(24 * hour)
    expect(await answer(verify(strict, first))).toEqual([400, "VALIDATION_FAILED"])
    const resend = (asked: string) => said(strict.post("resend-verification", { email: asked }))
    expect(
      new Set(
        await Promise.all(
          [email, "nobody@example.com", "nonsense"].map(async (asked) => JSON.stringify(await resend(asked)))
        )
      )
    ).toHaveProperty("size", 1)
    const mails = await strict.mailed(id, "verification")
    expect(mails).toHaveLength(2)
    expect((await verify(strict, lastOf(mails))).status).toBe(200)
    await resend(email)
    expect(await strict.mailed(id, "verification")).toHaveLength(2)
  })

  it("has five links at most: a sixth request mails nothing and ends none", async () => {
    const { id, email } = (await strict.register()).body.customer
    for (let i = 0; i < 6; i++) await strict.post("resend-verification", { email })
    const mails = await strict.mailed(id, "verification")
    expect(mails).toHaveLength(5)
    expect((await verify(strict, mails[0] ?? "")).status).toBe(200)
  })

  it("is proved by a password reset too, which announces who had not been told of", async () => {
    const { id, email } = (await strict.register()).body.customer
    expect((await reset(strict, await resetTokenOf(strict, { id, email }))).status).toBe(200)
    expect((await strict.told(id)).map((event) => event.type)).toEqual(["customer.created"])
    expect((await strict.login(email, otherPassword)).body.requiresVerification).toBe(false)
  })

  it("is verified for the merchant, who may say so", async () => {
    const { id, email } = (await strict.register()).body.customer
    expect((await strict.admin("PATCH", `/customers/${id}`, { emailVerified: true })).body.emailVerified).toBe(true)
    expect((await strict.told(id)).map((event) => event.type)).toEqual(["customer.created"])
    expect((await strict.login(email)).body.requiresVerification).toBe(false)
  })

  it("that need not be verified may be: the merchant's systems hear of a change", async () => {
    const customer = await at.known()
    await at.post("resend-verification", { email: customer.email })
    expect((await verify(at, lastOf(await at.mailed(customer.id, "verification")))).status).toBe(200)
    expect((await at.me(customer.token)).body.emailVerified).toBe(true)
    expect((await at.told(customer.id)).map((event) => event.type)).toEqual(["customer.created", "customer.updated"])
  })

  it("that waits is told of at the first login after the store stops demanding it", async () => {
    const { id, email } = (await strict.register()).body.customer
    await strict.admin("PATCH", "/store", { customerVerification: "off" })
    expect((await strict.login(email)).body.requiresVerification).toBe(false)
    expect((await strict.login(email)).body.requiresVerification).toBe(false)
    expect((await strict.told(id)).map((event) => event.type)).toEqual(["customer.created"])
    await strict.admin("PATCH", "/store", { customerVerification: "required" })
  })
})

describe("secrets", () => {
  it("are in no log: passwords, tokens, hashes and cart sessions, not even when the database breaks", async () => {
    const customer = await at.signUp()
    const token = await resetTokenOf(at, customer)
    const cart = (await shop.call("POST", `${at.vc}/cart`)).body
    const tables = ["customer_token", "customer_logout", "cart"]
    const rename = (suffix: [string, string]) =>
      tables.map((table) => `ALTER TABLE ${table}${suffix[0]} RENAME TO ${table}${suffix[1]}`).join(";")
    await rowsOf(shop, rename(["", "_away"]))
    try {
      const broken = [
        reset(at, token),
        verify(at, token),
        forgot(at, customer.email),
        at.post("logout", {}, customer.token),
        at.post("change-password", { currentPassword: goodPassword, newPassword: otherPassword }, customer.token),
        shop.call("GET", `${at.vc}/cart/session/${cart.sessionToken}`),
        at.as(customer.token, "POST", `${at.vc}/cart/merge`, { sessionToken: cart.sessionToken })
      ]
      for (const call of broken) expect(await answer(call)).toEqual([500, "INTERNAL_SERVER_ERROR"])
    } finally {
      await rowsOf(shop, rename(["_away", ""]))
    }
    expect((await reset(at, token)).status).toBe(200)
    const [kept] = await rowsOf(shop, "SELECT password_hash FROM customer WHERE id = $1", [customer.id])
    const secrets = [
      goodPassword,
      otherPassword,
      token,
      createHash("sha256").update(token).digest("hex"),
      customer.token,
      cart.sessionToken
    ]
    expect(String(kept?.["password_hash"])).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(logged.join("\n")).toContain("INTERNAL_SERVER_ERROR")
    for (const secret of [...secrets, "$argon2id"]) expect(logged.filter((line) => line.includes(secret))).toEqual([])
  })
})
