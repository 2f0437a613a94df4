/**
 * A shipping zone as it is stored and as the API returns it, the bodies of a create and an update, and their checks.
 * Coverage is checked by ZoneCoverage.ts.
 */
import { Result, Schema } from "effect"
import {
  blankProblem,
  type FieldErrors,
  itemProblems,
  longProblem,
  manyProblem,
  maxInt4,
  problemsOf,
  wholeProblem
} from "../kernel/FieldErrors.ts"
import { arrayOf, boolean, clearable, described, integer, optional, string, timestamp } from "../kernel/Fields.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { zoneBounds } from "../zone/ZoneBounds.ts"
import { ShippingRate, type ShippingRateState, toShippingRate } from "./ShippingRate.ts"
import { checkZoneCoverage } from "../zone/ZoneCoverage.ts"
import type { MatchableZone } from "../zone/ZoneMatcher.ts"

/** `rates` are in the order in which they are offered: createdAt, id. */
export interface ShippingZoneState extends MatchableZone {
  readonly name: string
  readonly geometryLabels: ReadonlyArray<string>
  readonly updatedAt: Date
  readonly rates: ReadonlyArray<ShippingRateState>
}

const textsByCountry = Schema.Record(Schema.String, Schema.Array(Schema.String))

const sentences = {
  countries: "Countries of the zone: ISO 3166-1 alpha-2. Empty without a geometry: every country.",
  regions: "Subdivisions by country code; a country without an entry belongs to the zone as a whole.",
  postalCodes:
    "Postal codes by country code: exact (94105), by prefix (941*) or as a range (94100-94199). A country without an " +
    "entry has no such limit.",
  geometry:
    "GeoJSON Polygon or MultiPolygon with [lng, lat] positions (RFC 7946). Addresses inside belong to the zone; only " +
    "an address with lat and lng is compared. At most 5000 points.",
  geometryLabels: "Names for the parts of the geometry, for people; at most 100.",
  regionIds: "Regions of the store that the zone is for; empty: every region.",
  salesChannelIds: "Sales channels that the zone is for; empty: every channel.",
  priority: "Zones are tried from the lowest number on, and the first that matches supplies the rates.",
  isActive: "Whether the zone is used."
}
const RatesCount = Schema.Struct({ rates: integer("How many rates the zone has.", 1) }).annotate({
  identifier: "ShippingZoneCount",
  description: "The same as ratesCount, in another shape."
})

/** On the wire. `warnings` is returned only by a write that has some. */
export const ShippingZone = Schema.Struct({
  id: string("Id of the zone."),
  accountId: string("The account that owns the store."),
  storeId: string("The store that the zone belongs to."),
  name: string("Name of the zone, for the merchant.", "United States"),
  countries: arrayOf(Schema.String, sentences.countries),
  regions: described(textsByCountry, sentences.regions, { US: ["CA"] }),
  postalCodes: described(textsByCountry, sentences.postalCodes, { US: ["941*"] }),
  geometry: described(Schema.NullOr(Schema.Json), sentences.geometry + " null without one."),
  hasGeometry: boolean("Whether the zone has a geometry."),
  geometryLabels: arrayOf(Schema.String, sentences.geometryLabels),
  regionIds: arrayOf(Schema.String, sentences.regionIds),
  salesChannelIds: arrayOf(Schema.String, sentences.salesChannelIds),
  priority: integer(sentences.priority, 0),
  isActive: boolean(sentences.isActive),
  rateSource: described(Schema.Literal("MANUAL"), "How rates are provided: by the merchant."),
  platformSettings: described(Schema.Null, "Settings of another platform; always null."),
  createdAt: timestamp("When the zone was created."),
  updatedAt: timestamp("When it last changed. It is the version that If-Match names."),
  rates: arrayOf(
    ShippingRate,
    "The rates of the zone, in the order in which they were created: the order in which a checkout lists them."
  ),
  ratesCount: integer("How many rates the zone has.", 1),
  _count: RatesCount,
  warnings: Schema.optionalKey(
    arrayOf(Schema.String, "What the merchant should know about a zone that was just written; absent without any.")
  )
}).annotate({ identifier: "ShippingZone", description: "A part of the world with its own shipping rates." })
export type ShippingZone = typeof ShippingZone.Type

export const toShippingZone = (
  store: StoreContext,
  state: ShippingZoneState,
  warnings: ReadonlyArray<string> = []
): ShippingZone => ({
  id: state.id,
  accountId: store.accountId,
  storeId: store.id,
  name: state.name,
  countries: state.countries,
  regions: state.regions,
  postalCodes: state.postalCodes,
  // Passed the check of ZoneCoverage.ts before it was stored, or is null: plain JSON either way.
  geometry: state.geometry as Schema.Json,
  hasGeometry: state.geometry !== null,
  geometryLabels: state.geometryLabels,
  regionIds: state.regionIds,
  salesChannelIds: state.salesChannelIds,
  priority: state.priority,
  isActive: state.isActive,
  rateSource: "MANUAL",
  platformSettings: null,
  createdAt: state.createdAt.toISOString(),
  updatedAt: state.updatedAt.toISOString(),
  rates: state.rates.map((rate) => toShippingRate(rate, store.currency)),
  ratesCount: state.rates.length,
  _count: { rates: state.rates.length },
  ...(warnings.length === 0 ? {} : { warnings })
})

