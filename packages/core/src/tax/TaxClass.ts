/** A tax class: goods that are taxed alike ("Reduced", "Books"). The Standard class is implicit: a null class. */
import { Schema } from "effect"
import { described, string, timestamp } from "../kernel/Fields.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import type { StoreBound } from "../kernel/StoreBound.ts"

export const taxClassBound: StoreBound = { field: "taxClasses", most: 1_000, words: "tax classes" }

export interface TaxClassState {
  readonly id: string
  readonly name: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** On the wire. */
export const TaxClass = Schema.Struct({
  id: string("Id of the tax class."),
  accountId: string("The account that owns the store."),
  storeId: string("The store that the class belongs to."),
  name: string("Name of the class; unique in the store.", "Books"),
  createdAt: timestamp("When the class was created."),
  updatedAt: timestamp("When it last changed. It is the version that If-Match names.")
}).annotate({ identifier: "TaxClass", description: "Goods that are taxed alike. The Standard class has no entry." })
export type TaxClass = typeof TaxClass.Type

export const toTaxClass = (store: StoreContext, { createdAt, updatedAt, ...state }: TaxClassState): TaxClass => ({
  ...state,
  accountId: store.accountId,
  storeId: store.id,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString()
})

const name = described(Schema.String, "Name of the class; unique in the store.", "Books")

export const NewTaxClass = Schema.Struct({ name }).annotate({
  identifier: "NewTaxClass",
  description: "A tax class to create."
})
export type NewTaxClass = typeof NewTaxClass.Type

export const TaxClassChanges = Schema.Struct({ name: Schema.optionalKey(name) }).annotate({
  identifier: "ChangeTaxClass",
  description: "What to change. An absent field stays as it is."
})
export type TaxClassChanges = typeof TaxClassChanges.Type
