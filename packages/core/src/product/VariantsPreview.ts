/** The variants that a product would have with other attributes; a preview writes nothing. */
import { Schema } from "effect"
import { arrayOf, integer, money, nullableString, string, textMap } from "../kernel/Fields.ts"

export const VariantsPreview = Schema.Struct({
  variants: arrayOf(
    Schema.Struct({
      variantId: nullableString("The variant that is there; null for one that would be made."),
      name: string("Its name.", "Red / Large"),
      attributes: textMap("Its options: attribute name to option name."),
      sku: nullableString("Its stock keeping unit.", "LAMP-RED"),
      price: money("Regular price of one unit.")
    }).annotate({ identifier: "PreviewedVariant", description: "A variant that a product has or would get." }),
    "Those that are there first, then those that would be made."
  ),
  newCount: integer("How many would be made.", 4),
  total: integer("How many variants the product would have.", 6)
}).annotate({ identifier: "VariantsPreview", description: "The variants that a product would have." })
export type VariantsPreview = typeof VariantsPreview.Type
