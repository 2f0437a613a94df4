/** Faults in amounts presented in another currency, and in the choice of a region. */
import type { Fault } from "../plantedFaults.ts"

const calculated = ["packages/core/test/fx/Presentment.prop.test.ts"]
const orderPresentment = "packages/core/src/fx/OrderPresentment.ts"

export const fxFaults: ReadonlyArray<Fault> = [
  {
    id: "fx.rules-left-out",
    breaks: "A shopper in Japan is charged without the discount of a promotion",
    file: "packages/core/src/fx/Presentment.ts",
    find: "const discountAmount = convert(totals.discountAmount + totals.ruleDiscountAmount)",
    replace: "const discountAmount = convert(totals.discountAmount)",
    tests: calculated,
    noticedBy: "converts each amount by itself"
  },
  {
    id: "fx.part-is-all",
    breaks: "An order is paid in full although its provider has captured a little less",
    file: orderPresentment,
    find: "return taken >= amount ? greatest(due, share) : partOf(share, due)",
    replace: "return share",
    tests: calculated,
    noticedBy: "is all that was due where it took all"
  },
  {
    id: "fx.failed-refund-counts",
    breaks: "A refund that failed is taken out of those that come after it",
    file: orderPresentment,
    find: 'if (refund.status === "succeeded") returned = after',
    replace: "returned = after",
    tests: calculated,
    noticedBy: "goes back by refunds"
  },
  {
    id: "fx.country-ignored",
    breaks: "A shopper in Japan is in the default region: its zones, its providers, its currency",
    file: "packages/core/src/store/RegionChoice.ts",
    find: "(country === null ? undefined : byCountry.get(country)) ??",
    replace: "",
    tests: ["packages/core/test/fx/RegionChoice.test.ts"],
    noticedBy: "is the one given, else that of the country"
  },
  {
    id: "fx.asked-in-the-stores-currency",
    breaks: "A shopper who was shown 8,231 yen is charged 82.31 euro",
    file: "packages/core/src/completion/AskedAmount.ts",
    find: ": { amount: draft.presentment.amount, currency: draft.presentment.currency }",
    replace: ": { amount: draft.presentment.amount, currency: draft.currency }",
    tests: ["packages/handler/test/fx/PresentedMoney.pg.test.ts"],
    noticedBy: "and what it captures in full"
  }
]
