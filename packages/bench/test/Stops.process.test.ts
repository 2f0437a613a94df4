import { describe, expect, it } from "vitest"
import { proveFrozenServer } from "../src/proof/frozenServer.ts"
import { proveGracefulStop } from "../src/proof/gracefulStop.ts"
import { proving } from "./proving.ts"

const prove = proving()

describe("a server that is told to end under load", () => {
  it("answers every request that was begun, resets none, and ends in time", async () => {
    const { counts, violations, seed } = await prove((run) => proveGracefulStop(run, { tries: 2, clients: 30 }))
    expect({ seed, violations }).toEqual({ seed, violations: [] })
    expect(counts["answered"]).toBeGreaterThan(60)
  })
})

describe("a server that is frozen in the middle of a purchase", () => {
  it("holds the sales of its product up for no longer than a silent session may last, and nothing happens twice", async () => {
    const { counts, violations, seed, latencies } = await prove((run) =>
      proveFrozenServer(run, { rounds: 1, shoppers: 4 })
    )
    expect({ seed, violations }).toEqual({ seed, violations: [] })
    expect(counts["sold"]).toBeGreaterThan(0)
    // They did wait: the frozen transaction held the stock.
    expect(Math.max(...latencies)).toBeGreaterThan(1_000)
  })
})
