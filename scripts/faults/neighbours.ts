/** Faults by which one store's callers would hurt another's. */
import type { Fault } from "../plantedFaults.ts"

const core = (path: string) => [`packages/core/test/${path}.test.ts`]

export const neighbourFaults: ReadonlyArray<Fault> = [
  {
    id: "neighbours.write-share",
    breaks: "One store whose writes wait for a lock has every connection for writes",
    file: "packages/core/src/database/internal/transactions.ts",
    find: "Math.floor((connections * 3) / 4)",
    replace: "connections",
    tests: core("database/WriteTurns.race"),
    noticedBy: "have three quarters of the connections"
  },
  {
    id: "neighbours.password-turns",
    breaks: "Logins of every store wait behind a flood of logins of one",
    file: "packages/core/src/customer/CustomerPasswords.ts",
    find: "hash: (storeId, password) => turns.run(storeId)",
    replace: `hash: (storeId, password) => turns.run("")`,
    tests: core("customer/CustomerPasswords"),
    noticedBy: "take turns between stores"
  }
]
