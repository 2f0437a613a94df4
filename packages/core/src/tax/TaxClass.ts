/**
 * A tax class: goods that are taxed alike ("Reduced", "Books"). The Standard class is implicit: a null class. Source:
 * completions.md 2.14.
 */
import { Schema } from "effect"
import { string, timestamp } from "../kernel/Fields.ts"
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

export const toTaxClass = (store: StoreContext, state: TaxClassState): TaxClass => ({
  id: state.id,
  accountId: store.accountId,
  storeId: store.id,
  name: state.name,
  createdAt: state.createdAt.toISOString(),
  updatedAt: state.updatedAt.toISOString()
})
