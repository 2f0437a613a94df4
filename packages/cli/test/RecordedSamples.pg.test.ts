import { readFileSync } from "node:fs"
import { basename } from "node:path"
import { expect, it } from "vitest"
import { recordedFiles } from "../../../scripts/samples/recordedFiles.ts"

it("the samples of the API document are what the demo store answers today", async () => {
  const changed = (await recordedFiles()).flatMap(({ path, text }) => {
    const known = readFileSync(path, "utf8")
    const lines = new Set(known.split("\n"))
    return known === text ? [] : [basename(path), ...text.split("\n").filter((line) => !lines.has(line))]
  })
  expect(changed, "the demo store or its answers have changed: run `npm run samples`").toEqual([])
})
