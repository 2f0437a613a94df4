/**
 * The laws of the tests, in many more random cases: totals, taxes, discounts, tenders, allocation, and what else a
 * `.prop.test.ts` states, beside evaluators that are written apart from the product. A law that does not hold prints the
 * seed and path by which the test repeats it.
 */
import { runTests } from "./ownTests.ts"
import type { Outcome, Run } from "./Scenario.ts"

export const proveLaws = async ({ note, rounds }: Run, { cases }: { readonly cases: number }): Promise<Outcome> => {
  const count = rounds ?? cases
  const began = performance.now()
  const code = await runTests(".prop.test", { LAW_CASES: String(count) }, note)
  return {
    counts: { cases: count },
    latencies: [(performance.now() - began) / count],
    violations: code === 0 ? [] : [`a law does not hold (exit ${code})`]
  }
}
