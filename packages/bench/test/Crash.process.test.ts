import { describe, expect, it } from "vitest"
import { proveDatabaseCrash } from "../src/proof/crashDatabase.ts"
import { proveServerCrash } from "../src/proof/crashServer.ts"
import { proveKeyStorm } from "../src/proof/keyStorm.ts"
import { proveOversell } from "../src/proof/oversell.ts"
import { proving } from "./proving.ts"

const prove = proving()

describe("two server processes over one database", () => {
  it("sell seven units to two hundred buyers who come at once: seven orders, the rest clean refusals", async () => {
    const { counts, violations, seed } = await prove((run) => proveOversell(run, { buyers: 200, units: 7 }))
    expect({ seed, violations }).toEqual({ seed, violations: [] })
    expect([counts["sold"], counts["refused"], counts["serverErrors"]]).toEqual([7, 193, 0])
  })

  it("carry out a request that comes two hundred times under one key once, and answer every one of them the same", async () => {
    const { counts, violations, seed } = await prove((run) => proveKeyStorm(run, { senders: 200, rounds: 1 }))
    expect({ seed, violations }).toEqual({ seed, violations: [] })
    expect([counts["orders"], counts["requests"]]).toEqual([1, 400])
  })
})

describe("a shop whose machine fails", () => {
  it("loses no acknowledged order and makes none twice when servers are killed while shoppers buy", async () => {
    const { counts, violations, seed } = await prove((run) => proveServerCrash(run, { rounds: 1, shoppers: 4 }))
    expect({ seed, violations }).toEqual({ seed, violations: [] })
    expect(counts["kills"]).toBeGreaterThanOrEqual(1)
    expect(counts["ok"]).toBeGreaterThan(0)
  })

  it("says 503 while its database is away, and serves again by itself", async () => {
    const { counts, violations, seed } = await prove((run) => proveDatabaseCrash(run, { rounds: 1, shoppers: 4 }))
    expect({ seed, violations }).toEqual({ seed, violations: [] })
    expect(counts["unavailable"]).toBeGreaterThan(0)
    expect(counts["ok"]).toBeGreaterThan(0)
  })
})
