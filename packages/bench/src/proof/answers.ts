/**
 * Every operation of the API document again and again, with what its schemas allow and with what is wrong in one thing:
 * each response has a documented status, code and shape, comes within five seconds, and none is an internal error.
 */
import { runTests } from "./ownTests.ts"
import type { Outcome, Run } from "./Scenario.ts"

export const proveAnswers = async (
  { note, rounds, seed }: Run,
  { requests }: { readonly requests: number }
): Promise<Outcome> => {
  const count = rounds ?? requests
  const began = performance.now()
  const env = { FUZZ_REQUESTS: String(count), FUZZ_SEED: String(seed), FUZZ_SLOWEST: "5000" }
  const code = await runTests("AnswersAsDocumented", env, note)
  return {
    counts: { requests: count },
    latencies: [(performance.now() - began) / count],
    violations: code === 0 ? [] : [`a response is not as the document says (exit ${code}, seed ${seed})`]
  }
}
