import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { around, faults } from "../../../../scripts/plantedFaults.ts"

const root = join(import.meta.dirname, "../../../..")
const ids = faults.map(({ id }) => id)

describe("the faults that are planted to prove the tests", () => {
  it("have names of their own", () => {
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([])
  })

  it("name tests that are there", () => {
    const named = faults.flatMap(({ id, tests }) => tests.map((test) => ({ id, test })))
    expect(named.filter(({ test }) => !existsSync(join(root, test)))).toEqual([])
  })

  it("find their line once, in the sources as they are", () => {
    const textOf = (file: string) => (existsSync(join(root, file)) ? readFileSync(join(root, file), "utf8") : "")
    const texts = new Map(faults.map(({ file }) => [file, textOf(file)]))
    const stale = faults.filter((fault) => around(fault, texts.get(fault.file) ?? "").length !== 2)
    expect(stale.map(({ id, file }) => `${id} in ${file}`)).toEqual([])
  })
})
