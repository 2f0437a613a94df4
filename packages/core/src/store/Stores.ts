/**
 * Accounts, stores and their settings. `context` is asked on every request: it answers from memory within
 * `crossProcessDelay`, and at once after a change made by this process. Whoever prices asks `at`, with the version that
 * was read with their data, or `fresh`, because what is remembered may be too old for a price.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { RowReader } from "../guard/RateLimits.ts"
import { isCountry } from "../kernel/Country.ts"
import { isCurrency } from "../kernel/Currency.ts"
import { blankProblem, longProblem, manyProblem, problemsOf } from "../kernel/FieldErrors.ts"
import { isNoId, makeId } from "../kernel/Ids.ts"
import { absenceDelay, crossProcessDelay, TimedCache } from "../kernel/TimedCache.ts"
import type { StorePatch } from "./Store.ts"
import type { StoreContext } from "./StoreContext.ts"
import { AccountNotFound, CurrencyInUse, StoreNotFound } from "./StoreErrors.ts"
import { type FieldRejected, rejectFields } from "../kernel/FieldRejected.ts"
import { type StoreChanges, StoreRepository } from "./StoreRepository.ts"

/** For how long a list keeps its shorter pages; then it is tried whole, because what was large may be gone. */
const limitedMillis = 30 * 86_400_000

export class Stores extends Context.Service<Stores>()("@effect-commerce/core/store/Stores", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* StoreRepository
    const cache = new TimedCache<StoreContext>(crossProcessDelay, 10_000)

    const unknown = new TimedCache<true>(absenceDelay, 10_000)

    /** Reads a store and keeps it, unless the open transaction has changed it: it may yet be rolled back. */
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
     * Drops the kept store now, and again after the commit, because until then others read and keep the old one. A
     * host's commit is not seen, so there it is dropped only now.
     */
    const forget = (id: string) => {
      const gone = Effect.sync(() => cache.delete(id))
      return Effect.andThen(gone, database.afterCommit(gone))
    }

    /** `read` reads the store where neither it nor its absence is remembered. */
    const context = <E = never>(id: string, by?: RowReader<E>) =>
      Effect.flatMap(Clock.currentTimeMillis, (now): Effect.Effect<StoreContext, StoreNotFound | E> => {
        const found = cache.get(id, now)
        if (found !== undefined) return Effect.succeed(found)
        return isNoId(id) || unknown.get(id, now) === true ? Effect.fail(new StoreNotFound({ id })) : read(id, by)
      })

    /**
     * The store's settings as they are now: one statement, for use cases that price and read no row which carries the
     * version.
     */
    const fresh = (known: StoreContext) => Effect.orDie(read(known.id))

    /** The store's settings at `rulesVersion` or later: those that are known where they are, else one statement. */
    const at = (known: StoreContext, rulesVersion: bigint): Effect.Effect<StoreContext> => {
      if (known.rulesVersion >= rulesVersion) return Effect.succeed(known)
      return Effect.flatMap(cached(known.id), (found) =>
        found !== undefined && found.rulesVersion >= rulesVersion ? Effect.succeed(found) : fresh(known)
      )
    }

    /** Creates a store, and its account unless one is named. */
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
        })
      )
      return yield* Effect.orDie(read(id))
    })

    /** Amounts are stored without their currency: it changes only where there are none. */
    const checkCurrency = Effect.fnUntraced(function* (id: string, { currency }: StorePatch) {
      if (currency === undefined) return
      const kept = yield* repository.lockCurrency(id)
      if (kept === undefined || kept === currency) return
      const usedBy = yield* repository.currencyUses(id)
      if (usedBy.length > 0) return yield* new CurrencyInUse({ currency: kept, usedBy })
    })

    /**
     * Keeps the store's currency as it is until the open transaction ends, and answers the store with it. For a
     * transaction that writes amounts, before it reads them.
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
      const found = yield* database.platform(
        Effect.tap(repository.setSuspended(id, suspended ? new Date(now) : null), () => forget(id))
      )
      return yield* found ? read(id) : new StoreNotFound({ id })
    })

    return {
      create,
      context,
      at,
      fresh,
      /** Every one: for the operator who asks for all. */
      list: repository.listStores,
      /** The oldest ones, and how many there are in all. */
      first: repository.firstStores,
      hasAccount: repository.accountExists,
      update,
      /** Lowers how many rows a page of a list has, for 30 days: more were too large for a response. */
      limitList: Effect.fnUntraced(function* ({ id }: StoreContext, list: string, rows: number) {
        const now = yield* Clock.currentTimeMillis
        const limit = { rows, until: now + limitedMillis }
        yield* database.platform(Effect.andThen(repository.limitList(id, list, limit, now), forget(id)))
      }),
      suspend: (id: string) => setSuspended(id, true),
      resume: (id: string) => setSuspended(id, false),
      holdCurrency,
      /**
       * Raises the version that compiled taxes and zones are kept under; called inside the transaction that changes
       * one. Answers the store as it then is.
       */
      bumpRules: (known: StoreContext) =>
        Effect.andThen(
          forget(known.id),
          Effect.map(repository.bumpRules(known.id), (raised) => raised ?? known)
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
/** As long as a language tag of BCP 47 gets. */
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
