/** Faults in coupons. */
import type { Fault } from "../plantedFaults.ts"

const codes = ["packages/handler/test/coupon/CouponCodes.pg.test.ts"]
const conflicts = ["packages/handler/test/coupon/CouponConflicts.pg.test.ts"]
const pure = ["packages/core/test/coupon/CouponDiscount.prop.test.ts"]
const pricing = "packages/core/src/coupon/CouponPricing.ts"

export const couponFaults: ReadonlyArray<Fault> = [
  {
    id: "coupon.rounded-down",
    breaks: "A percentage that comes to half a cent takes off nothing of it",
    file: "packages/core/src/kernel/Rate.ts",
    find: '"half_up")',
    replace: '"half_down")',
    tests: pure,
    noticedBy: "takes off what the reference does"
  },
  {
    id: "coupon.minimum-after-discounts",
    breaks: "A promotion takes a cart below the minimum of its coupon",
    file: "packages/core/src/coupon/CouponDiscount.ts",
    find: "sum + line.subtotal, 0n",
    replace: "sum + line.due, 0n",
    tests: pure,
    noticedBy: "takes off what the reference does"
  },
  {
    id: "coupon.guest-without-limit",
    breaks: "A guest uses a coupon of one for each customer as often as they like",
    file: pricing,
    find: '? "needs_customer" : reached',
    replace: "? reached : reached",
    tests: codes,
    noticedBy: "limited for each customer needs one"
  },
  {
    id: "coupon.not-counted",
    breaks: "An order uses a coupon, and the next one uses it again although it was for one",
    file: "packages/core/src/CommerceAdjustments.ts",
    find: "Effect.map(CouponPricing, ({ claimKind }) => claimKind)",
    replace: 'Effect.map(CouponPricing, ({ claimKind }) => ({ ...claimKind, kind: "none" }))',
    tests: codes,
    noticedBy: "shows it as it was, and uses it once"
  },
  {
    id: "coupon.conflict-undone",
    breaks: "The conflict that an answer names is not there, because it was rolled back with the coupon",
    file: "packages/core/src/coupon/Coupons.ts",
    find: "if (conflictId !== undefined) return { conflictId }",
    replace: "if (conflictId !== undefined) return yield* new CouponConflicting({ code: input.code, conflictId })",
    tests: conflicts,
    noticedBy: "is kept as a conflict, once, and changes nothing"
  },
  {
    id: "coupon.typed-code",
    breaks: "Orders show a coupon as each shopper typed it, and reports count it under many names",
    file: pricing,
    find: "for (const each of entered) spellings.set(each, coupon.code)",
    replace: "",
    tests: codes,
    noticedBy: "takes a percentage off, once and half up, in any case"
  },
  {
    id: "coupon.renamed-again",
    breaks: "A merchant who has renamed another system's coupon is asked about it after every synchronisation",
    file: "packages/core/src/coupon/CouponConflictRepository.ts",
    find: "f.resolution IS DISTINCT FROM 'use_source'",
    replace: "f.resolution IS NOT DISTINCT FROM 'keep_existing'",
    tests: conflicts,
    noticedBy: "may get another code"
  },
  {
    id: "checkout.sold-anew",
    breaks: "A completed checkout shows other amounts than its order once a rate or a rule has changed",
    file: "packages/core/src/checkout/CheckoutReading.ts",
    find: "...(order === undefined ? priced : asSold(priced, order, checkout)),",
    replace: "...priced,",
    tests: ["packages/handler/test/checkout/SoldCheckout.pg.test.ts"],
    noticedBy: "keeps its amounts, discounts, tenders and explanation"
  },
  {
    id: "checkout.line-left-behind",
    breaks: "A checkout with a line that the cart has no more can never be completed once its price has changed",
    file: "packages/core/src/checkout/CartCheckoutRepository.ts",
    find: "OR i.id IS NULL OR i.modifiers <> l.modifiers",
    replace: "",
    tests: ["packages/handler/test/checkout/Purchase.pg.test.ts"],
    noticedBy: "also for a line that the cart has no more"
  },
  {
    id: "checkout.pickup-not-offered",
    breaks: "A shopper chooses a place that the checkout is below the minimum of, and hears of it when paying",
    file: "packages/core/src/checkout/CheckoutEdits.ts",
    find: 'typeof pickupLocationId === "string" && quote.chosen === undefined',
    replace: "quote.total < 0n",
    tests: ["packages/handler/test/checkout/Delivery.pg.test.ts"],
    noticedBy: "is refused at a place that is not offered"
  },
  {
    id: "abandonment.one-stops-all",
    breaks: "One checkout that cannot be priced keeps a store's other ones from being told of",
    file: "packages/core/src/abandonment/Abandonment.ts",
    find: "Cause.hasInterruptsOnly(cause)",
    replace: "Cause.hasInterruptsOnly(cause) || cause !== undefined",
    tests: ["packages/handler/test/abandonment/Abandonment.pg.test.ts"],
    noticedBy: "has its event although another checkout cannot be priced"
  },
  {
    id: "payment.line-bought-twice",
    breaks: "Late money for one checkout and money for another of the same line make two orders of it",
    file: "packages/core/src/completion/PaymentOutcomes.ts",
    find: "!isAsItWas(operation, awaited) && (yield*",
    replace: 'operation.checkoutStatus !== "PROCESSING" && (yield*',
    tests: ["packages/handler/test/checkout/SharedLines.pg.test.ts"],
    noticedBy: "is bought once"
  },
  {
    id: "payment.free-after-all",
    breaks: "A shopper whose gift card is held by the payment of an older checkout gets CONFLICT and cannot pay",
    file: "packages/core/src/completion/CheckoutPayments.ts",
    find: 'if (order !== undefined || status !== "PENDING") return yield* ended',
    replace: "if (status !== undefined) return yield* ended",
    tests: ["packages/handler/test/checkout/SharedLines.pg.test.ts"],
    noticedBy: "is free for the second"
  }
]
