/** How statements read a modifier group with its modifiers as JSON, for the products that have it and by itself. */
import type { ModifierGroupFields, ModifierState } from "./ModifierFields.ts"

export type ModifierJson = Omit<ModifierState, "priceDelta"> & { readonly priceDelta: string }

/** JSON of the modifiers of a row `g` of modifier_group, in their order; null where it has none. */
export const modifiersJson = `(SELECT json_agg(json_build_object('id', m.id, 'name', m.name, 'description',
    m.description, 'translations', m.translations, 'priceDelta', m.price_delta::text, 'sku', m.sku, 'image', m.image,
    'position', m.position, 'isDefault', m.is_default, 'available', m.available, 'referencedProductId',
    m.referenced_product_id, 'status', m.status) ORDER BY m.position, m.id)
  FROM modifier m WHERE m.store_id = g.store_id AND m.group_id = g.id)`

/** A group with its modifiers as JSON of a statement. */
export type ModifierGroupJson = Omit<ModifierGroupFields, "modifiers"> & {
  readonly modifiers: ReadonlyArray<ModifierJson> | null
}

/** Pairs of json_build_object: what all products show of a row `g` of modifier_group. */
export const groupPairs = `'name', g.name, 'internalName', g.internal_name, 'description', g.description,
  'translations', g.translations, 'selectionType', g.selection_type, 'minSelections', g.min_selections,
  'maxSelections', g.max_selections, 'required', g.required, 'freeQuantity', g.free_quantity, 'freeAllocationPolicy',
  g.free_allocation_policy, 'status', g.status, 'modifiers', ${modifiersJson}`

export const groupJson = `json_build_object(${groupPairs})`

/** The modifiers as JSON of the statement, with their amounts in minor units. */
export const toModifiers = (modifiers: ReadonlyArray<ModifierJson> | null): ReadonlyArray<ModifierState> =>
  (modifiers ?? []).map((modifier) => ({ ...modifier, priceDelta: BigInt(modifier.priceDelta) }))

export const toGroupFields = (group: ModifierGroupJson): ModifierGroupFields => ({
  ...group,
  modifiers: toModifiers(group.modifiers)
})
