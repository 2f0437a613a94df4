/**
 * The port to a company that knows addresses: it suggests them while a shopper types, and returns the chosen one.
 *
 * What it decides: which addresses may be meant, and what an address is; never whether the store ships there, which the
 * shipping zones say. When it is called: for each request of a storefront that suggests addresses, with no transaction
 * open, for at most `timeout`. How it differs from its neighbour: `PaymentProvider` is asked for what must happen once,
 * and this one for a convenience, so a failure of it keeps nobody from buying: suggestions are then none, and a place
 * is 503, and the shopper types the address. What the default does: it knows no address and calls nobody.
 *
 * Every method may fail with any error: its message is logged, and never shown.
 */
import { Context, Effect } from "effect"

/** Characters of what a shopper has typed. */
export const longestAddressQuery = 200
export const longestPlaceId = 1_000

/** What a shopper has typed so far. */
export interface AddressSearch {
  readonly storeId: string
  /** Not blank, at most 200 characters. */
  readonly query: string
  /** The same for all requests of one search, for companies that bill by search; null where there is none. */
  readonly sessionToken: string | null
  /** Where the shopper is, to prefer what is near; null where that is not known. */
  readonly near: { readonly lat: number; readonly lng: number } | null
  /** The languages of the request, best first: `pt-BR`, `pt`. */
  readonly languages: ReadonlyArray<string>
}

export interface AddressSuggestion {
  /** The company's id of the place, at most 1,000 characters. */
  readonly placeId: string
  /** The address in one line. Of more than 500 characters the first are shown. */
  readonly description: string
}

export interface PlaceRequest {
  readonly storeId: string
  /** The `placeId` of a suggestion, as a storefront has sent it. */
  readonly placeId: string
  readonly sessionToken: string | null
  readonly languages: ReadonlyArray<string>
}

export interface PlaceAddress {
  /** Street and house number; empty where the place has none. */
  readonly line1: string
  readonly city: string
  /** Subdivision code, `CA` or `US-CA`; empty where the country has none. */
  readonly region: string
  /** Empty where the place has none. */
  readonly postalCode: string
  /** ISO 3166-1 alpha-2. */
  readonly country: string
  /** In degrees; they decide whether a zone that is drawn as a polygon serves the place. */
  readonly lat: number
  readonly lng: number
  readonly formattedAddress: string
}

export interface AddressProvider {
  /** What the log calls it. */
  readonly name: string
  /** Best first. At most ten are shown. */
  readonly suggest: (search: AddressSearch) => Effect.Effect<ReadonlyArray<AddressSuggestion>, unknown>
  /** The address of a place; undefined for an id that the company does not know. */
  readonly find: (place: PlaceRequest) => Effect.Effect<PlaceAddress | undefined, unknown>
}

/** Where addresses come from in an installation. */
export interface AddressOptions {
  readonly provider: AddressProvider
  /** Milliseconds that a call may take: 3,000 by default. */
  readonly timeout?: number | undefined
}

/** Knows no address, and calls nobody. */
export const noAddresses: AddressProvider = {
  name: "none",
  suggest: () => Effect.succeed([]),
  find: () => Effect.undefined
}

/** What is installed: `createCommerce({ addresses: { provider } })`. */
export const InstalledAddresses: Context.Reference<AddressOptions> = Context.Reference(
  "@effect-commerce/core/shipping/InstalledAddresses",
  { defaultValue: () => ({ provider: noAddresses }) }
)
