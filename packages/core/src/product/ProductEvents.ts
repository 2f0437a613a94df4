/** The events of products. */
import { Schema } from "effect"
import { defineEvent } from "../kernel/EventDefinition.ts"
import { ProductSnapshot } from "./ProductView.ts"

const productData = Schema.Struct({ productId: Schema.String, product: ProductSnapshot })

export const productCreated = defineEvent("product.created", {
  description: "A product is created.",
  data: productData
})

export const productUpdated = defineEvent("product.updated", {
  description: "A product changes.",
  data: productData
})

/** The product no longer exists, so the event carries its id alone. */
export const productDeleted = defineEvent("product.deleted", {
  description: "A product is deleted.",
  data: Schema.Struct({ productId: Schema.String })
})

export const productEvents = [productCreated, productUpdated, productDeleted]
