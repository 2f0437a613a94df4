import { hashBounds } from "@effect-commerce/core/identity/PasswordHashes"
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import { type Called, openTestCommerce, type TestCommerce } from "../../src/testing/TestCommerce.ts"
import { customersOf, goodPassword, rowsOf } from "./SignedIn.ts"

/** Hashes that wait until the test lets them end; every password is good. */
const argon2 = vi.hoisted(() => ({ calls: 0, isHeld: false, release: [] as Array<() => void> }))
vi.mock("@node-rs/argon2", () => {
  const work = async () => {
    argon2.calls += 1
    if (argon2.isHeld) await new Promise<void>((resolve) => argon2.release.push(resolve))
  }
  return {
    hash: async () => {
      await work()
      return "hashed"
    },
    verify: async () => {
      await work()
      return true
    }
  }
})

let shop: TestCommerce
let flooded: ReturnType<typeof customersOf>
let calm: ReturnType<typeof customersOf>
beforeAll(async () => {
  shop = await openTestCommerce({ role: "api" })
  flooded = customersOf(shop)
  calm = customersOf(shop, await shop.openStore())
})
beforeEach(() => {
  argon2.isHeld = false
})
afterAll(() => shop.close())

/** Lets all hashes end that are at work or come. */
const letEnd = () => {
  argon2.isHeld = false
  for (const release of argon2.release.splice(0)) release()
}
const room = hashBounds.atOnce + hashBounds.waiting
/** More logins than there is room for. Returns once those are refused that do not fit, with a way to await the rest. */
const flood = async (email: string, beyond: number) => {
  argon2.calls = 0
  argon2.isHeld = true
  const refused: Array<Called> = []
  const logins = Array.from({ length: room + beyond }, async () => {
    const answered = await flooded.login(email)
    if (answered.status === 503) refused.push(answered)
    return answered.status
  })
  await expect.poll(() => refused.length, { timeout: 9_000, interval: 5 }).toBe(beyond)
  return { refused, logins }
}

describe("a flood of logins of one store", () => {
  it("is answered up to the bound, and beyond it 503 before any work, with Retry-After; everything else goes on", async () => {
    const [ada, eve] = [await flooded.signUp(), await calm.signUp()]
    const { refused, logins } = await flood(ada.email, 8)
    expect(refused.map(({ body, headers }) => [body.code, headers.get("retry-after")])).toEqual(
      Array.from({ length: 8 }, () => ["SERVICE_TEMPORARILY_UNAVAILABLE", "2"])
    )
    expect(argon2.calls).toBe(hashBounds.atOnce)
    const body = { email: "nobody@example.com", password: goodPassword }
    expect((await flooded.post("register", body)).status).toBe(503)
    expect(await rowsOf(shop, "SELECT 1 FROM customer WHERE email = $1", [body.email])).toEqual([])
    expect((await flooded.me(ada.token)).status).toBe(200)
    const other = calm.login(eve.email)
    letEnd()
    expect((await other).status).toBe(200)
    const statuses = await Promise.all(logins)
    expect([200, 503].map((status) => statuses.filter((each) => each === status).length)).toEqual([room, 8])
    expect(argon2.calls).toBe(room + 1)
  })

  it("of which a reset is refused uses no token up", async () => {
    const { id, email } = await flooded.known()
    await flooded.post("forgot-password", { email })
    const [token] = await flooded.mailed(id, "reset")
    const { logins } = await flood(email, 1)
    expect((await flooded.post("reset-password", { token, newPassword: "N3w-Battery!" })).status).toBe(503)
    letEnd()
    await Promise.all(logins)
    expect((await flooded.post("reset-password", { token, newPassword: "N3w-Battery!" })).status).toBe(200)
  })
})
