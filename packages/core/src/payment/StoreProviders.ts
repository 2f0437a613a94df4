/**
 * The payment providers that a store has set up. Credentials are checked with the company before they are stored, with
 * no transaction open; new ones must be of the same account, so that what was charged can still be captured and
 * refunded. Every write raises the store's rules version first, as those of taxes and zones do (decision 0007).
 */
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { Database } from "../database/Database.ts"
import { checkVersion } from "../database/Precondition.ts"
import { orFail } from "../database/Repository.ts"
import { type FieldErrors, problemsOf } from "../kernel/FieldErrors.ts"
import { FieldRejected, rejectFields } from "../kernel/FieldRejected.ts"
import { makeId } from "../kernel/Ids.ts"
import type { Page } from "../kernel/Pagination.ts"
import { checkRoom } from "../store/StoreBounds.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { Stores } from "../store/Stores.ts"
import { PaymentProviderNotReady } from "./PaymentErrors.ts"
import type { CheckedAccount, Credentials, PaymentProvider } from "./PaymentProvider.ts"
import { PaymentProviders } from "./PaymentProviders.ts"
import {
  credentialProblems,
  filledCredentials,
  makeProviderCredentials,
  withoutSecrets
} from "./ProviderCredentials.ts"
import {
  type NewPaymentProvider,
  type PaymentProviderChanges,
  rotated,
  storeProviderBound,
  type StoreProviderState,
  toPaymentProviderView
} from "./StoreProvider.ts"
import {
  PaymentAccountChanged,
  PaymentProviderInUse,
  PaymentProviderNamed,
  PaymentProviderNotFound
} from "./StoreProviderErrors.ts"
import { StoreProviderRepository } from "./StoreProviderRepository.ts"

