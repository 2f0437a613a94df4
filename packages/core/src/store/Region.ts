/**
 * A region: a market of a store, with its countries and its currency. A country belongs to at most one active region.
 */
import { Effect, Schema } from "effect"
import { isCountry, normaliseCountry } from "../kernel/Country.ts"
import { isCurrency } from "../kernel/Currency.ts"
import { itemProblems } from "../kernel/FieldErrors.ts"
import { checkAll, checkFilled, FieldRejected, rejectFields } from "../kernel/FieldRejected.ts"
import {
  arrayOf,
  boolean,
  clearable,
  type Complete,
  Decimal,
  described,
  nullable,
  nullableMoney,
  optional,
  string,
  text,
  timestamp
} from "../kernel/Fields.ts"
import { formatMoney, parseAmount } from "../kernel/Money.ts"
import type { StoreContext } from "./StoreContext.ts"
import type { StoreBound } from "../kernel/StoreBound.ts"

export const regionBound: StoreBound = { field: "regions", most: 500, words: "regions" }

/** The most countries of a region (more than there are), and the most providers that it may name. */
const mostCountries = 300
const mostProviders = 100

const name = text(200)
const currency = described(
  text(3),
  "Currency of the region: ISO 4217. Where it is not the store's, checkouts are presented in it by a rate " +
    "of exchange.",
  "EUR"
)
const countriesWords = "Countries of the region: ISO 3166-1 alpha-2."
const countries = Schema.Array(text(10)).pipe(Schema.check(Schema.isMaxLength(mostCountries)))
const taxInclusiveWords = "Whether new tax rates of its countries are contained in prices, unless they say otherwise."
const roundingWords = "Converted prices are rounded to a multiple of this amount of its currency"
const fields = {
  taxInclusive: optional(Schema.Boolean, `${taxInclusiveWords} As the store's priceIncludesTax by default.`),
  priceRounding: clearable(Decimal, `${roundingWords}; null for its smallest unit.`, "0.05"),
  providerInstallationIds: optional(
    Schema.Array(text(100)).pipe(Schema.check(Schema.isMaxLength(mostProviders))),
    "Payment providers and installations that serve it. Empty for all that serve its currency."
  ),
  isDefault: optional(Schema.Boolean, "Makes it the store's default region, in place of the one before."),
  isActive: optional(Schema.Boolean, "Whether shoppers can choose it. True by default.")
}

export const RegionInput = Schema.Struct({
  name: described(name, "Name of the region.", "Europe"),
  currency,
  countries: described(countries, countriesWords, ["DE", "AT"]),
  ...fields
}).annotate({ identifier: "CreateRegion", description: "A region to create." })
export type RegionInput = typeof RegionInput.Type

/** The stored fields of a region. */
export interface RegionFields extends Omit<Complete<RegionInput>, "priceRounding"> {
  /** Minor units of the region's currency. */
  readonly priceRounding: bigint | null
}

/** A payment provider of the store or an app that it has installed, as far as a region needs to know it. */
export interface RegionProvider {
  readonly id: string
  /** The type of the provider; of an installation the app's name in addresses. */
  readonly type: string
  readonly isEnabled: boolean
  /** The name of the app; null for a payment provider of the store's own. */
  readonly appName: string | null
}

