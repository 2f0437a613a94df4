/**
 * Accounts, stores and their settings. `context` runs on every request: it returns cached settings for at most
 * `crossProcessDelay`, and sees changes made by this process at once. Pricing calls `at`, with the version that was
 * read with its data, or `fresh`, because cached settings may be too old for a price.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { RowReader } from "../guard/RateLimits.ts"
import { isCountry } from "../kernel/Country.ts"
import { isCurrency } from "../kernel/Currency.ts"
import { blankProblem, longProblem, manyProblem, problemsOf } from "../kernel/FieldErrors.ts"
import { isNoId, makeId } from "../kernel/Ids.ts"
import { absenceDelay, crossProcessDelay, TimedCache } from "../cache/TimedCache.ts"
import type { StorePatch } from "./Store.ts"
import type { StoreContext } from "./StoreContext.ts"
import { AccountNotFound, CurrencyInUse, StoreNotFound } from "./StoreErrors.ts"
import { type FieldRejected, rejectFields } from "../kernel/FieldRejected.ts"
import { StoreBeginnings } from "./StoreBeginnings.ts"
import { type StoreChanges, type StoreQuotas, StoreRepository } from "./StoreRepository.ts"

/**
 * How long a list keeps its smaller page size; then full pages are tried again, because the large rows may be deleted
 * by then.
 */
const limitedMillis = 30 * 86_400_000

export class Stores extends Context.Service<Stores>()("@effect-commerce/core/store/Stores", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* StoreRepository
    const beginnings = yield* StoreBeginnings
    const cache = new TimedCache<StoreContext>(crossProcessDelay, 10_000)

    const unknown = new TimedCache<true>(absenceDelay, 10_000)

    /** Reads a store and caches it, unless the open transaction has changed it and may still be rolled back. */
    const read = Effect.fnUntraced(function* <E = never>(id: string, by?: RowReader<E>) {
      const found = yield* repository.findStore(id, by)
      const now = yield* Clock.currentTimeMillis
      if (found === undefined) {
        unknown.set(id, true, now)
        return yield* new StoreNotFound({ id })
      }
      if (!found.uncommitted) cache.set(id, found.store, now)
      return found.store
    })

    const cached = (id: string) => Effect.map(Clock.currentTimeMillis, (now) => cache.get(id, now))
    /**
     * Removes the store from the cache now, and again after the commit, because until then other requests read and
     * cache the old one. The commit of a host's own transaction is not seen; then it is removed only now.
     */
    const forget = (id: string) => {
      const gone = Effect.sync(() => cache.delete(id))
      return Effect.andThen(gone, database.afterCommit(gone))
    }

    /** `read` reads the store if neither it nor its absence is cached. */
    const context = <E = never>(id: string, by?: RowReader<E>) =>
      Effect.flatMap(Clock.currentTimeMillis, (now): Effect.Effect<StoreContext, StoreNotFound | E> => {
        const found = cache.get(id, now)
        if (found !== undefined) return Effect.succeed(found)
        return isNoId(id) || unknown.get(id, now) === true ? Effect.fail(new StoreNotFound({ id })) : read(id, by)
      })

    /** The store's current settings: one statement, for pricing use cases that read no row with the version. */
    const fresh = (known: StoreContext) => Effect.orDie(read(known.id))

    /**
     * The store's settings at `rulesVersion` or later: the given or cached ones if they are new enough, else one
     * statement.
     */
    const at = (known: StoreContext, rulesVersion: bigint): Effect.Effect<StoreContext> => {
      if (known.rulesVersion >= rulesVersion) return Effect.succeed(known)
      return Effect.flatMap(cached(known.id), (found) =>
        found !== undefined && found.rulesVersion >= rulesVersion ? Effect.succeed(found) : fresh(known)
      )
    }

    /** Creates a store, and its account unless an account id is given. */
    const create = Effect.fn("Stores.create")(function* (input: {
      readonly name: string
      readonly currency: string
      readonly country: string
      readonly accountId?: string | undefined
    }) {
      yield* checkSettings(input)
      const now = yield* Clock.currentTimeMillis
      const at = new Date(now)
      const id = makeId("store", now)
      const accountId = input.accountId ?? makeId("acct", now)
      yield* database.platform(
        Effect.gen(function* () {
          if (input.accountId === undefined)
            yield* repository.insertAccount({ id: accountId, name: input.name, now: at })
          else if (!(yield* repository.accountExists(accountId))) return yield* new AccountNotFound({ id: accountId })
          const { name, currency, country } = input
          yield* repository.insertStore({ id, accountId, settings: { name, currency, country }, now: at })
          yield* Effect.forEach(beginnings, (begin) => begin({ id, accountId, now: at }), { discard: true })
        })
      )
      return yield* Effect.orDie(read(id))
    })

    /** Amounts are stored without a currency, so it can change only while the store has no amounts. */
    const checkCurrency = Effect.fnUntraced(function* (id: string, { currency }: StorePatch) {
      if (currency === undefined) return
      const kept = yield* repository.lockCurrency(id)
      if (kept === undefined || kept === currency) return
      const usedBy = yield* repository.currencyUses(id)
      if (usedBy.length > 0) return yield* new CurrencyInUse({ currency: kept, usedBy })
    })

    /**
     * Locks the store's currency until the open transaction ends, and returns the store with it. A transaction that
     * writes amounts calls this before it reads them.
     */
    const holdCurrency = Effect.fnUntraced(function* (known: StoreContext) {
      const currency = (yield* repository.holdCurrency(known.id)) ?? known.currency
      return currency === known.currency ? known : yield* fresh(known)
    })

    const update = Effect.fn("Stores.update")(function* (store: StoreContext, patch: StorePatch) {
      yield* checkSettings(patch)
      const now = yield* Clock.currentTimeMillis
      const changed = Effect.andThen(
        checkCurrency(store.id, patch),
        repository.updateStore(store.id, changesOf(patch), new Date(now))
      )
      yield* database.platform(Effect.andThen(changed, forget(store.id)))
      return yield* fresh(store)
    })

    const setSuspended = Effect.fn("Stores.setSuspended")(function* (id: string, suspended: boolean) {
      const now = yield* Clock.currentTimeMillis
      const since = suspended ? new Date(now) : null
      const found = yield* database.platform(Effect.tap(repository.setSuspended(id, since), () => forget(id)))
      return yield* found ? read(id) : new StoreNotFound({ id })
    })

    return {
      create,
      context,
      at,
      fresh,
      /** All stores, for the operator. */
      list: repository.listStores,
      /** The oldest stores, and how many there are in total. */
      first: repository.firstStores,
      hasAccount: repository.accountExists,
      update,
      /** Lowers the page size of a list for 30 days, because more rows were too large for a response. */
      limitList: Effect.fnUntraced(function* ({ id }: StoreContext, list: string, rows: number) {
        const now = yield* Clock.currentTimeMillis
        const limit = { rows, until: now + limitedMillis }
        yield* database.platform(Effect.andThen(repository.limitList(id, list, limit, now), forget(id)))
      }),
      /** How many products and orders the operator allows. A process that runs follows within `crossProcessDelay`. */
      setQuotas: Effect.fn("Stores.setQuotas")(function* (store: StoreContext, quotas: Partial<StoreQuotas>) {
        yield* database.platform(Effect.andThen(repository.setQuotas(store.id, quotas), forget(store.id)))
        return yield* fresh(store)
      }),
      suspend: (id: string) => setSuspended(id, true),
      resume: (id: string) => setSuspended(id, false),
      holdCurrency,
      /**
       * Raises the version under which compiled rules (taxes, zones, promotions, coupons) are cached; called inside the
       * transaction that changes any of them. `namesGroups`: a discount names categories, brands or tags, so that lines
       * are read with those from now on. Returns the store with its new version.
       */
      bumpRules: (known: StoreContext, { namesGroups = false } = {}) =>
        Effect.andThen(
          forget(known.id),
          Effect.map(repository.bumpRules(known.id, namesGroups), (raised) => raised ?? known)
        )
    }
  })
}) {
  static readonly layer = Layer.effect(Stores, Stores.make).pipe(Layer.provide(StoreRepository.layer))
}

