/**
 * The vocabulary of a store: what documents show of small things that many products share (categories, brands,
 * attributes, modifier groups, metafield definitions, shipping classes), by kind and id. A document holds the id alone,
 * so that a new name is one row and right at once for every product.
 */
import { sharedGroupView } from "../../modifier/AttachedModifierGroup.ts"
import { groupJson, type ModifierGroupJson, toGroupFields } from "../../modifier/ModifierColumns.ts"
import { type Reading, textIn } from "../../kernel/Locale.ts"
import { isOnChannel } from "../../taxonomy/Publication.ts"
import { brandJson, categoryJson } from "../../taxonomy/TaxonomyColumns.ts"
import { metafieldWord } from "../../metafield/MetafieldColumns.ts"
import { compileMetafields, type MetafieldPieces, type MetafieldWord } from "./metafieldPieces.ts"
import {
  type ProductAttributeRow,
  type ProductCategoryRow,
  type ProductOptionRow,
  toProductAttribute,
  toProductBrand,
  toProductCategory,
  toProductOption
} from "../../product/NamedInProduct.ts"

export interface VocabularyPieces {
  /** JSON of the thing as documents show it; undefined where it is not shown. */
  readonly piece: (kind: string, id: string) => string | undefined
  /** As a channel shows it, or with null the public, in the languages of a reading. */
  readonly on: (channelId: string | null, reading?: Reading) => VocabularyPieces
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
  Record<string, { readonly rows: string; readonly shown: (facts: never, reading?: Reading) => unknown }>
> = {
  category: {
    rows: `SELECT c.id, ${categoryJson} AS facts
      FROM category c WHERE c.store_id = o.store AND c.deleted_at IS NULL`,
    shown: toProductCategory
  },
  brand: {
    rows: `SELECT b.id, ${brandJson} AS facts
      FROM brand b WHERE b.store_id = o.store AND b.deleted_at IS NULL`,
    shown: toProductBrand
  },
  // Amounts are in the store's currency, which stays while there are modifiers.
  modifier_group: {
    rows: `SELECT g.id, json_build_object('currency', s.currency, 'group', ${groupJson}) AS facts
      FROM modifier_group g JOIN store s ON s.id = g.store_id WHERE g.store_id = o.store AND g.status = 'active'`,
    shown: ({ currency, group }: { readonly currency: string; readonly group: ModifierGroupJson }, reading) =>
      sharedGroupView(toGroupFields(group), { currency, audience: "storefront", reading })
  },
  metafield_definition: {
    rows: `SELECT d.id, ${metafieldWord} AS facts FROM metafield_definition d WHERE d.store_id = o.store`,
    // They are shown together, by `metafields`.
    shown: () => undefined
  },
  attribute: {
    rows: `SELECT a.id, json_build_object('id', a.id, 'name', a.name, 'displayType', a.display_type, 'translations',
      a.translations, 'isDeleted', a.deleted_at IS NOT NULL) AS facts FROM attribute a WHERE a.store_id = o.store`,
    shown: (facts: ProductAttributeRow, reading) => (facts.isDeleted ? undefined : toProductAttribute(facts, reading))
  },
  option: {
    rows: `SELECT p.id, json_build_object('id', p.id, 'name', p.name, 'value', p.value, 'swatchColor', p.swatch_color,
      'swatchColor2', p.swatch_color2, 'swatchImageUrl', p.swatch_image_url, 'translations', p.translations,
      'position', p.position, 'isDeleted', p.deleted_at IS NOT NULL, 'attributeId', p.attribute_id) AS facts
      FROM attribute_option p WHERE p.store_id = o.store`,
    shown: (facts: ProductOptionRow, reading) => (facts.isDeleted ? undefined : toProductOption(facts, reading))
  },
  shipping_class: {
    rows: `SELECT c.id, json_build_object('id', c.id, 'name', c.name, 'slug', c.slug) AS facts
      FROM shipping_class c WHERE c.store_id = o.store`,
    shown: (facts: object) => facts
  }
}

/** Readings whose texts are kept, beside that of the store's own language. */
const keptReadings = 8

type Facts = ReadonlyMap<string, unknown>
const factsOf = <A>(facts: Facts, kind: string, id: string) => facts.get(`${kind} ${id}`) as A | undefined

/** What a variant shows of an option that it has, also of one that was deleted by force. */
const ofVariants: Readonly<Record<string, (facts: Facts, id: string, reading?: Reading) => unknown>> = {
  option_name: (facts, id, reading) => {
    const option = factsOf<ProductOptionRow>(facts, "option", id)
    return option === undefined ? undefined : textIn(option, "name", reading)
  },
  option_choice: (facts, id, reading) => {
    const option = factsOf<ProductOptionRow>(facts, "option", id)
    const attribute = factsOf<ProductAttributeRow>(facts, "attribute", option?.attributeId ?? "")
    if (option === undefined || attribute === undefined) return undefined
    return { [textIn(attribute, "name", reading)]: textIn(option, "name", reading) }
  }
}

const shownOf = (facts: Facts, kind: string, id: string, reading: Reading | undefined): unknown => {
  const ofVariant = ofVariants[kind]
  if (ofVariant !== undefined) return ofVariant(facts, id, reading)
  const known = facts.get(`${kind} ${id}`)
  return known === undefined ? undefined : vocabularyKinds[kind]?.shown(known as never, reading)
}

/** Texts are made when they are first shown in a language, and kept. */
const keptTexts = (facts: Facts) => {
  const own = new Map<string, string | undefined>()
  const others = new Map<string, Map<string, string | undefined>>()
  const textsIn = (reading: Reading | undefined) => {
    if (reading === undefined) return own
    const name = JSON.stringify(reading)
    const kept = others.get(name)
    if (kept !== undefined) return kept
    if (others.size >= keptReadings) others.clear()
    const texts = new Map<string, string | undefined>()
    others.set(name, texts)
    return texts
  }
  return (reading: Reading | undefined) => {
    const texts = textsIn(reading)
    return (kind: string, id: string): string | undefined => {
      const key = `${kind} ${id}`
      if (texts.has(key)) return texts.get(key)
      const shown = shownOf(facts, kind, id, reading)
      const text = shown === undefined ? undefined : JSON.stringify(shown)
      texts.set(key, text)
      return text
    }
  }
}

export const compileVocabulary = (rows: ReadonlyArray<VocabularyRow>): VocabularyPieces => {
  const facts = new Map<string, unknown>()
  /** Of things that are published to particular channels. */
  const channels = new Map<string, ReadonlyArray<string>>()
  const metafields: Array<MetafieldWord> = []
  let bytes = 100
  for (const [kind, id, known] of rows) {
    // Its facts, and its texts in the languages that are read most.
    bytes += 6 * JSON.stringify(known).length + 2 * (kind.length + id.length) + 200
    if (kind === "metafield_definition") metafields.push(known as MetafieldWord)
    else facts.set(`${kind} ${id}`, known)
    const { channelIds } = known as { readonly channelIds?: ReadonlyArray<string> | null }
    if (Array.isArray(channelIds)) channels.set(`${kind} ${id}`, channelIds)
  }
  /** A category is shown where all those above it are, as in the tree of categories. */
  const isShown = (kind: string, id: string, channelId: string | null): boolean => {
    if (!isOnChannel(channels.get(`${kind} ${id}`), channelId)) return false
    const category = kind === "category" ? factsOf<ProductCategoryRow>(facts, kind, id) : undefined
    if (category === undefined) return true
    return category.isActive && (category.parentId === null || isShown(kind, category.parentId, channelId))
  }
  const textsIn = keptTexts(facts)
  const compiled = compileMetafields(metafields)
  const on = (channelId: string | null, reading?: Reading): VocabularyPieces => {
    const piece = textsIn(reading)
    return {
      metafields: compiled,
      bytes,
      on,
      audience: channels.size === 0 ? "" : (channelId ?? "public"),
      piece: (kind, id) => (isShown(kind, id, channelId) ? piece(kind, id) : undefined)
    }
  }
  return on(null)
}
