/**
 * The shared labels of a store: what products show of small things that many of them share (categories, brands,
 * attributes, modifier groups, metafield definitions, shipping classes), by kind and id. A document holds only the id,
 * so that renaming writes one row and takes effect at once for every product.
 */
import type { MetafieldFacts, ProductMetafield } from "../../metafield/MetafieldFields.ts"
import { metafieldWord } from "../../metafield/MetafieldColumns.ts"
import type { AttachedGroup, ModifierGroupFields } from "../../modifier/ModifierFields.ts"
import { groupJson, type ModifierGroupJson, toGroupFields } from "../../modifier/ModifierColumns.ts"
import type { ProductAttributeState, ProductOptionState, ProductState } from "../../product/Product.ts"
import { isOnChannel } from "../../taxonomy/Publication.ts"
import { brandJson, categoryJson } from "../../taxonomy/TaxonomyColumns.ts"
import type { ProductDocument } from "./productDocument.ts"

/** A label as its statement returns it. */
export type LabelRow = readonly [kind: string, id: string, facts: unknown]

/**
 * The kinds, each with the statement of its rows: `o.store` is the store's id, `facts` is JSON. Every table in these
 * statements is a `label_table` of its migration, and has a limit per store.
 */
export const labelKinds = {
  category: `SELECT c.id, ${categoryJson} AS facts
    FROM category c WHERE c.store_id = o.store AND c.deleted_at IS NULL`,
  brand: `SELECT b.id, ${brandJson} AS facts
    FROM brand b WHERE b.store_id = o.store AND b.deleted_at IS NULL`,
  modifier_group: `SELECT g.id, ${groupJson} AS facts
    FROM modifier_group g WHERE g.store_id = o.store AND g.status = 'active'`,
  metafield_definition: `SELECT d.id, ${metafieldWord} AS facts FROM metafield_definition d WHERE d.store_id = o.store`,
  attribute: `SELECT a.id, json_build_object('id', a.id, 'name', a.name, 'displayType', a.display_type, 'translations',
    a.translations, 'isDeleted', a.deleted_at IS NOT NULL) AS facts FROM attribute a WHERE a.store_id = o.store`,
  option: `SELECT p.id, json_build_object('id', p.id, 'name', p.name, 'value', p.value, 'swatchColor', p.swatch_color,
    'swatchColor2', p.swatch_color2, 'swatchImageUrl', p.swatch_image_url, 'translations', p.translations,
    'position', p.position, 'isDeleted', p.deleted_at IS NOT NULL) AS facts
    FROM attribute_option p WHERE p.store_id = o.store`,
  shipping_class: `SELECT c.id, json_build_object('id', c.id, 'name', c.name, 'slug', c.slug) AS facts
    FROM shipping_class c WHERE c.store_id = o.store`
} as const
type Kind = keyof typeof labelKinds

type Category = ProductState["categories"][number]
type Brand = ProductState["brands"][number]

/** A definition as its statement returns it. */
interface LabelledMetafield extends MetafieldFacts {
  readonly appliesToAllProducts: boolean
  readonly position: number
}

const byPlace = (a: LabelledMetafield, b: LabelledMetafield): number =>
  a.position - b.position || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)

/** The parts of a product that come from shared labels. */
export type Labelled = Pick<
  ProductState,
  "attributes" | "brands" | "categories" | "metafields" | "modifierGroups" | "shippingClass"
>

export class SharedLabels {
  readonly #facts = new Map<string, unknown>()
  /** Definitions by position, and those among them that shoppers fill in. */
  readonly #metafields: ReadonlyArray<LabelledMetafield>
  readonly #inputs: ReadonlyArray<LabelledMetafield>
  /** Whether the shown labels differ by channel. */
  readonly isByChannel: boolean
  /** Estimated memory in bytes. */
  readonly bytes: number

