import { describe, expect, it } from "vitest"
import { proveDatabaseCrash } from "../src/proof/crashDatabase.ts"
import { proveServerCrash } from "../src/proof/crashServer.ts"
import { proving } from "./proving.ts"

const prove = proving()

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