const changesOf = ({ reservation: { strategy, minutes } = {}, ...settings }: StorePatch): StoreChanges => ({
  ...settings,
  ...(strategy === undefined ? {} : { reservationStrategy: strategy }),
  ...(minutes === undefined ? {} : { reservationMinutes: minutes })
})

const checkSettings = ({
  name,
  currency,
  country,
  languages,
  timezone
}: StorePatch): Effect.Effect<void, FieldRejected> =>
  rejectFields(
    problemsOf({
      name: blankProblem(name) ?? longProblem(name, longestName),
      currency: currency === undefined || isCurrency(currency) ? undefined : "must be an ISO 4217 code such as USD",
      country:
        country === undefined || isCountry(country) ? undefined : "must be an ISO 3166-1 alpha-2 code such as US",
      languages: languages === undefined ? undefined : languagesProblem(languages),
      timezone:
        timezone === undefined || isTimeZone(timezone) ? undefined : "must be an IANA time zone such as Europe/Berlin"
    })
  )

/** Characters of a name of a store or of a channel. */
export const longestName = 200
const mostLanguages = 50
/** The longest language tag of BCP 47. */
const longestLanguage = 35

const languagesProblem = (languages: ReadonlyArray<string>): string | undefined =>
  languages.length === 0
    ? "must name at least one language"
    : (manyProblem(languages.length, mostLanguages) ??
      languages.map((language) => longProblem(language, longestLanguage)).find((problem) => problem !== undefined))

const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name })
    return true
  } catch {
    return false
  }
}
