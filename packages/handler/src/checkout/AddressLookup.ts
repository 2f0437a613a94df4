/** Suggestions of addresses while a shopper types one, and the address of a suggestion. */
import { arrayOf, boolean, described, number, optional, string, text } from "@effect-commerce/core/kernel/Fields"
import { longestAddressQuery, longestPlaceId } from "@effect-commerce/core/shipping/AddressProvider"
import { Schema } from "effect"

export const addressSearch = {
  q: optional(text(longestAddressQuery), "What the shopper has typed so far.", "12 Market St"),
  sessionToken: optional(
    text(200),
    "The same value for all requests of one search, for providers that bill by search."
  ),
  lat: optional(text(200), "Latitude of the shopper, to prefer what is near."),
  lng: optional(text(200), "Longitude of the shopper, to prefer what is near.")
}

export const AddressSuggestions = Schema.Struct({
  suggestions: arrayOf(
    Schema.Struct({
      placeId: string("Id of the place: ask for its address with it."),
      description: string("The address in one line.")
    }).annotate({ identifier: "AddressSuggestion", description: "An address that may be meant." }),
    "The suggestions, best first."
  )
}).annotate({ identifier: "AddressSuggestions", description: "Addresses that may be meant." })

export const placeQuery = {
  placeId: described(
    Schema.NonEmptyString.pipe(Schema.check(Schema.isMaxLength(longestPlaceId))),
    "Id of the place, of a suggestion."
  ),
  sessionToken: optional(text(200), "The value that the suggestions were asked with."),
  regionId: optional(text(200), "The region the shopper buys from.")
}

/** What a place of an address suggestion is. */
export const PlaceView = Schema.Struct({
  address: Schema.Struct({
    line1: string("Street and house number.", "12 Market Street"),
    city: string("City or town.", "San Francisco"),
    region: string("Subdivision code without the country.", "CA"),
    postalCode: string("Postal code.", "94105"),
    country: string("ISO 3166-1 alpha-2 country code.", "US"),
    lat: number("Latitude in degrees."),
    lng: number("Longitude in degrees."),
    formattedAddress: string("The address in one line.")
  }).annotate({ identifier: "PlaceAddress", description: "The address of a place." }),
  inZone: boolean("Whether a shipping zone of the store serves it, on this channel and in the region of the request.")
}).annotate({ identifier: "Place", description: "A suggested address, in full." })
