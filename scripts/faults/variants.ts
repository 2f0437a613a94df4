/** Faults in attributes and the variants that are made of them. */
import type { Fault } from "../plantedFaults.ts"

const handler = (path: string) => [`packages/handler/test/${path}.test.ts`]

export const variantFaults: ReadonlyArray<Fault> = [
  {
    id: "slugs.another-products",
    breaks: "A translation takes the slug that another product has as its own",
    file: "packages/core/src/product/ProductSlugRepository.ts",
    find: "AND p.id <> ${productId} AND p.deleted_at IS NULL",
    replace: "AND p.id = ${productId} AND false",
    tests: handler("taxonomy/LocaleSlugs.pg")
  },
  {
    id: "slugs.not-freed",
    breaks: "A deleted product keeps its slugs by language from others",
    file: "packages/core/src/product/ProductRepository.ts",
    find: "DELETE FROM product_slug WHERE store_id = ${storeId} AND product_id = ${id})",
    replace: "SELECT 1)",
    tests: handler("taxonomy/LocaleSlugs.pg")
  },
  {
    id: "slugs.hidden-shown",
    breaks: "A slug in another language opens products that the channel does not show",
    file: "packages/core/src/storefront/internal/shownRows.ts",
    find: "WHERE h.store_id = ${storeId} AND h.slug = ${slug} AND ${isShown}",
    replace: "WHERE h.store_id = ${storeId} AND h.slug = ${slug}",
    tests: handler("taxonomy/LocaleSlugs.pg")
  },
  {
    id: "variants.resurrected",
    breaks: "A variant that the merchant deleted comes back when the same attributes are sent again",
    file: "packages/core/src/product/internal/variantOptions.ts",
    find: "&& !wasLeftOut(combination))",
    replace: ")",
    tests: ["packages/core/test/product/VariantOptions.prop.test.ts"]
  },
  {
    id: "variants.option-race",
    breaks: "An option is deleted while a variant is made of it",
    file: "packages/core/src/product/ProductAttributeRepository.ts",
    find: "ORDER BY id FOR SHARE`",
    replace: "ORDER BY id`",
    tests: handler("product/ProductAttributes.race")
  },
  {
    id: "variants.in-use",
    breaks: "Deleting an option that variants have asks nobody",
    file: "packages/core/src/taxonomy/AttributeRepository.ts",
    find: "v.option_ids && ${options}",
    replace: "v.option_ids @> ${options} AND false",
    tests: handler("product/ProductAttributes.pg")
  },
  {
    id: "variants.stale-name",
    breaks: "A composed document keeps the name that an option had when the product was written",
    file: "packages/core/src/storefront/internal/productDocument.ts",
    find: 'name: isNameMade ? "" : variant.name',
    replace: "name: variant.name",
    tests: handler("product/ProductAttributes.pg")
  },
  {
    id: "variants.cap",
    breaks: "Attributes may make any number of variants",
    file: "packages/core/src/product/internal/variantOptions.ts",
    find: "return count <= maxVariants",
    replace: "return count <= maxVariants * 1000",
    tests: handler("product/ProductAttributes.pg"),
    noticedBy: "is refused beyond 500 variants"
  },
  {
    id: "publishing.lists",
    breaks: "Lists show products that are published to other channels",
    file: "packages/core/src/storefront/internal/listingConditions.ts",
    find: "filter.channelId === undefined ? []",
    replace: "filter.channelId !== null ? []",
    tests: handler("taxonomy/Publishing.pg")
  },
  {
    id: "publishing.carts",
    breaks: "A cart takes what its channel does not show",
    file: "packages/core/src/pricing/Sellable.ts",
    find: "${channelId} IS NULL OR ${channelId} = ANY(p.channel_ids)",
    replace: "${channelId} IS NULL OR true",
    tests: handler("taxonomy/Publishing.pg")
  },
  {
    id: "publishing.remembered",
    breaks: "A list that was found on one channel is answered on another",
    file: "packages/core/src/storefront/internal/listQuery.ts",
    find: "[store.id, channelId, filter, sortBy,",
    replace: "[store.id, filter, sortBy,",
    tests: handler("taxonomy/Publishing.pg")
  }
]