export class StoreProviders extends Context.Service<StoreProviders>()("@effect-commerce/core/payment/StoreProviders", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* StoreProviderRepository
    const stores = yield* Stores
    const providers = yield* PaymentProviders
    const sealing = yield* makeProviderCredentials

    const find = (storeId: string, id: string) =>
      orFail(repository.find(storeId, id), () => new PaymentProviderNotFound({ id }))

    const view = (storeId: string, row: StoreProviderState) =>
      Effect.map(Clock.currentTimeMillis, (now) =>
        toPaymentProviderView(storeId, row, providers.installed(row.type), now)
      )

    const create = Effect.fn("StoreProviders.create")(function* (store: StoreContext, input: NewPaymentProvider) {
      const provider = providers.installed(input.type)
      yield* rejectFields(
        provider === undefined
          ? { type: `must be the type of an installed payment provider: ${providers.codes.join(", ")}` }
          : credentialProblems(provider, input.credentials ?? {})
      )
      if (provider === undefined) return yield* Effect.die(new Error("an unknown type was accepted"))
      const given = filledCredentials(input.credentials ?? {})
      const { account, mode } = yield* checked(provider, given)
      const now = yield* Clock.currentTimeMillis
      const at = new Date(now)
      const id = makeId("ppr", now)
      const fields = Object.keys(given)
      const row: StoreProviderState = {
        id,
        type: provider.code,
        name: input.name ?? provider.name,
        isEnabled: input.isEnabled ?? true,
        account,
        mode: mode ?? onlyMode(provider),
        credentials: fields.length === 0 ? null : sealing.seal(store.id, id, given),
        credentialFields: fields,
        credentialsUpdatedAt: at,
        previousCredentials: null,
        previousValidUntil: null,
        createdAt: at,
        updatedAt: at
      }
      yield* database.write(store.id)(
        Effect.gen(function* () {
          // Locks out every other writer of the store's rules, so that two cannot both take the last place.
          yield* stores.bumpRules(store)
          yield* checkRoom(storeProviderBound, yield* repository.count(store.id))
          yield* repository.insert(store.id, row)
        })
      )
      return yield* view(store.id, row)
    })

    /** Checks new credentials with the company, before a transaction is open; undefined where none are given. */
    const newCredentials = Effect.fnUntraced(function* (
      store: StoreContext,
      id: string,
      { credentials: given, credentialsOverlapHours: hours }: PaymentProviderChanges
    ) {
      const current = yield* find(store.id, id)
      yield* checkVersion(current.updatedAt)
      const provider = providers.installed(current.type)
      const notInstalled = `nothing of the type ${current.type} is installed, so that they cannot be checked`
      const problems: FieldErrors =
        given === undefined
          ? problemsOf({
              credentialsOverlapHours: hours === undefined ? undefined : "says nothing without new credentials"
            })
          : provider === undefined
            ? { credentials: notInstalled }
            : credentialProblems(provider, given)
      yield* rejectFields(problems)
      const filled = filledCredentials(given ?? {})
      if (provider === undefined || Object.keys(filled).length === 0) return undefined
      const found = yield* checked(provider, filled)
      const owner = { account: found.account, mode: found.mode ?? onlyMode(provider) }
      return { owner, fields: Object.keys(filled), sealed: sealing.seal(store.id, id, filled) }
    })

    const update = Effect.fn("StoreProviders.update")(function* (
      store: StoreContext,
      id: string,
      changes: PaymentProviderChanges
    ) {
      const fresh = yield* newCredentials(store, id, changes)
      const now = yield* Clock.currentTimeMillis
      const row = yield* database.write(store.id)(
        Effect.gen(function* () {
          yield* stores.bumpRules(store)
          const current = yield* repository.lock(store.id, id)
          if (current === undefined) return yield* new PaymentProviderNotFound({ id })
          yield* checkVersion(current.updatedAt)
          const { account, mode } = current
          if (fresh !== undefined && (fresh.owner.account !== account || fresh.owner.mode !== mode))
            return yield* new PaymentAccountChanged({ current: { account, mode }, given: fresh.owner })
          const next: StoreProviderState = {
            ...current,
            name: changes.name ?? current.name,
            isEnabled: changes.isEnabled ?? current.isEnabled,
            ...(fresh === undefined
              ? {}
              : {
                  ...rotated(current, fresh.sealed, changes.credentialsOverlapHours, now),
                  credentialFields: fresh.fields
                })
          }
          return (yield* repository.update(store.id, next, new Date(now))) ?? next
        })
      )
      return yield* view(store.id, row)
    })

    /** Its payments stay what they were. While one of them is not finished its credentials are needed. */
    const remove = Effect.fn("StoreProviders.remove")(function* (store: StoreContext, id: string) {
      yield* database.write(store.id)(
        Effect.gen(function* () {
          yield* stores.bumpRules(store)
          const current = yield* repository.lock(store.id, id)
          if (current === undefined) return yield* new PaymentProviderNotFound({ id })
          yield* checkVersion(current.updatedAt)
          if (yield* repository.hasOpenOperations(store.id, id)) return yield* new PaymentProviderInUse({ id })
          const regionCount = yield* repository.countRegions(store.id, id)
          if (regionCount > 0) return yield* new PaymentProviderNamed({ id, regionCount })
          yield* repository.remove(store.id, id)
        })
      )
    })

    return {
      create,
      update,
      remove,
      get: Effect.fnUntraced(function* (store: StoreContext, id: string) {
        return yield* view(store.id, yield* find(store.id, id))
      }),
      /** Oldest first. */
      list: Effect.fnUntraced(function* (store: StoreContext, page: Page) {
        const { items, total } = yield* repository.list(store.id, page)
        return { items: yield* Effect.forEach(items, (row) => view(store.id, row)), total }
      })
    }
  })
}) {
  static readonly layer = Layer.effect(StoreProviders, StoreProviders.make).pipe(
    Layer.provide(StoreProviderRepository.layer)
  )
}

/** How long, in milliseconds, a company may take to say whose credentials these are. */
const checkMillis = 10_000

/** Asks the company whose account it is. Its own words are passed on without the credentials. */
const checked = (
  provider: PaymentProvider,
  given: Credentials
): Effect.Effect<CheckedAccount, FieldRejected | PaymentProviderNotReady> => {
  const notReady = new PaymentProviderNotReady({ paymentMethod: provider.code })
  const credentials = Object.keys(given).length === 0 ? null : Redacted.make(given)
  return provider.check(credentials).pipe(
    Effect.timeoutOrElse({ duration: checkMillis, orElse: () => Effect.fail(notReady) }),
    Effect.catchTag("PaymentUnanswered", () => Effect.fail(notReady)),
    Effect.catchTag("CredentialsRejected", ({ field, reason }) =>
      FieldRejected.at(
        field === null ? "credentials" : `credentials.${field}`,
        `were not accepted by ${provider.code}: ${withoutSecrets(reason, given)}`
      )
    )
  )
}

/** The mode of a provider that has one. */
const onlyMode = ({ modes: [first, ...others] }: PaymentProvider) => (others.length === 0 ? (first ?? null) : null)
