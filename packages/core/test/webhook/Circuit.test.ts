import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { admit, type Attempt, type Circuit, closedCircuit, judge } from "../../src/webhook/Circuit.ts"
import { contractPolicy } from "../../src/webhook/WebhookPolicy.ts"

const hour = 3_600_000
const attempt = (given: Partial<Attempt> & Pick<Attempt, "result">): Attempt => ({
  number: 1,
  isProbe: false,
  at: 0,
  ...given
})

describe("the contract's numbers", () => {
  it("are five attempts at 0, 5, 15, 35 and 75 seconds, ten seconds each, and a circuit of ten failures and an hour", () => {
    const { retryDelays, timeout, circuitThreshold, circuitPause, lease } = contractPolicy
    let at = 0
    expect([0, ...retryDelays.map((delay) => (at += delay))]).toEqual([0, 5_000, 15_000, 35_000, 75_000])
    expect([timeout, circuitThreshold, circuitPause, lease]).toEqual([10_000, 10, hour, 30_000])
  })
})

describe("a circuit", () => {
  it("lets an event through a full hour after it opened, as a probe, and not a millisecond before", () => {
    const open: Circuit = { failureCount: 10, openedAt: 1_000, probing: false }
    expect([
      admit(closedCircuit, 0, contractPolicy),
      admit(open, 1_000 + hour - 1, contractPolicy),
      admit(open, 1_000 + hour, contractPolicy)
    ]).toEqual(["queue", "lose", "probe"])
    expect(admit({ ...open, probing: true }, 1_000 + 2 * hour, contractPolicy)).toBe("lose")
  })

  it("that was reset while its probe was under way takes the probe for an ordinary delivery", () => {
    const verdict = judge(closedCircuit, attempt({ result: "failed", isProbe: true, at: 7 }), contractPolicy)
    expect(verdict).toEqual({
      circuit: { failureCount: 1, openedAt: null, probing: false },
      delivery: { status: "pending", dueAt: 5_007 }
    })
  })

  it("is not moved by a delivery that the guard dropped, unless it was the probe: then it stays open for another hour", () => {
    expect(
      judge({ failureCount: 9, openedAt: null, probing: false }, attempt({ result: "blocked" }), contractPolicy)
    ).toEqual({
      circuit: { failureCount: 9, openedAt: null, probing: false },
      delivery: { status: "blocked" }
    })
    const probing = { failureCount: 10, openedAt: 0, probing: true }
    expect(judge(probing, attempt({ result: "blocked", isProbe: true, at: hour }), contractPolicy).circuit).toEqual({
      failureCount: 10,
      openedAt: hour,
      probing: false
    })
  })

  it("closes only by its probe: a late success of another delivery clears the counter and leaves it open", () => {
    expect(
      judge({ failureCount: 12, openedAt: 5, probing: false }, attempt({ result: "delivered" }), contractPolicy).circuit
    ).toEqual({
      failureCount: 0,
      openedAt: 5,
      probing: false
    })
  })
})

/**
 * The States table read once more, row by row, as a machine with names: no field is shared with the product. Walks of
 * events, results and waiting must end in the same places.
 */
interface Model {
  state: "closed" | "open" | "half-open"
  failures: number
  reopens: number
}
type Step =
  | { readonly kind: "event" }
  | { readonly kind: "result"; readonly ok: boolean; readonly probe: boolean }
  | { readonly kind: "wait"; readonly minutes: number }

describe("the States table", () => {
  it("holds on any walk", () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant("event" as const) }),
      fc.record({ kind: fc.constant("result" as const), ok: fc.boolean(), probe: fc.boolean() }),
      fc.record({ kind: fc.constant("wait" as const), minutes: fc.integer({ min: 1, max: 70 }) })
    ) as fc.Arbitrary<Step>
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        let circuit: Circuit = closedCircuit
        const model: Model = { state: "closed", failures: 0, reopens: 0 }
        let now = 0
        for (const one of steps) {
          if (one.kind === "wait") now += one.minutes * 60_000
          else if (one.kind === "event") {
            const expected =
              model.state === "closed" ? "queue" : model.state === "open" && now >= model.reopens ? "probe" : "lose"
            expect(admit(circuit, now, contractPolicy)).toBe(expected)
            if (expected !== "probe") continue
            model.state = "half-open"
            circuit = { ...circuit, probing: true }
          } else {
            const isProbe = one.probe && model.state === "half-open"
            const verdict = judge(
              circuit,
              attempt({ result: one.ok ? "delivered" : "failed", isProbe, at: now }),
              contractPolicy
            )
            circuit = verdict.circuit
            if (one.ok) model.failures = 0
            else model.failures++
            if (isProbe) {
              model.state = one.ok ? "closed" : "open"
              expect(verdict.delivery.status).toBe(one.ok ? "delivered" : "abandoned")
            } else if (model.state === "closed" && !one.ok && model.failures >= 10) model.state = "open"
            else continue
            model.reopens = now + hour
          }
        }
        expect([
          circuit.openedAt === null ? "closed" : circuit.probing ? "half-open" : "open",
          circuit.failureCount
        ]).toEqual([model.state, model.failures])
      }),
      { numRuns: 500 }
    )
  })
})
