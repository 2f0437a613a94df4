import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { examineReplica } from "../src/examineReplica.ts"
import { readSettings } from "../src/Settings.ts"

/** Ports of loopback that nobody listens on. */
const away = (port: number) => `postgres://shop:hunter2@127.0.0.1:${port}/shop`
const examined = (env: Readonly<Record<string, string>>) =>
  Effect.runPromise(examineReplica(readSettings({}, { COMMERCE_SECRET: "s".repeat(32), ...env }, "/nowhere")))

describe("what doctor says of the replica", () => {
  it("is nothing where there is none", async () => {
    expect(await examined({ DATABASE_URL: away(1) })).toEqual([])
  })

  it("is a finding with its remedy where it cannot be read from, without a password", async () => {
    const [finding, ...others] = await examined({ DATABASE_URL: away(1), COMMERCE_READ_DATABASE_URL: away(2) })
    expect(others).toEqual([])
    expect(finding).toMatchObject({
      check: "database.replica",
      says: expect.stringMatching(/^COMMERCE_READ_DATABASE_URL: the database of DATABASE_URL does not answer/),
      remedy:
        "let it name a running streaming replica of DATABASE_URL, or leave it out; until then storefronts read from " +
        "the primary"
    })
    expect(JSON.stringify(finding)).not.toContain("hunter2")
  })
})
