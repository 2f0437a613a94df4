import { CustomerPasswords, concurrentHashes, nobodysHash } from "@effect-commerce/core/customer/CustomerPasswords"
import { Effect } from "effect"
import { beforeEach, describe, expect, it, vi } from "vitest"

const argon2 = vi.hoisted(() => ({ running: 0, most: 0, calls: [] as Array<string>, release: [] as Array<() => void> }))
/** Hashes that end when the test says so. */
vi.mock("@node-rs/argon2", () => {
  const work = async (call: string) => {
    argon2.calls.push(call)
    argon2.running += 1
    argon2.most = Math.max(argon2.most, argon2.running)
    await new Promise<void>((resolve) => argon2.release.push(resolve))
    argon2.running -= 1
  }
  return {
    hash: async (
      password: string,
      { memoryCost, timeCost, parallelism }: { memoryCost: number; timeCost: number; parallelism: number }
    ) => {
      await work(`hash ${password}`)
      return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`
    },
    verify: async (kept: string, password: string) => {
      await work(`verify ${password} ${kept}`)
      return kept === "kept" || kept === nobodysHash
    }
  }
})
beforeEach(() => Object.assign(argon2, { running: 0, most: 0, calls: [], release: [] }))

const shop = "store_1"
const run = <A>(use: (passwords: CustomerPasswords["Service"]) => Effect.Effect<A>): Promise<A> =>
  Effect.runPromise(Effect.provide(Effect.flatMap(CustomerPasswords, use), CustomerPasswords.layer))
/** Lets one hash after the other end, as long as any runs. */
const drain = async () => {
  for (let idle = 0; idle < 20; ) {
    await new Promise((resolve) => setImmediate(resolve))
    const next = argon2.release.shift()
    next?.()
    idle = next === undefined ? idle + 1 : 0
  }
}

describe("passwords of customers", () => {
  it("are hashed and compared two at a time, the rest wait their turn", async () => {
    const all = run((passwords) =>
      Effect.all(
        Array.from({ length: 12 }, (_, i) =>
          i % 2 === 0 ? passwords.hash(shop, `p${i}`) : passwords.matches(shop, `p${i}`, "kept")
        ),
        { concurrency: "unbounded" }
      )
    )
    await drain()
    expect(await all).toHaveLength(12)
    expect([argon2.calls.length, argon2.most, concurrentHashes]).toEqual([12, 2, 2])
  })

  it("take turns between stores: one login of a store waits for one of another, however many that one brings", async () => {
    const all = run((passwords) =>
      Effect.all(
        [...Array.from({ length: 40 }, (_, i) => passwords.hash("store_flood", `f${i}`)), passwords.hash(shop, "mine")],
        { concurrency: "unbounded" }
      )
    )
    await drain()
    await all
    // Two were at work when it came, and one more of the flood is let in for each of its own.
    expect(argon2.calls.indexOf("hash mine")).toBeLessThanOrEqual(3)
  })

  it("cost the same where there is none: the work is done against nobody's hash, made as everybody's", async () => {
    const one = run((passwords) => passwords.matches(shop, "p", null))
    await drain()
    expect(await one).toBe(false)
    expect(argon2.calls).toEqual([`verify p ${nobodysHash}`])
    const made = run((passwords) => passwords.hash(shop, "p"))
    await drain()
    expect(nobodysHash.startsWith(await made)).toBe(true)
  })

  it("are one password however their letters were composed", async () => {
    const both = run((passwords) =>
      Effect.all([passwords.hash(shop, "Zoe\u0308"), passwords.matches(shop, "Zo\u00eb", "kept")])
    )
    await drain()
    await both
    expect(argon2.calls).toEqual(["hash Zo\u00eb", "verify Zo\u00eb kept"])
  })
})
