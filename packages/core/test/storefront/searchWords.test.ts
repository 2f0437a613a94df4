import { describe, expect, it } from "vitest"
import { chunksOf, fold } from "../../src/storefront/internal/searchWords.ts"

describe("folding", () => {
  it.each([
    ["case", "LaMP", "lamp"],
    ["accents", "Crème brûlée", "creme brulee"],
    ["an accent that is a character of its own", "Cre\u0300me", "creme"],
    ["umlauts and the sharp s", "Große Öfen", "grosse ofen"],
    ["letters without a decomposition", "Ørsted Łódź Þór æon", "orsted lodz thor aeon"],
    ["the dotted and the dotless i", "İstanbul ısı", "istanbul isi"],
    ["both small sigmas", "ΟΔΟΣ οδός", "οδοσ οδοσ"],
    ["Cyrillic", "ЁЛКА Йод", "елка иод"],
    ["full-width and other compatible forms", "ＡＢＣ ﬁt ℡ ②", "abc fit tel 2"],
    ["nothing of a text without letters", "🎉 -- \u0001", "🎉 -- \u0001"]
  ])("ignores %s", (_words, text, folded) => {
    expect(fold(text)).toBe(folded)
  })

  it("changes nothing of what is folded, for every character there is", () => {
    const changed: Array<string> = []
    for (let code = 1; code < 0x110000; code += 1) {
      if (code >= 0xd800 && code < 0xe000) continue
      const once = fold(String.fromCodePoint(code))
      if (fold(once) !== once) changed.push(code.toString(16))
    }
    expect(changed).toEqual([])
  })
})

describe("words of a text", () => {
  it.each([
    ["Desk lamp, black", ["desk", "lamp", "black"]],
    ["AB-100/x", ["ab", "100", "x", "=ab100x"]],
    ["L'Oréal", ["l", "oreal", "=loreal"]],
    ["  wi-fi  2.5  ", ["wi", "fi", "=wifi", "2", "5", "=25"]],
    ["日本語 テスト", ["日本", "本語", "テス", "スト"]],
    ["茶", ["茶"]],
    ["iPhone用", ["iphone", "用"]],
    ["🎉 & -- ()", []],
    ["x".repeat(70), ["x".repeat(64)]]
  ])("%s", (text, words) => {
    expect(
      chunksOf(text).flatMap((chunk) => [...chunk.words, ...(chunk.joined === undefined ? [] : [`=${chunk.joined}`])])
    ).toEqual(words)
  })
})
