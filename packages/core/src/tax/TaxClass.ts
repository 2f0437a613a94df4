/**
 * A tax class: goods that are taxed alike ("Reduced", "Books"). The Standard class is implicit: a null class. Source:
 * completions.md 2.14.
 */
import { Schema } from "effect"
import type { StoreContext } from "../store/StoreContext.ts"

export interface TaxClassState {
  readonly id: string
  readonly name: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** On the wire. */
export const TaxClass = Schema.Struct({
  id: Schema.String,
  accountId: Schema.String,
  storeId: Schema.String,
  name: Schema.String,
  createdAt: Schema.String,
  updatedAt: Schema.String
})
export type TaxClass = typeof TaxClass.Type

export const toTaxClass = (store: StoreContext, state: TaxClassState): TaxClass => ({
  id: state.id,
  accountId: store.accountId,
  storeId: store.id,
  name: state.name,
  createdAt: state.createdAt.toISOString(),
  updatedAt: state.updatedAt.toISOString()
})
