/**
 * A modifier group on a product: the group's own rules, and the product's overrides. A group that is attached for one
 * variant replaces, for that variant, the same group attached for all variants.
 */
import { Schema } from "effect"
import {
  arrayOf,
  boolean,
  clearable,
  described,
  int4,
  integer,
  listedText,
  nullable,
  nullableInteger,
  nullableString,
  oneOf,
  optional,
  Reference,
  string,
  text
} from "../kernel/Fields.ts"
import { translationsView } from "../kernel/Translations.ts"
import { askedTranslations, type Reading, textIn } from "../kernel/Locale.ts"
import {
  type AttachedGroup,
  type Attachment,
  freeAllocationPolicies,
  type ModifierGroupFields,
  modifierStatuses,
  selectionTypes
} from "./ModifierFields.ts"
import { groupSentences, maxModifiers, maxSelections, ModifierView } from "./ModifierGroup.ts"
import { toModifierView } from "./ModifierGroupRules.ts"

/** The most modifier groups of one product, including those of its variants. */
export const maxAttachedGroups = 50

const count = (minimum: number) => Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum, maximum: maxSelections })))

export const ModifierGroupAttachment = Schema.Struct({
  groupId: described(Reference, "Id of the modifier group."),
  variantId: clearable(
    text(200),
    "The only variant it is for; all by default. For that variant it replaces the same group for all variants."
  ),
  position: optional(int4, "Its place among the groups, ascending. By default the order of the list."),
  minOverride: clearable(count(0), "Replaces the group's `minSelections` for this product."),
  maxOverride: clearable(count(1), "Replaces the group's `maxSelections` for this product."),
  requiredOverride: clearable(Schema.Boolean, "Replaces the group's `required` for this product."),
  freeQuantityOverride: clearable(count(0), "Replaces the group's `freeQuantity` for this product."),
  freeAllocationPolicyOverride: clearable(
    Schema.Literals(freeAllocationPolicies),
    "Replaces the group's `freeAllocationPolicy` for this product."
  ),
  defaultModifierIds: optional(
    Schema.Array(text(100)).pipe(Schema.check(Schema.isMaxLength(maxModifiers))),
    "Modifiers that are chosen until the shopper chooses otherwise. Empty or left out, those that the group marks."
  )
}).annotate({ identifier: "ModifierGroupInput", description: "A modifier group to attach to a product." })
export type ModifierGroupAttachment = typeof ModifierGroupAttachment.Type

export const ModifierGroupView = Schema.Struct({
  attachmentId: string("Id of the attachment of this group to this product."),
  groupId: string("Id of the group: the `modifierGroupId` of a cart item."),
  variantId: nullableString("The only variant it is for; null where it is for all."),
  position: integer("Its place among the groups, ascending.", 0),
  minOverride: nullableInteger("Replaces `minSelections` for this product."),
  maxOverride: nullableInteger("Replaces `maxSelections` for this product."),
  freeQuantityOverride: nullableInteger("Replaces `freeQuantity` for this product."),
  requiredOverride: described(Schema.NullOr(Schema.Boolean), "Replaces `required` for this product."),
  freeAllocationPolicyOverride: nullable(
    Schema.Literals(freeAllocationPolicies),
    "Replaces `freeAllocationPolicy` for this product; null leaves it."
  ),
  defaultModifierIds: arrayOf(
    Schema.String,
    "Modifiers that are chosen for this product by default, except those that are not shown. Empty: those whose " +
      "`isDefault` is true."
  ),
  name: string("Name to show.", "Extras"),
  internalName: nullableString("Name for the merchant only; always null for shoppers."),
  description: nullableString("Text for the shopper."),
  translations: translationsView("Translated texts by language code, each with `name` and `description`."),
  selectionType: oneOf(selectionTypes, "Whether one modifier or several can be chosen."),
  minSelections: nullableInteger(groupSentences.minSelections),
  maxSelections: nullableInteger(groupSentences.maxSelections),
  freeQuantity: nullableInteger(groupSentences.freeQuantity),
  required: boolean(groupSentences.required),
  freeAllocationPolicy: nullable(Schema.Literals(freeAllocationPolicies), groupSentences.freeAllocationPolicy),
  status: listedText(modifierStatuses, "Whether it can be chosen: `draft` ones are hidden from storefronts."),
  modifiers: arrayOf(ModifierView, "What can be chosen; a storefront sees the active ones.")
}).annotate({ identifier: "ModifierGroup", description: "A group of modifiers that is attached to a product." })

/** The reader of the view, as in a product's `ViewContext`. */
interface GroupContext {
  readonly currency: string
  readonly audience: "admin" | "subscriber" | "storefront"
  readonly reading?: Reading | undefined
}

/** The product's own settings for a group. */
export const attachmentView = (group: Attachment) => ({
  attachmentId: group.attachmentId,
  groupId: group.groupId,
  variantId: group.variantId,
  position: group.position,
  minOverride: group.minOverride,
  maxOverride: group.maxOverride,
  freeQuantityOverride: group.freeQuantityOverride,
  requiredOverride: group.requiredOverride,
  freeAllocationPolicyOverride: group.freeAllocationPolicyOverride,
  defaultModifierIds: group.defaultModifierIds
})

/** What all products with the group show of it: for shoppers only active modifiers, and no internal name. */
const sharedGroupView = (group: ModifierGroupFields, { currency, audience, reading }: GroupContext) => {
  const isShopper = audience === "storefront"
  const modifiers = isShopper ? group.modifiers.filter(({ status }) => status === "active") : group.modifiers
  return {
    name: textIn(group, "name", reading),
    internalName: isShopper ? null : group.internalName,
    description: textIn(group, "description", reading),
    translations: askedTranslations(group.translations, reading?.wanted),
    selectionType: group.selectionType,
    minSelections: group.minSelections,
    maxSelections: group.maxSelections,
    freeQuantity: group.freeQuantity,
    required: group.required,
    freeAllocationPolicy: group.freeAllocationPolicy,
    status: group.status,
    modifiers: modifiers.map((modifier) =>
      toModifierView(
        {
          ...modifier,
          name: textIn(modifier, "name", reading),
          description: textIn(modifier, "description", reading),
          translations: askedTranslations(modifier.translations, reading?.wanted)
        },
        currency
      )
    )
  }
}

/** A product with its groups: the fields that decide what shoppers see of them. */
interface WithGroups {
  readonly modifierGroups: ReadonlyArray<AttachedGroup>
  readonly variants: ReadonlyArray<{ readonly id: string; readonly status: string }>
}

/** What shoppers may see if the group is active: attachments for all variants, and those for one active variant. */
export const shownAttachments = ({ modifierGroups, variants }: WithGroups): ReadonlyArray<AttachedGroup> => {
  if (modifierGroups.length === 0) return []
  const active = new Set(variants.flatMap(({ id, status }) => (status === "active" ? [id] : [])))
  return modifierGroups.filter(({ variantId }) => variantId === null || active.has(variantId))
}

/** The groups of a product; for shoppers only what is active. */
export const attachedGroupViews = (
  product: WithGroups,
  context: GroupContext
): ReadonlyArray<typeof ModifierGroupView.Type> => {
  const groups =
    context.audience === "storefront"
      ? shownAttachments(product).filter(({ status }) => status === "active")
      : product.modifierGroups
  return groups.map((group) => ({ ...attachmentView(group), ...sharedGroupView(group, context) }))
}
