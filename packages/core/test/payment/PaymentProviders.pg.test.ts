import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Effect, Layer, ManagedRuntime } from "effect"
import { RootSecret } from "../../src/crypto/RootSecret.ts"
import { Database } from "../../src/database/Database.ts"
import { manualProvider } from "../../src/payment/ManualProvider.ts"
import { TestProvider } from "../../src/testpayment/TestProvider.ts"
import { type ConformanceSubject, NotConforming } from "../../src/testing/PaymentProviderBench.ts"
import { paymentProviderChecks } from "../../src/testing/PaymentProviderConformance.ts"
import { TestDatabase, testSecret } from "../../src/testing/TestDatabase.ts"
import { credentialMistakes, manualMistakes, mistakes, unsignedMistakes } from "./brokenProviders.ts"
import {
  accountOf,
  credentialedSubject,
  newCheckout,
  otherStoreId,
  storeId,
  subjectOf,
  unsignedSubject
} from "./testSubject.ts"

const runtime = ManagedRuntime.make(
  TestProvider.layer.pipe(Layer.provide(RootSecret.layer(testSecret)), Layer.provideMerge(TestDatabase.layer))
)
let test: TestProvider["Service"]

beforeAll(async () => {
  test = await runtime.runPromise(TestProvider)
  await runtime.runPromise(
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
})
afterAll(() => runtime.dispose())

const byHand = { ...accountOf(storeId), providerId: "manual", credentials: [] }
const manual: ConformanceSubject = {
  provider: manualProvider,
  account: byHand,
  otherAccount: byHand,
  newCheckout,
  references: {}
}

/** What the checks find, with the names of those that do not hold. */
const findings = (subject: ConformanceSubject): Promise<ReadonlyArray<string>> =>
  runtime.runPromise(
    Effect.map(
      Effect.forEach(paymentProviderChecks(subject), ({ name, run }) =>
        Effect.result(Effect.mapError(run, (error) => `${name}: ${error.message}`))
      ),
      (results) => results.flatMap((result) => (result._tag === "Failure" ? [result.failure] : []))
    )
  )

const namesOf = (subject: ConformanceSubject) => paymentProviderChecks(subject).map(({ name }) => name)

describe("money paid by hand", () => {
  it.each(paymentProviderChecks(manual))("$name", ({ run }) => Effect.runPromise(run))
})

describe("the test provider", () => {
  it("passes every check there is", async () => {
    const subject = subjectOf(test, test)
    expect(paymentProviderChecks(subject)).toHaveLength(75)
    expect(await findings(subject)).toEqual([])
  })

  it("passes those of a provider whose notices are unsigned", async () => {
    expect(await findings(unsignedSubject(test))).toEqual([])
  })

  it("passes those of a provider whose stores have accounts of their own", async () => {
    expect(await findings(credentialedSubject(test))).toEqual([])
  })
})

describe("the conformance checks", () => {
  const kinds: ReadonlyArray<readonly [string, () => ConformanceSubject, typeof mistakes]> = [
    ["a provider", () => subjectOf(test, test), mistakes],
    ["a provider with accounts", () => credentialedSubject(test), credentialMistakes],
    ["a provider with unsigned notices", () => unsignedSubject(test), unsignedMistakes],
    ["money paid by hand", () => manual, manualMistakes]
  ]

  it.each(kinds.flatMap(([kind, subject, all]) => Object.keys(all).map((name) => ({ kind, subject, all, name }))))(
    "find a mistake of $kind: $name",
    async ({ subject, all, name }) => {
      const right = subject()
      const broken = { ...right, provider: { ...right.provider, ...all[name]?.(right.provider) } }
      const [check] = paymentProviderChecks(broken).filter((one) => one.name === name)
      const result = await runtime.runPromise(Effect.result(check?.run ?? Effect.die(`there is no check: ${name}`)))
      expect(result._tag === "Failure" ? result.failure : result).toBeInstanceOf(NotConforming)
    }
  )

  it("have a mistake each that they find", () => {
    const all = new Set(kinds.flatMap(([, subject]) => namesOf(subject())))
    expect([...all].filter((name) => kinds.every(([, , known]) => known[name] === undefined))).toEqual([])
  })

  it("name the amount that went through a float", async () => {
    const name = "takes exactly the amount, to the minor unit, in currencies of every number of fraction digits"
    const found = await findings(subjectOf(test, { ...test, ...mistakes[name]?.(test) }))
    expect(found).toEqual([
      `${name}: 9007199254740993 USD: expected ["captured","9007199254740993n","USD","9007199254740993n","9007199254740993n"], got ["captured","9007199254740992n","USD","9007199254740992n","9007199254740992n"]`
    ])
  })

  it("ask nothing of what a subject cannot do", () => {
    const { provider, account, otherAccount } = subjectOf(test, test)
    const bare = { provider, account, otherAccount, newCheckout, references: {} }
    expect(namesOf(bare)).toEqual([
      "describes itself: a code for addresses, modes, and times that fit each other",
      "says whose account the credentials are, and in which mode",
      "refuses a reference that it does not know, and charges nothing",
      "knows nothing of a key or an id that it never got"
    ])
  })

  it("say what was expected and what came", () => {
    expect(new NotConforming({ what: "a part", expected: `"45n"`, actual: `"90n"` }).message).toBe(
      'a part: expected "45n", got "90n"'
    )
  })
})
