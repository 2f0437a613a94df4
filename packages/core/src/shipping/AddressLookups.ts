/**
 * Suggestions of addresses and the address of a suggestion, from the installed provider and within bounds: what a
 * caller may ask, how long and how often at once the provider is called, and how much of its answer is believed.
 */
import { Context, Duration, Effect, Layer, Option, Result, Schema, Semaphore } from "effect"
import { isCountry } from "../kernel/Country.ts"
import { cutText } from "../kernel/CutText.ts"
import { rejectFields } from "../kernel/FieldRejected.ts"
import { problemsOf } from "../kernel/FieldErrors.ts"
import { ownEffect } from "../kernel/OneEffect.ts"
import { normaliseRegion } from "../kernel/Subdivisions.ts"
import { RegionChoice } from "../store/RegionChoice.ts"
import { Regions } from "../store/Regions.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { Stores } from "../store/Stores.ts"
import {
  type AddressSuggestion,
  InstalledAddresses,
  longestPlaceId,
  noAddresses,
  type PlaceAddress,
  type PlaceRequest
} from "./AddressProvider.ts"
import { AddressesUnavailable, PlaceUnknown } from "./ShippingErrors.ts"
import { ShippingZones } from "./ShippingZones.ts"

const longestDescription = 500
const mostSuggestions = 10
/** Calls of one process at once: beyond, the provider counts as unavailable. */
const mostCalls = 32
const defaultTimeout = 3_000

const text = Schema.String.pipe(Schema.check(Schema.isMaxLength(longestDescription)))
const degrees = (most: number) => Schema.Finite.pipe(Schema.check(Schema.isBetween({ minimum: -most, maximum: most })))
const readPlace = Schema.decodeUnknownResult(
  Schema.Struct({
    line1: text,
    city: text,
    region: text,
    postalCode: text,
    country: Schema.String.pipe(Schema.check(Schema.makeFilter((code: string) => isCountry(code.toUpperCase())))),
    lat: degrees(90),
    lng: degrees(180),
    formattedAddress: text
  })
)
const readSuggestion = Schema.decodeUnknownOption(
  Schema.Struct({
    placeId: Schema.NonEmptyString.pipe(Schema.check(Schema.isMaxLength(longestPlaceId))),
    description: Schema.String
  })
)

/** What a storefront asks. `lat` and `lng` are texts of the query. */
export interface SuggestionRequest {
  readonly query: string
  readonly sessionToken: string | null
  readonly lat: string | undefined
  readonly lng: string | undefined
  readonly languages: ReadonlyArray<string>
}

/** Where a storefront sells: the zones of other channels and regions do not serve it. */
export interface LookupPlace extends Omit<PlaceRequest, "storeId"> {
  readonly salesChannelId: string
  readonly regionId: string | null
}

export class AddressLookups extends Context.Service<AddressLookups>()("@effect-commerce/core/shipping/AddressLookups", {
  make: Effect.gen(function* () {
    const { provider, timeout = defaultTimeout } = yield* InstalledAddresses
    const stores = yield* Stores
    const regions = yield* Regions
    const choice = yield* RegionChoice
    const zones = yield* ShippingZones
    const calls = yield* Semaphore.make(mostCalls)

    const unavailable = (cause: unknown) =>
      new AddressesUnavailable({
        provider: provider.name,
        reason: cutText(cause instanceof Error ? cause.message : String(cause), longestDescription)
      })

    const asked = <A>(what: string, call: () => Effect.Effect<A, unknown>): Effect.Effect<A, AddressesUnavailable> =>
      Effect.suspend(() => ownEffect(`the address provider ${provider.name}: ${what}`, call())).pipe(
        Effect.timeoutOrElse({
          duration: Duration.millis(timeout),
          orElse: () => Effect.fail(new Error(`no answer in ${timeout} ms`))
        }),
        Effect.catchDefect((defect) => Effect.fail(defect)),
        calls.withPermitsIfAvailable(1),
        Effect.mapError(unavailable),
        Effect.flatMap(
          Option.match({
            onNone: () => Effect.fail(unavailable(`${mostCalls} calls are under way`)),
            onSome: Effect.succeed
          })
        )
      )

    /** No suggestion is no obstacle: the shopper types on. */
    const suggest = Effect.fnUntraced(function* (store: StoreContext, request: SuggestionRequest) {
      const near = yield* nearOf(request)
      const query = request.query.trim()
      if (query === "" || provider === noAddresses) return []
      const { sessionToken, languages } = request
      const found = yield* asked("suggest", () =>
        provider.suggest({ storeId: store.id, query, sessionToken, near, languages })
      ).pipe(
        Effect.catch(({ reason }) =>
          Effect.as(Effect.logWarning(`The address provider ${provider.name} has suggested nothing: ${reason}`), [])
        )
      )
      return suggestionsOf(found)
    })

    const find = Effect.fnUntraced(function* (
      known: StoreContext,
      { salesChannelId, regionId, ...request }: LookupPlace
    ) {
      yield* regions.checkChosen(known.id, regionId)
      const found = yield* asked("find", () => provider.find({ ...request, storeId: known.id }))
      if (found === undefined || found === null) return yield* new PlaceUnknown({ placeId: request.placeId })
      const read = readPlace(found)
      if (Result.isFailure(read)) return yield* unavailable("what it has returned is no address")
      const address = placeOf(read.success)
      const store = yield* stores.fresh(known)
      const { match } = yield* zones.compiled(store.id, store.rulesVersion)
      const region = (yield* choice.compiled(store.id, store.rulesVersion)).choose(regionId, address.country)
      return { address, inZone: match(address, salesChannelId, region?.id ?? null) !== undefined }
    })

    return { suggest, find }
  })
}) {
  static readonly layer = Layer.effect(AddressLookups, AddressLookups.make)
}

const degreesOf = (given: string | undefined, most: number): number | undefined => {
  if (given === undefined || given.trim() === "") return undefined
  const value = /^-?\d{1,3}(\.\d{1,20})?$/.test(given.trim()) ? Number(given) : Number.NaN
  return Math.abs(value) <= most ? value : Number.NaN
}

const nearOf = Effect.fnUntraced(function* ({ lat, lng }: SuggestionRequest) {
  const [north, east] = [degreesOf(lat, 90), degreesOf(lng, 180)]
  yield* rejectFields(
    problemsOf({
      lat: Number.isNaN(north) ? "must be a number from -90 to 90" : undefined,
      lng: Number.isNaN(east) ? "must be a number from -180 to 180" : undefined
    })
  )
  return north === undefined || east === undefined ? null : { lat: north, lng: east }
})

/** Of what the provider has returned, what can be shown and sent back. */
const suggestionsOf = (found: unknown): ReadonlyArray<AddressSuggestion> =>
  !Array.isArray(found)
    ? []
    : found
        .slice(0, mostSuggestions)
        .flatMap((one) => Option.toArray(readSuggestion(one)))
        .map(({ placeId, description }) => ({ placeId, description: cutText(description, longestDescription) }))

const placeOf = (read: PlaceAddress): PlaceAddress => {
  const country = read.country.toUpperCase()
  return { ...read, country, region: normaliseRegion(country, read.region) }
}
