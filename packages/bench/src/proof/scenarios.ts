/** Every scenario in its full size. */
import { proveServerCrash } from "./crashServer.ts"
import { proveKeyStorm } from "./keyStorm.ts"
import { proveOversell } from "./oversell.ts"
import type { Scenario } from "./Scenario.ts"

export const scenarios: ReadonlyArray<Scenario> = [
  {
    name: "G1",
    title: "1,000 buyers at once for 100 units, two processes",
    measures: "completing",
    bound: 180,
    run: (run) => proveOversell(run, { buyers: 1_000, units: 100 })
  },
  {
    name: "G6",
    title: "one key, 200 times at once, two processes",
    measures: "one request of the storm",
    bound: 180,
    run: (run) => proveKeyStorm(run, { senders: 200, rounds: run.rounds ?? 10 })
  },
  {
    name: "G8",
    title: "servers killed (-9) while shoppers buy, two processes",
    measures: "start after a kill",
    bound: 3_600,
    run: (run) => proveServerCrash(run, { rounds: run.rounds ?? 100, shoppers: 8 })
  }
]
