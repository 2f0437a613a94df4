/**
 * A metafield conflict: a platform sent another value than the merchant or another platform wrote. Nothing changes
 * until somebody decides.
 */
import { Schema } from "effect"
import {
  described,
  nullable,
  nullableString,
  nullableTimestamp,
  oneOf,
  optional,
  string,
  timestamp,
  AnyJson
} from "../kernel/Fields.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { metafieldTypes } from "./MetafieldFields.ts"

export const conflictStatuses = ["PENDING", "RESOLVED", "IGNORED"] as const
export type ConflictStatus = (typeof conflictStatuses)[number]
const conflictResolutions = ["accept_source", "keep_current", "custom"] as const
export type ConflictResolution = (typeof conflictResolutions)[number]

export const MetafieldConflict = Schema.Struct({
  id: string("Id of the conflict."),
  storeId: string("The store it belongs to."),
  productId: string("The product whose value it is about."),
  metafieldDefinitionId: string("The definition whose value it is about."),
  sourcePlatform: string("The platform that sent the other value.", "shopify"),
  sourceValue: described(AnyJson, "The value that the platform sent; null where it took the value away."),
  currentValue: described(
    AnyJson,
    "The value of the product: now while the conflict is open, else when it was settled. Null is none."
  ),
  status: oneOf(conflictStatuses, "PENDING until it is resolved or ignored."),
  resolution: nullable(
    Schema.Literals(conflictResolutions),
    "What was decided; null while it is open or where it is ignored."
  ),
  resolvedAt: nullableTimestamp("When it was resolved or ignored; null while it is open."),
  createdAt: timestamp("When the platform first sent a value of its own."),
  updatedAt: timestamp("When it last changed. It is the version that If-Match names."),
  product: Schema.Struct({
    id: string("Id of the product."),
    name: string("Name of the product.", "Desk lamp"),
    sku: nullableString("Its stock keeping unit.", "LAMP")
  }).annotate({ identifier: "MetafieldConflictProduct", description: "The product of a conflict." }),
  definition: Schema.Struct({
    id: string("Id of the definition."),
    name: string("Its name.", "Material"),
    key: string("Its key.", "material"),
    type: oneOf(metafieldTypes, "Its type.")
  }).annotate({ identifier: "MetafieldConflictDefinition", description: "The definition of a conflict." })
}).annotate({
  identifier: "MetafieldConflict",
  description: "A value that a platform sent and that differs from the stored one."
})
export type MetafieldConflict = typeof MetafieldConflict.Type

type Times = "resolvedAt" | "createdAt" | "updatedAt"
export interface MetafieldConflictState extends Omit<MetafieldConflict, "storeId" | Times> {
  readonly resolvedAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export const ResolveConflict = Schema.Struct({
  resolution: Schema.optionalKey(
    described(
      Schema.NullOr(Schema.Literals(conflictResolutions)),
      "`accept_source` takes the platform's value, `keep_current` leaves the product's, `custom` takes `value`. Needed."
    )
  ),
  value: optional(AnyJson, "With `custom`: the value that the product gets; null takes it away.")
}).annotate({ identifier: "ResolveMetafieldConflict", description: "What a product's value shall be." })
export type ResolveConflict = typeof ResolveConflict.Type

export const toMetafieldConflict = (
  store: StoreContext,
  { createdAt, updatedAt, resolvedAt, ...state }: MetafieldConflictState
): MetafieldConflict => ({
  ...state,
  storeId: store.id,
  resolvedAt: resolvedAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString()
})
