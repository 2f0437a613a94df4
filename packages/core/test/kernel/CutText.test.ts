import { expect, it } from "vitest"
import { cutText } from "../../src/kernel/CutText.ts"

it.each([
  ["", 3, ""],
  ["abc", 3, "abc"],
  ["abcd", 3, "abc"],
  ["a\u{1f600}", 3, "a\u{1f600}"],
  ["ab\u{1f600}", 3, "ab"],
  ["\u{1f600}\u{1f600}", 2, "\u{1f600}"]
])("the beginning of %j, at most %i units", (text, most, begins) => {
  expect(cutText(text, most)).toBe(begins)
})
