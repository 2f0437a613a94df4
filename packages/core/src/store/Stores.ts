/**
 * Accounts, stores and their settings. `context` is asked on every request: it answers from memory within `crossProcessDelay`, and at
 * once after a change made by this process.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import type { RowReader } from "../database/RateLimits.ts"
import { isCountry } from "../kernel/Country.ts"
import { isCurrency } from "../kernel/Currency.ts"
import { longProblem, manyProblem } from "../kernel/FieldErrors.ts"
import { isNoId, makeId } from "../kernel/Ids.ts"
import { absenceDelay, crossProcessDelay, TimedCache } from "../kernel/TimedCache.ts"
import type { StoreContext } from "./StoreContext.ts"
import { AccountNotFound, CurrencyChanged, CurrencyInUse, FieldRejected, StoreNotFound } from "./StoreErrors.ts"
import { type StoreChanges, StoreRepository } from "./StoreRepository.ts"

export interface StoresMethods {
  /** Creates a store, and its account unless one is named. */
  readonly create: (input: {
    readonly name: string
    readonly currency: string
    readonly country: string
    readonly accountId?: string | undefined
  }) => Effect.Effect<StoreContext, AccountNotFound | FieldRejected>
  /** `read` reads the store where neither it nor its absence is remembered. */
  readonly context: <E = never>(id: string, read?: RowReader<E>) => Effect.Effect<StoreContext, StoreNotFound | E>
  readonly list: Effect.Effect<ReadonlyArray<StoreContext>>
  readonly update: (store: StoreContext, changes: StoreChanges) => Effect.Effect<StoreContext, FieldRejected | CurrencyInUse>
  readonly suspend: (id: string) => Effect.Effect<StoreContext, StoreNotFound>
  readonly resume: (id: string) => Effect.Effect<StoreContext, StoreNotFound>
  /** Raises the version that compiled taxes and zones are kept under; called inside the transaction that changes one. */
  readonly bumpRules: (id: string) => Effect.Effect<void>
  /** Inside the transaction that writes amounts in the store's currency, before it: they mean the same until it ends. */
  readonly holdCurrency: (store: StoreContext) => Effect.Effect<void, CurrencyChanged>
}

