/** What the tests over all routes need to know of coupons. */
import { below, both, none, type RoomMatrix } from "../matrix/RoomMatrix.ts"

const writes = ["POST /v1/coupons", "POST /coupons", "PATCH /v1/coupons/:id"]
const wanted = () => ({ code: "NAMED", type: "PERCENTAGE", value: 10 })

export const matrix: RoomMatrix = {
  fill: async ({ admin }) => {
    const body = { code: "THEIRS", type: "PERCENTAGE", value: 10 }
    const coupon = await admin("POST", "/v1/coupons", body)
    const conflict = await admin("POST", "/v1/coupons", { ...body, source: "shopify", sourceExternalId: "gid-1" })
    return { coupons: coupon.body.id, conflicts: conflict.body.details.conflictId }
  },
  bodies: {
    "POST /api/v1/coupons/:id/publish": { platforms: ["shopify"] },
    "POST /api/coupons/conflicts/:id/resolve": { resolution: "keep_existing" }
  },
  failingBodies: both(
    writes,
    () => ({
      code: "NO CODE",
      type: "PERCENTAGE",
      value: 101,
      startsAt: "2026-02-01",
      endsAt: "2026-01-01",
      usageLimit: 0,
      usageLimitPerCustomer: 1.5,
      minimumOrderAmount: "-1.00",
      maximumDiscount: "1.001",
      applicableProducts: [none],
      excludedProducts: [none],
      applicableCategories: [none],
      excludedCategories: [none],
      regionIds: [none],
      platforms: ["vc_none"]
    }),
    [
      "code",
      "value",
      "endsAt",
      "usageLimit",
      "usageLimitPerCustomer",
      "minimumOrderAmount",
      "maximumDiscount",
      "applicableProducts",
      "excludedProducts",
      "applicableCategories",
      "excludedCategories",
      "regionIds",
      "platforms"
    ]
  ),
  idCases: below(writes, {
    applicableProducts: { body: wanted, kind: "products" },
    applicableCategories: { body: wanted, kind: "categories" },
    regionIds: { body: wanted, kind: "regions" }
  })
}
