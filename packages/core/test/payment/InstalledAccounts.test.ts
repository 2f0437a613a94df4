import { Effect, Logger } from "effect"
import { TestClock } from "effect/testing"
import { expect, it } from "vitest"
import { makeInstalledAccounts } from "../../src/payment/InstalledAccounts.ts"
import { manualProvider } from "../../src/payment/ManualProvider.ts"
import { CredentialsRejected, PaymentUnanswered } from "../../src/payment/PaymentErrors.ts"
import type { PaymentProvider } from "../../src/payment/PaymentProvider.ts"

type Check = ReturnType<PaymentProvider["check"]>

const accepted: Check = Effect.succeed({ account: "acct_1", mode: "live" })
const none: Check = Effect.fail(new CredentialsRejected({ field: null, reason: "nothing is set up" }))
const rejected: Check = Effect.fail(new CredentialsRejected({ field: "secretKey", reason: "sk_live_1 is not valid" }))
const silent: Check = Effect.fail(new PaymentUnanswered({ reason: "no answer" }))

/** What the account of a company is after each check, and what was logged. */
const after = async (...checks: ReadonlyArray<Check>) => {
  const logged: Array<unknown> = []
  let nth = 0
  const company: PaymentProvider = {
    ...manualProvider,
    code: "company",
    check: () => checks[nth++] ?? Effect.die(new Error("no more checks are expected"))
  }
  const states = await Effect.runPromise(
    Effect.gen(function* () {
      const accounts = yield* makeInstalledAccounts([company])
      const found: Array<string> = []
      for (const _ of checks) {
        yield* accounts.ready
        yield* TestClock.adjust(0)
        found.push(accounts.of("company")._tag)
        yield* TestClock.adjust(300_000)
      }
      return found
    }).pipe(
      Effect.scoped,
      Effect.provide(TestClock.layer()),
      Effect.provide(Logger.layer([Logger.make(({ message }) => void logged.push(...[message].flat()))]))
    )
  )
  return { states, logged }
}

it("is absent where the host has set up nothing", async () => {
  expect(await after(none, none)).toEqual({ states: ["absent", "absent"], logged: [] })
})

it("is failing, and not absent, where the first check rejects what the host has set up; the log says so once", async () => {
  expect(await after(rejected, rejected, accepted)).toEqual({
    states: ["failing", "failing", "ready"],
    logged: ["The payment provider company is not ready: secretKey is not accepted"]
  })
})

it("is failing while its company is silent from the start, and stays ready where it becomes silent", async () => {
  expect(await after(silent, accepted, silent)).toEqual({
    states: ["failing", "ready", "ready"],
    logged: ["The payment provider company is not ready: its company does not answer"]
  })
})

it("is failing once what was accepted is rejected, whatever reason there is", async () => {
  expect((await after(accepted, none, none)).states).toEqual(["ready", "failing", "failing"])
})
