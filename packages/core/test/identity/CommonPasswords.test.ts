import { isCommonPassword } from "@effect-commerce/core/identity/CommonPasswords"
import { describe, expect, it } from "vitest"

describe("a password that is guessed first", () => {
  it.each([
    ["P@ssw0rd", "as it stands in the list"],
    ["!QAZ2wsx", "as it stands in the list"],
    ["PASSWORD1!", "case does not count"],
    ["Password123!", "a word, digits and a mark"],
    ["Pa$$w0rd2024!", "letters that look alike"],
    ["Welcome@2026", "a mark, then digits"],
    ["Qwerty!1", "a short tail"],
    ["ILoveYou2!", "two words that everybody knows"],
    ["Admin#2024!!", "what installers set"]
  ])("%s: %s", (password) => {
    expect(isCommonPassword(password)).toBe(true)
  })

  it.each([
    ["Corr3ct-Horse", "a word that is not among the hundred"],
    ["Password-of-Ada1!", "a word that goes on"],
    ["My-Password1!", "a word that does not come first"],
    ["Password12345!", "more digits than a year has"],
    ["Dr4gonfly!", "another word"],
    ["", "nothing"]
  ])("is not %s: %s", (password) => {
    expect(isCommonPassword(password)).toBe(false)
  })
})
