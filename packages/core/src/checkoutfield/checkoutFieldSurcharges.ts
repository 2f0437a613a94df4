/**
 * The surcharges of what a shopper has filled in, as a source of adjustments. A checkout without values loads nothing.
 * Surcharges are amounts in the store's currency: a checkout in another one has none, and cannot be completed anyway.
 */
import { Effect } from "effect"
import { type AdjustmentSource, nothingLoaded } from "../pricing/AdjustmentSource.ts"
import { CheckoutFields } from "./CheckoutFields.ts"
import { surchargesOf } from "./FieldValues.ts"

const noValues = {}

export const checkoutFieldSurcharges = Effect.map(
  CheckoutFields,
  (fields): AdjustmentSource => ({
    load: (store, { currency, fieldValues = noValues }) => {
      if (currency !== store.currency || Object.keys(fieldValues).length === 0) return nothingLoaded
      return Effect.map(fields.of(store), (known) => {
        const surcharges = surchargesOf(known, fieldValues, currency)
        return surcharges.length === 0 ? undefined : { surcharges }
      })
    }
  })
)
