import { hashBounds, hashesAtOnce, nobodysHash, PasswordHashes } from "@effect-commerce/core/identity/PasswordHashes"
import { Effect } from "effect"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"

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
afterEach(() => {
  vi.useRealTimers()
})

const shop = "store_1"
const run = <A, E>(use: (passwords: PasswordHashes["Service"]) => Effect.Effect<A, E>): Promise<A> =>
  Effect.runPromise(Effect.provide(Effect.flatMap(PasswordHashes, use), PasswordHashes.layer))
/** Lets what can go on do so. */
const settle = async () => {
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve))
}
/** Lets one hash after the other end, as long as any runs. */
const drain = async () => {
  for (let idle = 0; idle < 20; ) {
    await new Promise((resolve) => setImmediate(resolve))
    const next = argon2.release.shift()
    next?.()
    idle = next === undefined ? idle + 1 : 0
  }
}
/** Hashes of one owner, and what became of each: "hashed", or the tag of the error. */
const flood = (passwords: PasswordHashes["Service"], owner: string, count: number) =>
  Effect.all(
    Array.from({ length: count }, (_, i) =>
      passwords.hash(owner, `${owner}${i}`).pipe(
        Effect.as("hashed"),
        Effect.catch(({ _tag }) => Effect.succeed(_tag))
      )
    ),
    { concurrency: "unbounded" }
  )
const countOf = (all: ReadonlyArray<string>, what: string) => all.filter((each) => each === what).length

/** One on this machine or two, by its cores. */
const { atOnce } = hashBounds

describe("passwords", () => {
  it("leave half of the cores to everything else, and two threads of four", () => {
    expect([1, 2, 3, 4, 8, 64].map(hashesAtOnce)).toEqual([1, 1, 1, 2, 2, 2])
  })

  it("are hashed and compared so many at a time, the rest wait their turn", async () => {
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
    expect([argon2.calls.length, argon2.most]).toEqual([12, atOnce])
  })

  it("take turns between stores: one login of a store waits for one of another, however many that one brings", async () => {
    const all = run((passwords) =>
      Effect.all(
        [...Array.from({ length: 50 }, (_, i) => passwords.hash("store_flood", `f${i}`)), passwords.hash(shop, "mine")],
        { concurrency: "unbounded" }
      )
    )
    await drain()
    await all
    // So many were at work when it came, and one more of the flood is let in for each of its own.
    expect(argon2.calls.indexOf("hash mine")).toBeLessThanOrEqual(atOnce + 1)
    expect(argon2.calls).toHaveLength(51)
  })

  it("wait in a bounded line: what does not fit is refused at once, before any work, and other stores are not", async () => {
    const done = run((passwords) =>
      Effect.all([flood(passwords, "store_flood", 250), flood(passwords, shop, 3)], { concurrency: "unbounded" })
    )
    await settle()
    expect(argon2.calls).toEqual(["hash store_flood0", "hash store_flood1"].slice(0, atOnce))
    await drain()
    const [flooded, mine] = await done
    expect([countOf(flooded, "hashed"), countOf(flooded, "PasswordsBusy")]).toEqual([200 + atOnce, 50 - atOnce])
    expect(mine).toEqual(["hashed", "hashed", "hashed"])
    expect(argon2.calls).toHaveLength(203 + atOnce)
  })

  it("wait in a line that is bounded over all stores too", async () => {
    const done = run((passwords) =>
      Effect.all(
        Array.from({ length: 7 }, (_, i) => flood(passwords, `store_${i}`, 200)),
        { concurrency: "unbounded" }
      )
    )
    await drain()
    const all = (await done).flat()
    expect([countOf(all, "hashed"), countOf(all, "PasswordsBusy")]).toEqual([1_000 + atOnce, 400 - atOnce])
    expect(argon2.calls).toHaveLength(1_000 + atOnce)
  })

  it("are refused where no turn comes in time, and are not hashed afterwards", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    const done = run((passwords) => flood(passwords, shop, 5))
    await settle()
    await vi.advanceTimersByTimeAsync(hashBounds.patience - 1)
    argon2.release.shift()?.()
    await settle()
    expect(argon2.calls).toHaveLength(atOnce + 1)
    await vi.advanceTimersByTimeAsync(1)
    await drain()
    const outcomes = await done
    expect([countOf(outcomes, "hashed"), countOf(outcomes, "PasswordsBusy")]).toEqual([atOnce + 1, 4 - atOnce])
    expect(argon2.calls).toHaveLength(atOnce + 1)
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
