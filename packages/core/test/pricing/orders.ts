/** Random rate tables, addresses and orders, drawn from small alphabets so that rates collide, stack and tie. */
import fc from "fast-check"
import type { MatchableRate } from "@effect-commerce/core/tax/TaxMatcher"
import type { ReferenceOrder } from "./referenceEvaluator.ts"

const country = fc.constantFrom("DE", "de", "US")
const region = fc.constantFrom(null, null, "BY", "by", "DE-BY", "US-BY", "CA")
const postalCode = fc.constantFrom(null, null, "80331", "80 331", "80-331", "sw1a 1aa", "SW1A1AA")
const taxClassId = fc.constantFrom(null, null, "reduced", "books")

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
      region,
      postalCode: fc.oneof(postalCode, fc.constantFrom("803*", "*")),
      free: percentage,
      bounded: boundedPercentage,
      isInclusive: fc.boolean(),
      priority: fc.integer({ min: -1, max: 2 }),
      stackable: fc.boolean(),
      exceptionCountries: fc.constantFrom<ReadonlyArray<string>>([], [], [], ["AT"], ["us", "FR"]),
      isActive: fc.constantFrom(true, true, true, false),
      taxClassId,
      createdAt: fc.integer({ min: 0, max: 2 })
    })
    .map(({ free, bounded, ...facts }) => ({ id, name: `Tax ${id}`, ...facts, rate: facts.isInclusive ? bounded : free }))

export const rateTable: fc.Arbitrary<ReadonlyArray<MatchableRate>> = fc
  .integer({ min: 0, max: 14 })
  .chain((size) => fc.tuple(...Array.from({ length: size }, (_, index) => rate(`rate_${(index * 7) % 15}`))))
  .map((rates) => rates.map((row, index) => (index >= 4 ? { ...row, isInclusive: row.isInclusive && !row.stackable } : row)))

export const address: fc.Arbitrary<NonNullable<ReferenceOrder["address"]>> = fc.record({
  country: fc.oneof(country, fc.constant("AT")),
  region,
  postalCode
})

const money = fc.oneof(fc.bigInt({ min: 0n, max: 12n }), fc.bigInt({ min: 0n, max: 100_000n }), fc.bigInt({ min: 0n, max: 10n ** 13n }))

const lines: fc.Arbitrary<ReferenceOrder["lines"]> = fc
  .array(
    fc.record({
      quantity: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 500 })),
      unitPrice: money,
      taxClassId,
      taxable: fc.constantFrom(true, true, true, false),
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
