import { Effect, Layer, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { RootSecret } from "../../src/crypto/RootSecret.ts"
import { SignedLinks } from "../../src/link/SignedLinks.ts"
import { RequestOrigin } from "../../src/media/MediaUrls.ts"

const linksOf = (secret = "a secret of tests that is long enough, 32", publicUrl?: string) =>
  Effect.runSync(
    Effect.provide(
      SignedLinks.use((links) => Effect.succeed(links)),
      SignedLinks.layer({ publicUrl, basePath: "/api" }).pipe(Layer.provide(RootSecret.layer(Redacted.make(secret))))
    )
  )
const links = linksOf()
const now = Date.parse("2026-11-28T12:00:00Z")
const parts = ["store_1", "ord_1"]
const token = links.sign("invoice", parts, now + 60_000)

describe("a signed link", () => {
  it("reads as what was signed until it expires", () => {
    expect(links.read("invoice", token, now)).toEqual({ parts, expiresAt: now + 60_000 })
    expect(links.read("invoice", token, now + 59_999)?.parts).toEqual(parts)
    expect(links.read("invoice", token, now + 60_000)).toBeUndefined()
  })

  it("reads as nothing where any character was changed", () => {
    for (let i = 0; i < token.length; i++) {
      const other = token[i] === "a" ? "b" : "a"
      expect(links.read("invoice", token.slice(0, i) + other + token.slice(i + 1), now)).toBeUndefined()
    }
  })

  it("is of one kind and one installation", () => {
    expect(links.read("download", token, now)).toBeUndefined()
    expect(linksOf("another secret of tests, long enough, 32").read("invoice", token, now)).toBeUndefined()
  })

  for (const text of ["", ".", "a", "a.b", token.slice(0, -1), `${token}0`, "x".repeat(10_000), `${token}.${token}`])
    it(`is not ${JSON.stringify(text.slice(0, 40))} (${text.length} characters)`, () => {
      expect(links.read("invoice", text, now)).toBeUndefined()
    })

  it("signs no part that could be read as two", () => {
    expect(() => links.sign("invoice", ["store_1.ord_1"], now)).toThrow(RangeError)
  })
})

describe("the address of this server", () => {
  const at = (made: typeof links, origin: string) =>
    Effect.runSync(Effect.provideService(made.current, RequestOrigin, () => origin))

  it("is the public one, else where the request was sent to", () => {
    expect(at(linksOf(undefined, "https://shop.example/"), "http://inside:3000")).toBe("https://shop.example/api")
    expect(at(links, "http://inside:3000")).toBe("http://inside:3000/api")
    expect(at(links, "")).toBe("/api")
    expect([links.addressOr(null), links.addressOr("http://localhost")]).toEqual([null, "http://localhost/api"])
  })
})
