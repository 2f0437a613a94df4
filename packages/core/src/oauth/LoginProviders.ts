/**
 * The login providers of a store: set up, changed, switched off and deleted by the merchant, offered to storefronts. A
 * client secret is sealed for its row and is in no answer, log or event. An issuer's address is judged when it is
 * stored and again by every call. Deleting a provider leaves the identities of customers: set up again with the same
 * issuer, it signs in the same customers.
 */
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { RootSecret } from "../crypto/RootSecret.ts"
import { Database } from "../database/Database.ts"
import { checkVersion } from "../database/Precondition.ts"
import { orFail } from "../database/Repository.ts"
import { makeId } from "../kernel/Ids.ts"
import { rejectFields } from "../kernel/FieldRejected.ts"
import { GuardedFetch } from "../outbound/GuardedFetch.ts"
import { checkRoom } from "../store/StoreBounds.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import {
  clientSecretContext,
  clientSecretPurpose,
  configProblems,
  filledConfig,
  issuerOf,
  type LoginProviderChanges,
  type LoginProviderState,
  loginProviderBound,
  type NewLoginProvider,
  type OfferedProvider,
  type ProviderConfig,
  providerCodeOf,
  providerName,
  toLoginProviderView
} from "./LoginProvider.ts"
import { LoginProviderNotConfigured, LoginProviderNotFound, LoginProviderNotReady } from "./OauthErrors.ts"
import { LoginProviderRepository } from "./LoginProviderRepository.ts"

/** A provider that customers can sign in by, with its secret. */
export interface UsableProvider extends Pick<LoginProviderState, "id" | "provider" | "clientId" | "providerConfig"> {
  readonly secret: Redacted.Redacted
}

export class LoginProviders extends Context.Service<LoginProviders>()("@effect-commerce/core/oauth/LoginProviders", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* LoginProviderRepository
    const guard = yield* GuardedFetch
    const root = yield* RootSecret

    const seal = (storeId: string, id: string, plain: string): string =>
      root.seal(clientSecretPurpose, clientSecretContext(storeId, id), plain)

    const find = (storeId: string, given: string) => {
      const notFound = () => new LoginProviderNotFound({ provider: given })
      const code = providerCodeOf(given)
      return code === undefined ? Effect.fail(notFound()) : orFail(repository.find(storeId, code), notFound)
    }

    /** Rejects a configuration that cannot work, and an issuer whose address may not be called. */
    const check = Effect.fnUntraced(function* (code: string, config: ProviderConfig) {
      const problems = configProblems(code, config)
      const issuer = issuerOf(config)
      const problem =
        issuer === undefined || "providerConfig.issuer" in problems ? undefined : yield* guard.problem(issuer)
      yield* rejectFields(problem === undefined ? problems : { "providerConfig.issuer": problem, ...problems })
    })

    const create = Effect.fn("LoginProviders.create")(function* (store: StoreContext, input: NewLoginProvider) {
      const code = providerCodeOf(input.provider) ?? input.provider
      const config = filledConfig(input.providerConfig ?? {})
      yield* check(code, config)
      const now = yield* Clock.currentTimeMillis
      const id = makeId("oap", now)
      const row: LoginProviderState = {
        id,
        provider: code,
        clientId: input.clientId.trim(),
        clientSecret: seal(store.id, id, input.clientSecret.trim()),
        isEnabled: input.isEnabled ?? true,
        providerConfig: config,
        createdAt: new Date(now),
        updatedAt: new Date(now)
      }
      yield* database.write(store.id)(
        Effect.gen(function* () {
          yield* checkRoom(loginProviderBound, yield* repository.countToAdd(store.id))
          yield* repository.insert(store.id, row)
        })
      )
      return toLoginProviderView(store.id, row)
    })

    const update = Effect.fn("LoginProviders.update")(function* (
      store: StoreContext,
      given: string,
      changes: LoginProviderChanges
    ) {
      const { provider, providerConfig } = yield* find(store.id, given)
      const changed = (before: ProviderConfig) => filledConfig({ ...before, ...changes.providerConfig })
      if (changes.providerConfig !== undefined) yield* check(provider, changed(providerConfig))
      const now = new Date(yield* Clock.currentTimeMillis)
      const row = yield* database.write(store.id)(
        Effect.gen(function* () {
          const current = yield* repository.lock(store.id, provider)
          if (current === undefined) return yield* new LoginProviderNotFound({ provider: given })
          yield* checkVersion(current.updatedAt)
          const config = changed(current.providerConfig)
          // Another change came between: what it has made of the configuration is judged too.
          yield* rejectFields(configProblems(provider, config))
          const next: LoginProviderState = {
            ...current,
            clientId: changes.clientId?.trim() ?? current.clientId,
            clientSecret:
              changes.clientSecret === undefined
                ? current.clientSecret
                : seal(store.id, current.id, changes.clientSecret.trim()),
            isEnabled: changes.isEnabled ?? current.isEnabled,
            providerConfig: config
          }
          return (yield* repository.update(store.id, next, now)) ?? next
        })
      )
      return toLoginProviderView(store.id, row)
    })

    const remove = Effect.fn("LoginProviders.remove")(function* (store: StoreContext, given: string) {
      const { provider } = yield* find(store.id, given)
      yield* database.write(store.id)(
        Effect.gen(function* () {
          const current = yield* repository.lock(store.id, provider)
          if (current === undefined) return yield* new LoginProviderNotFound({ provider: given })
          yield* checkVersion(current.updatedAt)
          yield* repository.remove(store.id, current.id)
        })
      )
    })

    /**
     * The provider that a storefront names, with its secret. A text that is no provider's code is not found; one that
     * the store has not set up, or has switched off, is not configured.
     */
    const usable = Effect.fnUntraced(function* (store: StoreContext, given: string) {
      const code = providerCodeOf(given)
      if (code === undefined) return yield* new LoginProviderNotFound({ provider: given })
      const row = yield* repository.find(store.id, code)
      if (row === undefined || !row.isEnabled) return yield* new LoginProviderNotConfigured({ provider: code })
      const { id, provider, clientId, providerConfig } = row
      const secret = yield* Effect.try({
        try: () => root.open(clientSecretPurpose, clientSecretContext(store.id, id), row.clientSecret),
        catch: () =>
          new LoginProviderNotReady({ provider, reason: "its client secret cannot be decrypted", hasAnswered: false })
      })
      const found: UsableProvider = { id, provider, clientId, providerConfig, secret: Redacted.make(secret) }
      return found
    })

    return {
      create,
      update,
      remove,
      usable,
      get: (store: StoreContext, given: string) =>
        Effect.map(find(store.id, given), (row) => toLoginProviderView(store.id, row)),
      /** Oldest first. */
      list: (store: StoreContext) =>
        Effect.map(repository.list(store.id), (rows) => rows.map((row) => toLoginProviderView(store.id, row))),
      /** Those that are switched on, oldest first. */
      offered: (store: StoreContext) =>
        Effect.map(repository.list(store.id), (rows) =>
          rows.flatMap(
            ({ provider, isEnabled }): ReadonlyArray<OfferedProvider> =>
              isEnabled ? [{ provider, name: providerName(provider) }] : []
          )
        )
    }
  })
}) {
  static readonly layer = Layer.effect(LoginProviders, LoginProviders.make).pipe(
    Layer.provide(LoginProviderRepository.layer)
  )
}
