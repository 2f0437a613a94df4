/**
 * A postal address as it is written on a parcel: the parts of the town's line and their order depend on the country.
 */
import type { OrderAddress } from "./Address.ts"

type Address = typeof OrderAddress.Type
type Town = Pick<Address, "city" | "state" | "postalCode">
type Lines = ReadonlyArray<string | null>

const inOneLine = (...parts: Lines): string => parts.filter(Boolean).join(" ")

const town = {
  /** San Francisco, CA 94105 */
  american: ({ city, state, postalCode }: Town): Lines => [
    inOneLine(state === null || state === "" ? city : `${city},`, state, postalCode)
  ],
  /** Toronto ON M5V 2T6 */
  stateThenCode: ({ city, state, postalCode }: Town): Lines => [inOneLine(city, state, postalCode)],
  /** London, and SW1A 1AA beneath */
  codeBeneath: ({ city, state, postalCode }: Town): Lines => [city, state, postalCode],
  /** Auckland 1010 */
  codeAfter: ({ city, state, postalCode }: Town): Lines => [inOneLine(city, postalCode), state],
  /** 20121 Milano MI */
  provinceAfter: ({ city, state, postalCode }: Town): Lines => [inOneLine(postalCode, city, state)],
  /** 80331 München */
  codeBefore: ({ city, state, postalCode }: Town): Lines => [inOneLine(postalCode, city), state]
}

const customs: ReadonlyArray<readonly [countries: string, custom: (town: Town) => Lines]> = [
  ["US PR VI GU AS MP UM", town.american],
  ["CA AU", town.stateThenCode],
  ["GB GG JE IM IE", town.codeBeneath],
  ["NZ IN SG ZA HK TW TH PK BD LK NP PH VN ID KE NG", town.codeAfter],
  ["IT SM VA", town.provinceAfter]
]

/** ISO 3166-1 codes; every other country writes the code before the town. */
const customOf: ReadonlyMap<string, (town: Town) => Lines> = new Map(
  customs.flatMap(([countries, custom]) => countries.split(" ").map((country) => [country, custom] as const))
)

export const addressLines = (address: Address): ReadonlyArray<string> => {
  const { name, company, line1, line2, country } = address
  const lines = [name, company, line1, line2, ...(customOf.get(country) ?? town.codeBefore)(address), country]
  return lines.filter((line): line is string => line !== null && line !== "")
}
