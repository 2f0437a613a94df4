import { describe, expect, it } from "vitest"
import { cacheControlOf } from "../../src/middleware/CacheFacts.ts"
import { entityTag, holds } from "../../src/middleware/Cached.ts"

describe("If-None-Match", () => {
  const etag = entityTag("a lamp")
  it.each([
    ["the tag itself", etag, true],
    ["the tag as a strong one, which is compared weakly", etag.slice(2), true],
    ["one of several", `"a", W/"b" ,${etag}`, true],
    ["a tag that holds a comma", `"a,b", ${etag}`, true],
    ["any", "*", true],
    ["any, with blanks", " * ", true],
    ["another tag", entityTag("a chair"), false],
    ["any beside others, which is no list", `*, "a"`, false],
    ["a tag without quotes", etag.slice(3, -1), false],
    ["nothing", "", false],
    ["no such header", undefined, false],
    ["a list that is broken after the tag", `${etag} "b`, false]
  ])("%s", (_words, header, expected) => {
    expect(holds(header, etag)).toBe(expected)
  })

  it("reads a header of any length at once", () => {
    const began = performance.now()
    expect(holds(`${'"a", '.repeat(3_000)}${" ".repeat(1_000)}x`, etag)).toBe(false)
    expect(holds(`${'"a", '.repeat(3_000)}${etag}`, etag)).toBe(true)
    expect(performance.now() - began).toBeLessThan(200)
  })
})

it("a tag is weak, and differs where the content does", () => {
  expect(entityTag("a")).toMatch(/^W\/"[\w-]{27}"$/)
  expect(entityTag("a")).toBe(entityTag(Buffer.from("a")))
  expect(entityTag("a")).not.toBe(entityTag("b"))
})

it("what shows prices or stock is asked about each time", () => {
  expect(cacheControlOf({ seconds: 0 })).toBe("public, max-age=0, must-revalidate")
  expect(cacheControlOf({ seconds: 5 })).toBe("public, max-age=5")
})
