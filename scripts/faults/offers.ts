/** Faults in bundle offers, order bumps and upgrades. */
import type { Fault } from "../plantedFaults.ts"

const handler = (path: string) => [`packages/handler/test/offer/${path}.test.ts`]

export const offerFaults: ReadonlyArray<Fault> = [
  {
    id: "offer.trigger-gone",
    breaks: "A shopper adds a bundle, takes out the product that it was offered for, and keeps the discount",
    file: "packages/core/src/offer/OfferTerms.ts",
    find: `if (terms.kind !== "UPGRADE" && !present.has(terms.triggerProductId)) return []`,
    replace: "",
    tests: handler("OfferSales.pg"),
    noticedBy: "bought alone"
  },
  {
    id: "offer.part-of-a-bundle",
    breaks: "A shopper buys one product of a bundle at the price of the bundle",
    file: "packages/core/src/checkout/NewCheckout.ts",
    find: "released.has(line.id) ? ordinaryLine(line, now) : line",
    replace: "line",
    tests: handler("OfferSales.pg"),
    noticedBy: "a part of it is sold at ordinary prices"
  },
  {
    id: "offer.half-down",
    breaks: "A percentage of an offer takes off half a minor unit less than it says",
    file: "packages/core/src/offer/OfferTerms.ts",
    find: `wholePercentage, "half_up")`,
    replace: `wholePercentage, "half_down")`,
    tests: ["packages/core/test/offer/OfferTerms.prop.test.ts"],
    noticedBy: "takes half a minor unit off as a whole one"
  },
  {
    id: "offer.circle",
    breaks: "Two offers lead to each other, and two products are each the reason for the other's discount",
    file: "packages/core/src/offer/BundleOfferRepository.ts",
    find: "WHERE id = ${triggerProductId}`",
    replace: "WHERE id = ${id}`",
    tests: handler("BundleOffers.pg"),
    noticedBy: "never lead from a product back to itself"
  },
  {
    id: "offer.stale-checkout",
    breaks: "A checkout that buys a part of a bundle takes the price that the whole bundle has in its cart",
    file: "packages/core/src/checkout/CartCheckoutRepository.ts",
    find: "bool_or(l.offer_id IS NOT NULL OR i.offer_id IS NOT NULL OR i.id IS NULL",
    replace: "bool_or(i.id IS NULL",
    tests: handler("OfferSales.pg"),
    noticedBy: "also after a refresh"
  }
]
