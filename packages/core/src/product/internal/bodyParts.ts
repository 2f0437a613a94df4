/**
 * What of a product's body is kept in rows of its own: components, variants, modifier groups, metafields. All of them
 * are checked, also where one of them, or the product itself, is refused; the transaction is undone then.
 */
import { Effect } from "effect"
import { checkAll } from "../../kernel/FieldRejected.ts"
import type { StoreContext } from "../../store/StoreContext.ts"
import { KitRepository } from "../KitRepository.ts"
import { makeKitWrites } from "../KitRules.ts"
import { ModifierAttachmentRepository } from "../../modifier/ModifierAttachmentRepository.ts"
import { ModifierGroupRepository } from "../../modifier/ModifierGroupRepository.ts"
import type { ProductFields, ProductState } from "../Product.ts"
import type { ProductInput, ProductPatch } from "../ProductInput.ts"
import type { ProductRepository } from "../ProductRepository.ts"
import { makeModifierAttachments } from "./modifierAttachments.ts"
import type { Draft } from "./newProductStates.ts"
import { emptyProduct } from "../ProductRules.ts"
import { typeOf } from "./productDrafts.ts"
import type { makeProductMetafields } from "./productMetafields.ts"
import type { makeSlugWrites } from "./slugWrites.ts"
import type { makeVariantWrites } from "./variantWrites.ts"

interface Writes {
  readonly repository: ProductRepository["Service"]
  readonly variantsOf: ReturnType<typeof makeVariantWrites>
  readonly metafields: Effect.Success<typeof makeProductMetafields>
  readonly writeSlugs: ReturnType<typeof makeSlugWrites>
}

export const makeBodyParts = Effect.fnUntraced(function* ({ repository, variantsOf, metafields, writeSlugs }: Writes) {
  const writeKit = makeKitWrites(yield* KitRepository)
  const modifiers = makeModifierAttachments(yield* ModifierGroupRepository, yield* ModifierAttachmentRepository)
  return {
    /** The row of a new product, and its parts. */
    insert: Effect.fnUntraced(function* (
      store: StoreContext,
      { id, input, fields }: Pick<Draft, "id" | "input" | "fields">,
      now: number
    ) {
      yield* repository.insert(store.id, id, fields, new Date(now))
      yield* repository.beginMetafields(store.id, id, new Date(now))
      yield* writeSlugs(store.id, { id, translations: {} }, fields)
      yield* checkAll({
        kit: writeKit(store.id, { id, type: fields.type, wasKit: false }, input),
        variants: variantsOf.create(store, { ...fields, id }, input, now),
        modifiers: modifiers.apply(store.id, { id, variants: [], modifierGroups: [] }, input.modifierGroups, now),
        metafields: metafields.write(store.id, { id, isActive: fields.status === "active" }, input.metafields, now)
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
        metafields: metafields.write(store.id, { id, isActive: fields.status === "active" }, patch.metafields, now)
      })
    }
  }
})

/** A new product without what its body says of itself: what the parts are tried on where that is refused. */
export const standInFor = (id: string, input: ProductInput): ProductFields => ({
  ...emptyProduct(input.name, id.replaceAll("_", "-")),
  type: typeOf(input)
})

/** A body whose own stock and whose variants' classes have been judged before: its parts are tried without them. */
export const leftToTry = <Body extends Pick<ProductPatch, "variants" | "inventory">>(body: Body): Body => ({
  ...body,
  inventory: {},
  ...(body.variants === undefined
    ? {}
    : { variants: body.variants.map((variant) => ({ ...variant, shippingClassId: null })) })
})
