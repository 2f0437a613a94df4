import { nobodysHash } from "@effect-commerce/core/identity/PasswordHashes"
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import { openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { accountLimit, pairLimits } from "../../src/team/LoginLimits.ts"
import { addOwner, advance, coded, knownToken, password } from "./desk.ts"

interface Argon2 {
  readonly verify: (kept: string, given: string) => Promise<boolean>
}

const hashed = vi.hoisted(() => ({ against: [] as Array<string> }))
vi.mock("@node-rs/argon2", async (original) => {
  const real = await original<Argon2>()
  return {
    ...real,
    verify: (kept: string, given: string) => {
      hashed.against.push(kept)
      return real.verify(kept, given)
    }
  }
})

let shop: TestCommerce

beforeAll(async () => {
  shop = await openTestCommerce({ role: "api", rateLimit: { perMinute: 100_000, perHour: 1_000_000 } })
  await addOwner(shop, shop, "ada@example.com")
})
afterAll(() => shop.close())
// All windows begin anew, at midnight.
beforeEach(async () => {
  const { body } = await advance(shop, 0)
  await advance(shop, day - (Date.parse(body.now) % day))
})

const minute = 60_000
const day = 24 * 60 * minute
const wrong = "Wr0ng-Horse!"

const attempt = (email: string, given: string, clientAddress: string) =>
  shop.call("POST", "/auth/login", { body: { email, password: given }, clientAddress })

describe("a log-in", () => {
  it("of an unknown address computes one hash, as of a known one", async () => {
    hashed.against.length = 0
    await attempt("nobody@example.com", wrong, "192.0.2.1")
    expect(hashed.against).toEqual([nobodysHash])
    await attempt("ada@example.com", wrong, "192.0.2.1")
    expect([hashed.against.length, hashed.against[1] !== nobodysHash]).toEqual([2, true])
  })

  it("is tried five times a minute from one address", async () => {
    for (let n = 0; n < 5; n++) expect((await attempt("ada@example.com", password, "192.0.2.2")).status).toBe(200)
    const sixth = await attempt("ada@example.com", password, "192.0.2.2")
    expect([...coded(sixth), sixth.body.details.scope]).toEqual([429, "RATE_LIMITED", "route"])
  })

  it("waits longer and longer for an account that is guessed at from one address, and only there", async () => {
    const tried = async (times: number) => {
      let last = await attempt("ada@example.com", wrong, "192.0.2.3")
      for (let n = 1; n < times; n++) {
        if (n % 5 === 0) await advance(shop, minute)
        last = await attempt("ada@example.com", wrong, "192.0.2.3")
      }
      await advance(shop, minute)
      return last
    }
    expect(coded(await tried(10))).toEqual([401, "UNAUTHORIZED"])
    hashed.against.length = 0
    const held = await attempt("ada@example.com", password, "192.0.2.3")
    expect([...coded(held), held.body.details.scope, held.body.details.ttlMs]).toEqual([
      429,
      "RATE_LIMITED",
      "auth",
      pairLimits[0].ms
    ])
    expect([Number(held.headers.get("retry-after")) > 0, hashed.against]).toEqual([true, []])
    // Elsewhere the person logs in, and at that address others do.
    expect((await attempt("ada@example.com", password, "192.0.2.4")).status).toBe(200)
    expect(coded(await attempt("bea@example.com", wrong, "192.0.2.3"))).toEqual([401, "UNAUTHORIZED"])
    await advance(shop, 15 * minute)
    expect(coded(await tried(10))).toEqual([401, "UNAUTHORIZED"])
    await advance(shop, 15 * minute)
    const longer = await attempt("ada@example.com", password, "192.0.2.3")
    expect([...coded(longer), longer.body.details.ttlMs]).toEqual([429, "RATE_LIMITED", pairLimits[1].ms])
  })

  it("of one account by many addresses is held, but not where the person has logged in before", async () => {
    const home = "198.51.100.7"
    expect((await attempt("ada@example.com", password, home)).status).toBe(200)
    await advance(shop, 3_600_000)
    for (let n = 0; n < accountLimit.limit; n++)
      expect(coded(await attempt("ada@example.com", wrong, `203.0.113.${n + 1}`))).toEqual([401, "UNAUTHORIZED"])
    const held = await attempt("ada@example.com", password, "203.0.113.200")
    expect([...coded(held), held.body.details.ttlMs]).toEqual([429, "RATE_LIMITED", accountLimit.ms])
    expect(coded(await attempt("nobody2@example.com", wrong, "203.0.113.200"))).toEqual([401, "UNAUTHORIZED"])
    expect((await attempt("ada@example.com", password, home)).status).toBe(200)
    await advance(shop, 3_600_000)
    expect((await attempt("ada@example.com", password, "203.0.113.200")).status).toBe(200)
  })

  it("is open again everywhere to whoever has chosen a new password by the mailbox, and to nobody else", async () => {
    const [home, fresh, chosen] = ["192.0.2.20", "203.0.113.250", "N3w-Password!"]
    for (const who of ["locked@example.com", "held@example.com"]) {
      await addOwner(shop, shop, who)
      for (let n = 0; n < pairLimits[0].limit; n++) {
        if (n % 5 === 0) await advance(shop, minute)
        await attempt(who, wrong, home)
      }
      for (let n = 0; n < accountLimit.limit - pairLimits[0].limit; n++) await attempt(who, wrong, `203.0.113.${n + 1}`)
      await advance(shop, minute)
    }
    const statuses = async (who: string, given: string) => [
      (await attempt(who, given, home)).status,
      (await attempt(who, given, fresh)).status
    ]
    expect(await statuses("locked@example.com", password)).toEqual([429, 429])
    await shop.call("POST", "/auth/forgot-password", { body: { email: "locked@example.com" } })
    const token = await knownToken(
      shop,
      "dashboard_reset",
      "user_id = (SELECT id FROM dashboard_user WHERE email = 'locked@example.com')"
    )
    const reset = await shop.call("POST", "/auth/reset-password", { body: { token, newPassword: chosen } })
    expect(reset.status).toBe(200)
    expect(await statuses("locked@example.com", chosen)).toEqual([200, 200])
    expect(await statuses("held@example.com", password)).toEqual([429, 429])
  })

  it("guessed at many times at once is counted one by one: none slips past a window that is nearly full", async () => {
    const guess = () => attempt("carol@example.com", wrong, "192.0.2.9")
    for (const times of [5, pairLimits[0].limit - 1 - 5]) {
      for (let n = 0; n < times; n++) expect((await guess()).status).toBe(401)
      await advance(shop, minute)
    }
    hashed.against.length = 0
    const all = await Promise.all(Array.from({ length: 5 }, guess))
    expect(all.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([401, 429, 429, 429, 429])
    expect(hashed.against).toEqual([nobodysHash])
  })

  it("that fails counts as a failed authentication of its address: 50 in five minutes", async () => {
    const guess = () => shop.call("GET", "/auth/me", { key: `dash_${Math.random()}`, clientAddress: "192.0.2.10" })
    for (let n = 0; n < 49; n++) expect((await guess()).status).toBe(401)
    expect((await attempt("ada@example.com", wrong, "192.0.2.10")).status).toBe(401)
    const held = await guess()
    expect([...coded(held), held.body.details.scope]).toEqual([429, "RATE_LIMITED", "auth"])
    expect(coded(await attempt("ada@example.com", password, "192.0.2.10"))).toEqual([429, "RATE_LIMITED"])
  })
})
