import { describe, expect, it } from "vitest"
import { pointsOfPurchases, proveFaultPoints } from "../src/proof/faultEverywhere.ts"
import { proveKeySemantics } from "../src/proof/keySemantics.ts"
import { openInProcess } from "./inProcess.ts"
import { provingOn } from "./proving.ts"

const prove = provingOn(openInProcess)

describe("a purchase that fails at its worst moments", () => {
  it("becomes one order when it is tried again, wherever the process is killed, the code throws or the database is lost", async () => {
    const { counts, violations, seed } = await prove((run) => proveFaultPoints(run, { everyWay: false }))
    expect({ seed, violations }).toEqual({ seed, violations: [] })
    expect(counts["covered"]).toBe(pointsOfPurchases.length)
  })

  it("keeps its key's promise over a kill, a refusal and a day", async () => {
    const { counts, violations, seed } = await prove((run) => proveKeySemantics(run, { kills: 1 }))
    expect({ seed, violations }).toEqual({ seed, violations: [] })
    expect(counts["checks"]).toBe(21)
  })
})
