import { readFileSync } from "node:fs"
import { basename } from "node:path"
import { expect, it } from "vitest"
import { recordedFiles } from "../../../scripts/samples/recordedFiles.ts"

it("the samples of the API document are what the demo store answers today", async () => {
  const changed = (await recordedFiles())
    .filter(({ path, text }) => readFileSync(path, "utf8") !== text)
    .map(({ path }) => basename(path))
  expect(changed, "the demo store or its answers have changed: run `npm run samples`").toEqual([])
})
