/**
 * The state of products that are being created in a set, made of what is in hand: what a reading of their rows would
 * find, without reading them. What their bodies name by id is read once for all of them (`ProductSurroundings`).
 */
import type { ProductMetafield } from "../../metafield/MetafieldFields.ts"
import type { ProductFields, ProductState, StockState } from "../Product.ts"
import type { ProductInput } from "../ProductInput.ts"
import type { OpeningStock } from "../ProductStock.ts"
import type { PublishedChannel } from "../../taxonomy/Publication.ts"
import { noStars } from "../Stars.ts"
import { asJsonb, asMeasure } from "./storedValues.ts"
import type { NewVariants } from "./variantWrites.ts"

/** A product that is to be written. */
export interface Draft extends NewVariants {
  readonly id: string
  readonly input: ProductInput
  readonly fields: ProductFields
}

/** What products are filed under, or say by id, as it is now; what is deleted is not there. */
export interface ProductSurroundings {
  readonly categories: ReadonlyMap<string, ProductState["categories"][number]>
  readonly brands: ReadonlyMap<string, ProductState["brands"][number]>
  readonly shippingClasses: ReadonlyMap<string, NonNullable<ProductState["shippingClass"]>>
  readonly channels: ReadonlyMap<string, PublishedChannel>
  /** Of one of the products: each begins with the same defaults. */
  readonly metafields: ReadonlyArray<ProductMetafield>
  /** No trigger of a host may keep something else than is sent. */
  readonly isKeptAsSent: boolean
  /** Whether metafields begin with values in this store. */
  readonly hasFirstValues: boolean
  readonly currency: string
}

/** Ids that a set of products names. */
export interface NamedIds {
  readonly categories: ReadonlyArray<string>
  readonly brands: ReadonlyArray<string>
  readonly shippingClasses: ReadonlyArray<string>
  readonly channels: ReadonlyArray<string>
}

const once = (ids: ReadonlyArray<string> | undefined): ReadonlyArray<string> => [...new Set(ids)]

export const namedIdsOf = (drafts: ReadonlyArray<Draft>): NamedIds => ({
  categories: once(drafts.flatMap(({ input }) => input.categories ?? [])),
  brands: once(drafts.flatMap(({ input }) => input.brands ?? [])),
  shippingClasses: once(drafts.flatMap(({ fields }) => fields.shippingClassId ?? [])),
  channels: once(drafts.flatMap(({ fields }) => fields.salesChannelIds ?? []))
})

const thoseOf = <Thing>(known: ReadonlyMap<string, Thing>, ids: ReadonlyArray<string> = []): ReadonlyArray<Thing> =>
  ids.flatMap((id) => known.get(id) ?? [])

const openedAs = ({
  trackingMode,
  backorderMode,
  backorderLimit,
  total,
  lowStockThreshold
}: OpeningStock): StockState => ({ trackingMode, backorderMode, backorderLimit, total, reserved: 0, lowStockThreshold })

/** `at` is when it is created. */
export const newProductState = (
  { id, input, fields, variants, stock }: Draft,
  around: ProductSurroundings,
  at: Date
): ProductState => {
  const opened = new Map(stock.map((one) => [one.variantId ?? one.productId, openedAs(one)]))
  const dated = { createdAt: at, updatedAt: at }
  return {
    ...fields,
    shippingWeightValue: asMeasure(fields.shippingWeightValue),
    shippingLengthValue: asMeasure(fields.shippingLengthValue),
    shippingWidthValue: asMeasure(fields.shippingWidthValue),
    shippingHeightValue: asMeasure(fields.shippingHeightValue),
    downloadData: asJsonb(fields.downloadData),
    images: asJsonb(fields.images),
    translations: asJsonb(fields.translations),
    id,
    ...dated,
    stock: opened.get(id) ?? null,
    variants: variants
      .map((variant) => ({
        ...variant,
        ...dated,
        productId: id,
        attributes: asJsonb(variant.attributes),
        downloadData: asJsonb(variant.downloadData),
        stock: opened.get(variant.id) ?? null
      }))
      .sort((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1)),
    kitComponents: [],
    publishedChannels: fields.salesChannelIds === null ? null : thoseOf(around.channels, fields.salesChannelIds),
    categories: thoseOf(around.categories, once(input.categories)),
    metafields: around.metafields,
    attachedMetafields: [],
    attributes: [],
    brands: thoseOf(around.brands, once(input.brands)),
    stars: noStars,
    shippingClass: around.shippingClasses.get(fields.shippingClassId ?? "") ?? null,
    modifierGroups: []
  }
}
