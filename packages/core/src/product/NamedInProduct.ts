/**
 * How a product shows its pictures and what it refers to: categories, brands, attributes with their options, components
 * of a kit. Names are in the language of the reader.
 */
import { askedTranslations, type Reading, textIn } from "../kernel/Locale.ts"
import type { ProductImage, ProductState, VariantState } from "./Product.ts"
import { optionNamesOf, withOptionNames } from "./VariantNames.ts"

export const imageView = (image: ProductImage) => ({
  id: image.id,
  alt: image.alt,
  key: image.key,
  url: image.url,
  isMain: image.isMain,
  position: image.position,
  createdAt: image.createdAt,
  thumbnailUrl: image.thumbnailUrl ?? null,
  width: image.width ?? null,
  height: image.height ?? null,
  size: image.size ?? null,
  mimeType: image.mimeType ?? null,
  source: null,
  importStatus: null,
  importError: null
})

export const kitPartView = (part: ProductState["kitComponents"][number], reading: Reading | undefined) => ({
  productId: part.productId,
  variantId: part.variantId,
  quantity: part.quantity,
  slug: part.slug,
  image: part.image,
  name: textIn(part, "name", reading)
})

export const categoryView = (category: ProductState["categories"][number], reading: Reading | undefined) => ({
  id: category.id,
  name: textIn(category, "name", reading),
  slug: category.slug,
  taxBehavior: category.taxBehavior
})

interface Named {
  readonly name: string
  readonly translations: Record<string, unknown>
}

/** The name in the language of the reader, and the translations that were requested. */
const readNames = <Thing extends Named>(thing: Thing, reading: Reading | undefined) => ({
  ...thing,
  name: textIn(thing, "name", reading),
  translations: askedTranslations(thing.translations, reading?.wanted)
})

export const brandView = ({ channelIds: _, ...brand }: ProductState["brands"][number], reading: Reading | undefined) =>
  readNames(brand, reading)

/** Leaves out attributes and options that were deleted by force: only the variants that have them still show them. */
export const attributeViews = (attributes: ProductState["attributes"], reading: Reading | undefined) =>
  attributes
    .filter(({ isDeleted }) => !isDeleted)
    .map(({ isDeleted: _, options, ...attribute }) => ({
      ...readNames(attribute, reading),
      options: options
        .filter(({ isDeleted }) => !isDeleted)
        .map(({ isDeleted: _deleted, ...option }) => readNames({ ...option, attributeId: attribute.id }, reading))
    }))

/** Shows a variant with options under their names, and under a name generated from them, in the reader's language. */
export const variantReader = (
  { attributes }: ProductState,
  reading: Reading | undefined
): ((variant: VariantState) => VariantState) => {
  if (reading === undefined || attributes.length === 0) return (variant) => variant
  const named = optionNamesOf(
    attributes.map((attribute) => ({
      name: textIn(attribute, "name", reading),
      options: attribute.options.map((option) => ({ id: option.id, name: textIn(option, "name", reading) }))
    }))
  )
  return (variant) =>
    variant.optionIds.every((id) => named.has(id))
      ? withOptionNames({ ...variant, name: variant.isNameMade ? "" : variant.name }, named)
      : variant
}
