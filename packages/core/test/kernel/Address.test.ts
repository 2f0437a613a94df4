import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { Email, isEmail, normaliseEmail } from "../../src/kernel/Address.ts"

describe("an e-mail address", () => {
  it.each([
    "ada@example.com",
    "a@b.c",
    "ada.byron+shop@mail.example.co.uk",
    "o'neil_#1@xn--bcher-kva.example",
    "ädä@bücher.example",
    "1@2.3",
    `${"a".repeat(64)}@${"b".repeat(63)}.example`
  ])("may be %s", (text) => expect(isEmail(text)).toBe(true))

  it.each([
    "",
    "ada",
    "example.com",
    "ada@localhost",
    "@b.c",
    "a@",
    "a@b.c,d.e",
    "a@b.c;d.e",
    "a@b.c:d.e",
    "a@b.c(d).e",
    "a@b.c<d.e",
    "a@b.c>d.e",
    'a@b."c".e',
    "a@b.c\\d.e",
    "a@[127.0.0.1]",
    "a@b_c.d",
    "a@b..c",
    "a@.b.c",
    "a@b.c.",
    "a@-b.c",
    "a@b-.c",
    "a@b.c d.e",
    "a@b.c%0d.e",
    "a@b@c.d",
    "a@b.c\u0000",
    "a\u202e@b.c",
    "a@b\u200d.c",
    "a@b\uff0cc.d",
    "a@b\u3002c.d",
    "Ada <a@b.c>",
    '"a b"@c.d',
    "a,b@c.d",
    "a;b@c.d",
    "=?utf-8?q?a=40b.c=3e?=@d.e",
    "\ud800@b.c"
  ])("is not %j", (text) => expect(isEmail(text)).toBe(false))

  it("has at most 254 characters, white space around it left out, and is compared in lower case", () => {
    const email = (length: number) => `${"a".repeat(length - 12)}@example.com`
    const takes = (text: string) => Schema.decodeUnknownOption(Email)(text)._tag === "Some"
    expect([takes(email(254)), takes(` ${email(254)} `), takes(email(255))]).toEqual([true, true, false])
    expect(normaliseEmail(" Ada@Example.COM ")).toBe("ada@example.com")
  })
})
