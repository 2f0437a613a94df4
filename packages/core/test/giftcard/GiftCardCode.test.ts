import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  hashGiftCardCode,
  lastFourOf,
  makeGiftCardCode,
  normaliseGiftCardCode
} from "../../src/giftcard/GiftCardCode.ts"
import { law } from "../kernel/laws.ts"

const key = (byte: number) => new Uint8Array(32).fill(byte)
const codes = fc.constant(null).map(makeGiftCardCode)

describe("a code of a gift card", () => {
  it("has four groups of four characters that nobody misreads, and is another each time", () => {
    const made = Array.from({ length: 1_000 }, makeGiftCardCode)
    expect(made.filter((code) => !/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/.test(code))).toEqual([])
    expect(new Set(made).size).toBe(1_000)
    expect(new Set(made.join("").replaceAll("-", "")).size).toBe(32)
  })

  it("is the same in any case, with any spaces and hyphens, and with letters in place of digits", () => {
    expect(normaliseGiftCardCode(" 7k2m–9qxo\u00a0bil1 ")).toBe("7K2M9QX0B111")
    expect(lastFourOf("7K2M-9QX4-B8N6-5D1E")).toBe("5D1E")
    law(
      fc.tuple(codes, fc.array(fc.constantFrom("", "-", " ", "\u2013", "\t"), { minLength: 19 })),
      ([code, between]) => {
        const typed = [...code.toLowerCase()].map((letter, i) => `${between[i] ?? ""}${letter}`).join("")
        expect(normaliseGiftCardCode(typed)).toBe(code.replaceAll("-", ""))
        expect(hashGiftCardCode(key(1), typed)).toBe(hashGiftCardCode(key(1), code))
      }
    )
  })

  it("is stored as another text under every key, which is an HMAC-SHA256", () => {
    // HMAC-SHA256 of "ABC" with the key "0101…01" as text: by `openssl dgst -sha256 -hmac`.
    expect(hashGiftCardCode(key(1), "a-b-c")).toBe("a77fe738d739bf8553842ed7f32165fceaa71befda3dd6f713572485dd25f17a")
    law(fc.tuple(codes, codes), ([one, other]) => {
      expect(hashGiftCardCode(key(1), one)).not.toBe(hashGiftCardCode(key(2), one))
      expect(hashGiftCardCode(key(1), one) === hashGiftCardCode(key(1), other)).toBe(one === other)
    })
  })
})
