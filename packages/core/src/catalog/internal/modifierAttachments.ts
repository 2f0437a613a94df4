/** The modifier groups that the body of a product attaches, written in the transaction of the product. */
import { Effect } from "effect"
import { FieldRejected } from "../../kernel/FieldRejected.ts"
import { makeId } from "../../kernel/Ids.ts"
import type { ModifierGroupAttachment } from "../AttachedModifierGroup.ts"
import type { Attachment } from "../ModifierFields.ts"
import type { ModifierAttachmentRepository } from "../ModifierAttachmentRepository.ts"
import type { ModifierGroupState } from "../ModifierGroup.ts"
import type { ModifierGroupRepository } from "../ModifierGroupRepository.ts"
import type { ProductState } from "../Product.ts"

const refuse = (field: string, reason: string) => Effect.fail(new FieldRejected({ field, reason }))

/** One group stands on a product once for all variants, and once for each of them. */
const placeOf = ({ groupId, variantId }: { readonly groupId: string; readonly variantId?: string | null }) =>
  JSON.stringify([groupId, variantId ?? null])

/** Refuses overrides that contradict the group's own rules or each other. */
const checkOverrides = (
  path: string,
  given: ModifierGroupAttachment,
  group: ModifierGroupState
): Effect.Effect<void, FieldRejected> => {
  const { minOverride, maxOverride, defaultModifierIds = [] } = given
  const most = maxOverride ?? group.maxSelections ?? Infinity
  if (group.selectionType === "SINGLE" && most > 1)
    return refuse(`${path}maxOverride`, "a SINGLE group has at most one selection")
  if ((minOverride ?? group.minSelections) > most)
    return typeof minOverride === "number"
      ? refuse(`${path}minOverride`, `at most ${most} can be chosen of this group`)
      : refuse(`${path}maxOverride`, `at least ${group.minSelections} are to be chosen of this group`)
  const known = new Set(group.modifiers.map(({ id }) => id))
  const field = `${path}defaultModifierIds`
  const unknown = defaultModifierIds.find((id) => !known.has(id))
  if (unknown !== undefined) return refuse(field, `${unknown} is not a modifier of this group`)
  return new Set(defaultModifierIds).size > most
    ? refuse(field, `at most ${most} can be chosen of this group`)
    : Effect.void
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

/** The product as it was; a new one has no variants that a body could name. */
type Product = Pick<ProductState, "id" | "modifierGroups" | "variants">

export const makeModifierAttachments = (
  groups: ModifierGroupRepository["Service"],
  repository: ModifierAttachmentRepository["Service"]
) => ({
  /** Replaces the groups of a product by those of its body, if that says any. What stays attached keeps its id. */
  apply: Effect.fnUntraced(function* (
    storeId: string,
    product: Product,
    body: ReadonlyArray<ModifierGroupAttachment> | undefined,
    now: number
  ) {
    if (body === undefined || (body.length === 0 && product.modifierGroups.length === 0)) return
    const found = body.length === 0 ? [] : yield* groups.findAll(storeId, [...new Set(body.map((it) => it.groupId))])
    const known = new Map(found.map((group) => [group.id, group]))
    const variants = new Set(product.variants.map(({ id }) => id))
    const before = new Map(product.modifierGroups.map((group) => [placeOf(group), group.attachmentId]))
    const places = new Set<string>()
    const attachments: Array<Attachment> = []
    for (const [i, given] of body.entries()) {
      const path = `modifierGroups.${i}.`
      const group = known.get(given.groupId)
      if (group === undefined) return yield* refuse(`${path}groupId`, "is not a modifier group of this store")
      if (typeof given.variantId === "string" && !variants.has(given.variantId))
        return yield* refuse(`${path}variantId`, "is not a variant of this product")
      const place = placeOf(given)
      if (places.has(place)) return yield* refuse(`${path}groupId`, "is attached twice")
      places.add(place)
      yield* checkOverrides(path, given, group)
      attachments.push(toAttachment(given, before.get(place) ?? makeId("modatt", now), i))
    }
    yield* repository.replace(storeId, product.id, attachments)
  })
})
