/** What a reader of the API document sees is written in the usual terms: request, response, error, returns. */
import { Effect } from "effect"
import { expect, it } from "vitest"
import { Api } from "../../src/Api.ts"
import { codeExplanations } from "../../src/middleware/CodeExplanations.ts"
import { makeApiDocument } from "../../src/system/ApiDocument.ts"

/** On the left what readers stumbled over, on the right what to write. */
const unusual: ReadonlyArray<readonly [RegExp, string]> = [
  [/\brefus(al|als|e|es|ed|ing)\b/i, "error, or the status"],
  [/\banswer(s|ed|ing)?\b/i, "response, returns"],
  [/\b(un)?told\b/i, "by default, or says"],
  [/\bgone\b/i, "removed, deleted"],
  [/\bso many\b/i, "how many"],
  [/\bwhoever\b/i, "anybody who"],
  [/\banew\b/i, "again"],
  [/\bafresh\b/i, "with current prices"],
  [/\bwhat (becomes|became) of\b/i, "status, outcome, what happens to"],
  [/\bpast its time\b/i, "expired"],
  [/\bname in addresses\b/i, "slug"]
]

/** Sentences in which one of the words is the usual term after all. */
const exceptions = ["read the resource again and decide anew", "Read the resource again and decide anew"]

const isJson = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** Summaries and descriptions, wherever they stand; values of examples are no texts of ours. */
const textsOf = (value: unknown): ReadonlyArray<string> => {
  if (Array.isArray(value)) return value.flatMap(textsOf)
  if (!isJson(value)) return []
  return Object.entries(value).flatMap(([key, one]) => {
    if (key === "example" || key === "examples" || key === "default") return []
    return (key === "summary" || key === "description") && typeof one === "string" ? [one] : textsOf(one)
  })
}

const unusualIn = (texts: ReadonlyArray<string>) =>
  texts
    .flatMap((text) => text.split("\n"))
    .map((line) => exceptions.reduce((rest, exception) => rest.replace(exception, ""), line))
    .flatMap((line) => unusual.filter(([word]) => word.test(line)).map(([, better]) => ({ line, better })))

it("every text of the API document is in the usual terms of an API", async () => {
  const texts = textsOf(await Effect.runPromise(makeApiDocument(Api)))
  expect(texts.length).toBeGreaterThan(3_000)
  expect(unusualIn(texts)).toEqual([])
})

it("so is what the page of errors says of each code", () => {
  const texts = Object.values(codeExplanations).flatMap(({ cause, remedy }) => [cause, remedy])
  expect(texts.length).toBeGreaterThan(100)
  expect(unusualIn(texts)).toEqual([])
})
