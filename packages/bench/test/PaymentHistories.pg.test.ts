import * as TestDatabase from "@effect-commerce/core/testing/TestDatabase"
import { expect, it } from "vitest"
import { runHistories, traceOf } from "../src/simulation/histories.ts"

/** Two minutes of two cores; other tests run beside it. */
const longest = 600_000

it("three hundred histories of shoppers, notices, crashes and silent companies end with equal books", {
  timeout: longest
}, async () => {
  const databases = await Promise.all([TestDatabase.open(), TestDatabase.open(), TestDatabase.open()])
  const first = Math.floor(Math.random() * 1_000_000)
  const { counts, failed } = await runHistories({
    first,
    count: 300,
    databases: databases.map(({ connection }) => connection),
    note: () => undefined
  })
  await Promise.all(databases.map((database) => database.close()))
  expect(failed.map((result) => traceOf(result, 80))).toEqual([])
  // What the histories are about has happened in them.
  for (const what of ["charges", "kills", "notices lost", "refund", "capture"])
    expect([what, (counts[what] ?? 0) > 0]).toEqual([what, true])
})
