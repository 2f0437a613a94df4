import fc from "fast-check"
import addressparser from "nodemailer/lib/addressparser"
import MimeNode from "nodemailer/lib/mime-node"
import { expect, it } from "vitest"
import { isEmail } from "../../src/kernel/Address.ts"

/** What the mail library makes of a text that it takes for a list of addresses. */
const recipientsOf = (text: string): ReadonlyArray<string> =>
  new MimeNode("text/plain").setEnvelope({ from: "shop@shop.example", to: [text] }).getEnvelope().to

/** Texts of the pieces that parsers of addresses stumble over, most with one @ and a dot. */
const hostile = fc.constantFrom(
  ...Array.from("\"._+'=?%!#@,;:<>()[]\\ \t\r\n\u0000\u00a0\u200b\u202e\uff0c\uff20\u3002"),
  "xn--",
  "@b.c",
  "=?utf-8?q?"
)
const plain = fc.constantFrom("a", "b", "1", "-", "ä", "mail", "example")
const piece = fc.oneof({ weight: 6, arbitrary: plain }, { weight: 1, arbitrary: hostile })
const word = fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join(""))
const text = fc.oneof(
  fc.tuple(word, word, word).map(([local, domain, end]) => `${local}@${domain}.${end}`),
  word
)

it("that is taken is one recipient and nothing else, whatever the mail library would make of texts", () => {
  let taken = 0
  fc.assert(
    fc.property(text, (given) => {
      if (!isEmail(given)) return
      taken += 1
      expect(addressparser(given)).toEqual([{ address: given, name: "" }])
      expect(recipientsOf(given)).toHaveLength(1)
    }),
    { numRuns: 30_000 }
  )
  expect(taken).toBeGreaterThan(100)
})

it("of two recipients was taken before: such a text is split by the mail library, and refused by us", () => {
  expect(recipientsOf("a@b.c,d.e")).not.toEqual(["a@b.c,d.e"])
  expect(isEmail("a@b.c,d.e")).toBe(false)
})
