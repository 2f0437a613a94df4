import { describe, expect, it } from "vitest"
import { scannedAtOnce } from "../../src/export/ExportedRepository.ts"
import { headOf, linesOf } from "../../src/export/ExportFormat.ts"
import { pageOf } from "../../src/export/ExportWork.ts"

const columns = [{ name: "text" }, { name: "amount", isNumber: true }]
const csv = (text: string | null, amount: string | number | null = null) => linesOf("csv", columns, [{ text, amount }])

describe("a row of CSV", () => {
  for (const [text, cell] of [
    ["=1+1", "'=1+1"],
    ["+49 30 1", "'+49 30 1"],
    ["-2", "'-2"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\t=1", `"'\t'=1"`],
    ["\r=1", `"'\r'=1"`],
    ["\n=1", `"'\n'=1"`],
    ["\ta", `"'\ta"`],
    [" =1", `" '=1"`],
    ["＝1＋1", "'＝1＋1"],
    ["＋1", "'＋1"],
    ["－1", "'－1"],
    ["＠SUM(A1)", "'＠SUM(A1)"],
    ["a;=1;b", `"a;'=1;b"`],
    ["a\t@x\t-1", `"a\t'@x\t'-1"`],
    ["a\n+1\r\n - 2\n＝3", `"a\n'+1\r\n '- 2\n'＝3"`],
    ['a;"=1"', `"a;""'=1"""`],
    ["a; 5-3=2", '"a; 5-3=2"'],
    ["a, -1", '"a, -1"'],
    ["a=1", "a=1"],
    ['say "hi"', '"say ""hi"""'],
    ["a,b", '"a,b"'],
    ["a;b", '"a;b"'],
    ["two\r\nlines", '"two\r\nlines"'],
    [" spaced", '" spaced"'],
    ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
    ["Grüße ✓", "Grüße ✓"],
    [null, ""]
  ] as const)
    it(`writes ${JSON.stringify(text)} as ${JSON.stringify(cell)}`, () => {
      expect(csv(text)).toBe(`${cell},\r\n`)
    })

  it("takes no longer for a text that is made to take long", () => {
    const text = `a${"\n".repeat(1_000_000)}`
    expect(csv(text)).toBe(`"${text}",\r\n`)
  })

  it("leaves amounts as they are, also below zero", () => {
    expect(csv("x", "-5.00")).toBe("x,-5.00\r\n")
    expect(csv("x", -3)).toBe("x,-3\r\n")
  })
})

it("a file of CSV begins with a byte order mark and the names of its columns", () => {
  expect(headOf("csv", columns)).toBe("\uFEFFtext,amount\r\n")
  expect(headOf("ndjson", columns)).toBe("")
})

it("a row of NDJSON has every column, and what a spreadsheet would run is left as it is", () => {
  expect(linesOf("ndjson", columns, [{ text: "=1\n", amount: null }, { text: "b" }])).toBe(
    '{"text":"=1\\n","amount":null}\n{"text":"b","amount":null}\n'
  )
})

describe("a page", () => {
  const record = (key: string, size: number, matches = true) => ({ key, size, matches })

  it("ends after two thousand rows, and goes on behind the last record of it", () => {
    const scanned = [record("a", 1_500), record("b", 0, false), record("c", 500), record("d", 1)]
    expect(pageOf(scanned, "")).toEqual({ keys: ["a", "c"], after: "c", isLast: false })
  })

  it("takes one record that is larger alone", () => {
    expect(pageOf([record("a", 5_000), record("b", 1)], "")).toEqual({ keys: ["a"], after: "a", isLast: false })
  })

  it("goes on behind what the filters leave out, and is the last where nothing follows", () => {
    expect(pageOf([record("a", 0, false)], "")).toEqual({ keys: [], after: "a", isLast: true })
    expect(pageOf([], "z")).toEqual({ keys: [], after: "z", isLast: true })
    const many = Array.from({ length: scannedAtOnce }, (_, i) => record(`k${String(i).padStart(5, "0")}`, 0, false))
    expect(pageOf(many, "")).toEqual({ keys: [], after: many.at(-1)?.key, isLast: false })
  })
})
