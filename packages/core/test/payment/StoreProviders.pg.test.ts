import { describe, expect, layer } from "@effect/vitest"
import { Clock, Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { Database } from "../../src/database/Database.ts"
import { FieldRejected, rejectedFields } from "../../src/kernel/FieldRejected.ts"
import { CredentialsRejected, PaymentUnanswered } from "../../src/payment/PaymentErrors.ts"
import { PaymentProviders } from "../../src/payment/PaymentProviders.ts"
import { StoreProviders } from "../../src/payment/StoreProviders.ts"
import { Regions } from "../../src/store/Regions.ts"
import { companies, counter, keys, newStore, openOperation, paidShop, readAgain } from "./paidShop.ts"

const hour = 3_600_000

/** `code account mode` of the provider that serves a method, or the tag of the error. */
const served = Effect.fnUntraced(function* (
  storeId: string,
  method: string,
  isTest: boolean,
  regionId: string | null = null
) {
  const store = yield* readAgain(storeId)
  return yield* PaymentProviders.use((providers) => providers.forMethod(store, method, { isTest, regionId })).pipe(
    Effect.match({
      onFailure: ({ _tag }) => _tag,
      onSuccess: ({ provider, account }) => `${provider.code} ${account.providerId} ${account.account} ${account.mode}`
    })
  )
})

const offers = Effect.fnUntraced(function* (storeId: string, isTest: boolean, regionId: string | null = null) {
  const store = yield* readAgain(storeId)
  const offered = yield* PaymentProviders.use((providers) => providers.offered(store, { isTest, regionId }))
  return offered.map(({ id, kind, name }) => `${id} ${kind} ${name}`)
})

const keysOf = (credentials: ReadonlyArray<Redacted.Redacted<Readonly<Record<string, string>>>>) =>
  credentials.map((each) => Redacted.value(each)["secretKey"])

layer(paidShop)("payment providers of a store", (it) => {
  describe("which provider serves a method", () => {
    it.effect("is an installed one that needs nothing, until the store has set up one of that type", () =>
      Effect.gen(function* () {
        const store = yield* newStore
        const own = yield* StoreProviders
        expect(yield* served(store.id, "manual", false)).toBe("manual manual  live")
        expect(yield* served(store.id, "manual", true)).toBe("manual manual  test")
        const first = yield* own.create(store, { type: "manual", name: "Bank transfer" })
        yield* TestClock.adjust("1 millis")
        const second = yield* own.create(store, { type: "manual", name: "Cash" })
        expect(yield* served(store.id, "manual", false)).toBe(`manual ${first.id}  live`)
        expect(yield* served(store.id, second.id, true)).toBe(`manual ${second.id}  test`)
        yield* own.update(store, first.id, { isEnabled: false })
        expect(yield* served(store.id, "manual", false)).toBe(`manual ${second.id}  live`)
        expect(yield* served(store.id, first.id, false)).toBe("PaymentMethodUnavailable")
        yield* own.update(store, second.id, { isEnabled: false })
        expect(yield* served(store.id, "manual", false)).toBe("PaymentMethodUnavailable")
      })
    )

    it.effect("never takes live money in a test channel, nor test money in a live one", () =>
      Effect.gen(function* () {
        const store = yield* newStore
        const own = yield* StoreProviders
        const live = yield* own.create(store, { type: "card", credentials: keys("key_live_1") })
        expect(yield* served(store.id, "card", true)).toBe("PaymentMethodUnavailable")
        expect(yield* served(store.id, live.id, true)).toBe("PaymentMethodUnavailable")
        yield* TestClock.adjust("1 millis")
        const test = yield* own.create(store, { type: "card", credentials: keys("key_test_1") })
        expect(yield* served(store.id, "card", true)).toBe(`card ${test.id} acct_1 test`)
        expect(yield* served(store.id, "card", false)).toBe(`card ${live.id} acct_1 live`)
        expect(yield* served(store.id, test.id, false)).toBe("PaymentMethodUnavailable")
        expect(yield* served(store.id, "test", false)).toBe("PaymentMethodUnavailable")
        expect(yield* served(store.id, "test", true)).toBe("test test  test")
        yield* TestClock.adjust("1 millis")
        const both = yield* own.create(store, { type: "card", credentials: keys("key_both_3") })
        expect(both.mode).toBeNull()
        expect(yield* served(store.id, both.id, true)).toBe(`card ${both.id} acct_3 test`)
        expect(yield* served(store.id, both.id, false)).toBe(`card ${both.id} acct_3 live`)
      })
    )

    it.effect("is not one without configuration, nor another store's", () =>
      Effect.gen(function* () {
        const [store, other] = [yield* newStore, yield* newStore]
        const theirs = yield* StoreProviders.use((own) =>
          own.create(other, { type: "card", credentials: keys("key_live_1") })
        )
        expect(yield* served(store.id, "card", false)).toBe("PaymentMethodUnavailable")
        expect(yield* served(store.id, theirs.id, false)).toBe("PaymentMethodUnavailable")
        expect(yield* served(store.id, "paypal", false)).toBe("PaymentMethodUnavailable")
        expect(yield* served(store.id, "hosted", false)).toBe("hosted hosted acct_host live")
        expect(yield* served(store.id, "hosted", true)).toBe("PaymentMethodUnavailable")
      })
    )

    it.effect("costs no statement once the store's providers are known", () =>
      Effect.gen(function* () {
        const created = yield* newStore
        yield* StoreProviders.use((own) => own.create(created, { type: "card", credentials: keys("key_live_1") }))
        const store = yield* readAgain(created.id)
        const providers = yield* PaymentProviders
        yield* providers.forMethod(store, "card", { isTest: false })
        counter.reset()
        yield* providers.forMethod(store, "card", { isTest: false })
        yield* providers.forMethod(store, "manual", { isTest: false })
        yield* providers.offered(store, { isTest: false })
        expect(counter.statements()).toEqual([])
      })
    )
  })

  describe("what may be offered", () => {
    it.effect("are the store's own, then the installed ones, as the channel's mode and the region allow", () =>
      Effect.gen(function* () {
        const store = yield* newStore
        const own = yield* StoreProviders
        const live = yield* own.create(store, { type: "card", name: "Card", credentials: keys("key_live_1") })
        yield* TestClock.adjust("1 millis")
        const cash = yield* own.create(store, { type: "manual", name: "Cash" })
        expect(yield* offers(store.id, false)).toEqual([
          `${live.id} card Card`,
          `${cash.id} manual Cash`,
          "hosted redirect The hosted"
        ])
        expect(yield* offers(store.id, true)).toEqual([`${cash.id} manual Cash`, "test card The test"])
        const regions = yield* Regions
        const region = yield* regions.create(store, {
          name: "Germany",
          currency: "EUR",
          countries: ["DE"],
          providerInstallationIds: [cash.id]
        })
        expect(yield* offers(store.id, false, region.id)).toEqual([`${cash.id} manual Cash`])
        expect(yield* served(store.id, live.id, false, region.id)).toBe("PaymentMethodUnavailable")
        expect(yield* served(store.id, "hosted", false, region.id)).toBe("PaymentMethodUnavailable")
        yield* TestClock.adjust("1 millis")
        const cheque = yield* own.create(store, { type: "manual", name: "Cheque" })
        yield* regions.update(store, region.id, { providerInstallationIds: [cheque.id] })
        expect(yield* served(store.id, "manual", false, region.id)).toBe(`manual ${cheque.id}  live`)
        expect(yield* served(store.id, "manual", false)).toBe(`manual ${cash.id}  live`)
        yield* own.update(store, cheque.id, { isEnabled: false })
        yield* regions.update(store, region.id, { providerInstallationIds: [] })
        expect(yield* offers(store.id, false, region.id)).toHaveLength(3)
      })
    )
  })

  describe("rotating credentials", () => {
    it.effect("keeps those before valid for a day, or as long as the caller says", () =>
      Effect.gen(function* () {
        const created = yield* newStore
        const own = yield* StoreProviders
        const { id } = yield* own.create(created, { type: "card", credentials: keys("key_live_1") })
        const rotatedView = yield* own.update(created, id, { credentials: keys("key_live_1_new") })
        const until = new Date((yield* Clock.currentTimeMillis) + 24 * hour).toISOString()
        expect(rotatedView.previousCredentialsValidUntil).toBe(until)
        const operation = { provider: "card", providerId: id, account: "acct_1", mode: "live" } as const
        const ofOperation = PaymentProviders.use((providers) => providers.ofOperation(created.id, operation))
        const valid = Effect.map(ofOperation, (method) => keysOf(method?.account.credentials ?? []))
        expect(yield* valid).toEqual(["key_live_1_new", "key_live_1"])
        const ofNotices = yield* PaymentProviders.use((providers) => providers.ofNotices(id))
        expect(keysOf(ofNotices?.account.credentials ?? [])).toEqual(["key_live_1_new", "key_live_1"])
        yield* TestClock.adjust("24 hours")
        expect(yield* valid).toEqual(["key_live_1_new"])
        expect((yield* own.get(created, id)).previousCredentialsValidUntil).toBeNull()
        yield* own.update(created, id, { credentials: keys("key_live_1"), credentialsOverlapHours: 0 })
        expect(yield* valid).toEqual(["key_live_1"])
      })
    )

    it.effect("takes no credentials of another account or mode", () =>
      Effect.gen(function* () {
        const store = yield* newStore
        const own = yield* StoreProviders
        const { id, ...before } = yield* own.create(store, { type: "card", credentials: keys("key_live_1") })
        for (const key of ["key_live_2", "key_test_1"]) {
          const refused = yield* Effect.flip(own.update(store, id, { credentials: keys(key) }))
          expect(refused).toMatchObject({
            _tag: "PaymentAccountChanged",
            current: { account: "acct_1", mode: "live" },
            given: { account: key === "key_live_2" ? "acct_2" : "acct_1" }
          })
        }
        expect(yield* own.get(store, id)).toEqual({ id, ...before })
      })
    )

    it.effect("stores them sealed for their row, and shows names alone", () =>
      Effect.gen(function* () {
        const store = yield* newStore
        const view = yield* StoreProviders.use((own) =>
          own.create(store, { type: "card", credentials: keys("key_live_1") })
        )
        expect(view.credentialFields).toEqual(["secretKey", "webhookSecret"])
        expect(JSON.stringify(view)).not.toContain("key_live_1")
        const { sql } = yield* Database
        const rows = yield* sql<{ row: string }>`SELECT row_to_json(p)::text AS row FROM payment_provider p
          WHERE store_id = ${store.id}`
        expect(rows[0]?.row).not.toContain("key_live_1")
        expect(rows[0]?.row).not.toContain("whsec_1")
      })
    )
  })

  describe("an operation", () => {
    it.effect("is looked up in its own account alone, also when its provider is switched off", () =>
      Effect.gen(function* () {
        const [store, other] = [yield* newStore, yield* newStore]
        const own = yield* StoreProviders
        const { id } = yield* own.create(store, { type: "card", credentials: keys("key_live_1") })
        const providers = yield* PaymentProviders
        const operation = { provider: "card", providerId: id, account: "acct_1", mode: "live" } as const
        const found = (storeId: string, changes: object) =>
          Effect.map(providers.ofOperation(storeId, { ...operation, ...changes }), (method) => method?.account.account)
        expect(yield* found(store.id, {})).toBe("acct_1")
        expect(yield* found(store.id, { account: "acct_2" })).toBeUndefined()
        expect(yield* found(store.id, { mode: "test" })).toBeUndefined()
        expect(yield* found(store.id, { provider: "hosted" })).toBeUndefined()
        expect(yield* found(other.id, {})).toBeUndefined()
        yield* own.update(store, id, { isEnabled: false })
        expect(yield* found(store.id, {})).toBe("acct_1")
        const hosted = { provider: "hosted", providerId: "hosted", account: "acct_host", mode: "live" } as const
        expect((yield* providers.ofOperation(store.id, hosted))?.account).toMatchObject({ storeId: store.id })
        expect(yield* providers.ofOperation(store.id, { ...hosted, account: "acct_before" })).toBeUndefined()
      })
    )
  })

  describe("an installed provider that the host has set up", () => {
    it.effect("keeps its account while the company is silent, and is not ready once it is rejected", () =>
      Effect.gen(function* () {
        const store = yield* newStore
        const { ready } = yield* PaymentProviders
        const set = companies.hosted
        const after = Effect.fnUntraced(function* (check: typeof set) {
          companies.hosted = check
          yield* TestClock.adjust("5 minutes")
          yield* ready
          yield* Effect.yieldNow
          return yield* served(store.id, "hosted", false)
        })
        expect(yield* after(Effect.fail(new PaymentUnanswered({ reason: "silence" })))).toMatch(/^hosted/)
        expect(yield* after(Effect.fail(new CredentialsRejected({ field: null, reason: "revoked" })))).toBe(
          "PaymentProviderNotReady"
        )
        expect(yield* after(Effect.never)).toBe("PaymentProviderNotReady")
        expect(yield* after(set)).toMatch(/^hosted/)
      })
    )
  })

  describe("credentials", () => {
    it.effect("are not stored before the company has accepted them", () =>
      Effect.gen(function* () {
        const store = yield* newStore
        const own = yield* StoreProviders
        const refusal = (secretKey: string) =>
          Effect.flip(own.create(store, { type: "card", credentials: keys(secretKey) }))
        expect(yield* refusal("key_of_nobody")).toMatchObject({
          field: "credentials.secretKey",
          reason: "were not accepted by card: Invalid API key: …"
        })
        companies.cardIsSilent = true
        expect(yield* refusal("key_live_1")).toMatchObject({ _tag: "PaymentProviderNotReady" })
        companies.cardIsSilent = false
        expect(yield* own.list(store, { page: 1, limit: 10 })).toEqual({ items: [], total: 0 })
      })
    )

    it.effect("have exactly the fields of their type", () =>
      Effect.gen(function* () {
        const store = yield* newStore
        const own = yield* StoreProviders
        const problems = (type: string, credentials: Readonly<Record<string, string>>) =>
          Effect.map(Effect.flip(own.create(store, { type, credentials })), (error) =>
            error instanceof FieldRejected ? rejectedFields(error) : error
          )
        expect(yield* problems("card", { secretkey: "key_live_1", webhookSecret: " " })).toEqual({
          "credentials.secretKey": "is needed: the secret key",
          "credentials.webhookSecret": "is needed: the secret of the webhook",
          "credentials.secretkey": "no credential of card; did you mean secretKey?"
        })
        expect(yield* problems("manual", { iban: "DE1" })).toEqual({
          "credentials.iban": "manual needs no credentials"
        })
        expect(yield* problems("paypal", {})).toEqual({
          type: "must be the type of an installed payment provider: manual, test, card, hosted"
        })
      })
    )
  })

  describe("one account", () => {
    it.effect("is set up once in a store; its test keys are another", () =>
      Effect.gen(function* () {
        const [store, other] = [yield* newStore, yield* newStore]
        const own = yield* StoreProviders
        const made = (secretKey: string, whose = store) =>
          own.create(whose, { type: "card", credentials: keys(secretKey) })
        yield* made("key_live_1")
        yield* made("key_test_1")
        yield* made("key_live_1", other)
        expect(yield* Effect.flip(made("key_live_1_new"))).toMatchObject({
          _tag: "PaymentProviderTaken",
          account: "acct_1"
        })
        expect((yield* own.list(store, { page: 1, limit: 10 })).total).toBe(2)
      })
    )
  })

  describe("removing", () => {
    it.effect("is refused while payments are open or a region lists it", () =>
      Effect.gen(function* () {
        const store = yield* newStore
        const own = yield* StoreProviders
        const { sql, write } = yield* Database
        const { id } = yield* own.create(store, { type: "card", credentials: keys("key_live_1") })
        yield* openOperation(store.id, id)
        expect(yield* Effect.flip(own.remove(store, id))).toMatchObject({ _tag: "PaymentProviderInUse", id })
        yield* write(store.id)(sql`UPDATE provider_operation SET check_at = NULL WHERE store_id = ${store.id}`)
        const regions = yield* Regions
        const list = { name: "DE", currency: "EUR", countries: ["DE"], providerInstallationIds: [id] }
        const region = yield* regions.create(store, list)
        expect(yield* Effect.flip(own.remove(store, id))).toMatchObject({
          _tag: "PaymentProviderNamed",
          regionCount: 1
        })
        yield* regions.update(store, region.id, { providerInstallationIds: [] })
        yield* own.remove(store, id)
        expect(yield* Effect.flip(own.get(store, id))).toMatchObject({ _tag: "PaymentProviderNotFound" })
        expect(yield* PaymentProviders.use((providers) => providers.ofNotices(id))).toBeUndefined()
        const kept = yield* sql<{ account: string }>`SELECT account FROM provider_operation WHERE provider_id = ${id}`
        expect(kept).toEqual([{ account: "acct_1" }])
      })
    )
  })
})
