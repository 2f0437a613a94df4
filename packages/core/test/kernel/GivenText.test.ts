import { trimmedText } from "@effect-commerce/core/kernel/GivenText"
import { describe, expect, it } from "vitest"

describe("a text that may be empty", () => {
  it("is trimmed, and none where nothing is left", () => {
    expect([
      trimmedText(" Ada "),
      trimmedText("  "),
      trimmedText(""),
      trimmedText(null),
      trimmedText(undefined)
    ]).toEqual(["Ada", null, null, null, null])
  })
})
