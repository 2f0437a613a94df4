import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { PictureAddress } from "../../src/kernel/Fields.ts"

const takes = Schema.is(PictureAddress)

describe("the address of a picture", () => {
  it.each([
    "https://cdn.example.com/a.png",
    "HTTP://cdn.example.com/a b.png",
    "//cdn.example.com/a.png",
    "/pictures/a.png",
    "a.png",
    "pictures/12:30.png",
    ""
  ])("is of the web, or a path: %j", (address) => expect(takes(address)).toBe(true))

  it.each([
    "javascript:alert(1)",
    " JavaScript:alert(1)",
    "java\nscript:alert(1)",
    "\u0001javascript:alert(1)",
    "vbscript:x",
    "data:image/svg+xml,<svg/>",
    "file:///etc/passwd",
    "https:cdn.example.com"
  ])("is nothing that a browser runs or reads elsewhere: %j", (address) => expect(takes(address)).toBe(false))

  it("has at most 2,000 characters", () => {
    expect([takes("a".repeat(2_000)), takes("a".repeat(2_001))]).toEqual([true, false])
  })
})