export class Stores extends Context.Service<Stores, StoresMethods>()("@effect-commerce/core/store/Stores") {
  static readonly layer = Layer.effect(
    Stores,
    Effect.gen(function* () {
      const database = yield* Database
      const repository = yield* StoreRepository
      const cache = new TimedCache<StoreContext>(crossProcessDelay, 10_000)

      const unknown = new TimedCache<true>(absenceDelay, 10_000)

      const read = <E = never>(id: string, by?: RowReader<E>) =>
        Effect.flatMap(repository.findStore(id, by), (found) => (found === undefined ? Effect.fail(new StoreNotFound({ id })) : Effect.succeed(found)))

      const context = <E = never>(id: string, by?: RowReader<E>) =>
        Effect.clockWith((clock) =>
          Effect.flatMap(clock.currentTimeMillis, (now): Effect.Effect<StoreContext, StoreNotFound | E> => {
            const cached = cache.get(id, now)
            if (cached !== undefined) return Effect.succeed(cached)
            if (isNoId(id) || unknown.get(id, now) === true) return Effect.fail(new StoreNotFound({ id }))
            const remember = (found: StoreContext) => Effect.sync(() => cache.set(id, found, now))
            const forget = (error: StoreNotFound | E) => Effect.sync(() => error instanceof StoreNotFound && unknown.set(id, true, now))
            return read(id, by).pipe(Effect.tap(remember), Effect.tapError(forget))
          })
        )

      const create = Effect.fn("Stores.create")(function* (input: Parameters<StoresMethods["create"]>[0]) {
        yield* checkSettings(input)
        const now = yield* Clock.currentTimeMillis
        const at = new Date(now)
        const id = makeId("store", now)
        const accountId = input.accountId ?? makeId("acct", now)
        yield* database.platform(
          Effect.gen(function* () {
            if (input.accountId === undefined) yield* repository.insertAccount({ id: accountId, name: input.name, now: at })
            else if (!(yield* repository.accountExists(accountId))) return yield* new AccountNotFound({ id: accountId })
            const { name, currency, country } = input
            yield* repository.insertStore({ id, accountId, settings: { name, currency, country }, now: at })
          })
        )
        return yield* Effect.orDie(read(id))
      })

      /** Amounts are stored without their currency: it changes only where there are none. */
      const checkCurrency = Effect.fnUntraced(function* (id: string, { currency }: StoreChanges) {
        if (currency === undefined) return
        const kept = yield* repository.lockCurrency(id)
        if (kept === undefined || kept === currency) return
        const usedBy = yield* repository.currencyUses(id)
        if (usedBy.length > 0) return yield* new CurrencyInUse({ currency: kept, usedBy })
      })

      const holdCurrency = Effect.fnUntraced(function* ({ id, currency }: StoreContext) {
        const storeCurrency = (yield* repository.holdCurrency(id)) ?? currency
        if (storeCurrency === currency) return
        cache.delete(id)
        return yield* new CurrencyChanged({ currency, storeCurrency })
      })

      const update = Effect.fn("Stores.update")(function* (store: StoreContext, changes: StoreChanges) {
        yield* checkSettings(changes)
        const now = yield* Clock.currentTimeMillis
        yield* database.platform(Effect.andThen(checkCurrency(store.id, changes), repository.updateStore(store.id, changes, new Date(now))))
        cache.delete(store.id)
        return yield* Effect.orDie(context(store.id))
      })

      const setSuspended = Effect.fn("Stores.setSuspended")(function* (id: string, suspended: boolean) {
        const now = yield* Clock.currentTimeMillis
        const found = yield* database.platform(repository.setSuspended(id, suspended ? new Date(now) : null))
        if (!found) return yield* new StoreNotFound({ id })
        cache.delete(id)
        return yield* read(id)
      })

      return Stores.of({
        create,
        context,
        list: repository.listStores,
        update,
        suspend: (id) => setSuspended(id, true),
        resume: (id) => setSuspended(id, false),
        holdCurrency,
        bumpRules: (id) =>
          Effect.andThen(
            repository.bumpRules(id),
            Effect.sync(() => cache.delete(id))
          )
      })
    })
  ).pipe(Layer.provide(StoreRepository.layer))
}

const checkSettings = (settings: StoreChanges): Effect.Effect<void, FieldRejected> => {
  const refuse = (field: string, reason: string) => Effect.fail(new FieldRejected({ field, reason }))
  if (settings.name !== undefined && settings.name.trim() === "") return refuse("name", "must not be empty")
  if (settings.currency !== undefined && !isCurrency(settings.currency)) return refuse("currency", "must be an ISO 4217 code such as USD")
  if (settings.country !== undefined && !isCountry(settings.country)) return refuse("country", "must be an ISO 3166-1 alpha-2 code such as US")
  const tooLarge = sizeProblem(settings)
  if (tooLarge !== undefined) return refuse(...tooLarge)
  if (settings.languages?.length === 0) return refuse("languages", "must name at least one language")
  if (settings.timezone !== undefined && !isTimeZone(settings.timezone)) return refuse("timezone", "must be an IANA time zone such as Europe/Berlin")
  return Effect.void
}

/** Characters of a name of a store or of a channel. */
export const longestName = 200
const mostLanguages = 50
/** As long as a language tag of BCP 47 gets. */
const longestLanguage = 35

const sizeProblem = ({ name, languages = [] }: StoreChanges): readonly [field: string, reason: string] | undefined => {
  const longName = longProblem(name, longestName)
  if (longName !== undefined) return ["name", longName]
  const tooMany = manyProblem(languages.length, mostLanguages)
  const reason = tooMany ?? languages.map((language) => longProblem(language, longestLanguage)).find((problem) => problem !== undefined)
  return reason === undefined ? undefined : ["languages", reason]
}

const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name })
    return true
  } catch {
    return false
  }
}
