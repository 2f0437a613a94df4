/** Brands: the makers of products. */
import { Schema } from "effect"
import {
  arrayOf,
  boolean,
  clearable,
  type Complete,
  described,
  integer,
  nullableFileUrl,
  nullableString,
  nullableTimestamp,
  optional,
  string,
  text,
  timestamp
} from "../kernel/Fields.ts"
import { askedTranslations, textOr, translationIn } from "../kernel/Locale.ts"
import { translations, translationsView } from "../kernel/Translations.ts"
import { fileAddress } from "../kernel/FileAddress.ts"
import { defaultLanguage, type StoreContext } from "../store/StoreContext.ts"
import { neverSynced, noPlatforms, platformFields, shownSource, source, syncFields } from "./Origin.ts"
import { publicationFields, publicationsOf, type PublishedChannel, salesChannelIds } from "./Publication.ts"
import type { StoreBound } from "../kernel/StoreBound.ts"

/** Limited because storefronts read all brands at once. */
export const brandBound: StoreBound = { field: "brands", most: 10_000, words: "brands" }

/** The fields of a brand that a storefront's list needs. */
export interface ShownBrand {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly translations: Record<string, unknown>
}

/** Products that a brand's page shows; the product list has all of them. */
export const shownBrandProducts = 20

const name = text(200)
const slug = text(190)
const slugWords = "Its slug, of letters, numbers and hyphens, unique in the store."
const fields = {
  description: clearable(text(10_000), "Description, in plain text."),
  logo: clearable(fileAddress, "Address of its logo.", "https://cdn.example.com/acme.png"),
  logoKey: clearable(text(500), "Key of its logo in the store's object storage."),
  source,
  isActive: optional(
    Schema.Boolean,
    "False hides the brand from the brand list and from filters; its products still show it. True by default."
  ),
  translations: optional(translations(), "Translated texts by language code, each with `name` and `description`."),
  salesChannelIds
}

export const BrandInput = Schema.Struct({
  name: described(name, "Name of the brand, unique in the store.", "Acme"),
  slug: clearable(slug, `${slugWords} Made from the name where it is left out.`, "acme"),
  ...fields
}).annotate({ identifier: "CreateBrand", description: "A brand to create." })
export type BrandInput = typeof BrandInput.Type

/** The stored fields of a brand. */
export interface BrandFields extends Omit<Complete<BrandInput>, "slug"> {
  readonly slug: string
}

export interface BrandState extends BrandFields {
  readonly id: string
  readonly publishedChannels: ReadonlyArray<PublishedChannel> | null
  readonly productCount: number
  readonly products: ReadonlyArray<{ readonly id: string; readonly name: string; readonly sku: string | null }>
  readonly createdAt: Date
  readonly updatedAt: Date
}

export const BrandPatch = Schema.Struct({
  name: optional(name, "Name of the brand, unique in the store.", "Acme"),
  slug: optional(slug, slugWords, "acme"),
  ...fields
}).annotate({
  identifier: "UpdateBrand",
  description: "Changes of a brand. What is left out stays as it is; null clears."
})
export type BrandPatch = typeof BrandPatch.Type

const BrandProduct = Schema.Struct({
  id: string("Id of the product."),
  name: string("Name of the product.", "Desk lamp"),
  sku: nullableString("Stock keeping unit of the product.", "LAMP")
}).annotate({ identifier: "BrandProduct", description: "A product of a brand." })

export const BrandView = Schema.Struct({
  id: string("Id of the brand."),
  accountId: string("The account that owns the store."),
  storeId: string("The store it belongs to."),
  name: string("Name of the brand, unique in the store.", "Acme"),
  slug: string("Its slug, unique in the store.", "acme"),
  description: nullableString("Description, in plain text."),
  logo: nullableFileUrl("Address of its logo.", "https://cdn.example.com/acme.png"),
  logoKey: nullableString("Key of its logo in the store's object storage."),
  ...platformFields,
  source: shownSource,
  ...syncFields,
  translations: translationsView("Translated texts by language code, each with `name` and `description`."),
  isActive: boolean("False where it is hidden from the brand list and from filters; its products still show it."),
  deletedAt: nullableTimestamp("When it was deleted; null while it is there."),
  productCount: integer("How many products it has, drafts included.", 12),
  products: arrayOf(
    BrandProduct,
    `Its first ${shownBrandProducts} products, oldest first. The product list has all of them.`
  ),
  ...publicationFields,
  createdAt: timestamp("When it was created."),
  updatedAt: timestamp("When it was last changed: the version that If-Match compares.")
}).annotate({ identifier: "Brand", description: "Who made a product." })
export type BrandView = typeof BrandView.Type

export const StorefrontBrand = Schema.Struct({
  id: string("Id of the brand: a value of the filter `brand`."),
  name: string("Name of the brand, in the language of the request where it is translated.", "Acme"),
  slug: string("Its slug, and what the filter `brand` takes.", "acme"),
  translations: translationsView("Translated texts by language code, each with `name` and `description`.")
}).annotate({ identifier: "StorefrontBrand", description: "A brand that shoppers can filter products by." })
export type StorefrontBrand = typeof StorefrontBrand.Type

/** A brand as a storefront's page shows it. */
export const BrandPage = Schema.Struct({
  id: string("Id of the brand: a value of the filter `brand`."),
  name: string("Name of the brand, in the language of the request where it is translated.", "Acme"),
  slug: string("Its slug.", "acme"),
  description: nullableString("Description in plain text, in the language of the request where it is translated."),
  logo: nullableFileUrl("Address of its logo.", "https://cdn.example.com/acme.png"),
  translations: translationsView("Translated texts by language code, each with `name` and `description`."),
  productCount: integer("How many visible products it has.", 12)
}).annotate({ identifier: "StorefrontBrandPage", description: "A brand as a storefront's page shows it." })
export type BrandPage = typeof BrandPage.Type

export const toBrandView = (
  store: StoreContext,
  { createdAt, updatedAt, publishedChannels, ...brand }: BrandState
): BrandView => ({
  ...brand,
  accountId: store.accountId,
  storeId: store.id,
  ...noPlatforms,
  ...neverSynced,
  deletedAt: null,
  channelPublishes: publicationsOf(publishedChannels),
  vibeCodedPublishes: publicationsOf(publishedChannels),
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString()
})

/** The brand with its texts in the reader's first language that has a translation. */
export const readBrandIn = <B extends ShownBrand & { readonly description?: string | null }>(
  store: StoreContext,
  brand: B,
  languages: ReadonlyArray<string> = []
): B => {
  const texts = translationIn(brand.translations, languages, defaultLanguage(store))
  const translations = askedTranslations(brand.translations, languages)
  const translated = { ...brand, name: textOr(texts, "name", brand.name), translations }
  return brand.description === undefined
    ? translated
    : { ...translated, description: textOr(texts, "description", brand.description) }
}
