/** What a product shows of its parts and of what it refers to: pictures, components, categories, brands, attributes. */
import { Schema } from "effect"
import {
  arrayOf,
  boolean,
  fileUrl,
  integer,
  nullableFileUrl,
  nullableInteger,
  nullableString,
  oneOf,
  string,
  timestamp
} from "../kernel/Fields.ts"
import { translationsView } from "../kernel/Translations.ts"

export const ImageView = Schema.Struct({
  id: string("Id of the image. Send it back in a PATCH to keep the image."),
  alt: nullableString("Text for those who cannot see it.", "A red lamp on a desk"),
  key: nullableString("Key of the file in the media library; null for an image that lies elsewhere."),
  url: fileUrl("Address of the image.", "https://cdn.example.com/lamp.jpg"),
  isMain: boolean("Whether it is the one to show first. Exactly one image of a product is."),
  position: integer("Its place among the images, ascending.", 0),
  createdAt: timestamp("When it was added."),
  thumbnailUrl: nullableFileUrl("Address of a small version; null where there is none, or none yet."),
  width: nullableInteger("Width in pixels; null where unknown."),
  height: nullableInteger("Height in pixels; null where unknown."),
  size: nullableInteger("Size in bytes; null where unknown."),
  mimeType: nullableString("Media type, such as image/jpeg; null where unknown."),
  source: nullableString("The connected platform it came from; null for the store's own."),
  importStatus: nullableString("Status of its import; null for the store's own."),
  importError: nullableString("Why its import failed; null where it did not.")
}).annotate({ identifier: "ProductImage", description: "A picture of a product." })

export const KitComponentView = Schema.Struct({
  productId: string("The product."),
  variantId: nullableString("The variant, where the product is sold by its variants; else null."),
  quantity: integer("How many units of it one kit contains.", 2)
}).annotate({ identifier: "KitComponent", description: "A product that a KIT is made of." })

export const ProductKitComponentView = KitComponentView.mapFields((fields) => ({
  ...fields,
  name: string("Name of the product, in the language of the request where it is translated.", "Desk lamp"),
  slug: string("Name of the product in addresses.", "desk-lamp"),
  image: nullableFileUrl("Address of its picture; null without one.", "https://cdn.example.com/lamp.jpg")
})).annotate({ identifier: "ProductKitComponent", description: "A product that a KIT is made of, as it is now." })

export const ProductCategoryView = Schema.Struct({
  id: string("Id of the category."),
  name: string("Name of the category, in the language of the request where it is translated.", "Lamps"),
  slug: string("Its slug, and what the filter `category` takes.", "lamps"),
  taxBehavior: oneOf(["taxable", "exempt"], "`exempt` frees the products of the category from tax.")
}).annotate({ identifier: "ProductCategory", description: "A category that a product is filed under." })

export const ProductBrandView = Schema.Struct({
  id: string("Id of the brand."),
  name: string("Name of the brand, in the language of the request where it is translated.", "Acme"),
  slug: string("Its slug, and what the filter `brand` takes.", "acme"),
  translations: translationsView("Translated texts by language code.")
}).annotate({ identifier: "ProductBrand", description: "A brand of a product." })

export const ProductAttributeOptionView = Schema.Struct({
  id: string("Id of the option."),
  attributeId: string("The attribute it is an option of."),
  name: string("Name of the option, in the language of the request where it is translated.", "Red"),
  value: string("Value of the option.", "red"),
  swatchColor: nullableString("Colour to show for it, as #rrggbb.", "#cc0000"),
  swatchColor2: nullableString("Second colour, for two-coloured options.", "#ffffff"),
  swatchImageUrl: nullableFileUrl("Picture to show for it in place of a colour."),
  translations: translationsView("Translated names by language code, each with `name`."),
  position: integer("Its place among the options, ascending.", 0)
}).annotate({ identifier: "ProductAttributeOption", description: "One option of an attribute that a product uses." })

export const ProductAttributeView = Schema.Struct({
  id: string("Id of the attribute."),
  name: string("Name of the attribute, in the language of the request where it is translated.", "Colour"),
  displayType: nullableString("How to show the choice: a text of the merchant's own.", "SWATCH"),
  translations: translationsView("Translated names by language code, each with `name`."),
  options: arrayOf(ProductAttributeOptionView, "The options that the product uses, in its order.")
}).annotate({ identifier: "ProductAttribute", description: "An attribute whose options make the variants." })

export const ShippingClassRef = Schema.Struct({
  id: string("Id of the shipping class."),
  name: string("Name of the shipping class.", "Bulky"),
  slug: string("Slug of the shipping class.", "bulky")
}).annotate({ identifier: "ProductShippingClass", description: "The shipping class of a product." })
