import { faultPoints } from "@effect-commerce/core/database/FaultPoint"
import { describe, expect, it } from "vitest"
import { proveFaultPoints } from "../src/proof/faultEverywhere.ts"
import { proveKeySemantics } from "../src/proof/keySemantics.ts"
import { proveKeyStorm } from "../src/proof/keyStorm.ts"
import { proveOversell } from "../src/proof/oversell.ts"
import { openInProcess } from "./inProcess.ts"
import { provingOn } from "./proving.ts"

const prove = provingOn(openInProcess)

describe("two servers over one database", () => {
  it("sell twelve units to sixty buyers who come at once: twelve orders, forty-eight clean refusals", async () => {
    const { counts, violations, seed } = await prove((run) => proveOversell(run, { buyers: 60, units: 12 }))
    expect({ seed, violations }).toEqual({ seed, violations: [] })
    expect([counts["sold"], counts["refused"], counts["serverErrors"]]).toEqual([12, 48, 0])
  })

  it("carry out a request that comes forty times under one key once, and answer every one of them the same", async () => {
    const { counts, violations, seed } = await prove((run) => proveKeyStorm(run, { senders: 40, rounds: 1 }))
    expect({ seed, violations }).toEqual({ seed, violations: [] })
    expect([counts["orders"], counts["requests"]]).toEqual([1, 80])
  })
})

describe("a purchase that fails at its worst moments", () => {
  it("becomes one order when it is tried again, wherever the process is killed, the code throws or the database is lost", async () => {
    const { counts, violations, seed } = await prove((run) => proveFaultPoints(run, { everyWay: false }))
    expect({ seed, violations }).toEqual({ seed, violations: [] })
    expect(counts["covered"]).toBe(faultPoints.length)
  })

  it("keeps its key's promise over a kill, a refusal and a day", async () => {
    const { counts, violations, seed } = await prove((run) => proveKeySemantics(run, { kills: 1 }))
    expect({ seed, violations }).toEqual({ seed, violations: [] })
    expect(counts["checks"]).toBe(21)
  })
})
