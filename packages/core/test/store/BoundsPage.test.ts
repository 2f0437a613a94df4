import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { storeBounds } from "../../src/store/StoreBounds.ts"

/** docs/bounds.md is written by hand; what it says of a store is what the code holds. */
it("docs/bounds.md tells the numbers of StoreBounds.ts", () => {
  const page = readFileSync(new URL("../../../../docs/bounds.md", import.meta.url), "utf8")
  const rows = page.split("\n").filter((line) => line.includes("store/StoreBounds.ts"))
  const told = rows
    .flatMap((line) => (line.split("|")[2] ?? "").match(/[\d,]+/g) ?? [])
    .map((text) => Number(text.replaceAll(",", "")))
  const bounds = Object.values(storeBounds)
  expect(told).toEqual(bounds)
})
