/** Tax rates of a store that sells everywhere, and a plain evaluator that reads all of them for each line. */
import type { MatchableRate, TaxAddress } from "@effect-commerce/core/tax/TaxMatcher"
import type { Random } from "../proof/Random.ts"

const countries = ["US", "DE", "FR", "CA", "GB", "IT", "ES", "NL", "AT", "PL"]
const regionsOfEach = 50
const classes = [null, "tc_reduced", "tc_books"]

const regionAt = (at: number): string => `R${at % regionsOfEach}`
const postalCodeAt = (at: number): string => String(100_000 + at)

/**
 * One rate for each class in each country and region, and all others of one postal code, as those of the United States
 * are: a table grows by its postal codes.
 */
export const taxTable = (random: Random, count: number): ReadonlyArray<MatchableRate> => {
  const wide = countries.flatMap((country) =>
    [null, ...Array.from({ length: regionsOfEach }, (_, at) => regionAt(at))].flatMap((region) =>
      classes.map((taxClassId) => ({ country, region, taxClassId, postalCode: null }))
    )
  )
  return Array.from({ length: count }, (_, at): MatchableRate => {
    const place = wide[at] ?? {
      country: random.chance(0.5) ? "US" : random.pick(countries),
      region: random.chance(0.7) ? regionAt(random.between(0, regionsOfEach - 1)) : null,
      taxClassId: random.pick(classes),
      postalCode: postalCodeAt(random.between(0, count))
    }
    return {
      ...place,
      id: `tax_${at}`,
      name: `Tax ${at}`,
      rate: `${random.between(1, 24)}.${random.between(0, 999)}`,
      isInclusive: false,
      priority: random.between(0, 3),
      stackable: random.chance(0.3),
      exceptionCountries: random.chance(0.02) ? [place.country] : [],
      isActive: random.chance(0.95),
      createdAt: at
    }
  })
}

export interface TaxedLine {
  readonly address: TaxAddress
  readonly taxClassId: string | null
}

/** Half of the addresses are in a place that a rate names by its postal code. */
export const taxedLines = (random: Random, rates: ReadonlyArray<MatchableRate>, count: number) =>
  Array.from({ length: count }, (): TaxedLine => {
    const { country, region, postalCode, taxClassId } = random.pick(rates)
    return random.chance(0.5)
      ? { address: { country, region, postalCode }, taxClassId }
      : {
          address: {
            country: random.pick(countries),
            region: regionAt(random.between(0, regionsOfEach - 1)),
            postalCode: postalCodeAt(random.between(0, rates.length))
          },
          taxClassId: random.pick(classes)
        }
  })

const inPlace = (rate: MatchableRate, { address, taxClassId }: TaxedLine): boolean =>
  rate.isActive &&
  rate.taxClassId === taxClassId &&
  rate.country === address.country &&
  !rate.exceptionCountries.includes(rate.country) &&
  (rate.region === null || rate.region === address.region) &&
  (rate.postalCode === null || rate.postalCode === address.postalCode)

const specificity = ({ region, postalCode }: MatchableRate): number =>
  postalCode !== null ? 2 : region !== null ? 1 : 0

const precedence = (a: MatchableRate, b: MatchableRate): number =>
  a.priority - b.priority || Number(a.createdAt) - Number(b.createdAt)

/** The ids of the rates that apply: the rules of TaxMatcher, read for one rate after another. */
export const linearTax = (rates: ReadonlyArray<MatchableRate>, line: TaxedLine): ReadonlyArray<string> => {
  const matching = rates.filter((rate) => inPlace(rate, line)).sort(precedence)
  let winner: MatchableRate | undefined
  for (const rate of matching) if (winner === undefined || specificity(rate) > specificity(winner)) winner = rate
  if (winner === undefined) return []
  return winner.stackable ? matching.filter(({ stackable }) => stackable).map(({ id }) => id) : [winner.id]
}
