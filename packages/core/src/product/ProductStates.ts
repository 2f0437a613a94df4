/**
 * What the storefront room reads of products to compose them: their states, and the kits that they are components of.
 * It also has slugs of languages restored, of products whose rows were written without them.
 */
import { Context, Effect, Layer } from "effect"
import { localeSlugsOf } from "../taxonomy/LocaleSlugs.ts"
import { KitRepository } from "./KitRepository.ts"
import type { ProductState } from "./Product.ts"
import { ProductRepository } from "./ProductRepository.ts"
import { type ProductSlug, ProductSlugRepository } from "./ProductSlugRepository.ts"

const slugsOf = ({ id: productId, translations }: ProductState): ReadonlyArray<ProductSlug> =>
  Object.entries(localeSlugsOf(translations)).map(([locale, slug]) => ({
    productId,
    slug,
    locale: locale.toLowerCase()
  }))

export class ProductStates extends Context.Service<ProductStates>()("@effect-commerce/core/product/ProductStates", {
  make: Effect.gen(function* () {
    const { find, several } = yield* ProductRepository
    const { kitsWith } = yield* KitRepository
    const slugs = yield* ProductSlugRepository
    return {
      find,
      several,
      kitsWith,
      /** `states` are those of the products that there are. */
      restoreSlugs: (storeId: string, productIds: ReadonlyArray<string>, states: ReadonlyArray<ProductState>) =>
        slugs.restore(storeId, productIds, states.flatMap(slugsOf))
    }
  })
}) {
  static readonly layer = Layer.effect(ProductStates, ProductStates.make).pipe(
    Layer.provide([ProductRepository.layer, KitRepository.layer, ProductSlugRepository.layer])
  )
}
