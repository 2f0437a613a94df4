/** A store whose payment providers are played by a test: companies that know accounts by their keys. */
import { Effect, Layer, Redacted } from "effect"
import { RootSecret } from "../../src/crypto/RootSecret.ts"
import { Database } from "../../src/database/Database.ts"
import { CurrentStatementLog, makeStatementCounter } from "../../src/database/StatementLog.ts"
import { InstalledProviders } from "../../src/payment/InstalledProviders.ts"
import {
  CredentialsRejected,
  NoticeRejected,
  PaymentFailed,
  PaymentUnanswered
} from "../../src/payment/PaymentErrors.ts"
import type { CheckedAccount, PaymentProvider } from "../../src/payment/PaymentProvider.ts"
import { PaymentProviders } from "../../src/payment/PaymentProviders.ts"
import { StoreProviders } from "../../src/payment/StoreProviders.ts"
import { Regions } from "../../src/store/Regions.ts"
import { Stores } from "../../src/store/Stores.ts"
import { TestDatabase, testSecret } from "../../src/testing/TestDatabase.ts"

const nothing = Effect.fail(new PaymentFailed({ reason: "nothing is charged here" }))

/** A company that charges nothing. */
const companyOf = (
  facts: Pick<PaymentProvider, "code" | "kind" | "modes" | "check"> & Partial<PaymentProvider>
): PaymentProvider => ({
  name: `The ${facts.code}`,
  credentialFields: {},
  keyLifetime: 60_000,
  settling: 1_000,
  notices: "none",
  authorize: () => nothing,
  capture: () => nothing,
  void: () => nothing,
  refund: () => nothing,
  lookup: () => Effect.succeed({ _tag: "Absent" }),
  lookupChange: () => Effect.succeed({ _tag: "Absent" }),
  verifyNotice: () => Effect.fail(new NoticeRejected({ reason: "no notices" })),
  readNotice: () => Effect.succeed([]),
  ...facts
})

/** The accounts that the company `card` knows, by their secret keys. */
const cardAccounts: Readonly<Record<string, CheckedAccount>> = {
  key_live_1: { account: "acct_1", mode: "live" },
  key_live_1_new: { account: "acct_1", mode: "live" },
  key_test_1: { account: "acct_1", mode: "test" },
  key_live_2: { account: "acct_2", mode: "live" },
  key_both_3: { account: "acct_3", mode: null }
}

/** What the companies of the tests are asked, and how they are. */
export const companies = {
  cardIsSilent: false,
  /** What `hosted`, whose account the host has set up, answers to a check. */
  hosted: Effect.succeed({ account: "acct_host", mode: "live" }) as ReturnType<PaymentProvider["check"]>
}

const card = companyOf({
  code: "card",
  kind: "card",
  modes: ["test", "live"],
  credentialFields: { secretKey: "the secret key", webhookSecret: "the secret of the webhook" },
  check: (credentials) =>
    Effect.suspend((): ReturnType<PaymentProvider["check"]> => {
      if (companies.cardIsSilent) return Effect.fail(new PaymentUnanswered({ reason: "silence" }))
      if (credentials === null) return Effect.fail(new CredentialsRejected({ field: null, reason: "no key" }))
      const { secretKey = "" } = Redacted.value(credentials)
      const account = cardAccounts[secretKey]
      return account === undefined
        ? Effect.fail(new CredentialsRejected({ field: "secretKey", reason: `Invalid API key: ${secretKey}` }))
        : Effect.succeed(account)
    })
})

const installedCompanies: ReadonlyArray<PaymentProvider> = [
  companyOf({
    code: "manual",
    kind: "manual",
    modes: ["test", "live"],
    check: () => Effect.succeed({ account: "", mode: null })
  }),
  companyOf({ code: "test", kind: "card", modes: ["test"], check: () => Effect.succeed({ account: "", mode: null }) }),
  card,
  companyOf({
    code: "hosted",
    kind: "redirect",
    modes: ["test", "live"],
    check: () => Effect.suspend(() => companies.hosted)
  })
]

export const counter = makeStatementCounter()

export const paidShop = StoreProviders.layer.pipe(
  Layer.provideMerge(PaymentProviders.layer),
  Layer.provide(Layer.sync(InstalledProviders, () => installedCompanies)),
  Layer.provideMerge(Regions.layer),
  Layer.provideMerge(Stores.layer),
  Layer.provide(RootSecret.layer(testSecret)),
  Layer.provideMerge(TestDatabase.layer),
  Layer.provide(Layer.succeed(CurrentStatementLog, counter))
)

export const newStore = Stores.use((stores) => stores.create({ name: "Shop", currency: "EUR", country: "DE" }))

/** The store as a request reads it, past every cache. */
export const readAgain = (storeId: string) =>
  Effect.flatMap(Stores, (stores) => Effect.flatMap(stores.context(storeId), stores.fresh))

export const keys = (secretKey: string) => ({ secretKey, webhookSecret: "whsec_1" })

/** An open operation of the provider $3 of the store $1. */
export const operationSql = `INSERT INTO provider_operation (store_id, id, charge_key, provider, provider_id, account, mode,
    amount, currency, kind, subject_type, subject_id, state, check_at, created_at, sent_at, open_since, updated_at)
  VALUES ($1, $2, $2, 'card', $3, 'acct_1', 'live', 100, 'EUR', 'authorize', 'test', 'sub', 'calling', now(), now(), now(),
    now(), now())`

/** Begins an operation of a provider, which is looked at until it is settled. */
export const openOperation = (storeId: string, providerId: string) =>
  Effect.flatMap(Database, ({ sql, write }) =>
    write(storeId)(sql.unsafe(operationSql, [storeId, `pop_${providerId}`, providerId]))
  )
