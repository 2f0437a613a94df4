/** The kind of tenders and claims that are points. The source of such a tender is the customer, its amount points. */
export const loyaltyKind = "loyalty"
