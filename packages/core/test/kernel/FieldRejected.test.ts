/** What several checks reject is one error. */
import { Effect, Result, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { checkAll, checkBeside, checkEach, FieldRejected, rejectedFields } from "../../src/kernel/FieldRejected.ts"

class Missing extends Schema.TaggedError<Missing>()("Missing", {}) {}

const refuse = (field: string, reason = "is wrong") => Effect.fail(new FieldRejected({ field, reason }))
const outcome = (check: Effect.Effect<unknown, FieldRejected | Missing>) => {
  const result = Effect.runSync(Effect.result(check))
  if (Result.isSuccess(result)) return result.success
  return result.failure instanceof FieldRejected ? Object.entries(rejectedFields(result.failure)) : "missing"
}

describe("checks that do not need each other", () => {
  it("name every field in their order, and of one field the first reason", () => {
    expect(
      outcome(checkAll({ a: refuse("a"), b: Effect.succeed(1), c: refuse("c"), d: refuse("a", "again") }))
    ).toEqual([
      ["a", "is wrong"],
      ["c", "is wrong"]
    ])
    expect(outcome(checkAll({ a: Effect.succeed(1), b: Effect.succeed("x") }))).toEqual({ a: 1, b: "x" })
  })

  it("look at each item of a list", () => {
    const even = (n: number, i: number) => (n % 2 === 0 ? Effect.succeed(n / 2) : refuse(`items.${i}`))
    expect(outcome(checkEach([2, 4], even))).toEqual([1, 2])
    expect(outcome(checkEach([1, 2, 3], even))).toEqual([
      ["items.0", "is wrong"],
      ["items.2", "is wrong"]
    ])
  })

  it("end at another error, which is the answer where no field was rejected before", () => {
    const missing = Effect.fail(new Missing())
    expect(outcome(checkAll({ a: missing, b: refuse("b") }))).toBe("missing")
    expect(outcome(checkAll({ a: refuse("a"), b: missing, c: refuse("c") }))).toEqual([["a", "is wrong"]])
  })
})

describe("a check that others need", () => {
  it("has them tried for what they reject besides, and only then", () => {
    let tried = 0
    const others = Effect.suspend(() => {
      tried += 1
      return refuse("b")
    })
    expect(outcome(checkBeside(Effect.succeed(1), others))).toBe(1)
    expect(tried).toBe(0)
    expect(outcome(checkBeside(refuse("a"), others))).toEqual([
      ["a", "is wrong"],
      ["b", "is wrong"]
    ])
    expect(outcome(checkBeside(refuse("a"), Effect.fail(new Missing())))).toEqual([["a", "is wrong"]])
    expect(outcome(checkBeside(refuse("a"), Effect.void))).toEqual([["a", "is wrong"]])
  })
})