export interface RegionState extends RegionFields {
  readonly id: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

export const RegionPatch = Schema.Struct({
  name: optional(name, "Name of the region.", "Europe"),
  currency: Schema.optionalKey(currency),
  countries: optional(countries, `${countriesWords} They replace those that are there.`, ["DE", "AT"]),
  ...fields
}).annotate({ identifier: "UpdateRegion", description: "Changes of a region. What is left out stays as it is." })
export type RegionPatch = typeof RegionPatch.Type

const shared = {
  id: string("Id of the region."),
  name: string("Name of the region.", "Europe"),
  currency: string(
    "Currency of the region: ISO 4217. Where it is not the store's, checkouts are presented in it by a rate " +
      "of exchange.",
    "EUR"
  ),
  countries: arrayOf(Schema.String, `${countriesWords} A country belongs to at most one active region.`),
  taxInclusive: boolean(taxInclusiveWords),
  isDefault: boolean("Whether it is the store's default region.")
}

export const RegionView = Schema.Struct({
  ...shared,
  storeId: string("The store it belongs to."),
  priceRounding: nullableMoney(`${roundingWords}; null for its smallest unit.`, "0.05"),
  providerInstallationIds: arrayOf(
    Schema.String,
    "Payment providers and installations that serve it; empty for all that serve its currency."
  ),
  isActive: boolean("Whether shoppers can choose it."),
  createdAt: timestamp("When it was created."),
  updatedAt: timestamp("When it was last changed: the version that If-Match compares.")
}).annotate({ identifier: "Region", description: "A market of a store, with its countries and its currency." })
export type RegionView = typeof RegionView.Type

export const StorefrontRegion = Schema.Struct(shared).annotate({
  identifier: "StorefrontRegion",
  description: "A region that shoppers can choose."
})
export type StorefrontRegion = typeof StorefrontRegion.Type

export const CompatibleProvider = Schema.Struct({
  id: string("Id of the installation or of the store's payment provider."),
  appId: string("Id of the app that is installed; of a payment provider of the store's own, its type.", "stripe"),
  app: nullable(
    Schema.Struct({
      id: string("Id of the app."),
      name: string("Name of the app."),
      slug: string("Name of the app in addresses.")
    }).annotate({ identifier: "ProviderApp", description: "The app behind a payment provider." }),
    "The app; null for a payment provider of the store's own."
  )
}).annotate({
  identifier: "CompatibleProvider",
  description: "A payment provider or an installed app that serves a region."
})
export type CompatibleProvider = typeof CompatibleProvider.Type

export const toRegionView = (
  storeId: string,
  { priceRounding, createdAt, updatedAt, ...region }: RegionState
): RegionView => ({
  ...region,
  storeId,
  priceRounding: priceRounding === null ? null : formatMoney(priceRounding, region.currency),
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString()
})

export const toStorefrontRegion = (region: RegionState): StorefrontRegion => ({
  id: region.id,
  name: region.name,
  currency: region.currency,
  countries: region.countries,
  taxInclusive: region.taxInclusive,
  isDefault: region.isDefault
})

/** The providers and installations that serve a region: those of its list, or all where it has none. */
export const compatibleWith = (
  { providerInstallationIds }: RegionFields,
  providers: ReadonlyArray<RegionProvider>
): ReadonlyArray<CompatibleProvider> =>
  providers
    .filter(
      ({ id, isEnabled }) => isEnabled && (providerInstallationIds.length === 0 || providerInstallationIds.includes(id))
    )
    .map(({ id, type, appName }) => ({
      id,
      appId: type,
      app: appName === null ? null : { id: type, name: appName, slug: type }
    }))

/** A new region with its default values. */
export const blankRegion = (store: StoreContext): RegionFields => ({
  name: "",
  currency: store.currency,
  countries: [],
  taxInclusive: store.priceIncludesTax,
  priceRounding: null,
  providerInstallationIds: [],
  isDefault: false,
  isActive: true
})

/** The rounding to store: after a change of currency it is the same amount in major units. */
const roundingOf = (
  current: RegionFields,
  given: RegionPatch["priceRounding"],
  currency: string
): Effect.Effect<bigint | null, FieldRejected> => {
  const kept = current.priceRounding === null ? null : formatMoney(current.priceRounding, current.currency)
  const wanted = given === undefined ? kept : given
  if (wanted === null) return Effect.succeed(null)
  const minor = parseAmount(wanted, currency)
  if (typeof minor !== "bigint") return FieldRejected.at("priceRounding", minor.message)
  return minor === 0n ? FieldRejected.at("priceRounding", "must be more than 0") : Effect.succeed(minor)
}

/** The region after the changes. */
export const changeRegion = Effect.fnUntraced(function* (
  current: RegionFields,
  changes: RegionPatch,
  providers: ReadonlyArray<RegionProvider>
) {
  const { priceRounding, countries: given, providerInstallationIds, ...others } = changes
  const currency = changes.currency ?? current.currency
  const countries = [...new Set((given ?? current.countries).map(normaliseCountry))]
  const providerIds = [...new Set(providerInstallationIds ?? current.providerInstallationIds)]
  const region = { ...current, ...others, name: (changes.name ?? current.name).trim(), currency, countries }
  const read = yield* checkAll({
    name: checkFilled("name", changes.name),
    currency: isCurrency(currency) ? Effect.void : FieldRejected.at("currency", "must be an ISO 4217 code such as USD"),
    countries: rejectFields(
      itemProblems("countries", countries, (country) =>
        isCountry(country) ? undefined : "must be an ISO 3166-1 alpha-2 country code such as US"
      )
    ),
    priceRounding: isCurrency(currency) ? roundingOf(current, priceRounding, currency) : Effect.succeed(null),
    providers: rejectFields(
      itemProblems("providerInstallationIds", providerInstallationIds ?? [], (id) =>
        providers.some((known) => known.id === id)
          ? undefined
          : `${id} is not a payment provider or installation of this store`
      )
    ),
    isActive:
      region.isDefault && !region.isActive
        ? FieldRejected.at("isActive", "the default region must be active")
        : Effect.void
  })
  const changed: RegionFields = {
    ...region,
    priceRounding: read.priceRounding,
    providerInstallationIds: providerIds
  }
  return changed
})
