/** Faults in brands, regions, reviews and categories. */
import type { Fault } from "../plantedFaults.ts"

const brands = ["packages/handler/test/taxonomy/Brands.pg.test.ts"]
const regions = ["packages/handler/test/store/Regions.pg.test.ts"]
const composed = ["packages/handler/test/storefront/ComposedReads.pg.test.ts"]
const reviews = ["packages/handler/test/review/Reviews.pg.test.ts"]

export const roomFaults: ReadonlyArray<Fault> = [
  {
    id: "brands.inactive-filter",
    breaks: "Shoppers read inactive brands in the list they filter by",
    file: "packages/core/src/taxonomy/BrandRepository.ts",
    find: `AND b.is_active AND \${shownOn(sql, "b.channel_ids", channelId)} ORDER BY b.name, b.id`,
    replace: `AND \${shownOn(sql, "b.channel_ids", channelId)} ORDER BY b.name, b.id`,
    tests: brands
  },
  {
    id: "brands.deleted-shown",
    breaks: "A deleted brand stays on its products",
    file: "packages/core/src/product/internal/productRows.ts",
    find: "WHERE pb.store_id = p.store_id AND pb.product_id = p.id AND b.deleted_at IS NULL)`,",
    replace: "WHERE pb.store_id = p.store_id AND pb.product_id = p.id)`,",
    tests: brands
  },
  {
    id: "regions.countries-shared",
    breaks: "Two active regions sell to the same country",
    file: "packages/core/src/store/Regions.ts",
    find: "if (taken.length > 0) return yield*",
    replace: "if (taken.length > 999) return yield*",
    tests: regions
  },
  {
    id: "regions.zone-widened",
    breaks: "A region is deleted that shipping zones are for, and they serve nobody any more",
    file: "packages/core/src/store/Regions.ts",
    find: "if (zoneCount > 0) return yield*",
    replace: "if (zoneCount > 999) return yield*",
    tests: regions
  },
  {
    id: "reviews.not-withdrawn",
    breaks: "A review that is rejected or deleted still counts in its product's rating",
    file: "packages/core/src/review/Reviews.ts",
    find: "[...counted(before, -1), ...counted(after, 1)]",
    replace: "[...counted(after, 1)]",
    tests: reviews
  },
  {
    id: "reviews.customer-named",
    breaks: "A customer who is deleted while a review arrives is named by it",
    file: "packages/core/src/review/Reviews.ts",
    find: "if (!(yield* customers.lock(storeId, id))) return yield* new CustomerNotFound({ id })\n        ",
    replace: "",
    tests: reviews,
    noticedBy: "is named by no review that arrives while the deletion is under way"
  },
  {
    id: "reviews.unpaid-verified",
    breaks: "Whoever orders without paying writes as a verified buyer",
    file: "packages/core/src/review/ReviewRepository.ts",
    find: "AND o.status NOT IN ('PENDING', 'CANCELLED')",
    replace: "AND o.status NOT IN ('CANCELLED')",
    tests: reviews
  },
  {
    id: "reviews.pending-shown",
    breaks: "Shoppers read reviews that the merchant has not approved",
    file: "packages/core/src/review/ReviewRepository.ts",
    find: "sql`r.status = 'APPROVED'`,",
    replace: "sql`r.status <> 'REJECTED'`,",
    tests: reviews
  },
  {
    id: "composed.language-of-store",
    breaks: "A remembered text goes on in the language of before when the store gets another language of its own",
    file: "packages/core/src/storefront/internal/DocumentCache.ts",
    find: "`${reading.wanted.join()} ${reading.own}`",
    replace: "`${reading.wanted.join()}`",
    tests: composed
  },
  {
    id: "composed.attached-metafields",
    breaks: "Products do not show a metafield that they have been attached to until a worker comes",
    file: "packages/core/src/metafield/MetafieldDefinitions.ts",
    find: "const moved = isAttaching ? yield* repository.attach(store.id, id, attached) : []",
    replace: "const moved = isAttaching ? (yield* repository.attach(store.id, id, attached)).slice(1) : []",
    tests: composed
  },
  {
    id: "composed.kits-of-stale",
    breaks: "A kit shows the old price of a component that somebody has written without composing it",
    file: "packages/core/src/storefront/ListingRepair.ts",
    find: "[...marked, ...(yield* products.kitsWith(store.id, marked))]",
    replace: "marked",
    tests: composed
  },
  {
    id: "text.half-a-character",
    breaks: "A product with a long metafield value cannot be saved where the 200th character is half of a pair",
    file: "packages/core/src/kernel/CutText.ts",
    find: '.replace(/[\\uD800-\\uDBFF]$/, "")',
    replace: "",
    tests: ["packages/core/test/kernel/CutText.test.ts"]
  }
]
