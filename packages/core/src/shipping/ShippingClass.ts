/**
 * A shipping class: goods that cost alike to send, on top of what a rate costs (`classCosts`). Source: completions.md
 * 2.14.
 */
import { Schema } from "effect"
import type { StoreContext } from "../store/StoreContext.ts"

export interface ShippingClassState {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** On the wire. */
export const ShippingClass = Schema.Struct({
  id: Schema.String,
  accountId: Schema.String,
  storeId: Schema.String,
  name: Schema.String,
  slug: Schema.String,
  createdAt: Schema.String,
  updatedAt: Schema.String
})
export type ShippingClass = typeof ShippingClass.Type

export const toShippingClass = (
  store: StoreContext,
  { createdAt, updatedAt, ...state }: ShippingClassState
): ShippingClass => ({
  ...state,
  accountId: store.accountId,
  storeId: store.id,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString()
})