const texts = Schema.Array(Schema.String)
const name = described(Schema.String, "Name of the zone, for the merchant.", "United States")
const countries = described(texts, sentences.countries, ["US"])
const fields = {
  regions: clearable(textsByCountry, sentences.regions, { US: ["CA"] }),
  postalCodes: clearable(textsByCountry, sentences.postalCodes, { US: ["941*"] }),
  geometry: clearable(Schema.Json, sentences.geometry),
  geometryLabels: clearable(texts, sentences.geometryLabels),
  regionIds: clearable(texts, sentences.regionIds),
  salesChannelIds: clearable(texts, sentences.salesChannelIds),
  priority: optional(Schema.Int, sentences.priority + " Default: 0.", 0),
  isActive: optional(Schema.Boolean, sentences.isActive + " Default: true.")
}

/** Ids of sales channels are accepted with or without the `vc_` prefix. */
export const NewShippingZone = Schema.Struct({ name, countries, ...fields }).annotate({
  identifier: "NewShippingZone",
  description: "A zone to create."
})
export type NewShippingZone = typeof NewShippingZone.Type

export const ShippingZoneChanges = Schema.Struct({
  name: Schema.optionalKey(name),
  countries: Schema.optionalKey(countries),
  ...fields
}).annotate({
  identifier: "ChangeShippingZone",
  description: "What to change. An absent field stays as it is, null clears it."
})
export type ShippingZoneChanges = typeof ShippingZoneChanges.Type

/** What zones can be sorted by. */
export const zoneSorts = ["name", "createdAt", "updatedAt", "priority"] as const
export type ZoneSort = (typeof zoneSorts)[number]

export interface ZoneFilter {
  /** Part of the name, in any case. */
  readonly search?: string | undefined
  readonly isActive?: boolean | undefined
  /** Absent: the order in which zones are tried. */
  readonly sort?: { readonly by: ZoneSort; readonly descending: boolean } | undefined
}

/** A new zone with its default values. */
export const blankShippingZone = (id: string, at: Date): ShippingZoneState => ({
  id,
  name: "",
  countries: [],
  regions: {},
  postalCodes: {},
  geometry: null,
  geometryLabels: [],
  regionIds: [],
  salesChannelIds: [],
  priority: 0,
  isActive: true,
  createdAt: at,
  updatedAt: at,
  rates: []
})

/** The ids that a zone may name. */
export interface ZoneReferences {
  /** The channels of the store. */
  readonly salesChannelIds: ReadonlySet<string>
  readonly regionIds: ReadonlySet<string>
}

const given = <A>(value: A | null | undefined, current: A, cleared: A): A =>
  value === undefined ? current : (value ?? cleared)

const fullChannelId = (id: string): string => (id.startsWith("vc_") ? id : `vc_${id}`)

export const touchesCoverage = ({ countries, regions, postalCodes, geometry }: ShippingZoneChanges): boolean =>
  [countries, regions, postalCodes, geometry].some((field) => field !== undefined)

/** The problem of a list with more than `most` entries, else the problems of its entries. */
const listProblems = (
  field: string,
  items: ReadonlyArray<string> | null | undefined,
  most: number,
  problem: (item: string) => string | undefined
) => {
  const tooMany = manyProblem(items?.length ?? 0, most)
  return tooMany === undefined ? itemProblems(field, items ?? [], problem) : { [field]: tooMany }
}

const errorsOf = (
  { name, priority, regionIds, salesChannelIds, geometryLabels }: ShippingZoneChanges,
  references: ZoneReferences
): FieldErrors => ({
  ...problemsOf({
    name: blankProblem(name) ?? longProblem(name, zoneBounds.name),
    priority: wholeProblem(priority, 0, maxInt4)
  }),
  ...listProblems("geometryLabels", geometryLabels, zoneBounds.labels, (label) => longProblem(label, zoneBounds.name)),
  ...listProblems("salesChannelIds", salesChannelIds, zoneBounds.ids, (id) =>
    references.salesChannelIds.has(fullChannelId(id)) ? undefined : "is not a sales channel of this store"
  ),
  ...listProblems("regionIds", regionIds, zoneBounds.ids, (id) =>
    references.regionIds.has(id) ? undefined : "is not a region of this store"
  )
})

/** The zone after the changes and warnings for the merchant, or what is wrong with each field. */
export const changeShippingZone = (
  current: ShippingZoneState,
  changes: ShippingZoneChanges,
  references: ZoneReferences,
  at: Date
): Result.Result<{ readonly zone: ShippingZoneState; readonly warnings: ReadonlyArray<string> }, FieldErrors> => {
  const errors = errorsOf(changes, references)
  const wanted = {
    countries: changes.countries ?? current.countries,
    regions: given(changes.regions, current.regions, {}),
    postalCodes: given(changes.postalCodes, current.postalCodes, {}),
    geometry: changes.geometry === undefined ? current.geometry : changes.geometry
  }
  const coverage = touchesCoverage(changes) ? checkZoneCoverage(wanted) : Result.succeed({ ...wanted, warnings: [] })
  if (Result.isFailure(coverage)) return Result.fail({ ...errors, ...coverage.failure })
  if (Object.keys(errors).length > 0) return Result.fail(errors)
  const { warnings, ...covered } = coverage.success
  const zone: ShippingZoneState = {
    ...current,
    ...covered,
    name: changes.name?.trim() ?? current.name,
    geometryLabels: given(changes.geometryLabels, current.geometryLabels, []),
    regionIds: [...new Set(given(changes.regionIds, current.regionIds, []))],
    salesChannelIds: [...new Set(given(changes.salesChannelIds, current.salesChannelIds, []).map(fullChannelId))],
    priority: changes.priority ?? current.priority,
    isActive: changes.isActive ?? current.isActive,
    updatedAt: at
  }
  return Result.succeed({ zone, warnings })
}
