/** Faults in what is computed: money, windows, taxes, shipping, prices. */
import type { Fault } from "../plantedFaults.ts"

const kernel = (subject: string) => [`packages/core/test/kernel/${subject}.test.ts`]
const core = (path: string) => [`packages/core/test/${path}.test.ts`]
const handler = (path: string) => [`packages/handler/test/${path}.test.ts`]
const tax = ["packages/core/test/tax/TaxMatcher.test.ts"]

export const calculatorFaults: ReadonlyArray<Fault> = [
  {
    id: "kernel.window-end",
    breaks: "A sale price still holds in the millisecond in which it ends",
    file: "packages/core/src/kernel/TimeWindow.ts",
    find: "now >= Number(window.endsAt)",
    replace: "now > Number(window.endsAt)",
    tests: kernel("TimeWindow"),
    noticedBy: "begins with its first millisecond and is over at its end"
  },
  {
    id: "kernel.window-start",
    breaks: "A sale price begins a millisecond late",
    file: "packages/core/src/kernel/TimeWindow.ts",
    find: "now < Number(window.startsAt)",
    replace: "now <= Number(window.startsAt)",
    tests: kernel("TimeWindow")
  },
  {
    id: "kernel.half",
    breaks: "An exact half is always rounded up, whatever the store chose",
    file: "packages/core/src/kernel/Rounding.ts",
    find: `doubled > d || (doubled === d && (`,
    replace: `doubled >= d || (doubled === d && (`,
    tests: kernel("Rounding")
  },
  {
    id: "kernel.half-even",
    breaks: "Half-even rounds to the odd neighbour",
    file: "packages/core/src/kernel/Rounding.ts",
    find: "(quotient & 1n) === 1n",
    replace: "(quotient & 1n) === 0n",
    tests: kernel("Rounding")
  },
  {
    id: "kernel.remainder-order",
    breaks: "The left-over cent of a split discount goes to the smallest remainder",
    file: "packages/core/src/kernel/Allocation.ts",
    find: "a.remainder > b.remainder ? -1 : 1",
    replace: "a.remainder > b.remainder ? 1 : -1",
    tests: kernel("Allocation")
  },
  {
    id: "kernel.cap",
    breaks: "A line is discounted by more than it costs",
    file: "packages/core/src/kernel/Allocation.ts",
    find: "if (total >= room) return [...caps]",
    replace: "if (total > room * 2n) return [...caps]",
    tests: [...kernel("Allocation"), "packages/core/test/kernel/Allocation.prop.test.ts"]
  },
  {
    id: "tax.inactive",
    breaks: "A tax rate that the merchant switched off is charged",
    file: "packages/core/src/tax/TaxMatcher.ts",
    find: `if (!row.isActive || country === "") return undefined`,
    replace: `if (country === "") return undefined`,
    tests: tax
  },
  {
    id: "tax.exception",
    breaks: "A rate is charged in a country that it excepts",
    file: "packages/core/src/tax/TaxMatcher.ts",
    find: "if (row.exceptionCountries.some((code) => normaliseCountry(code) === country)) return undefined",
    replace: "",
    tests: tax
  },
  {
    id: "tax.precedence",
    breaks: "Of two rates the one with the lower precedence wins",
    file: "packages/core/src/tax/TaxMatcher.ts",
    find: "a.priority - b.priority || a.createdAt",
    replace: "b.priority - a.priority || a.createdAt",
    tests: tax
  },
  {
    id: "shipping.range-end",
    breaks: "The last postal code of a range is not served",
    file: "packages/core/src/zone/PostalPattern.ts",
    find: "code <= pattern.high",
    replace: "code < pattern.high",
    tests: ["packages/core/test/zone/PostalPattern.test.ts"]
  },
  {
    id: "shipping.range-length",
    breaks: "A range of five digits serves codes of four",
    file: "packages/core/src/zone/PostalPattern.ts",
    find: "return code.length === pattern.low.length && DIGITS.test(code)",
    replace: "return DIGITS.test(code)",
    tests: ["packages/core/test/zone/PostalPattern.test.ts"]
  },
  {
    id: "kernel.fraction-digits",
    breaks: "An amount with too many digits is taken, and its last digits become whole units",
    file: "packages/core/src/kernel/Money.ts",
    find: "if (fraction.length > exponent) {",
    replace: "if (fraction.length > exponent + 1) {",
    tests: kernel("Money")
  },
  {
    id: "shipping.max-cost",
    breaks: "A rate costs more than its cap",
    file: "packages/core/src/shipping/ShippingRateCalculator.ts",
    find: "return { offered: true, rate, price: rate.maxCost, parts: [...parts, cap] }",
    replace: "return { offered: true, rate, price: computed, parts: [...parts, cap] }",
    tests: core("shipping/ShippingRateCalculator")
  },
  {
    id: "shipping.minimum",
    breaks: "Free shipping is not offered at exactly its minimum",
    file: "packages/core/src/shipping/ShippingRateCalculator.ts",
    find: "parcel.subtotal < rate.minOrderAmount",
    replace: "parcel.subtotal <= rate.minOrderAmount",
    tests: handler("checkout/Purchase.pg"),
    noticedBy: "offers free shipping from exactly its minimum"
  },
  {
    id: "shipping.highest-class",
    breaks: "The cheapest class cost is charged where the highest is due",
    file: "packages/core/src/shipping/ShippingRateCalculator.ts",
    find: "part.amount > top.amount",
    replace: "part.amount < top.amount",
    tests: core("shipping/ShippingRateCalculator")
  },
  {
    id: "shipping.channel",
    breaks: "A zone of one sales channel serves every channel",
    file: "packages/core/src/zone/ZoneMatcher.ts",
    find: "(channels.size === 0 || (channel !== null && channels.has(channel)))",
    replace: "(channels.size >= 0)",
    tests: core("zone/ZoneMatcher")
  },
  {
    id: "pricing.discount-cap",
    breaks: "A discount takes more off a line than the line costs",
    file: "packages/core/src/pricing/internal/applyDiscounts.ts",
    find: "const amount = least(share.amount, amountDue(line))",
    replace: "const amount = share.amount",
    tests: core("pricing/PricingPipeline")
  },
  {
    id: "pricing.adjustment-left-out",
    breaks: "A discount is shown to the shopper and not subtracted from the total",
    file: "packages/core/src/pricing/internal/applyDiscounts.ts",
    find: "line.ruleDiscount += amount",
    replace: "line.ruleDiscount += 0n",
    tests: core("pricing/PricingPipeline")
  },
  {
    id: "pricing.taxable-shipping",
    breaks: "Shipping is taxed although the rate says it is not taxable",
    file: "packages/core/src/pricing/internal/chargeTaxes.ts",
    find: "snapshot.shipping?.taxable === true",
    replace: "true",
    tests: core("pricing/PricingPipeline")
  },
  {
    id: "pricing.discount-before-tax",
    breaks: "Tax is charged on what the discount took off",
    file: "packages/core/src/pricing/internal/chargeTaxes.ts",
    find: "amount: amountDue(line)",
    replace: "amount: line.subtotal",
    tests: core("pricing/PricingPipeline")
  },
  {
    id: "tax.foreign-rate",
    breaks: "A store reads another store's tax rate by its id",
    file: "packages/core/src/tax/TaxRateRepository.ts",
    find: "sql<TaxRateState>`SELECT ${columns} FROM tax_rate WHERE store_id = ${storeId} AND id = ${id}`",
    replace: "sql<TaxRateState>`SELECT ${columns} FROM tax_rate WHERE id = ${id}`",
    tests: core("tax/TaxRates.pg"),
    noticedBy: "treats another store's rate as unknown"
  },
  {
    id: "shipping.foreign-zone",
    breaks: "A store reads another store's shipping zone by its id",
    file: "packages/core/src/shipping/ShippingZoneRepository.ts",
    find: "FROM shipping_zone z WHERE z.store_id = ${storeId} AND z.id = ${id}`",
    replace: "FROM shipping_zone z WHERE z.id = ${id}`",
    tests: core("shipping/ShippingZones.pg"),
    noticedBy: "treats another store's zone and rate as unknown"
  },
  {
    id: "tax.version-first",
    breaks: "A changed rate is charged only after a restart",
    file: "packages/core/src/tax/TaxRates.ts",
    find: "const { priceIncludesTax } = yield* stores.bumpRules(store)",
    replace: "const { priceIncludesTax } = store",
    tests: core("tax/TaxRates.pg")
  },
  {
    id: "tax.uncommitted",
    breaks: "Rates of a transaction that was rolled back are charged",
    file: "packages/core/src/store/compiledRules.ts",
    find: "if (!rules.uncommitted) cache.set(",
    replace: "cache.set(",
    tests: core("tax/TaxRates.pg"),
    noticedBy: "keeps nothing of a transaction that comes to nothing"
  },
  {
    id: "tax.class-unlocked",
    breaks: "Two who rename a tax class at once get the same version, and one that is deleted meanwhile is renamed",
    file: "packages/core/src/tax/TaxClassRepository.ts",
    find: "FOR NO KEY UPDATE",
    replace: "",
    tests: ["packages/handler/test/tax/TaxRates.pg.test.ts"],
    noticedBy: "has a later version after the second than after the first"
  }
]
