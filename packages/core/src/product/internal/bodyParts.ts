/**
 * What of a product's body is kept in rows of its own: slugs by language, components, variants, modifier groups,
 * metafields. All of them are checked, also where one of them, or the product itself, is refused; the transaction is
 * undone then.
 */
import { Effect } from "effect"
import { checkAll, type FieldRejected } from "../../kernel/FieldRejected.ts"
import type { StoreContext } from "../../store/StoreContext.ts"
import { MetafieldValues } from "../../metafield/MetafieldValues.ts"
import { ModifierGroups } from "../../modifier/ModifierGroups.ts"
import { KitRepository } from "../KitRepository.ts"
import { makeKitWrites } from "../KitRules.ts"
import { ModifierAttachmentRepository } from "../ModifierAttachmentRepository.ts"
import type { ProductFields, ProductState } from "../Product.ts"
import type { ProductInput, ProductPatch } from "../ProductInput.ts"
import { ProductSlugRepository } from "../ProductSlugRepository.ts"
import { makeModifierAttachments } from "./modifierAttachments.ts"
import { makeSlugWrites } from "./slugWrites.ts"
import type { makeVariantWrites } from "./variantWrites.ts"

export const makeBodyParts = Effect.fnUntraced(function* (variantsOf: ReturnType<typeof makeVariantWrites>) {
  const metafields = yield* MetafieldValues
  const writeKit = makeKitWrites(yield* KitRepository)
  const writeSlugs = makeSlugWrites(yield* ProductSlugRepository)
  const modifiers = makeModifierAttachments(yield* ModifierGroups, yield* ModifierAttachmentRepository)
  return {
    firstVariants: variantsOf.first,
    insertVariants: variantsOf.insert,
    setAttributes: variantsOf.setAttributes,

    /**
     * The parts, but for attributes and variants, of a product whose row this transaction has made. `variants` is what
     * is checked with them.
     */
    begin: Effect.fnUntraced(function* (
      store: StoreContext,
      { id, input, fields }: { readonly id: string; readonly input: ProductInput; readonly fields: ProductFields },
      now: number,
      variants: Effect.Effect<unknown, FieldRejected> = Effect.void
    ) {
      yield* writeSlugs(store.id, { id, translations: {} }, fields)
      yield* checkAll({
        kit: writeKit(store.id, { id, type: fields.type, wasKit: false }, input),
        variants,
        modifiers: modifiers.apply(store.id, { id, variants: [], modifierGroups: [] }, input.modifierGroups, now),
        metafields: metafields.writeBody(store.id, { id, isActive: fields.status === "active" }, input.metafields, now)
      })
    }),

    /** The parts of a product whose row is locked; `fields` is what the product is after the change. */
    change: (
      store: StoreContext,
      current: ProductState,
      { patch, fields }: { readonly patch: ProductPatch; readonly fields: ProductFields },
      now: number
    ) => {
      const { id } = current
      return checkAll({
        kit: writeKit(store.id, { id, type: fields.type, wasKit: current.type === "KIT" }, patch),
        variants: variantsOf.apply(store, current, fields, patch, now),
        modifiers: modifiers.apply(store.id, current, patch.modifierGroups, now),
        metafields: metafields.writeBody(store.id, { id, isActive: fields.status === "active" }, patch.metafields, now)
      })
    },

    writeSlugs
  }
})

/** A body whose own stock and whose variants' classes have been judged before: its parts are tried without them. */
export const leftToTry = (patch: ProductPatch): ProductPatch => ({
  ...patch,
  inventory: {},
  ...(patch.variants === undefined
    ? {}
    : { variants: patch.variants.map((variant) => ({ ...variant, shippingClassId: null })) })
})
