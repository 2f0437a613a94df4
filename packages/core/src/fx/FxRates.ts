/**
 * The rates of exchange of a store, and how a checkout is presented by them. A rate is a rule: a write raises the
 * store's rules version in its transaction and does so first, and rates are compiled once per version and process.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { checkVersion, nextVersion } from "../database/Precondition.ts"
import { isCurrency } from "../kernel/Currency.ts"
import { checkAll, FieldRejected } from "../kernel/FieldRejected.ts"
import { mapItems, type Page } from "../kernel/Pagination.ts"
import { formatRate, parseRate } from "../kernel/Rate.ts"
import { compiledRules } from "../store/compiledRules.ts"
import type { ChosenRegion } from "../store/RegionChoice.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { Stores } from "../store/Stores.ts"
import { type FxRateInput, type FxRateState, parseExchangeRate, toFxRate } from "./ExchangeRate.ts"
import { FxRateRepository } from "./FxRateRepository.ts"
import type { PresentedIn } from "./Presentment.ts"

export class FxRates extends Context.Service<FxRates>()("@effect-commerce/core/fx/FxRates", {
  make: Effect.gen(function* () {
    const database = yield* Database
    const repository = yield* FxRateRepository
    const stores = yield* Stores

    /** The rates of the store at `rulesVersion` or later, by pair. */
    const compiled = compiledRules({
      read: repository.readRules,
      compile: ({ rates }) => new Map(rates.map((rate) => [pairOf(rate.base, rate.quote), rate])),
      none: () => new Map<string, FxRateState>()
    })

    /** Sets or removes the rate of a pair. One that stays the same keeps its version. */
    const put = Effect.fn("FxRates.put")(function* (known: StoreContext, input: FxRateInput) {
      const now = yield* Clock.currentTimeMillis
      return yield* database.write(known.id)(
        Effect.gen(function* () {
          const store = yield* stores.bumpRules(known)
          const { rate, ...pair } = yield* readPair(store, input)
          const before = yield* repository.find(store.id, pair)
          const version = before?.updatedAt ?? store.createdAt
          yield* checkVersion(version)
          if (before !== undefined && isSame(before, { ...pair, rate })) return toFxRate(before)
          const updatedAt = nextVersion(version, now)
          if (rate === null) yield* repository.remove(store.id, pair)
          else yield* repository.save(store.id, { ...pair, rate, updatedAt })
          return toFxRate({ ...pair, rate, updatedAt })
        })
      )
    })

    /** How a checkout in `currency` is presented in this region by the rates of now. */
    const presentedIn = (
      store: StoreContext,
      currency: string,
      region: ChosenRegion | null
    ): Effect.Effect<PresentedIn> => {
      const unconverted = {
        regionId: region?.id ?? null,
        currency: region?.currency ?? currency,
        rate: null,
        bufferPercent: null,
        rounding: "1"
      }
      if (region === null || region.currency === currency) return Effect.succeed(unconverted)
      return Effect.map(compiled(store.id, store.rulesVersion), (rates) => {
        const found = rates.get(pairOf(currency, region.currency))
        if (found === undefined) return unconverted
        const { rate, bufferPercent } = found
        return { ...unconverted, rate, bufferPercent, rounding: String(region.priceRounding ?? 1n) }
      })
    }

    return {
      put,
      /** By currency. */
      list: (store: StoreContext, page: Page) => mapItems(repository.list(store.id, page), toFxRate),
      presentedIn
    }
  })
}) {
  static readonly layer = Layer.effect(FxRates, FxRates.make).pipe(Layer.provide(FxRateRepository.layer))
}

const pairOf = (base: string, quote: string): string => `${base}/${quote}`

/** `rate` null removes it. */
type ReadPair = Omit<FxRateState, "updatedAt" | "rate"> & { readonly rate: string | null }

const isSame = (a: ReadPair, b: ReadPair): boolean => a.rate === b.rate && a.bufferPercent === b.bufferPercent

const readPair = (
  { currency }: StoreContext,
  { base = currency, quote, rate, bufferPercent = "0" }: FxRateInput
): Effect.Effect<ReadPair, FieldRejected> =>
  checkAll({
    base:
      base === currency ? Effect.succeed(base) : FieldRejected.at("base", `must be ${currency}, the store's currency`),
    quote: otherCurrency(currency, quote),
    rate: rate === null ? Effect.succeed(null) : exchangeRate(rate),
    bufferPercent: percentage(bufferPercent)
  })

const otherCurrency = (currency: string, quote: string): Effect.Effect<string, FieldRejected> => {
  if (quote === currency) return FieldRejected.at("quote", "must be another currency than the store's")
  return isCurrency(quote) ? Effect.succeed(quote) : FieldRejected.at("quote", "must be an ISO 4217 code such as JPY")
}

const exchangeRate = (given: number | string): Effect.Effect<string, FieldRejected> => {
  const rate = parseExchangeRate(given)
  return typeof rate === "string" ? FieldRejected.at("rate", rate) : Effect.succeed(formatRate(rate))
}

const percentage = (given: number | string): Effect.Effect<string, FieldRejected> => {
  const percent = parseRate(given)
  return "_tag" in percent ? FieldRejected.at("bufferPercent", percent.message) : Effect.succeed(formatRate(percent))
}
