/**
 * The apps of a store: installed by a merchant or the operator, recognised by their token, removed with everything they
 * had. A token is returned once and kept as its SHA-256. `recognise` is called on every request with an app token and
 * is cached: a valid token for `crossProcessDelay`, an unknown one for `absenceDelay`.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { randomSecret, sha256Hex } from "../crypto/Hashing.ts"
import { Database } from "../database/Database.ts"
import { orFail } from "../database/Repository.ts"
import type { RowReader } from "../guard/RateLimits.ts"
import { blankProblem, longProblem, problemsOf } from "../kernel/FieldErrors.ts"
import { rejectFields } from "../kernel/FieldRejected.ts"
import { makeId } from "../kernel/Ids.ts"
import { mapItems, type Page } from "../kernel/Pagination.ts"
import { slugOf } from "../kernel/Slug.ts"
import { absenceDelay, crossProcessDelay, TimedCache } from "../cache/TimedCache.ts"
import { checkRoom } from "../store/StoreBounds.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { Stores } from "../store/Stores.ts"
import { InstallationNamed, InstallationNotFound } from "./AppErrors.ts"
import {
  type AppHolder,
  appInstallationBound,
  type AppInstallationState,
  type AppTier,
  appTokenBytes,
  appTokenMark,
  appTokenPrefixLength,
  type InstallApp,
  longestAppName,
  type MintedInstallation,
  toInstallationView
} from "./AppInstallation.ts"
import { AppInstallationRepository } from "./AppInstallationRepository.ts"

export class AppInstallations extends Context.Service<AppInstallations>()(
  "@effect-commerce/core/app/AppInstallations",
  {
    make: Effect.gen(function* () {
      const database = yield* Database
      const repository = yield* AppInstallationRepository
      const stores = yield* Stores
      const cache = new TimedCache<AppHolder>(crossProcessDelay, 10_000)
      const unknown = new TimedCache<true>(absenceDelay, 10_000)

      const notFound = (id: string) => () => new InstallationNotFound({ id })
      const forget = Effect.sync(() => cache.clear())

      /** The holder of a token, or undefined. `read` reads the row if neither the token nor its absence is cached. */
      const recognise = Effect.fnUntraced(function* <E>(token: string, read: RowReader<E>) {
        const now = yield* Clock.currentTimeMillis
        const hash = sha256Hex(token)
        const cached = cache.get(hash, now)
        if (cached !== undefined) return cached
        if (unknown.get(hash, now) === true) return undefined
        const { generation } = cache
        const holder = yield* repository.findByToken(hash, read)
        if (holder === undefined) unknown.set(hash, true, now)
        else cache.set(hash, holder, now, generation)
        return holder
      })

      /** Installs an app; only the operator's command gives another tier than `other`. */
      const install = Effect.fn("AppInstallations.install")(function* (
        store: StoreContext,
        { name, scopes }: InstallApp,
        tier: AppTier = "other"
      ) {
        yield* rejectFields(problemsOf({ name: blankProblem(name) ?? longProblem(name, longestAppName) }))
        const now = yield* Clock.currentTimeMillis
        const token = newToken()
        const state: AppInstallationState = {
          id: makeId("inst", now),
          name: name.trim(),
          slug: appSlug(name.trim()),
          tier,
          scopes: [...new Set(scopes)],
          tokenPrefix: token.prefix,
          createdAt: new Date(now),
          updatedAt: new Date(now)
        }
        yield* database.write(store.id)(
          Effect.gen(function* () {
            yield* checkRoom(appInstallationBound, yield* repository.countToAdd(store.id))
            yield* repository.insert(store.id, state)
            yield* repository.insertToken(store.id, state.id, token.hash)
          })
        )
        return shown(store.id, state, token.plain)
      })

      /** A new token in the place of the one before, which ends at once. */
      const renewToken = Effect.fn("AppInstallations.renewToken")(function* (store: StoreContext, id: string) {
        const now = yield* Clock.currentTimeMillis
        const token = newToken()
        const state = yield* database.write(store.id)(
          Effect.gen(function* () {
            yield* orFail(repository.hold(store.id, id), notFound(id))
            yield* database.afterCommit(forget)
            return yield* orFail(repository.replaceToken(store.id, id, token, new Date(now)), notFound(id))
          })
        )
        yield* forget
        return shown(store.id, state, token.plain)
      })

      /**
       * Its token and its secrets end with this, its mappings and events are out of reach, and the worker deletes them.
       * Regions are changed under the same row of the store, so that none names it meanwhile.
       */
      const remove = Effect.fn("AppInstallations.remove")(function* (store: StoreContext, id: string) {
        const now = new Date(yield* Clock.currentTimeMillis)
        yield* database.write(store.id)(
          Effect.gen(function* () {
            yield* stores.bumpRules(store)
            yield* orFail(repository.hold(store.id, id), notFound(id))
            const regionCount = yield* repository.countRegions(store.id, id)
            if (regionCount > 0) return yield* new InstallationNamed({ id, regionCount })
            yield* repository.end(store.id, id, now)
            yield* database.afterCommit(forget)
          })
        )
        yield* forget
      })

      return {
        recognise,
        install,
        renewToken,
        remove,
        get: (store: StoreContext, id: string) =>
          Effect.map(orFail(repository.find(store.id, id), notFound(id)), (state) =>
            toInstallationView(store.id, state)
          ),
        /** Newest first. */
        list: (store: StoreContext, page: Page) =>
          mapItems(repository.list(store.id, page), (state) => toInstallationView(store.id, state))
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make).pipe(Layer.provide(AppInstallationRepository.layer))
}

/** The name in addresses; of a name without letters or digits, one that is made of its hash. */
const appSlug = (name: string): string => slugOf(name, `app-${sha256Hex(name).slice(0, 12)}`)

const newToken = () => {
  const plain = randomSecret(appTokenMark, appTokenBytes)
  return { plain, hash: sha256Hex(plain), prefix: plain.slice(0, appTokenPrefixLength) }
}

const shown = (storeId: string, state: AppInstallationState, token: string): MintedInstallation => ({
  ...toInstallationView(storeId, state),
  installationId: state.id,
  token
})
