import { birthdayProblem, referralCodeOf } from "@effect-commerce/core/customer/Customer"
import { passwordProblem } from "@effect-commerce/core/customer/PasswordRules"
import { describe, expect, it } from "vitest"

describe("a birthday", () => {
  it.each([
    [1, 31],
    [2, 29],
    [4, 30],
    [12, 31]
  ])("may be the last day of month %i", (birthMonth, birthDay) => {
    expect(birthdayProblem({ birthMonth, birthDay })).toBeUndefined()
    expect(birthdayProblem({ birthMonth, birthDay: birthDay + 1 })).toBe(
      `month ${birthMonth} has no day ${birthDay + 1}`
    )
  })

  it("is given whole, taken back whole, or left out", () => {
    expect(birthdayProblem({})).toBeUndefined()
    expect(birthdayProblem({ birthMonth: null, birthDay: null })).toBeUndefined()
    for (const half of [
      { birthMonth: 1 },
      { birthDay: 1 },
      { birthMonth: null },
      { birthMonth: 1, birthDay: null },
      { birthMonth: null, birthDay: 1 }
    ]) {
      expect(birthdayProblem(half)).toBe("birthMonth and birthDay go together: give both or neither")
    }
  })
})

describe("a referral code", () => {
  it("is kept in its form, in any case and with spaces around, and dropped in any other", () => {
    expect(referralCodeOf(" ref-ab12CD34 ")).toBe("REF-AB12CD34")
    for (const other of ["REF-AB12CD3", "REF-AB12CD345", "AB12CD34", "REF-AB12CD3!", "", null, undefined, 5, {}])
      expect(referralCodeOf(other)).toBeNull()
  })
})

describe("a new password", () => {
  it.each([
    ["Abcde-1", "must have at least 8 characters"],
    ["Abcdef-1", undefined],
    [`Ab-1${"é".repeat(252)}`, undefined],
    [`Ab-1${"é".repeat(253)}`, "must have at most 256 characters"],
    ["abcdefg1", "must contain an uppercase letter, a special character"],
    ["Abcdef 1", "must contain a special character"],
    ["Ñandúes-٣", undefined],
    ["🔒🔒Abcd1!", undefined],
    ["🔒Abcd1!", "must have at least 8 characters"],
    ["Password1!", "is among the passwords that are guessed first: choose another"],
    ["password1!", "must contain an uppercase letter"]
  ])("%s: %s", (password, problem) => {
    expect(passwordProblem(password)).toBe(problem)
  })
})