  constructor(rows: ReadonlyArray<LabelRow>) {
    let bytes = 100
    let isByChannel = false
    for (const [kind, id, facts] of rows) {
      bytes += 4 * JSON.stringify(facts).length + 2 * (kind.length + id.length) + 200
      this.#facts.set(`${kind} ${id}`, kind === "modifier_group" ? toGroupFields(facts as ModifierGroupJson) : facts)
      const { channelIds } = facts as { readonly channelIds?: ReadonlyArray<string> | null }
      isByChannel ||= Array.isArray(channelIds)
    }
    this.#metafields = rows
      .flatMap(([kind, , facts]) => (kind === "metafield_definition" ? [facts as LabelledMetafield] : []))
      .sort(byPlace)
    this.#inputs = this.#metafields.filter(({ isCustomerInput }) => isCustomerInput)
    this.isByChannel = isByChannel
    this.bytes = bytes
  }

  #factsOf<Facts>(kind: Kind, id: string): Facts | undefined {
    return this.#facts.get(`${kind} ${id}`) as Facts | undefined
  }

  /** A category is shown if all its ancestors are, as in the category tree. */
  #isShown({ isActive, channelIds, parentId }: Category, channelId: string | null): boolean {
    if (!isActive || !isOnChannel(channelIds, channelId)) return false
    if (parentId === null) return true
    const parent = this.#factsOf<Category>("category", parentId)
    return parent !== undefined && this.#isShown(parent, channelId)
  }

  #attributes({ attributeUses }: ProductDocument): ReadonlyArray<ProductAttributeState> {
    return attributeUses.flatMap(({ id, optionIds }) => {
      const attribute = this.#factsOf<Omit<ProductAttributeState, "options">>("attribute", id)
      if (attribute === undefined) return []
      const options = optionIds.flatMap((optionId) => this.#factsOf<ProductOptionState>("option", optionId) ?? [])
      return [{ ...attribute, options }]
    })
  }

  /** The metafields that the product has a value for, and those that shoppers fill in. */
  #metafieldsOf({ metafieldValues, attachedMetafields }: ProductDocument): ReadonlyArray<ProductMetafield> {
    const hasValues = Object.keys(metafieldValues).length > 0
    return (hasValues ? this.#metafields : this.#inputs).flatMap((definition) => {
      const value = metafieldValues[definition.id] ?? null
      const applies = definition.appliesToAllProducts || attachedMetafields.includes(definition.id)
      return applies && (value !== null || definition.isCustomerInput) ? [{ ...definition, value }] : []
    })
  }

  #modifierGroups({ attachments }: ProductDocument): ReadonlyArray<AttachedGroup> {
    return attachments.flatMap((attachment) => {
      const group = this.#factsOf<ModifierGroupFields>("modifier_group", attachment.groupId)
      return group === undefined ? [] : [{ ...group, ...attachment }]
    })
  }

  #has(kind: Kind, id: string): boolean {
    return this.#facts.has(`${kind} ${id}`)
  }

  /** The document without ids of things that were deleted or deactivated since it was composed. */
  known(document: ProductDocument): ProductDocument {
    const { attachedMetafields, attachments, attributeUses, brandIds, categoryIds, metafieldValues } = document
    const isDefined = (id: string) => this.#has("metafield_definition", id)
    return {
      ...document,
      attachedMetafields: attachedMetafields.filter(isDefined),
      attachments: attachments.filter(({ groupId }) => this.#has("modifier_group", groupId)),
      attributeUses: attributeUses.filter(({ id }) => this.#has("attribute", id)),
      brandIds: brandIds.filter((id) => this.#has("brand", id)),
      categoryIds: categoryIds.filter((id) => this.#has("category", id)),
      metafieldValues: Object.fromEntries(Object.entries(metafieldValues).filter(([id]) => isDefined(id)))
    }
  }

  /** The shared labels of a product that a channel shows; null is the public. */
  of(document: ProductDocument, channelId: string | null): Labelled {
    const { categoryIds, brandIds, shippingClassId } = document
    return {
      attributes: this.#attributes(document),
      brands: brandIds.flatMap((id) => this.#factsOf<Brand>("brand", id) ?? []),
      categories: categoryIds
        .flatMap((id) => this.#factsOf<Category>("category", id) ?? [])
        .filter((category) => this.#isShown(category, channelId)),
      metafields: this.#metafieldsOf(document),
      modifierGroups: this.#modifierGroups(document),
      shippingClass:
        shippingClassId === null
          ? null
          : (this.#factsOf<NonNullable<ProductState["shippingClass"]>>("shipping_class", shippingClassId) ?? null)
    }
  }
}
