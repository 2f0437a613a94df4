import { ClaimUnavailable } from "@effect-commerce/core/database/DatabaseErrors"
import type { IdempotencyRecords } from "@effect-commerce/core/guard/IdempotencyRecords"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { SqlError } from "effect/sql"
import { describe, expect, it } from "vitest"
import { once } from "../../src/middleware/Once.ts"

/** Records of a database that goes away once a key is claimed. */
const leaving: IdempotencyRecords["Service"] = {
  claim: () => Effect.succeed({ _tag: "Mine" }),
  save: () => Effect.die(new Error("the database is away")),
  release: () => Effect.die(new Error("the database is away")),
  sweep: Effect.void
}
const key = { storeId: "store_1", credential: "key:1", key: "once" }
const answering = (records: IdempotencyRecords["Service"], status: number) =>
  once(records, key, "print", "run_1", () => Effect.succeed(HttpServerResponse.jsonUnsafe({ done: true }, { status })))

describe("a request under an Idempotency-Key", () => {
  it.each([201, 400, 503])(
    "is answered with what became of it (%i), also where the answer cannot be kept",
    async (status) => {
      expect((await Effect.runPromise(answering(leaving, status))).status).toBe(status)
    }
  )

  it("waits for a database that went away in the moment after its work, and is kept; an answer of nothing done waits for nothing", async () => {
    let asked = 0
    const cause = new SqlError.ConnectionError({ cause: new Error("closed"), message: "closed", operation: "query" })
    const returning: IdempotencyRecords["Service"] = {
      ...leaving,
      save: () =>
        Effect.suspend(() => (++asked < 3 ? Effect.die(new SqlError.SqlError({ reason: cause })) : Effect.void))
    }
    expect([(await Effect.runPromise(answering(returning, 201))).status, asked]).toEqual([201, 3])
    asked = 0
    expect([(await Effect.runPromise(answering(returning, 400))).status, asked]).toEqual([400, 1])
  })

  it("does not run where its key cannot be claimed", async () => {
    const away: IdempotencyRecords["Service"] = {
      ...leaving,
      claim: () => Effect.fail(new ClaimUnavailable({ cause: "away" }))
    }
    expect((await Effect.runPromise(Effect.flip(answering(away, 201))))._tag).toBe("ClaimUnavailable")
  })
})
