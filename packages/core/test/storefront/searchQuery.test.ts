import { describe, expect, it } from "vitest"
import { parseSearch } from "../../src/storefront/internal/searchQuery.ts"

/** `lamp*` may go on, `!lamp` is excluded, `[desk lamp]` is quoted, `ab+100=ab100` is one piece with its whole. */
const shown = (text: string | undefined) =>
  parseSearch(text)
    ?.map((terms) =>
      terms
        .map(({ words, joined, quoted, excluded, begins }) => {
          const inner = quoted ? `[${words.join(" ")}]` : words.join("+")
          return `${excluded ? "!" : ""}${inner}${joined === null ? "" : `=${joined}`}${begins ? "*" : ""}`
        })
        .join(" ")
    )
    .join(" | ")

describe("a search", () => {
  it.each([
    ["lamp", "lamp*"],
    ["Desk LAMP", "desk lamp*"],
    ['"desk lamp" black', "[desk lamp] black*"],
    ['black "desk lamp"', "black [desk lamp]"],
    ["lamp or chair", "lamp | chair*"],
    ["lamp OR desk chair", "lamp | desk chair*"],
    ["lamp -black", "lamp !black"],
    ['lamp -"very black"', "lamp ![very black]"],
    ["-lamp", "!lamp"],
    ["AB-100", "ab+100=ab100*"],
    ["or lamp or", "lamp*"],
    ["lamp or or chair", "lamp | chair*"],
    ['"lamp', "lamp*"],
    ['"desk lamp" "black', "[desk lamp] black*"],
    ["“desk lamp”", "[desk lamp]"],
    ["a", "a"],
    ["日", "日*"],
    ['"or"', "[or]"],
    ["lamp --", "lamp*"],
    ["!lamp & (chair | desk) <-> x:*", "lamp chair desk x"],
    ["100%_\\", "100*"],
    ["مصباح أسود", "مصباح اسود*"]
  ])("%s", (text, expected) => {
    expect(shown(text)).toBe(expected)
  })

  it.each([
    [undefined],
    [""],
    ["   "],
    ["or"],
    ["OR or"],
    ["-"],
    ["--- ()&|!<>:*'"],
    ['""'],
    ['"'],
    ['-""'],
    ["🎉🎉"],
    ["%_\\"]
  ])("of nothing but operators asks for nothing: %s", (text) => {
    expect(parseSearch(text)).toBeUndefined()
  })

  it("is read at once, whatever it is", () => {
    const began = performance.now()
    for (const part of ["-", '"', '-"', "or ", "a ", 'a"', "-a-"]) parseSearch(part.repeat(200))
    expect(performance.now() - began).toBeLessThan(200)
  })

  it("asks for each term once, and for the last as it is typed", () => {
    expect(shown("lamp desk lamp")).toBe("lamp desk lamp*")
    expect(shown('lamp lamp desk lamp desk -lamp "lamp" chair')).toBe("lamp desk !lamp [lamp] chair*")
  })

  const sixteen = "bowl vase lamp desk chair table shelf stool rug mirror clock frame plate spoon knife"

  it.each([
    [`${sixteen} fork`, `${sixteen} fork glass jug`],
    [`${sixteen} fork`, `${sixteen} fork or glass`],
    [`${sixteen} fork`, `${sixteen} fork -glass "a jug"`],
    [`${sixteen} bowl`, `${sixteen} bowl glass`],
    [`${sixteen} ab`, `${sixteen} AB-100/x`],
    [`${sixteen} "tin can"`.replace("bowl ", ""), `${sixteen} "tin can opener"`.replace("bowl ", "")],
    [`lamp or ${sixteen}`, `lamp or ${sixteen} glass`],
    [`${"日".repeat(17)}`, `${"日".repeat(20)}`]
  ])("is answered without what follows its sixteenth word: %s", (text, longer) => {
    expect(
      parseSearch(text)
        ?.flat()
        .flatMap(({ words }) => words)
    ).toHaveLength(16)
    expect(parseSearch(longer)).toEqual(parseSearch(text))
  })

  it("keeps what punctuation joins of the words that are left", () => {
    const begun = sixteen.split(" ").slice(0, 14).join(" ")
    expect(shown(`${begun} AB-100/x`)).toBe(`${begun} ab+100=ab100*`)
  })

  it("asks for sixteen words where a character stands for many", () => {
    const words = (text: string) => parseSearch(text)?.flatMap((terms) => terms.flatMap((term) => term.words)) ?? []
    expect(words("\u{fdfa}".repeat(200))).toHaveLength(5)
    // Each stands for five words.
    expect(words("\u3316".repeat(200))).toHaveLength(16)
    expect(words(`lamp or ${"\u3316".repeat(150)} or desk`)).toHaveLength(16)
  })
})
