import { describe, expect, it } from "vitest"
import { isFileAddress, isWebAddress } from "../../src/kernel/FileAddress.ts"

describe("the address of a file", () => {
  it.each([
    "https://cdn.example.com/a b.jpg?w=1&h=2#x",
    "http://localhost:4000/a.jpg",
    "HTTPS://E.COM/Ä.png",
    "/api/media/store_1/a.jpg",
    "store_1/9f86.jpg",
    "lamp.jpg",
    "größe.png"
  ])("may be %s", (address) => expect(isFileAddress(address)).toBe(true))

  it.each([
    "",
    " ",
    "not a url",
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "java\nscript:alert(1)",
    "data:image/png;base64,AAAA",
    "ftp://example.com/a.jpg",
    "file:///etc/passwd",
    "//evil.example/a.jpg",
    "\\\\evil.example\\a.jpg",
    "https://",
    "http:///a",
    "https:a.jpg",
    'a"onerror="x',
    "<svg>"
  ])("is not %j", (address) => expect([isFileAddress(address), isWebAddress(address)]).toEqual([false, false]))
})
