/**
 * What the storefront room needs of this room to compose products: their states, and the kits that contain them. It
 * also restores the translated slugs of products that were written without this room.
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
