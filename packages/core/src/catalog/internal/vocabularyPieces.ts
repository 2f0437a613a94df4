/**
 * The vocabulary of a store: what documents show of small things that many products share (categories, brands,
 * attributes, modifier groups, metafield definitions, shipping classes), by kind and id. A document holds the id alone,
 * so that a new name is one row and right at once for every product.
 */
import { sharedGroupView } from "../AttachedModifierGroup.ts"
import { groupJson, type ModifierGroupJson, toGroupFields } from "../ModifierGroupRepository.ts"
import { isOnChannel } from "../Publication.ts"
import { metafieldWord } from "./metafieldColumns.ts"
import { compileMetafields, type MetafieldPieces, type MetafieldWord } from "./metafieldPieces.ts"
import {
  type ProductAttributeRow,
  type ProductCategoryRow,
  type ProductOptionRow,
  toProductAttribute,
  toProductBrand,
  toProductCategory,
  toProductOption
} from "../ProductView.ts"

export interface VocabularyPieces {
  /** JSON of the thing as documents show it; undefined where it is not shown. */
  readonly piece: (kind: string, id: string) => string | undefined
  /** As a channel shows it, or with null the public. */
  readonly on: (channelId: string | null) => VocabularyPieces
  /** Tells channels apart where they are shown different things; empty where all see the same. */
  readonly audience: string
  readonly metafields: MetafieldPieces
  /** About how much of the process's memory it takes. */
  readonly bytes: number
}

/** A thing of the vocabulary as its statement answers it. */
export type VocabularyRow = readonly [kind: string, id: string, facts: unknown]

/**
 * The kinds, each with the statement of its rows (`o.store` is the store's id, `facts` is JSON) and what a document
 * shows of one: undefined hides it. Every table that is named here is a `vocabulary_table` of its migration, and has a
 * bound per store.
 */
export const vocabularyKinds: Readonly<
  Record<string, { readonly rows: string; readonly shown: (facts: never) => unknown }>
> = {
  category: {
    rows: `SELECT c.id, json_build_object('id', c.id, 'name', c.name, 'taxBehavior', c.tax_behavior, 'isActive',
      c.is_active, 'channelIds', c.channel_ids) AS facts
      FROM category c WHERE c.store_id = o.store AND c.deleted_at IS NULL`,
    shown: (facts: ProductCategoryRow) => (facts.isActive ? toProductCategory(facts) : undefined)
  },
  brand: {
    rows: `SELECT b.id, json_build_object('id', b.id, 'name', b.name, 'translations', b.translations, 'channelIds',
      b.channel_ids) AS facts
      FROM brand b WHERE b.store_id = o.store AND b.deleted_at IS NULL`,
    shown: toProductBrand
  },
  // Amounts are in the store's currency, which stays while there are modifiers.
  modifier_group: {
    rows: `SELECT g.id, json_build_object('currency', s.currency, 'group', ${groupJson}) AS facts
      FROM modifier_group g JOIN store s ON s.id = g.store_id WHERE g.store_id = o.store AND g.status = 'active'`,
    shown: ({ currency, group }: { readonly currency: string; readonly group: ModifierGroupJson }) =>
      sharedGroupView(toGroupFields(group), { currency, audience: "storefront" })
  },
  metafield_definition: {
    rows: `SELECT d.id, ${metafieldWord} AS facts FROM metafield_definition d WHERE d.store_id = o.store`,
    // They are shown together, by `metafields`.
    shown: () => undefined
  },
  attribute: {
    rows: `SELECT a.id, json_build_object('id', a.id, 'name', a.name, 'displayType', a.display_type, 'translations',
      a.translations, 'isDeleted', a.deleted_at IS NOT NULL) AS facts FROM attribute a WHERE a.store_id = o.store`,
    shown: (facts: ProductAttributeRow) => (facts.isDeleted ? undefined : toProductAttribute(facts))
  },
  option: {
    rows: `SELECT p.id, json_build_object('id', p.id, 'name', p.name, 'value', p.value, 'swatchColor', p.swatch_color,
      'swatchColor2', p.swatch_color2, 'swatchImageUrl', p.swatch_image_url, 'translations', p.translations,
      'position', p.position, 'isDeleted', p.deleted_at IS NOT NULL, 'attributeId', p.attribute_id) AS facts
      FROM attribute_option p WHERE p.store_id = o.store`,
    shown: (facts: ProductOptionRow) => (facts.isDeleted ? undefined : toProductOption(facts))
  },
  /** What a variant shows of an option that it has, also of one that was deleted by force. */
  option_name: {
    rows: `SELECT p.id, to_json(p.name) AS facts FROM attribute_option p WHERE p.store_id = o.store`,
    shown: (name: string) => name
  },
  option_choice: {
    rows: `SELECT p.id, json_build_object(a.name, p.name) AS facts FROM attribute_option p
      JOIN attribute a ON a.store_id = p.store_id AND a.id = p.attribute_id WHERE p.store_id = o.store`,
    shown: (choice: object) => choice
  },
  shipping_class: {
    rows: `SELECT c.id, json_build_object('id', c.id, 'name', c.name, 'slug', c.slug) AS facts
      FROM shipping_class c WHERE c.store_id = o.store`,
    shown: (facts: object) => facts
  }
}

export const compileVocabulary = (rows: ReadonlyArray<VocabularyRow>): VocabularyPieces => {
  const pieces = new Map<string, string>()
  /** Of things that are published to particular channels. */
  const channels = new Map<string, ReadonlyArray<string>>()
  const metafields: Array<MetafieldWord> = []
  let bytes = 0
  for (const [kind, id, facts] of rows) {
    if (kind === "metafield_definition") {
      metafields.push(facts as MetafieldWord)
      bytes += 2 * JSON.stringify(facts).length
    }
    const shown = vocabularyKinds[kind]?.shown(facts as never)
    if (shown === undefined) continue
    const text = JSON.stringify(shown)
    const { channelIds } = facts as { readonly channelIds?: ReadonlyArray<string> | null }
    if (Array.isArray(channelIds)) {
      channels.set(`${kind} ${id}`, channelIds)
      bytes += 80 * channelIds.length
    }
    pieces.set(`${kind} ${id}`, text)
    bytes += 2 * (kind.length + id.length + text.length) + 100
  }
  const piece = (kind: string, id: string) => pieces.get(`${kind} ${id}`)
  const all = { piece, metafields: compileMetafields(metafields), bytes: bytes + 100 }
  const on = (channelId: string | null): VocabularyPieces => ({
    ...all,
    on,
    audience: channels.size === 0 ? "" : (channelId ?? "public"),
    piece:
      channels.size === 0
        ? piece
        : (kind, id) => (isOnChannel(channels.get(`${kind} ${id}`), channelId) ? piece(kind, id) : undefined)
  })
  return on(null)
}
