import { Cause, Effect, Exit } from "effect"
import { SqlError } from "effect/sql"
import { describe, expect, it } from "vitest"
import { classify, constraintViolation, constraintViolations, uniqueViolation } from "../../src/database/SqlErrors.ts"

const sqlError = (code: string, constraint?: string) =>
  new SqlError.SqlError({
    reason: new SqlError.UnknownError({ cause: { code, constraint }, message: code, operation: "query" })
  })
const unique = (constraint: string) =>
  new SqlError.SqlError({
    reason: new SqlError.UniqueViolation({
      cause: { code: "23505", constraint },
      constraint,
      message: "",
      operation: "query"
    })
  })

describe("classify", () => {
  it.each([
    ["53100", "unavailable"],
    ["57P01", "unavailable"],
    ["57014", "unavailable"],
    ["55P03", "unavailable"],
    ["40P01", "unavailable"],
    ["08006", "unavailable"],
    ["08P01", "bug"],
    ["42501", "bug"],
    ["42601", "bug"],
    ["23502", "bug"],
    ["22021", "invalid"],
    ["22003", "invalid"],
    ["54001", "invalid"],
    ["23514", "invalid"],
    ["23505", "conflict"],
    ["23503", "conflict"]
  ])("SQLSTATE %s is %s", (code, meaning) => {
    expect(classify(sqlError(code))).toBe(meaning)
  })

  it("a lost connection has no SQLSTATE and is unavailable; an error that is not the database's is a bug", () => {
    const lost = new SqlError.SqlError({
      reason: new SqlError.ConnectionError({ cause: new Error("closed"), message: "", operation: "query" })
    })
    expect(classify(lost)).toBe("unavailable")
    expect(classify(new TypeError("x is not a function"))).toBe("bug")
  })
})

describe("constraint violations", () => {
  it("turns the named constraint into the domain error", () => {
    expect(
      Effect.runSync(Effect.flip(uniqueViolation("product_key", () => "taken")(Effect.fail(unique("product_key")))))
    ).toBe("taken")
    expect(
      Effect.runSync(
        Effect.flip(constraintViolation("a_fkey", () => "unknown")(Effect.fail(sqlError("23503", "a_fkey"))))
      )
    ).toBe("unknown")
  })

  it("turns each of several named constraints into its own error", () => {
    const mapped = (error: SqlError.SqlError) =>
      Effect.runSync(Effect.flip(constraintViolations({ a_key: () => "a", b_key: () => "b" })(Effect.fail(error))))
    expect([mapped(unique("a_key")), mapped(unique("b_key"))]).toEqual(["a", "b"])
  })

  it("makes every other SqlError a defect and leaves domain errors alone", () => {
    const handle = uniqueViolation("product_key", () => "taken")
    const other = Effect.runSyncExit(handle(Effect.fail(unique("other_key"))))
    expect(Exit.isFailure(other) && Cause.hasDies(other.cause)).toBe(true)
    const named = Effect.runSyncExit(handle(Effect.fail(unique("constructor"))))
    expect(Exit.isFailure(named) && Cause.hasDies(named.cause)).toBe(true)
    expect(Effect.runSync(Effect.flip(handle(Effect.fail("domain"))))).toBe("domain")
  })
})
