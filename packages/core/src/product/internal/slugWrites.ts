/** The rows by which a product is found in each language, written with the product. */
import { Effect } from "effect"
import { localeSlugsOf } from "../../taxonomy/LocaleSlugs.ts"
import type { ProductState } from "../Product.ts"
import type { ProductSlugRepository } from "../ProductSlugRepository.ts"

/** Asks nothing of the database where the product has no slugs by language and is given none. */
export const makeSlugWrites =
  (slugs: ProductSlugRepository["Service"]) =>
  (
    storeId: string,
    before: Pick<ProductState, "id" | "translations">,
    { translations }: Pick<ProductState, "translations">
  ) => {
    const wanted = localeSlugsOf(translations)
    return Object.keys({ ...localeSlugsOf(before.translations), ...wanted }).length === 0
      ? Effect.void
      : slugs.replace(storeId, before.id, wanted)
  }
