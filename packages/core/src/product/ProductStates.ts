/**
 * What the storefront room reads of products to compose them: their states, and the kits that they are components of.
 * It also has slugs of languages restored, of products whose rows were written without them.
 */
import { Context, Effect, Layer } from "effect"
import { KitRepository } from "./KitRepository.ts"
import { ProductRepository } from "./ProductRepository.ts"
import { ProductSlugRepository } from "./ProductSlugRepository.ts"

export class ProductStates extends Context.Service<ProductStates>()("@effect-commerce/core/product/ProductStates", {
  make: Effect.gen(function* () {
    const { find, several } = yield* ProductRepository
    const { kitsWith } = yield* KitRepository
    const { restore: restoreSlugs } = yield* ProductSlugRepository
    return { find, several, kitsWith, restoreSlugs }
  })
}) {
  static readonly layer = Layer.effect(ProductStates, ProductStates.make).pipe(
    Layer.provide([ProductRepository.layer, KitRepository.layer, ProductSlugRepository.layer])
  )
}
