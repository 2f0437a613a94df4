/** Metafields as a part of a product's body, written in the transaction of the product. */
import { Effect } from "effect"
import { rejectFields } from "../../kernel/FieldRejected.ts"
import { MetafieldsRejected } from "../../metafield/MetafieldErrors.ts"
import { MetafieldValueRepository } from "../../metafield/MetafieldValueRepository.ts"
import type { LockedProduct } from "../../taxonomy/ProductChanges.ts"
import type { ProductState } from "../Product.ts"
import { missingMetafields } from "../../metafield/ProductMetafield.ts"
import { makeValueWrites } from "../../metafield/ValueWrites.ts"

/** Whether an active product has all that it needs. Asked when it becomes active, not of every later change. */
export const checkRequired = ({ metafields }: ProductState): Effect.Effect<void, MetafieldsRejected> => {
  const missing = missingMetafields(metafields)
  return missing.length === 0
    ? Effect.void
    : Effect.fail(
        new MetafieldsRejected({
          errors: Object.fromEntries(missing.map((key) => [`metafields.${key}`, "is required"]))
        })
      )
}

export const makeProductMetafields = Effect.gen(function* () {
  const repository = yield* MetafieldValueRepository
  const writes = yield* makeValueWrites
  return {
    /** What the body of a product says of them; the caller holds the product, as it is after the change. */
    write: (
      storeId: string,
      product: LockedProduct,
      values: Readonly<Record<string, unknown>> | undefined,
      now: number
    ) => {
      const sent = Object.entries(values ?? {}).map(([key, value]) => ({ productId: product.id, key, value }))
      return Effect.catchTag(
        writes.whole(storeId, { products: [product], sent, source: null, now }, "metafields"),
        "MetafieldsRejected",
        ({ errors }) => rejectFields(errors)
      )
    },
    forget: repository.forget
  }
})
