import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Effect, Layer, ManagedRuntime } from "effect"
import { RootSecret } from "../../src/crypto/RootSecret.ts"
import { Database } from "../../src/database/Database.ts"
import { makeId } from "../../src/kernel/Ids.ts"
import { manualProvider } from "../../src/payment/ManualProvider.ts"
import { TestProvider } from "../../src/payment/TestProvider.ts"
import { type ConformanceSubject, NotConforming } from "../../src/testing/PaymentProviderBench.ts"
import { paymentProviderChecks } from "../../src/testing/PaymentProviderConformance.ts"
import { TestDatabase, testSecret } from "../../src/testing/TestDatabase.ts"

const [storeId, otherStoreId] = ["store_paid", "store_else"]
const runtime = ManagedRuntime.make(
  TestProvider.layer.pipe(Layer.provide(RootSecret.layer(testSecret)), Layer.provideMerge(TestDatabase.layer))
)

beforeAll(() =>
  runtime.runPromise(
    Effect.gen(function* () {
      const { sql, platform } = yield* Database
      yield* platform(
        Effect.gen(function* () {
          yield* sql`INSERT INTO account (id, name, created_at) VALUES ('acct_a', 'A', now())`
          for (const id of [storeId, otherStoreId])
            yield* sql`INSERT INTO store (id, account_id, name, currency, country, created_at, updated_at) VALUES (${id}, 'acct_a', 'S', 'USD', 'US', now(), now())`
        })
      )
    })
  )
)
afterAll(() => runtime.dispose())

let checkouts = 0
const newCheckout = Effect.sync(() => makeId("chk", 1_700_000_000_000 + checkouts++))
const shared = { storeId, otherStoreId, newCheckout }

const manual: ConformanceSubject = { ...shared, provider: manualProvider, references: {} }
/** As `TestProvider` documents its references, with a fault of one's own put in between. */
const testSubject = (change: (provider: TestProvider["Service"]) => Partial<TestProvider["Service"]> = () => ({})) =>
  Effect.map(
    TestProvider,
    (provider): ConformanceSubject => ({
      ...shared,
      provider: { ...provider, ...change(provider) },
      references: { captured: "approve", open: "pending", declined: "decline", failed: "error", unanswered: "timeout" },
      happen: (checkoutId, type, amount) =>
        Effect.flatMap(provider.move(storeId, { checkoutId, type, amount }), (raw) =>
          raw === undefined ? Effect.die("no charge") : Effect.succeed(raw)
        ),
      largest: 9_007_199_254_740_993n
    })
  )

/** Names of the checks that do not hold, each with why. */
const findings = (subject: ConformanceSubject): Effect.Effect<ReadonlyArray<string>> =>
  Effect.map(
    Effect.forEach(paymentProviderChecks(subject), ({ name, run }) =>
      Effect.result(Effect.mapError(run, (error) => `${name}: ${error.message}`))
    ),
    (results) => results.flatMap((result) => (result._tag === "Failure" ? [result.failure] : []))
  )
const namesFrom = (found: ReadonlyArray<string>): ReadonlyArray<string> =>
  found.map((line) => line.slice(0, line.indexOf(":")))

describe("money paid by hand", () => {
  it.each(paymentProviderChecks(manual))("$name", ({ run }) => Effect.runPromise(run))
})

describe("the test provider", () => {
  it("passes every check there is", async () => {
    const subject = await runtime.runPromise(testSubject())
    expect(paymentProviderChecks(subject)).toHaveLength(14)
    expect(await runtime.runPromise(findings(subject))).toEqual([])
  })
})

describe("the conformance checks", () => {
  const broken = (change: Parameters<typeof testSubject>[0]) =>
    runtime.runPromise(Effect.flatMap(testSubject(change), findings))

  it("find a provider that charges a key twice", async () => {
    let n = 0
    const found = await broken(({ authorize }) => ({
      authorize: (request) => authorize({ ...request, key: `${request.key}:${n++}` })
    }))
    expect(namesFrom(found)).toContain("charges once for a key, however often and however much at once it is sent")
  })

  it("find amounts that went through a float", async () => {
    const found = await broken(({ authorize }) => ({
      authorize: (request) => authorize({ ...request, amount: BigInt(Number(request.amount)) })
    }))
    expect(found).toEqual([
      `takes exactly the amount, to the minor unit, in currencies of every number of fraction digits: 9007199254740993 USD: expected ["captured","9007199254740993n"], got ["captured","9007199254740992n"]`
    ])
  })

  it("find refunds without a key, and notifications that are believed unsigned", async () => {
    let n = 0
    const found = await broken(({ refund, readNotice, move: _move }) => ({
      refund: (change) => refund({ ...change, key: `${change.key}:${n++}` }),
      readNotice: (store, raw) =>
        raw.headers["x-test-signature"] === undefined && raw.body.length > 0
          ? Effect.succeed(unsigned)
          : readNotice(store, raw)
    }))
    expect(namesFrom(found)).toEqual([
      "gives money back in parts, each once for its key, and never more than was captured",
      "is believed only with its signature over the exact bytes, for the store it is for"
    ])
  })

  it("say what was expected and what came", () => {
    expect(new NotConforming({ what: "a part", expected: `"45n"`, actual: `"90n"` }).message).toBe(
      'a part: expected "45n", got "90n"'
    )
  })
})

const unsigned = {
  eventId: "e",
  type: "captured" as const,
  chargeKey: "k",
  externalId: "x",
  captured: 1n,
  refunded: 0n,
  reason: null
}
