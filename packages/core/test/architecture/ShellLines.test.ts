import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"

const root = join(import.meta.dirname, "../../../..")
const documents = [
  ...globSync(["*.md", "docs/guides/*.md", "packages/*/README.md", "examples/*/README.md"], { cwd: root }),
  ...globSync("packages/handler/src/system/introduction/*.ts", { cwd: root })
]

/** Lines of shell, without what stands in quotes. */
const shellLines = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/^(?:```|~~~)sh\n(.*?)^(?:```|~~~)/gms)].flatMap(([, block = ""]) =>
    block.replaceAll(/'[^']*'/g, "''").split("\n")
  )

it("shell lines in documents hold no comments: zsh takes `#` for a word where somebody pastes it", () => {
  const lines = documents.map((path) => [path, shellLines(readFileSync(join(root, path), "utf8"))] as const)
  expect(lines.flatMap(([, all]) => all).length).toBeGreaterThan(100)
  expect(
    lines.flatMap(([path, all]) => all.filter((line) => /(^|\s)#/.test(line)).map((line) => [path, line]))
  ).toEqual([])
})
