/**
 * A variant on the wire, and the stock block that products and variants share. Amounts are decimal strings in the
 * store's currency.
 */
import { Schema, Struct } from "effect"
import { TrackingMode } from "../kernel/Availability.ts"
import {
  boolean,
  described,
  integer,
  money,
  nullable,
  nullableMoney,
  nullableString,
  nullableTimestamp,
  oneOf,
  string,
  timestamp,
  textMap,
  nullableFileUrl
} from "../kernel/Fields.ts"
import { DownloadView, PublicDownloadView } from "./DownloadData.ts"
import { productStatuses } from "./ProductEnums.ts"

export const InventoryView = Schema.Struct({
  trackingMode: described(
    TrackingMode,
    "TRACKED counts units, UNTRACKED can always be bought, DISABLED can never be bought."
  ),
  total: integer("Units in stock, reserved or not. Orders that wait for stock can make it negative.", 12),
  reserved: integer("Units reserved by carts, and by checkouts that are being paid for.", 2),
  available: integer("Units that can still be sold: total less reserved. Never negative on a storefront.", 10),
  inStock: boolean("Whether at least one unit is there."),
  canPurchase: boolean("Whether it can be bought now, counting backorders. Show the buy button by this field."),
  lastInventorySyncAt: nullableTimestamp("When a connected platform last set the stock; null where none does.")
}).annotate({
  identifier: "InventorySummary",
  description: "The stock of a product or a variant. A product with variants shows what its variants have together."
})
export type InventoryView = typeof InventoryView.Type

export const VariantView = Schema.Struct({
  id: string("Id of the variant."),
  productId: string("The product it is a variant of."),
  sku: nullableString("Stock keeping unit. Two variants may have the same one.", "LAMP-RED"),
  name: string("Name of the variant; composed of its options where none was given.", "Red / Large"),
  attributes: textMap(
    "Its options: attribute name to option name. Storefronts get both in the language of the request."
  ),
  price: money("Regular price of one unit."),
  salePrice: nullableMoney("Price while the product's sale runs; null without one.", "14.99"),
  costPrice: Schema.optionalKey(nullableMoney("What one unit costs the merchant.", "7.50")),
  displayPrice: money("Regular price to show."),
  displaySalePrice: nullableMoney("Sale price to show now; null while no sale runs.", "14.99"),
  displayCurrency: string("ISO 4217 currency of the prices.", "USD"),
  image: nullableFileUrl("Address of its own picture; null where the product's pictures serve."),
  position: integer("Its place among the variants, ascending.", 0),
  status: oneOf(productStatuses, "`draft` variants are hidden from storefronts and cannot be bought."),
  inventory: InventoryView,
  isDownloadable: boolean("Whether it is a download, which needs no shipping."),
  downloadData: nullable(DownloadView, "The files that come with it; null without any."),
  shippingClassId: nullableString("Shipping class, which can cost extra on a shipping rate."),
  createdAt: timestamp("When it was created."),
  updatedAt: timestamp("When it was last changed: the version that If-Match compares.")
}).annotate({ identifier: "AdminVariant", description: "One sellable version of a product, as the merchant sees it." })
export type VariantView = typeof VariantView.Type

/** As shoppers and subscribers to events see it: without its cost and download locations. */
export const PublicVariantView = VariantView.mapFields((fields) => ({
  ...Struct.omit(fields, ["costPrice"]),
  downloadData: nullable(PublicDownloadView, "The files that come with it; null without any.")
})).annotate({ identifier: "Variant", description: "One sellable version of a product: one size, one colour." })
