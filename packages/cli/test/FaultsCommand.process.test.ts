import { spawnSync } from "node:child_process"
import { resolve } from "node:path"
import { describe, expect, it } from "vitest"

describe("npm run faults", () => {
  it("is an error where no fault goes by the name it is given", () => {
    const script = resolve(import.meta.dirname, "../../../scripts/plantFaults.ts")
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, "nosuch"], { encoding: "utf8" })
    expect([status, stdout]).toEqual([1, ""])
    expect(stderr).toMatch(/^faults: no fault has nosuch in its id; ids are like [\w.-]+\n$/)
  })
})
