import { Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { makeRootSecret, SealBroken } from "../../src/crypto/RootSecret.ts"

const one = makeRootSecret(Redacted.make("0123456789abcdef0123456789abcdef"))
const other = makeRootSecret(Redacted.make("fedcba9876543210fedcba9876543210"))
const place = "store_1|webhook|secret|wh_1"

describe("the root secret", () => {
  it("derives 32 bytes, the same each time, others for another purpose or another root", () => {
    expect(one.derive("jwt").length).toBe(32)
    expect(one.derive("jwt")).toEqual(one.derive("jwt"))
    expect(one.derive("jwt")).not.toEqual(one.derive("cookies"))
    expect(one.derive("jwt")).not.toEqual(other.derive("jwt"))
  })

  it("opens what it sealed, and seals the same text differently each time", () => {
    const sealed = one.seal("webhook", place, "whsec_ä")
    expect(one.open("webhook", place, sealed)).toBe("whsec_ä")
    expect(one.seal("webhook", place, "whsec_ä")).not.toBe(sealed)
    expect(sealed).not.toContain("whsec")
  })

  it.each(["six", "seven", "eight"])(
    "refuses a text of which any character was changed, left out or added: %j sealed",
    (plain) => {
      const sealed = one.seal("webhook", place, plain)
      for (let at = 0; at < sealed.length; at += 1) {
        // The neighbour in the alphabet of base64 differs in the lowest bit, which the last character may not use.
        const neighbour = sealed[at] === "A" ? "B" : "A"
        for (const put of [neighbour, "g", "", `${sealed[at]}\n`]) {
          const changed = `${sealed.slice(0, at)}${put}${sealed.slice(at + 1)}`
          if (changed !== sealed)
            expect(() => one.open("webhook", place, changed), `${at} ${JSON.stringify(put)}`).toThrow(SealBroken)
        }
      }
    }
  )

  it("refuses a text moved to another row, used for another purpose or sealed under another root", () => {
    const sealed = one.seal("webhook", place, "secret")
    expect(() => one.open("webhook", "store_2|webhook|secret|wh_1", sealed)).toThrow(SealBroken)
    expect(() => one.open("mail", place, sealed)).toThrow(SealBroken)
    expect(() => other.open("webhook", place, sealed)).toThrow(SealBroken)
    expect(() => one.open("webhook", place, "")).toThrow(SealBroken)
  })

  it("refuses a root of fewer than 32 bytes", () => {
    expect(() => makeRootSecret(Redacted.make("short"))).toThrow("a root secret has at least 32 bytes")
  })
})
