/**
 * The region of a cart, a checkout or an order: the one that was given, else the active one of the country that it is
 * shipped to, else the store's default, else none. Compiled once per version of the store's rules and process.
 */
import { Context, Effect, Layer } from "effect"
import { compiledRules } from "./compiledRules.ts"
import { type RegionRule, RegionRepository } from "./RegionRepository.ts"

export interface ChosenRegion {
  readonly id: string
  readonly currency: string
  /** Converted amounts are rounded to a multiple of these minor units of its currency; null for its smallest unit. */
  readonly priceRounding: bigint | null
}

/** The active regions of a store. */
export interface CompiledRegions {
  /** An inactive region is not chosen, also where it was given. `country`: where it is shipped to, if that is known. */
  readonly choose: (given: string | null, country: string | null) => ChosenRegion | null
}

export const compileRegions = (regions: ReadonlyArray<RegionRule>): CompiledRegions => {
  const byId = new Map<string, ChosenRegion>()
  const byCountry = new Map<string, ChosenRegion>()
  let fallback: ChosenRegion | null = null
  for (const { id, currency, priceRounding, countries, isDefault } of regions) {
    const region = { id, currency, priceRounding }
    byId.set(id, region)
    for (const country of countries) byCountry.set(country, region)
    if (isDefault) fallback = region
  }
  return {
    choose: (given, country) =>
      (given === null ? undefined : byId.get(given)) ??
      (country === null ? undefined : byCountry.get(country)) ??
      fallback
  }
}

export class RegionChoice extends Context.Service<RegionChoice>()("@effect-commerce/core/store/RegionChoice", {
  make: Effect.gen(function* () {
    const repository = yield* RegionRepository
    return {
      /** The regions of the store at `rulesVersion` or later. An unknown store has none. */
      compiled: compiledRules({
        read: repository.readRules,
        compile: ({ regions }) => compileRegions(regions),
        none: () => compileRegions([])
      })
    }
  })
}) {
  static readonly layer = Layer.effect(RegionChoice, RegionChoice.make).pipe(Layer.provide(RegionRepository.layer))
}
