/** Attaches the modifier groups of a product's body, in the transaction of the product. */
import { Effect } from "effect"
import { checkEach, rejectFields } from "../../kernel/FieldRejected.ts"
import { type FieldErrors, problemsOf } from "../../kernel/FieldErrors.ts"
import { makeId } from "../../kernel/Ids.ts"
import type { ModifierGroupAttachment } from "../../modifier/AttachedModifierGroup.ts"
import type { Attachment } from "../../modifier/ModifierFields.ts"
import { ModifierAttachmentRepository } from "../ModifierAttachmentRepository.ts"
import type { ModifierGroupState } from "../../modifier/ModifierGroup.ts"
import { ModifierGroups } from "../../modifier/ModifierGroups.ts"
import type { ProductState } from "../Product.ts"

/** A group can be attached to a product once for all variants, and once for each variant. */
const placeOf = ({ groupId, variantId }: { readonly groupId: string; readonly variantId?: string | null }) =>
  JSON.stringify([groupId, variantId ?? null])

/** Overrides that contradict the group's own rules or each other. */
const overrideProblems = (
  path: string,
  { minOverride, maxOverride, defaultModifierIds = [] }: ModifierGroupAttachment,
  { selectionType, minSelections, maxSelections, modifiers }: ModifierGroupState
): FieldErrors => {
  const most = maxOverride ?? maxSelections ?? Infinity
  const isCrossed = (minOverride ?? minSelections) > most
  const isWide = selectionType === "SINGLE" && most > 1
  const tooLow = isCrossed && typeof minOverride !== "number"
  const unknown = defaultModifierIds.find((id) => !modifiers.some((modifier) => modifier.id === id))
  const tooMany = new Set(defaultModifierIds).size > most
  const atMost = `at most ${most} can be chosen of this group`
  return problemsOf({
    [`${path}minOverride`]: isCrossed && !tooLow ? atMost : undefined,
    [`${path}maxOverride`]: isWide
      ? "a SINGLE group has at most one selection"
      : tooLow
        ? `at least ${minSelections} are to be chosen of this group`
        : undefined,
    [`${path}defaultModifierIds`]:
      unknown === undefined ? (tooMany ? atMost : undefined) : `${unknown} is not a modifier of this group`
  })
}

const toAttachment = (given: ModifierGroupAttachment, attachmentId: string, position: number): Attachment => ({
  attachmentId,
  groupId: given.groupId,
  variantId: given.variantId ?? null,
  position: given.position ?? position,
  minOverride: given.minOverride ?? null,
  maxOverride: given.maxOverride ?? null,
  requiredOverride: given.requiredOverride ?? null,
  freeQuantityOverride: given.freeQuantityOverride ?? null,
  freeAllocationPolicyOverride: given.freeAllocationPolicyOverride ?? null,
  defaultModifierIds: [...new Set(given.defaultModifierIds)]
})

/** The product before the change; a new one has no variants that a body could name. */
type Product = Pick<ProductState, "id" | "modifierGroups" | "variants">

export const makeModifierAttachments = Effect.gen(function* () {
  const groups = yield* ModifierGroups
  const repository = yield* ModifierAttachmentRepository

  /** Replaces the groups of a product by those of its body, if it has any. A group that stays attached keeps its id. */
  const apply = Effect.fnUntraced(function* (
    storeId: string,
    product: Product,
    body: ReadonlyArray<ModifierGroupAttachment> | undefined,
    now: number
  ) {
    if (body === undefined || (body.length === 0 && product.modifierGroups.length === 0)) return
    const found = body.length === 0 ? [] : yield* groups.several(storeId, [...new Set(body.map((it) => it.groupId))])
    const known = new Map(found.map((group) => [group.id, group]))
    const variants = new Set(product.variants.map(({ id }) => id))
    const before = new Map(product.modifierGroups.map((group) => [placeOf(group), group.attachmentId]))
    const places = new Set<string>()
    const read = (given: ModifierGroupAttachment, i: number) => {
      const path = `modifierGroups.${i}.`
      const group = known.get(given.groupId)
      const place = placeOf(given)
      const isTwice = places.has(place)
      places.add(place)
      const isUnknownVariant = typeof given.variantId === "string" && !variants.has(given.variantId)
      const errors = problemsOf({
        [`${path}groupId`]:
          group === undefined ? "is not a modifier group of this store" : isTwice ? "is attached twice" : undefined,
        [`${path}variantId`]: isUnknownVariant ? "is not a variant of this product" : undefined
      })
      return Effect.as(
        rejectFields({ ...errors, ...(group === undefined ? {} : overrideProblems(path, given, group)) }),
        toAttachment(given, before.get(place) ?? makeId("modatt", now), i)
      )
    }
    yield* repository.replace(storeId, product.id, yield* checkEach(body, read))
  })

  return { apply }
})
