/**
 * Addresses of Wayfinder, an invented company: a port of two calls. Its requests take no longer than ours allow, because
 * they are aborted with the effect that makes them.
 */
import type { AddressProvider, PlaceAddress } from "@effect-commerce/core/shipping/AddressProvider"
import { Effect } from "effect"

export interface WayfinderOptions {
  readonly apiBase: string
  readonly apiKey: string
}

interface Found {
  readonly results: ReadonlyArray<{ readonly ref: string; readonly label: string }>
}

interface Place {
  readonly street: string
  readonly houseNumber: string | null
  readonly town: string
  readonly subdivision: string | null
  readonly postcode: string | null
  readonly countryCode: string
  readonly position: readonly [longitude: number, latitude: number]
  readonly label: string
}

/** Undefined for what Wayfinder does not know. The error names the status and never the key. */
const request = <A>({ apiBase, apiKey }: WayfinderOptions, path: string, query: Readonly<Record<string, string>>) =>
  Effect.tryPromise({
    try: async (signal): Promise<A | undefined> => {
      const response = await fetch(`${apiBase}${path}?${new URLSearchParams(query)}`, {
        headers: { authorization: `Bearer ${apiKey}` },
        signal
      })
      if (response.status === 404) return undefined
      if (!response.ok) throw new Error(`Wayfinder has answered ${response.status}`)
      return (await response.json()) as A
    },
    catch: (cause) => (cause instanceof Error ? cause : new Error(String(cause)))
  })

const addressOf = (place: Place): PlaceAddress => ({
  line1: [place.street, place.houseNumber].filter((part) => part !== null).join(" "),
  city: place.town,
  region: place.subdivision ?? "",
  postalCode: place.postcode ?? "",
  country: place.countryCode,
  lat: place.position[1],
  lng: place.position[0],
  formattedAddress: place.label
})

export const wayfinder = (options: WayfinderOptions): AddressProvider => ({
  name: "wayfinder",
  suggest: ({ query, near, sessionToken, languages: [language = "en"] }) =>
    request<Found>(options, "/search", {
      text: query,
      language,
      ...(near === null ? {} : { near: `${near.lng},${near.lat}` }),
      ...(sessionToken === null ? {} : { session: sessionToken })
    }).pipe(
      Effect.map((found) => (found?.results ?? []).map(({ ref, label }) => ({ placeId: ref, description: label })))
    ),
  find: ({ placeId, sessionToken, languages: [language = "en"] }) =>
    request<Place>(options, `/places/${encodeURIComponent(placeId)}`, {
      language,
      ...(sessionToken === null ? {} : { session: sessionToken })
    }).pipe(Effect.map((place) => (place === undefined ? undefined : addressOf(place))))
})
