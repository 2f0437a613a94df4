/** The lines of code that docs/guides/payment-providers.md shows are those of the example and its tests. */
import { globSync, readFileSync } from "node:fs"
import { resolve } from "node:path"
import { expect, it } from "vitest"

const root = resolve(import.meta.dirname, "../../../..")
const read = (path: string): string => readFileSync(resolve(root, path), "utf8")
/** Without indentation: a block is shown at the margin. */
const flat = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.trim())
    .join("\n")

it("shows code as it stands in the example", () => {
  const paths = globSync(["examples/redirect-payments/*.ts", "packages/handler/test/payment/{florin,Redirect}*.ts"], {
    cwd: root
  })
  const sources = paths.map((path) => flat(read(path)))
  const blocks = [...read("docs/guides/payment-providers.md").matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""]) =>
    flat(code)
  )
  expect(blocks.length).toBeGreaterThan(12)
  expect(blocks.filter((block) => !sources.some((source) => source.includes(block)))).toEqual([])
})
