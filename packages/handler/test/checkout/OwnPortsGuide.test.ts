/** The lines of code that docs/guides/taxes-and-addresses.md shows are those of the example. */
import { globSync, readFileSync } from "node:fs"
import { resolve } from "node:path"
import { expect, it } from "vitest"

const root = resolve(import.meta.dirname, "../../../..")
const read = (path: string): string => readFileSync(resolve(root, path), "utf8")

it("shows code as it stands in the example", () => {
  const sources = globSync("examples/taxes-and-addresses/*.ts", { cwd: root }).map(read)
  const guide = read("docs/guides/taxes-and-addresses.md")
  const blocks = [...guide.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""]) => code)
  expect(blocks).toHaveLength(4)
  expect(blocks.filter((block) => !sources.some((source) => source.includes(block)))).toEqual([])
})
