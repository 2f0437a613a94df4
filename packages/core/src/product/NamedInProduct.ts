/**
 * What a product shows of the things that it names: categories, brands, attributes with their options, components of a
 * kit. Names are in the language that is read.
 */
import { askedTranslations, type Reading, textIn } from "../kernel/Locale.ts"
import type { ProductState, VariantState } from "./Product.ts"

/** What a kit shows of a component but for its name, which is read in languages. */
const kitPartHead = ({ productId, variantId, quantity, slug, image }: ProductState["kitComponents"][number]) => ({
  productId,
  variantId,
  quantity,
  slug,
  image
})

export const kitPart = (part: ProductState["kitComponents"][number], reading?: Reading) => ({
  ...kitPartHead(part),
  name: textIn(part, "name", reading)
})

/** Components that shoppers can see; without one of them the kit cannot be bought. */
export const offeredParts = ({ kitComponents }: ProductState) => kitComponents.filter(({ isOffered }) => isOffered)

type AttributeRow = ProductState["attributes"][number]
export type ProductAttributeRow = Omit<AttributeRow, "options">
export type ProductOptionRow = AttributeRow["options"][number] & { readonly attributeId: string }

const toProductAttribute = ({ isDeleted: _, ...attribute }: ProductAttributeRow, reading?: Reading) => ({
  ...attribute,
  name: textIn(attribute, "name", reading),
  translations: askedTranslations(attribute.translations, reading?.wanted)
})

const toProductOption = ({ isDeleted: _, ...option }: ProductOptionRow, reading?: Reading) => ({
  ...option,
  name: textIn(option, "name", reading),
  translations: askedTranslations(option.translations, reading?.wanted)
})

/** Without those that were deleted by force: only the variants that have them still name them. */
export const attributeViews = (attributes: ProductState["attributes"], reading: Reading | undefined) =>
  attributes
    .filter(({ isDeleted }) => !isDeleted)
    .map(({ options, ...attribute }) => ({
      ...toProductAttribute(attribute, reading),
      options: options
        .filter(({ isDeleted }) => !isDeleted)
        .map((option) => toProductOption({ ...option, attributeId: attribute.id }, reading))
    }))

/** A variant that is made of options has their names, and its own made of them, in the language that is read. */
export const variantReader = (
  { attributes }: ProductState,
  reading: Reading | undefined
): ((variant: VariantState) => VariantState) => {
  if (reading === undefined || attributes.length === 0) return (variant) => variant
  const chosen = new Map(
    attributes.flatMap((attribute) =>
      attribute.options.map((option) => [
        option.id,
        { attribute: textIn(attribute, "name", reading), option: textIn(option, "name", reading) }
      ])
    )
  )
  return (variant) => {
    const choices = variant.optionIds.flatMap((id) => chosen.get(id) ?? [])
    if (choices.length === 0 || choices.length < variant.optionIds.length) return variant
    return {
      ...variant,
      attributes: Object.fromEntries(choices.map(({ attribute, option }) => [attribute, option])),
      name: variant.isNameMade === true ? choices.map(({ option }) => option).join(" / ") : variant.name
    }
  }
}

export type ProductCategoryRow = ProductState["categories"][number]

export const toProductCategory = (category: ProductCategoryRow, reading?: Reading) => ({
  id: category.id,
  name: textIn(category, "name", reading),
  slug: category.slug,
  taxBehavior: category.taxBehavior
})

export type ProductBrandRow = ProductState["brands"][number]

export const toProductBrand = (brand: ProductBrandRow, reading?: Reading) => ({
  id: brand.id,
  name: textIn(brand, "name", reading),
  slug: brand.slug,
  translations: askedTranslations(brand.translations, reading?.wanted)
})
