/** Holds the sources to the rules of docs/architecture.md. A failure names the file, and the rule its reason. */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { levels } from "./rooms.ts"
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

/** The rooms of the table in docs/architecture.md with their levels; a row without a level has that of the row above. */
const drawnRooms = (page: string): ReadonlyMap<string, string> => {
  const rooms = new Map<string, string>()
  let level = ""
  for (const [, given = "", room = ""] of page.matchAll(/^\| *(\d*|–) *\| `(\w+)` +\|/gm)) {
    if (given !== "") level = given
    rooms.set(room, level)
  }
  return rooms
}

describe("the table of docs/architecture.md", () => {
  it("has every room, at its level", () => {
    const drawn = drawnRooms(readFileSync(new URL("../../../../docs/architecture.md", import.meta.url), "utf8"))
    const places = new Set(["sync"])
    const besides = new Map([...drawn].filter(([, level]) => level === "–"))
    const built = levels.flatMap((rooms, level) =>
      rooms.filter((room) => !places.has(room) && !besides.has(room)).map((room) => `${level} ${room}`)
    )
    const shown = [...drawn].filter(([room]) => !besides.has(room)).map(([room, level]) => `${level} ${room}`)
    expect(shown.sort()).toEqual([...built].sort())
    expect([...besides.keys()]).toEqual(["audit", "testing", "testservers", "emulation"])
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
