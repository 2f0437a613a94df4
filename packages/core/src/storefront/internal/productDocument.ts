/**
 * The document of a product: JSON of its own rows, as far as a storefront needs them. It contains no stock, and only
 * the ids of things that many products share (categories, brands, attributes, metafields, modifier groups, shipping
 * classes), so that neither a sale nor a new name writes a product.
 */
import { stockKeyOf } from "../../kernel/Availability.ts"
import type { Attachment } from "../../modifier/ModifierFields.ts"
import { attachmentView, shownAttachments } from "../../modifier/AttachedModifierGroup.ts"
import { linkFields, type ProductState, type VariantState } from "../../product/Product.ts"

/** Fields that are shared or counted, and so read elsewhere, and fields that shoppers never see. */
type Elsewhere =
  | "attributes"
  | "brands"
  | "categories"
  | "costPrice"
  | "kitComponents"
  | "metafields"
  | "modifierGroups"
  | "publishedChannels"
  | "shippingClass"
  | "stock"
  | "variants"

export interface ProductDocument extends Omit<ProductState, Elsewhere> {
  /** The currency of its prices. */
  readonly currency: string
  readonly categoryIds: ReadonlyArray<string>
  readonly brandIds: ReadonlyArray<string>
  /** Attributes with the options that the product uses, in the product's order. */
  readonly attributeUses: ReadonlyArray<{ readonly id: string; readonly optionIds: ReadonlyArray<string> }>
  /** Metafield values by the ids of their definitions. */
  readonly metafieldValues: Readonly<Record<string, unknown>>
  readonly attachments: ReadonlyArray<Attachment>
  /** Active variants. A name generated from options is stored as an empty text. */
  readonly variants: ReadonlyArray<Omit<VariantState, "costPrice" | "isNameMade" | "stock">>
  readonly kitComponents: ReadonlyArray<Omit<ProductState["kitComponents"][number], "stock">>
}

export interface ComposedDocument {
  readonly product_id: string
  readonly document: string
  /** Keys of the rows of stock that it shows. */
  readonly stock_keys: ReadonlyArray<string>
  /** Ids of products that it links to, if shoppers can see those. */
  readonly link_ids: ReadonlyArray<string>
}

const byId = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]) => (one < other ? -1 : 1)

const activeVariants = (product: ProductState) => product.variants.filter(({ status }) => status === "active")

const variantOf = ({ costPrice: _c, stock: _s, isNameMade, ...variant }: VariantState) => ({
  ...variant,
  name: isNameMade ? "" : variant.name,
  attributes: variant.optionIds.length > 0 ? {} : variant.attributes
})

const documentOf = (product: ProductState, currency: string): ProductDocument => {
  const {
    attributes,
    brands,
    categories,
    kitComponents,
    metafields,
    modifierGroups: _g,
    variants: _v,
    ...own
  } = product
  const { costPrice: _c, publishedChannels: _p, shippingClass: _s, stock: _t, ...fields } = own
  return {
    ...fields,
    currency,
    categoryIds: categories.map(({ id }) => id),
    brandIds: brands.map(({ id }) => id),
    attributeUses: attributes.map(({ id, options }) => ({ id, optionIds: options.map((option) => option.id) })),
    metafieldValues: Object.fromEntries(
      metafields.flatMap(({ id, value }) => (value === null ? [] : [[id, value] as const])).toSorted(byId)
    ),
    attachments: shownAttachments(product).map(attachmentView),
    variants: activeVariants(product).map(variantOf),
    kitComponents: kitComponents.map(({ stock: _, ...part }) => part)
  }
}

/** The stock of the product itself, of its variants, or of the components of a kit. */
const stockKeysOf = (product: ProductState): ReadonlyArray<string> => {
  const own = product.type === "KIT" ? product.kitComponents.map(stockKeyOf) : [product.id]
  return [...(product.type === "VARIABLE" ? [] : own), ...activeVariants(product).map(({ id }) => id)]
}

/** Without duplicates, in a fixed order. */
const linksOf = (product: ProductState): ReadonlyArray<string> =>
  [
    ...new Set([
      ...linkFields.flatMap((field) => product[field]),
      ...product.kitComponents.map(({ productId }) => productId)
    ])
  ].sort()

const plain = (_: string, value: unknown): unknown => (typeof value === "bigint" ? String(value) : value)

export const composeDocument = (product: ProductState, currency: string): ComposedDocument => ({
  product_id: product.id,
  document: JSON.stringify(documentOf(product, currency), plain),
  stock_keys: stockKeysOf(product),
  link_ids: linksOf(product)
})

const dateOrNull = (text: unknown): Date | null => (typeof text === "string" ? new Date(text) : null)
const amountOrNull = (text: unknown): bigint | null => (typeof text === "string" ? BigInt(text) : null)

/** Amounts and times are text in the JSON. */
interface Written {
  readonly basePrice: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly variants: ReadonlyArray<{ readonly price: string; readonly createdAt: string; readonly updatedAt: string }>
}

export const readDocument = (text: string): ProductDocument => {
  const written = JSON.parse(text) as ProductDocument
  const { basePrice, createdAt, updatedAt, variants } = written as unknown as Written
  return {
    ...written,
    basePrice: BigInt(basePrice),
    salePrice: amountOrNull(written.salePrice),
    salePriceStartsAt: dateOrNull(written.salePriceStartsAt),
    salePriceEndsAt: dateOrNull(written.salePriceEndsAt),
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
    variants: written.variants.map((variant, i) => ({
      ...variant,
      price: BigInt(variants[i]?.price ?? 0),
      salePrice: amountOrNull(variant.salePrice),
      createdAt: new Date(variants[i]?.createdAt ?? 0),
      updatedAt: new Date(variants[i]?.updatedAt ?? 0)
    }))
  }
}
