/** The faults that `npm run faults` plants. One row is one line of the product made wrong, and the tests that must fail for it. */

export interface Fault {
  /** Room and subject: `tax.precedence`. */
  readonly id: string
  /** What the fault would do to a merchant, in one sentence. */
  readonly breaks: string
  readonly file: string
  /** Part of a line; must occur exactly once in the file. */
  readonly find: string
  readonly replace: string
  /** Test files, from the root. */
  readonly tests: ReadonlyArray<string>
  /** Part of the name of a test that must be among the failing ones. */
  readonly noticedBy?: string
}

const kernel = (subject: string) => [`packages/core/test/kernel/${subject}.test.ts`]
const tax = ["packages/core/test/tax/TaxMatcher.test.ts"]

export const faults: ReadonlyArray<Fault> = [
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
    file: "packages/core/src/shipping/PostalPattern.ts",
    find: "code <= pattern.high",
    replace: "code < pattern.high",
    tests: ["packages/core/test/shipping/PostalPattern.test.ts"]
  },
  {
    id: "shipping.range-length",
    breaks: "A range of five digits serves codes of four",
    file: "packages/core/src/shipping/PostalPattern.ts",
    find: "return code.length === pattern.low.length && DIGITS.test(code)",
    replace: "return DIGITS.test(code)",
    tests: ["packages/core/test/shipping/PostalPattern.test.ts"]
  }
]
