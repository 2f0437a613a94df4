/**
 * Which provider serves a payment method of a store, and whose account it then uses: a payment provider that the store
 * has set up, or an installed one that needs no credentials of the store. A provider in live mode never serves a test
 * channel, nor the other way round.
 *
 * A store's own providers are read once per version of its rules (decision 0007): they cost a checkout no statement.
 */
import { Context, Effect, Layer } from "effect"
import { compiledRules } from "../store/compiledRules.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { Stores } from "../store/Stores.ts"
import { makeInstalledAccounts } from "./InstalledAccounts.ts"
import { InstalledProviders } from "./InstalledProviders.ts"
import { modeOf, ownFor, ownOffers, serves, servesRegion } from "./internal/methodChoice.ts"
import { providerOwners } from "./internal/providerOwners.ts"
import { outsideHostTransactions } from "./OutsideHostTransactions.ts"
import { PaymentMethodUnavailable, PaymentProviderNotReady } from "./PaymentErrors.ts"
import type { OperationAccount, PaymentMethod, PaymentPlace } from "./PaymentMethod.ts"
import type { PaymentProvider, ProviderMode } from "./PaymentProvider.ts"
import { makeProviderCredentials } from "./ProviderCredentials.ts"
import { type ProviderRules, StoreProviderRepository } from "./StoreProviderRepository.ts"

/** The providers of one store in one state. */
type CompiledProviders = Pick<ProviderRules, "providers" | "regions">

const noProviders: CompiledProviders = { providers: [], regions: {} }

export class PaymentProviders extends Context.Service<PaymentProviders>()(
  "@effect-commerce/core/payment/PaymentProviders",
  {
    make: Effect.gen(function* () {
      const repository = yield* StoreProviderRepository
      const stores = yield* Stores
      const { accountOf } = yield* makeProviderCredentials
      const installed = new Map(
        (yield* InstalledProviders).map((provider) => [provider.code, outsideHostTransactions(provider)])
      )
      const accounts = yield* makeInstalledAccounts([...installed.values()])
      const ownerOf = providerOwners(repository.storeOf)
      const ofStore = compiledRules({
        read: repository.readRules,
        compile: (rules): CompiledProviders => rules,
        none: () => noProviders
      })

      const forMethod = Effect.fnUntraced(function* (store: StoreContext, method: string, place: PaymentPlace) {
        const mode = modeOf(place)
        const { providers, regions } = yield* ofStore(store.id, store.rulesVersion)
        const serving = providers.filter(({ id }) => servesRegion(regions, place, id))
        const own = ownFor(installed, serving, method, mode)
        if (own !== undefined) {
          const account = yield* accountOf(store.id, own.row, mode)
          if (account === undefined) return yield* new PaymentProviderNotReady({ paymentMethod: method })
          return { provider: own.provider, account } satisfies PaymentMethod
        }
        const provider = installed.get(method)
        // What a store has set up and switched off is not replaced by what the host has.
        const isOwn = providers.some(({ type }) => type === method)
        const isServing = servesRegion(regions, place, method)
        const state = accounts.of(method)
        if (provider === undefined || isOwn || !isServing || !provider.modes.includes(mode) || state._tag === "absent")
          return yield* new PaymentMethodUnavailable({ paymentMethod: method })
        if (state._tag !== "ready") return yield* new PaymentProviderNotReady({ paymentMethod: method })
        if (!serves(provider, state.checked.mode, mode))
          return yield* new PaymentMethodUnavailable({ paymentMethod: method })
        return ofInstallation(store.id, provider, state.checked.account, mode)
      })

      const offered = Effect.fnUntraced(function* (store: StoreContext, place: PaymentPlace) {
        const mode = modeOf(place)
        const { providers, regions } = yield* ofStore(store.id, store.rulesVersion)
        const ofHost = [...installed.values()].filter((provider) => {
          const state = accounts.of(provider.code)
          const isOwn = providers.some(({ type }) => type === provider.code)
          return !isOwn && state._tag === "ready" && serves(provider, state.checked.mode, mode)
        })
        return [
          ...ownOffers(installed, providers, mode),
          ...ofHost.map(({ code, name, kind }) => ({ id: code, type: code, name, kind }))
        ].filter(({ id }) => servesRegion(regions, place, id))
      })

      const ofOperation = Effect.fnUntraced(function* (storeId: string, operation: OperationAccount) {
        const { provider: code, providerId, account, mode } = operation
        const provider = installed.get(code)
        if (provider === undefined) return undefined
        if (providerId === code) {
          yield* accounts.ready
          const state = accounts.of(code)
          const isSame = state._tag === "ready" && state.checked.account === account
          return isSame && serves(provider, state.checked.mode, mode)
            ? ofInstallation(storeId, provider, account, mode)
            : undefined
        }
        const store = yield* Effect.catchTag(stores.context(storeId), "StoreNotFound", () => Effect.undefined)
        const { providers } = store === undefined ? noProviders : yield* ofStore(storeId, store.rulesVersion)
        const row = providers.find(({ id, type }) => id === providerId && type === code)
        if (row === undefined || row.account !== account || !serves(provider, row.mode, mode)) return undefined
        const found = yield* accountOf(storeId, row, mode)
        return found === undefined ? undefined : { provider, account: found }
      })

      const ofNotices = Effect.fnUntraced(function* (providerId: string) {
        const ofHost = installed.get(providerId)
        if (ofHost !== undefined) {
          yield* accounts.ready
          const state = accounts.of(providerId)
          if (state._tag === "absent") return undefined
          const { account, mode } = state._tag === "ready" ? state.checked : { account: "", mode: null }
          return ofInstallation(null, ofHost, account, mode ?? anyMode(ofHost))
        }
        const storeId = yield* ownerOf(providerId)
        const row = storeId === undefined ? undefined : yield* repository.find(storeId, providerId)
        const provider = row === undefined ? undefined : installed.get(row.type)
        if (storeId === undefined || row === undefined || provider === undefined) return undefined
        const account = yield* accountOf(storeId, row, row.mode ?? anyMode(provider))
        return account === undefined ? undefined : { provider, account }
      })

      return {
        /** Waits until installed providers were checked once, a few seconds at most. Call it before a transaction. */
        ready: accounts.ready,
        /** The installed provider of a code, and all codes: for credentials that are being entered. */
        installed: (code: string): PaymentProvider | undefined => installed.get(code),
        codes: [...installed.keys()],
        /**
         * How a method of a completion (the id of a store's own provider, or a code) is paid there. A code is served by
         * the store's oldest enabled provider of that type. What is not offered there is unavailable.
         */
        forMethod,
        /** What may be paid by there. */
        offered,
        /**
         * The account that an operation is of, also where its provider is switched off; undefined where it is not set
         * up any more, or for another account.
         */
        ofOperation,
        /**
         * Whose notices come to an address: a store's own provider, switched off or not, or an installed one, whose
         * account then names no store.
         */
        ofNotices
      }
    })
  }
) {
  static readonly layer = Layer.effect(PaymentProviders, PaymentProviders.make).pipe(
    Layer.provide(StoreProviderRepository.layer)
  )
}

/** A provider that needs no credentials of the store. */
const ofInstallation = (
  storeId: string | null,
  provider: PaymentProvider,
  account: string,
  mode: ProviderMode
): PaymentMethod => ({ provider, account: { storeId, providerId: provider.code, account, mode, credentials: [] } })

/** Where an account serves both modes, a notice does not say which it is of. */
const anyMode = ({ modes }: PaymentProvider): ProviderMode => (modes.includes("live") ? "live" : "test")
