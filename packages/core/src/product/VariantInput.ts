/** Bodies of variant writes, and of the stock of a variant or product. On an update an absent field stays unchanged. */
import { Schema } from "effect"
import { BackorderMode, TrackingMode } from "../kernel/Availability.ts"
import { clearable, Decimal, filledText, int4, optional, text } from "../kernel/Fields.ts"
import { fileAddress } from "../kernel/FileAddress.ts"
import { jsonOfAtMost } from "../kernel/JsonSize.ts"
import { DownloadInput } from "./DownloadData.ts"
import { productStatuses } from "./ProductEnums.ts"

const count = Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000_000 })))

export const InventoryInput = Schema.Struct({
  trackingMode: optional(
    TrackingMode,
    "TRACKED counts units, UNTRACKED can always be bought, DISABLED can never be bought. TRACKED by default."
  ),
  total: optional(count, "Units in stock.", 12),
  lowStockThreshold: clearable(count, "At this number of units or fewer the stock counts as low.", 3),
  backorderMode: optional(
    BackorderMode,
    "Whether it can be sold below zero: never (DENY, the default), without limit (ALLOW), or down to a limit (LIMITED)."
  ),
  backorderLimit: clearable(count, "With LIMITED: how many units may be owed over all orders together.", 10)
}).annotate({ identifier: "InventorySettings", description: "Stock of a product or a variant, and how it is counted." })
export type InventoryInput = typeof InventoryInput.Type

/** Options of a variant, by name. A unique index holds them, and its entries have a maximum size. */
const maxOptions = 50
const options = Schema.Record(Schema.String, Schema.String).pipe(
  Schema.check(
    Schema.makeFilter((given) => Object.keys(given).length <= maxOptions || `must have at most ${maxOptions} entries`),
    Schema.makeFilter(
      (given) =>
        !Object.entries(given)
          .flat()
          .some((word) => word.trim() === "") || "must not have empty names"
    )
  ),
  jsonOfAtMost(2_000)
)

export const onUpdate = "What is left out stays as it is; null clears."
export const costPrice = clearable(Decimal, "What one unit costs the merchant. Never shown on a storefront.", "7.50")
export const isDownloadable = optional(Schema.Boolean, "Whether it is a download: not shipped, nor are its variants.")
export const downloadData = clearable(DownloadInput, "Its files. A variant without has those of its product.")
export const shippingClassId = clearable(
  text(100),
  "Shipping class of the store, which can cost extra on a shipping rate."
)
export const inventory = Schema.optionalKey(InventoryInput)

const variantFields = {
  externalId: clearable(filledText(191), "Id in the system it came from.", "erp-1042-red"),
  sku: clearable(text(100), "Stock keeping unit. It need not be unique.", "LAMP-RED"),
  attributes: optional(
    options,
    "Its options: attribute name to option name. No two variants of a product have the same. Where the product has " +
      "`attributes`, an option of each is named; else the words are free."
  ),
  price: optional(Decimal, "Regular price of one unit. The product's `basePrice` by default.", "19.99"),
  salePrice: clearable(Decimal, "Price while the product's sale runs; not above `price`.", "14.99"),
  costPrice,
  image: clearable(fileAddress, "Address of its own picture."),
  position: optional(int4, "Its place among the variants, ascending."),
  status: optional(
    Schema.Literals(productStatuses),
    "`draft` variants are hidden from storefronts. `active` by default."
  ),
  isDownloadable,
  downloadData,
  shippingClassId
}
const variantBody = {
  name: optional(text(500), "Name of the variant. Composed of its options by default.", "Red / Large"),
  inventory,
  ...variantFields
}
export const VariantInput = Schema.Struct(variantBody).annotate({
  identifier: "CreateVariant",
  description: "A variant to create."
})
export type VariantInput = typeof VariantInput.Type
export const VariantPatch = Schema.Struct(variantBody).annotate({
  identifier: "UpdateVariant",
  description: `Changes of a variant. ${onUpdate}`
})
export type VariantPatch = VariantInput
/**
 * A variant in the PATCH of its product: with an `id` it is changed, or deleted with `_delete`; without an `id` it is
 * created.
 */
export const VariantChange = Schema.Struct({
  id: optional(Schema.String, "The variant to change. Without it the variant is new."),
  _delete: optional(Schema.Boolean, "True deletes the variant that `id` names."),
  ...variantBody
}).annotate({ identifier: "VariantChange", description: "A variant to create, change or delete with its product." })
export type VariantChange = typeof VariantChange.Type
