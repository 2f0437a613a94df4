/**
 * Whether each installed provider works without credentials of a store, and whose account it then uses: those that need
 * none, and those that the host has set up. They are checked in the background, so that no checkout waits for it and no
 * transaction is open meanwhile.
 */
import { Clock, Deferred, Effect, Latch } from "effect"
import { PaymentUnanswered } from "./PaymentErrors.ts"
import type { CheckedAccount, PaymentProvider } from "./PaymentProvider.ts"

/**
 * `unknown`: not checked since the process began. `absent`: it needs credentials, and the host has given none.
 * `failing`: it is set up, and could not be reached yet or does not accept what the host has given.
 */
export type InstalledAccount =
  | { readonly _tag: "unknown" | "absent" | "failing" }
  | { readonly _tag: "ready"; readonly checked: CheckedAccount }

const unknown: InstalledAccount = { _tag: "unknown" }

const limits = {
  /** How long one check may take. */
  checkMillis: 10_000,
  /** For how long the outcome is used without another check; and where one has failed. */
  rememberedMillis: 300_000,
  failedMillis: 10_000,
  /** How long the first callers wait for the first checks. */
  firstMillis: 3_000
}

const outcomeOf = (before: InstalledAccount, provider: PaymentProvider): Effect.Effect<InstalledAccount> => {
  const failing = (why: string): Effect.Effect<InstalledAccount> =>
    Effect.as(
      // Once: it is checked again every few seconds.
      before._tag === "failing"
        ? Effect.void
        : Effect.logWarning(`The payment provider ${provider.code} is not ready: ${why}`),
      { _tag: "failing" }
    )
  // An account that was known does not become another while the company is silent.
  const silent = (why: string) => (before._tag === "ready" ? Effect.succeed(before) : failing(why))
  const isSetUp = before._tag === "ready" || before._tag === "failing"
  return provider.check(null).pipe(
    Effect.timeoutOrElse({
      duration: limits.checkMillis,
      orElse: () => Effect.fail(new PaymentUnanswered({ reason: "No answer to the check of the account" }))
    }),
    Effect.map((checked): InstalledAccount => ({ _tag: "ready", checked })),
    // The company's own words are not logged: they may repeat the credentials.
    Effect.catchTag("CredentialsRejected", ({ field }) =>
      field === null && !isSetUp
        ? Effect.succeed<InstalledAccount>({ _tag: "absent" })
        : failing(`${field ?? "what the host has set up"} is not accepted`)
    ),
    Effect.catchTag("PaymentUnanswered", () => silent("its company does not answer")),
    Effect.catchDefect((defect) =>
      Effect.andThen(
        Effect.logError(`Checking the account of the payment provider ${provider.code} failed`, defect),
        silent("its check failed")
      )
    )
  )
}

export const makeInstalledAccounts = Effect.fnUntraced(function* (providers: ReadonlyArray<PaymentProvider>) {
  const accounts = new Map<string, InstalledAccount>()
  const first = yield* Deferred.make<void>()
  const due = yield* Latch.make(true)
  let checkedAt = 0

  const checkAll = Effect.gen(function* () {
    yield* due.await
    yield* due.close
    checkedAt = yield* Clock.currentTimeMillis
    const check = (provider: PaymentProvider) =>
      Effect.map(outcomeOf(accounts.get(provider.code) ?? unknown, provider), (account) => {
        accounts.set(provider.code, account)
      })
    yield* Effect.forEach(providers, check, { concurrency: "unbounded", discard: true })
    yield* Deferred.succeed(first, undefined)
  })
  yield* Effect.forkScoped(Effect.forever(checkAll), { startImmediately: true })

  const isOld = (now: number): boolean => {
    const isFailing = [...accounts.values()].some(({ _tag }) => _tag === "failing")
    return now - checkedAt >= (isFailing ? limits.failedMillis : limits.rememberedMillis)
  }

  return {
    of: (code: string): InstalledAccount => accounts.get(code) ?? unknown,
    /**
     * Waits for the first checks, a few seconds at most, and has old ones made again without waiting. Call it before a
     * transaction.
     */
    ready: Effect.flatMap(Clock.currentTimeMillis, (now) => {
      if (accounts.size < providers.length)
        return Effect.asVoid(Effect.timeoutOption(Deferred.await(first), limits.firstMillis))
      return isOld(now) ? due.open : Effect.void
    })
  }
})
