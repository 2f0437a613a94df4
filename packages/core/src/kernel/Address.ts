/**
 * A postal address (interface.md, Shared sub-shapes). `region` is the ISO 3166-2 subdivision code; `lat` and `lng`
 * decide polygon zones only.
 */
import { Schema } from "effect"
import { isCountry } from "./Country.ts"
import { normaliseRegion } from "./Subdivisions.ts"
import { optionalText, text } from "./Fields.ts"

/** Something other than spaces. */
const said = (max: number) =>
  text(max).pipe(Schema.check(Schema.makeFilter((value: string) => value.trim() !== "" || "must not be empty")))

/** ISO 3166-1 alpha-2 in any case. */
const Country = Schema.String.pipe(
  Schema.check(
    Schema.makeFilter(
      (code: string) => isCountry(code.toUpperCase()) || "must be an ISO 3166-1 alpha-2 country code such as US"
    )
  )
)

/** As a request carries it. Postal codes are not format-checked: not every country has them. */
export const AddressInput = Schema.Struct({
  firstName: optionalText(100),
  lastName: optionalText(100),
  name: optionalText(200),
  company: optionalText(200),
  line1: said(300),
  line2: optionalText(300),
  city: said(200),
  region: optionalText(100),
  state: optionalText(100),
  postalCode: optionalText(20),
  country: Country,
  phone: optionalText(40),
  lat: Schema.optionalKey(
    Schema.NullOr(Schema.Finite.pipe(Schema.check(Schema.isBetween({ minimum: -90, maximum: 90 }))))
  ),
  lng: Schema.optionalKey(
    Schema.NullOr(Schema.Finite.pipe(Schema.check(Schema.isBetween({ minimum: -180, maximum: 180 }))))
  )
})
export type AddressInput = typeof AddressInput.Type

/** As it is kept and as checkouts show it. */
export const Address = Schema.Struct({
  firstName: Schema.NullOr(Schema.String),
  lastName: Schema.NullOr(Schema.String),
  company: Schema.NullOr(Schema.String),
  line1: Schema.String,
  line2: Schema.NullOr(Schema.String),
  city: Schema.String,
  region: Schema.NullOr(Schema.String),
  postalCode: Schema.NullOr(Schema.String),
  country: Schema.String,
  phone: Schema.NullOr(Schema.String),
  lat: Schema.NullOr(Schema.Number),
  lng: Schema.NullOr(Schema.Number)
})
export type Address = typeof Address.Type

const trimmed = (value: string | null | undefined): string | null => {
  const kept = value?.trim() ?? ""
  return kept === "" ? null : kept
}

/** `BY` and `DE-BY` are the same region of DE. */
const regionOf = (input: AddressInput): string | null => {
  const given = trimmed(input.region ?? input.state)
  return given === null ? null : normaliseRegion(input.country.toUpperCase(), given)
}

export const toAddress = (input: AddressInput): Address => ({
  firstName: trimmed(input.firstName ?? input.name),
  lastName: trimmed(input.lastName),
  company: trimmed(input.company),
  line1: input.line1.trim(),
  line2: trimmed(input.line2),
  city: input.city.trim(),
  region: regionOf(input),
  postalCode: trimmed(input.postalCode),
  country: input.country.toUpperCase(),
  phone: trimmed(input.phone),
  lat: input.lat ?? null,
  lng: input.lng ?? null
})

/** Order responses say `state` for the region and add `name` (interface.md). */
export const OrderAddress = Schema.Struct({
  name: Schema.String,
  firstName: Schema.NullOr(Schema.String),
  lastName: Schema.NullOr(Schema.String),
  company: Schema.NullOr(Schema.String),
  line1: Schema.String,
  line2: Schema.NullOr(Schema.String),
  city: Schema.String,
  state: Schema.NullOr(Schema.String),
  postalCode: Schema.NullOr(Schema.String),
  country: Schema.String,
  phone: Schema.NullOr(Schema.String)
})

export const toOrderAddress = (address: Address): typeof OrderAddress.Type => {
  const { region, lat: _lat, lng: _lng, ...rest } = address
  return {
    name: [address.firstName, address.lastName].filter((part) => part !== null).join(" "),
    ...rest,
    state: region
  }
}

/**
 * Left of the @ nothing that means something in a list of addresses (RFC 5322), no white space, no control or invisible
 * character and no encoded word (RFC 2047), which some servers decode; right of it labels of letters, digits and
 * hyphens, of any script, two at least.
 */
const localPart = /^(?!.*=\?)[^\s@"(),:;<>[\]\\\p{Cc}\p{Cf}\p{Cs}]+$/u
const domain = /^(?:(?!-)[\p{L}\p{M}\p{Nd}-]+(?<!-)\.)+(?!-)[\p{L}\p{M}\p{Nd}-]+(?<!-)$/u

/** One e-mail address as it stands, without a name: the one rule for every address that is taken from anybody. */
export const isEmail = (text: string): boolean => {
  const at = text.indexOf("@")
  return at > 0 && text.length <= 254 && localPart.test(text.slice(0, at)) && domain.test(text.slice(at + 1))
}

/** E-mail addresses are trimmed and compared case-insensitively. */
export const Email = Schema.String.pipe(
  Schema.check(Schema.makeFilter((value: string) => isEmail(value.trim()) || "must be an e-mail address"))
)
export const normaliseEmail = (value: string): string => value.trim().toLowerCase()
