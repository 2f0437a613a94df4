/** Holds the sources to the rules of docs/architecture.md. A failure names the file, and the rule its reason. */
import { describe, expect, it } from "vitest"
import { rules } from "./rules.ts"
import { importsOf, readSources } from "./sources.ts"

const sources = readSources()

describe("the house", () => {
  it("is read whole", () => {
    expect(sources.length).toBeGreaterThan(80)
    expect(sources.some(({ path }) => path === "packages/core/src/kernel/Money.ts")).toBe(true)
  })

  it.each(rules)("$rule", ({ breaks, because }) => {
    expect(breaks(sources), because).toEqual([])
  })
})

describe("a rule that is broken is noticed", () => {
  it.each(rules)("$rule", ({ breaks, example }) => {
    expect(breaks(example)).not.toEqual([])
  })
})

describe("imports", () => {
  it("tells what is loaded from what is only a type", () => {
    const text = [
      `import { a, type B } from "./one.ts"`,
      `import type { C } from "./two.ts"`,
      `import {\n  type D,\n  type E\n} from "./three.ts"`,
      `export { f } from "./four.ts"`,
      `import "./five.ts"`,
      `// import { no } from "./six.ts"`
    ].join("\n")
    expect(importsOf({ path: "packages/core/src/tax/X.ts", text })).toEqual([
      { from: "./one.ts", atRunTime: true },
      { from: "./two.ts", atRunTime: false },
      { from: "./three.ts", atRunTime: false },
      { from: "./four.ts", atRunTime: true },
      { from: "./five.ts", atRunTime: true }
    ])
  })
})
