/** A postal address. `region` is the ISO 3166-2 subdivision code; `lat` and `lng` decide polygon zones only. */
import { Schema } from "effect"
import { isCountry } from "./Country.ts"
import { trimmedText } from "./GivenText.ts"
import { normaliseRegion } from "./Subdivisions.ts"
import { clearable, described, filledText, nullableNumber, nullableString, string, text } from "./Fields.ts"

/** ISO 3166-1 alpha-2 in any case. */
const Country = Schema.String.pipe(
  Schema.check(
    Schema.makeFilter(
      (code: string) => isCountry(code.toUpperCase()) || "must be an ISO 3166-1 alpha-2 country code such as US"
    )
  )
)

const degrees = (most: number) => Schema.Finite.pipe(Schema.check(Schema.isBetween({ minimum: -most, maximum: most })))

/** An address in a request. Postal codes are not format-checked: not every country has them. */
export const AddressInput = Schema.Struct({
  firstName: clearable(text(100), "First name of the person who receives.", "Ada"),
  lastName: clearable(text(100), "Last name of the person who receives.", "Lovelace"),
  name: clearable(text(200), "The full name in one field. It is used where `firstName` is left out."),
  company: clearable(text(200), "Company that receives, if any."),
  line1: described(filledText(300), "Street and house number.", "12 Market Street"),
  line2: clearable(text(300), "Second line: flat, floor, building."),
  city: described(filledText(200), "City or town.", "San Francisco"),
  region: clearable(text(100), "Subdivision code: `CA` or `US-CA`. Taxes and shipping zones use it.", "CA"),
  state: clearable(text(100), "The same as `region`, which wins where both are given."),
  postalCode: clearable(text(20), "Postal code, in whatever form the country writes it.", "94105"),
  country: described(Country, "ISO 3166-1 alpha-2 country code, in upper or lower case.", "US"),
  phone: clearable(text(40), "Telephone number for the carrier.", "+14155550100"),
  lat: clearable(degrees(90), "Latitude in degrees. Needed only where shipping zones are drawn as polygons."),
  lng: clearable(degrees(180), "Longitude in degrees. Needed only where shipping zones are drawn as polygons.")
}).annotate({ identifier: "AddressInput", description: "A postal address in a request." })
export type AddressInput = typeof AddressInput.Type

/** Fields of all addresses in responses, except the region, which has two names. */
const addressFields = {
  firstName: nullableString("First name of the person who receives.", "Ada"),
  lastName: nullableString("Last name of the person who receives.", "Lovelace"),
  company: nullableString("Company that receives."),
  line1: string("Street and house number.", "12 Market Street"),
  line2: nullableString("Second line: flat, floor, building."),
  city: string("City or town.", "San Francisco")
}
const regionText = "Subdivision code without the country: `CA`. Null where none was given."
const addressEnd = {
  postalCode: nullableString("Postal code, as it was given.", "94105"),
  country: string("ISO 3166-1 alpha-2 country code in upper case.", "US"),
  phone: nullableString("Telephone number for the carrier.", "+14155550100")
}

/** An address as stored and as checkouts show it. */
export const Address = Schema.Struct({
  ...addressFields,
  region: nullableString(regionText, "CA"),
  ...addressEnd,
  lat: nullableNumber("Latitude in degrees, where the request gave one."),
  lng: nullableNumber("Longitude in degrees, where the request gave one.")
}).annotate({ identifier: "Address", description: "A postal address." })
export type Address = typeof Address.Type

/** `BY` and `DE-BY` are the same region of DE. */
const regionOf = (input: AddressInput): string | null => {
  const given = trimmedText(input.region ?? input.state)
  return given === null ? null : normaliseRegion(input.country.toUpperCase(), given)
}

export const toAddress = (input: AddressInput): Address => ({
  firstName: trimmedText(input.firstName ?? input.name),
  lastName: trimmedText(input.lastName),
  company: trimmedText(input.company),
  line1: input.line1.trim(),
  line2: trimmedText(input.line2),
  city: input.city.trim(),
  region: regionOf(input),
  postalCode: trimmedText(input.postalCode),
  country: input.country.toUpperCase(),
  phone: trimmedText(input.phone),
  lat: input.lat ?? null,
  lng: input.lng ?? null
})

/** Order responses call the region `state` and add `name`. */
export const OrderAddress = Schema.Struct({
  name: string("First and last name together; empty where neither is known.", "Ada Lovelace"),
  ...addressFields,
  state: nullableString(regionText, "CA"),
  ...addressEnd
}).annotate({
  identifier: "OrderAddress",
  description: "A postal address as it was when the order was placed. It calls the region `state`."
})

/** First and last name in one text; null where there is neither. */
export const wholeName = ({ firstName, lastName }: GivenNames): string | null => {
  const parts = [firstName, lastName].filter((part) => typeof part === "string" && part !== "")
  return parts.length === 0 ? null : parts.join(" ")
}

interface GivenNames {
  readonly firstName?: string | null | undefined
  readonly lastName?: string | null | undefined
}

/** Somebody who buys. `firstName` and `lastName` are absent where only the whole name is known, or none. */
export interface Person {
  readonly name: string | null
  readonly firstName?: string | null
  readonly lastName?: string | null
  readonly phone: string | null
}

export const personOf = (given: GivenNames & { readonly phone?: string | null | undefined }): Person => {
  const { firstName = null, lastName = null, phone = null } = given
  const name = wholeName(given)
  return name === null ? { name, phone } : { name, firstName, lastName, phone }
}

/** A parcel and an invoice need a recipient: an address without a name takes the name of who buys. */
export const addressedTo = (address: Address | null, { name, firstName = name, lastName = null }: Person) =>
  address === null || address.firstName !== null || address.lastName !== null
    ? address
    : { ...address, firstName, lastName }

export const toOrderAddress = (address: Address): typeof OrderAddress.Type => {
  const { region, lat: _lat, lng: _lng, ...rest } = address
  return {
    name: wholeName(address) ?? "",
    ...rest,
    state: region
  }
}

/**
 * Before the @ no character that is special in a list of addresses (RFC 5322), no white space, no control or invisible
 * character and no encoded word (RFC 2047), which some servers decode; after it at least two labels of letters, digits
 * and hyphens, of any script.
 */
const localPart = /^(?!.*=\?)[^\s@"(),:;<>[\]\\\p{Cc}\p{Cf}\p{Cs}]+$/u
const domain = /^(?:(?!-)[\p{L}\p{M}\p{Nd}-]+(?<!-)\.)+(?!-)[\p{L}\p{M}\p{Nd}-]+(?<!-)$/u

/** Whether the text is one e-mail address without a name: the one rule for every address that is accepted. */
export const isEmail = (text: string): boolean => {
  const at = text.indexOf("@")
  return at > 0 && text.length <= 254 && localPart.test(text.slice(0, at)) && domain.test(text.slice(at + 1))
}

/** E-mail addresses are trimmed and compared case-insensitively. */
export const Email = described(
  Schema.String.pipe(
    Schema.check(
      Schema.makeFilter((value: string) => isEmail(value.trim()) || "must be an e-mail address", {
        toJsonSchema: () => ({ format: "email" })
      })
    )
  ),
  "E-mail address. It is trimmed and not case-sensitive.",
  "ada@example.com"
)
export const normaliseEmail = (value: string): string => value.trim().toLowerCase()
