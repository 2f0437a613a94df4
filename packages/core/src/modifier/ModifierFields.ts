/**
 * A modifier group, its modifiers and its overrides on a product, as they are stored. Prices are minor units of the
 * store's currency.
 */

/** Statuses of a group, and of each of its modifiers. */
export const modifierStatuses = ["active", "draft"] as const

export const selectionTypes = ["SINGLE", "MULTIPLE"] as const
/**
 * Which of the chosen modifiers are free. No policy depends on the order in which a shopper chose, because two lines
 * with the same modifiers are one line at one price.
 */
export const freeAllocationPolicies = ["CHEAPEST_FREE", "EXPENSIVE_FREE"] as const
export type FreeAllocationPolicy = (typeof freeAllocationPolicies)[number]

export interface ModifierState {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly translations: Record<string, unknown>
  /** May be below zero. */
  readonly priceDelta: bigint
  readonly sku: string | null
  readonly image: string | null
  readonly position: number
  readonly isDefault: boolean
  readonly available: boolean
  readonly referencedProductId: string | null
  readonly status: (typeof modifierStatuses)[number]
}

export interface ModifierGroupFields {
  readonly name: string
  readonly internalName: string | null
  readonly description: string | null
  readonly translations: Record<string, unknown>
  readonly selectionType: (typeof selectionTypes)[number]
  readonly minSelections: number
  /** Null: no limit; 1 where the type is SINGLE. */
  readonly maxSelections: number | null
  readonly required: boolean
  readonly freeQuantity: number
  readonly freeAllocationPolicy: FreeAllocationPolicy
  readonly status: (typeof modifierStatuses)[number]
  readonly modifiers: ReadonlyArray<ModifierState>
}

/** A product's overrides of the group's rules; null keeps the group's rule. */
export interface GroupOverrides {
  readonly minOverride: number | null
  readonly maxOverride: number | null
  readonly requiredOverride: boolean | null
  readonly freeQuantityOverride: number | null
  readonly freeAllocationPolicyOverride: FreeAllocationPolicy | null
  /** Empty: the defaults that the group marks. */
  readonly defaultModifierIds: ReadonlyArray<string>
}

export interface Attachment extends GroupOverrides {
  readonly attachmentId: string
  readonly groupId: string
  readonly variantId: string | null
  readonly position: number
}

export interface AttachedGroup extends Attachment, ModifierGroupFields {}
