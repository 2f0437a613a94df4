/** Faults in checkout fields, in the order of shipping methods, and in the ports for taxes and addresses. */
import type { Fault } from "../plantedFaults.ts"

const values = "packages/core/src/checkoutfield/FieldValues.ts"
const surcharges = ["packages/core/test/checkoutfield/Surcharges.prop.test.ts"]

export const checkoutFieldFaults: ReadonlyArray<Fault> = [
  {
    id: "checkoutfield.percentage-down",
    breaks: "A surcharge in percent loses the half cent that is the merchant's",
    file: values,
    find: `amount: percentOf(rate, due)`,
    replace: `amount: (due * rate.value) / (100n * 10n ** BigInt(rate.scale))`,
    tests: surcharges,
    noticedBy: "are those of the reference"
  },
  {
    id: "checkoutfield.unticked-charged",
    breaks: "A shopper pays for the gift wrap that he has declined",
    file: values,
    find: `value !== undefined && value !== false`,
    replace: `value !== undefined`,
    tests: surcharges,
    noticedBy: "are those of the reference"
  },
  {
    id: "checkoutfield.required-forgotten",
    breaks: "An order is placed without the field that the merchant requires",
    file: "packages/core/src/completion/CompletionChecks.ts",
    find: `...missingFields(custom, checkout.customFieldValues)`,
    replace: ``,
    tests: ["packages/handler/test/checkoutfield/CustomFields.pg.test.ts"],
    noticedBy: "that are required keep a checkout from being completed"
  },
  {
    id: "shipping.offers-unsorted",
    breaks: "A shopper reads the dearest way to ship first, and an order in one call takes it",
    file: "packages/core/src/pricing/internal/deliveryOf.ts",
    find: `offers: sortedOffers(offers)`,
    replace: `offers`,
    tests: ["packages/handler/test/checkout/Quotes.pg.test.ts"],
    noticedBy: "lists the zone's rates as checkouts do"
  },
  {
    id: "tax.calculator-believed",
    breaks: "What a host's calculator returns is charged although it is no tax, or leaves a line untaxed",
    file: "packages/core/src/tax/TaxCalculator.ts",
    find: "if (problem !== undefined) throw refuse(`for",
    replace: "if (problem === undefined && found.length === 0) throw refuse(`for",
    tests: ["packages/handler/test/tax/TaxCalculator.pg.test.ts"],
    noticedBy: "that returns a negative tax makes every price 503"
  }
]
