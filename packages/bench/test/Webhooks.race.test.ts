import { describe, expect, it } from "vitest"
import { proveWebhookCircuit } from "../src/proof/webhookCircuit.ts"
import { proveWebhookFaults } from "../src/proof/webhookFaults.ts"
import { proveWebhookLoss } from "../src/proof/webhookLoss.ts"
import { openInProcess, quickTimes } from "./inProcess.ts"
import { provingOn } from "./proving.ts"

const prove = provingOn(openInProcess)

describe("events on their way to endpoints", () => {
  it("get five attempts or a 2xx, however badly an endpoint behaves, and the others hear in time", async () => {
    const { counts, violations, seed } = await prove((run) =>
      proveWebhookFaults(run, { each: 1, events: 20, times: quickTimes })
    )
    expect({ seed, violations }).toEqual({ seed, violations: [] })
    expect([counts["endpoints"], counts["attempts"]]).toEqual([14, 46])
  })

  it("meet a circuit that opens, is probed and closes as the contract's table says, through either of two servers", async () => {
    const { counts, violations, seed } = await prove((run) =>
      proveWebhookCircuit(run, { commands: 8, burst: 12, times: quickTimes })
    )
    expect({ seed, violations }).toEqual({ seed, violations: [] })
    expect(counts["commands"]).toBe(8)
  })

  it("arrive, all that were committed, when servers are killed while they deliver", async () => {
    const { counts, violations, seed } = await prove((run) =>
      proveWebhookLoss(run, { rounds: 2, events: 24, times: quickTimes })
    )
    expect({ seed, violations }).toEqual({ seed, violations: [] })
    expect(counts["kills"]).toBeGreaterThanOrEqual(2)
    expect(counts["events"]).toBeGreaterThan(0)
  })
})
