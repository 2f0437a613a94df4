/** Random rate tables, addresses and orders, drawn from small alphabets so that rates collide, stack and tie. */
import fc from "fast-check"
import type { MatchableRate } from "@effect-commerce/core/tax/TaxMatcher"
import type { ReferenceOrder } from "./referenceEvaluator.ts"

const often = <T>(usual: ReadonlyArray<T>, seldom: ReadonlyArray<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: fc.constantFrom(...seldom) })

const country = often(["DE", "de"], ["US", "us"])
const region = often<string | null>([null, "BY", "by", "DE-BY"], ["US-BY", "CA", "de-ca"])
const ratedRegion = often<string | null>([null, null, null, "BY", "de-by"], ["CA", "DE-CA"])
const postalCode = often<string | null>(["80331", "80 331", "80-331"], [null, "sw1a 1aa", "SW1A1AA"])
const ratedPostalCode = often<string | null>([null, null, null, "80331", "80-331"], ["803*", "*", "SW1A 1AA"])
const taxClassId = often<string | null>([null], ["reduced", "books"])

const percentage = fc.oneof(
  fc.constantFrom("0", "0.0", "3", "7", "19", "19.00", "20", "5", "9.975", "8.875", "4.5", "0.375", "100", "0.000001"),
  fc.integer({ min: 0, max: 100_000 }).map((thousandths) => (thousandths / 1000).toFixed(3))
)

/** At most four inclusive rates of 25 % can stack, so that inclusive rates stay within 100 % together. */
const boundedPercentage = percentage.map((text) => (Number(text) > 25 ? "25" : text))

const rate = (id: string): fc.Arbitrary<MatchableRate> =>
  fc
    .record({
      country,
      region: ratedRegion,
      postalCode: ratedPostalCode,
      free: percentage,
      bounded: boundedPercentage,
      isInclusive: fc.boolean(),
      priority: fc.integer({ min: -1, max: 2 }),
      stackable: often([true], [false]),
      exceptionCountries: often<ReadonlyArray<string>>([[]], [["AT"], ["us", "FR"], ["de"]]),
      isActive: often([true], [false]),
      taxClassId,
      createdAt: fc.integer({ min: 0, max: 2 })
    })
    .map(({ free, bounded, ...facts }) => ({
      id,
      name: `Tax ${id}`,
      ...facts,
      rate: facts.isInclusive ? bounded : free
    }))

export const rateTable: fc.Arbitrary<ReadonlyArray<MatchableRate>> = fc
  .integer({ min: 0, max: 14 })
  .chain((size) => fc.tuple(...Array.from({ length: size }, (_, index) => rate(`rate_${(index * 7) % 15}`))))
  .map((rates) =>
    rates.map((row, index) => (index >= 4 ? { ...row, isInclusive: row.isInclusive && !row.stackable } : row))
  )

export const address: fc.Arbitrary<NonNullable<ReferenceOrder["address"]>> = fc.record({
  country: often(["DE", "de"], ["US", "AT"]),
  region,
  postalCode
})

const money = fc.oneof(
  fc.bigInt({ min: 0n, max: 12n }),
  fc.bigInt({ min: 0n, max: 100_000n }),
  fc.bigInt({ min: 0n, max: 10n ** 13n })
)

const lines: fc.Arbitrary<ReferenceOrder["lines"]> = fc
  .array(
    fc.record({
      quantity: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 500 })),
      unitPrice: money,
      taxClassId,
      taxable: often([true], [false]),
      rule: fc.oneof(fc.constant(0n), money),
      coupon: fc.oneof(fc.constant(0n), money)
    }),
    { maxLength: 6 }
  )
  .map((rows) => rows.map((row, index) => ({ id: `line_${index}`, ...row })))

export const order: fc.Arbitrary<ReferenceOrder> = fc.record({
  rates: rateTable,
  address: fc.option(address, { freq: 9 }),
  rounding: fc.constantFrom("line", "unit", "order"),
  mode: fc.constantFrom("half_up", "half_even", "half_down"),
  stacking: fc.constantFrom("combined", "each"),
  lines,
  shipping: fc.option(fc.record({ amount: money, taxable: fc.boolean() }))
})
