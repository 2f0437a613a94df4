/** Random carts and rules, drawn from small alphabets, so that rules overlap, tie and fail by one unit. */
import fc from "fast-check"
import type { ReferenceCart, ReferenceLine, ReferenceRule, ReferenceTerms } from "./referencePromotions.ts"

const some = (ids: ReadonlyArray<string>) => fc.subarray([...ids])
const products = ["prod_a", "prod_b", "prod_c"]
const categories = ["cat_a", "cat_b"]
const brands = ["brand_a", "brand_b"]
const money = fc.oneof(fc.bigInt({ min: 0n, max: 9n }), fc.bigInt({ min: 0n, max: 3_000n }))
const percent = fc.oneof(
  fc.constantFrom(0, 10, 33.33, 50, 100),
  fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100)
)
const off = fc.oneof(fc.record({ percent }), fc.record({ amount: money }))

const line: fc.Arbitrary<Omit<ReferenceLine, "id">> = fc.record({
  productId: fc.constantFrom<string | null>(...products, null),
  categories: some(categories),
  brands: some(brands),
  quantity: fc.integer({ min: 1, max: 7 }),
  unitPrice: money
})

const units = fc.integer({ min: 1, max: 4 })
const tiers = fc.oneof(
  fc
    .uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 3 })
    .chain((from) =>
      fc.tuple(...from.sort((a, b) => a - b).map((at) => off.map((how) => ({ from: { units: at }, off: how }))))
    ),
  fc
    .uniqueArray(fc.integer({ min: 0, max: 9_000 }), { minLength: 1, maxLength: 3 })
    .chain((from) =>
      fc.tuple(...from.sort((a, b) => a - b).map((at) => off.map((how) => ({ from: { sum: BigInt(at) }, off: how }))))
    )
)
const terms: fc.Arbitrary<ReferenceTerms> = fc.oneof(
  fc.record({ type: fc.constant("PERCENTAGE_OFF" as const), percent }),
  fc.record({ type: fc.constant("AMOUNT_OFF" as const), amount: money }),
  fc.record({ type: fc.constant("BUY_X_GET_Y" as const), buy: units, get: units, percent, sameProducts: fc.boolean() }),
  fc.record({ type: fc.constant("TIERED" as const), tiers }),
  fc.record({
    type: fc.constant("FREE_SHIPPING" as const),
    zones: some(["zone_a", "zone_b"]),
    rates: some(["rate_a"])
  })
)
const seldom = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 2 })
const instant = fc.integer({ min: 999, max: 1_001 })

const rule: fc.Arbitrary<Omit<ReferenceRule, "id">> = fc.record({
  priority: fc.integer({ min: -1, max: 1 }),
  createdAt: fc.integer({ min: 0, max: 1 }),
  terms,
  minimum: seldom(money),
  products: fc.oneof(fc.constant([]), some(products)),
  categories: fc.oneof(fc.constant([]), some(categories)),
  brands: fc.oneof(fc.constant([]), some(brands)),
  startsAt: fc.option(instant, { freq: 1 }),
  endsAt: fc.option(instant, { freq: 1 }),
  combines: fc.boolean(),
  limit: fc.option(fc.integer({ min: 1, max: 2 }), { freq: 1 }),
  customerLimit: fc.option(fc.integer({ min: 1, max: 2 }), { freq: 1 }),
  uses: fc.integer({ min: 0, max: 2 }),
  usesByCustomer: fc.integer({ min: 0, max: 2 })
})

export const cart: fc.Arbitrary<ReferenceCart> = fc.record({
  lines: fc
    .array(line, { maxLength: 5 })
    .map((rows) => rows.map((row, at): ReferenceLine => ({ id: `line_${at}`, ...row }))),
  rules: fc
    .array(rule, { maxLength: 7 })
    .map((rows) => rows.map((row, at): ReferenceRule => ({ id: `promo_${(at * 3) % 7}`, ...row }))),
  shipping: fc.option(
    fc.record({ amount: money, zone: fc.constantFrom("zone_a", "zone_c"), rate: fc.constantFrom("rate_a", "rate_b") })
  ),
  hasCustomer: fc.boolean(),
  now: fc.constant(1_000)
})
