import { Effect, Exit, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { storedReader, versionOf } from "../../src/kernel/StoredData.ts"

const Price = Schema.Struct({ amount: Schema.String, currency: Schema.String })
/** Version 1 had a number, version 2 a text, version 3 has a currency too. */
const upgrades = [
  (data: unknown) => ({ amount: String((data as { readonly amount: number }).amount) }),
  (data: unknown) => ({ ...(data as object), currency: "USD" })
]
const read = storedReader(Price, upgrades)

const outcome = (effect: Effect.Effect<unknown, { readonly reason: string }>) =>
  Effect.runSync(Effect.match(effect, { onSuccess: (value) => value, onFailure: ({ reason }) => reason }))

describe("stored data", () => {
  it("are brought up to date from the version they were written with; without one it is the first", () => {
    const now = { amount: "7", currency: "USD" }
    expect(versionOf(upgrades)).toBe(3)
    expect(outcome(read({ data: { amount: 7 } }))).toEqual(now)
    expect(outcome(read({ data: { amount: 7 }, version: null }))).toEqual(now)
    expect(outcome(read({ data: { amount: 7 }, version: 1 }))).toEqual(now)
    expect(outcome(read({ data: { amount: "7" }, version: 2 }))).toEqual(now)
    expect(outcome(read({ data: { amount: "7", currency: "EUR" }, version: 3 }))).toEqual({
      amount: "7",
      currency: "EUR"
    })
  })

  it("of a newer release are refused, even where they look readable", () => {
    expect(outcome(read({ data: { amount: "7", currency: "EUR" }, version: 4 }))).toBe(
      "it has version 4, and this release reads versions up to 3"
    )
  })

  it("of another shape are refused with the field and without its value", () => {
    expect(outcome(read({ data: { amount: "7", currency: 840 }, version: 3 }))).toBe(
      "its data have another shape, at currency"
    )
    const bare = storedReader(Price)({ data: "4111 1111 1111 1111" })
    expect(outcome(bare)).toBe("its data have another shape")
    expect(Exit.isFailure(Effect.runSyncExit(bare))).toBe(true)
  })

  it("are refused where an older version was not what its upgrade takes it for", () => {
    expect(outcome(read({ data: null, version: 1 }))).toBe("its data cannot be brought from version 1 to version 3")
  })
})
