/** What every use case knows of the store it works for: identity and settings, decoded once and cached per process. */
import { Schema } from "effect"

export const TaxRounding = Schema.Literals(["line", "unit", "order"])
export const TaxRoundingMode = Schema.Literals(["half_up", "half_even", "half_down"])
export const StackRounding = Schema.Literals(["combined", "each"])
export const ReservationStrategy = Schema.Literals(["ON_PAYMENT", "ON_CART"])
export const CustomerVerification = Schema.Literals(["off", "required"])
export const LateCapture = Schema.Literals(["create_order", "refund"])

/**
 * The tenant. Lifetimes are minutes; `rulesVersion` names the state of taxes, zones and settings that evaluators are
 * compiled from.
 */
export const StoreContext = Schema.Struct({
  id: Schema.String,
  accountId: Schema.String,
  name: Schema.String,
  currency: Schema.String,
  country: Schema.String,
  languages: Schema.Array(Schema.String),
  timezone: Schema.String,
  priceIncludesTax: Schema.Boolean,
  taxRounding: TaxRounding,
  taxRoundingMode: TaxRoundingMode,
  stackRounding: StackRounding,
  reservationStrategy: ReservationStrategy,
  reservationMinutes: Schema.Int,
  customerVerification: CustomerVerification,
  lateCapture: LateCapture,
  cartLifetimeMinutes: Schema.Int,
  checkoutLifetimeMinutes: Schema.Int,
  abandonedAfterMinutes: Schema.Int,
  recoveryAfterMinutes: Schema.Int,
  /** Rows that a page has at most, of lists whose pages were found to be too large, by name; until a time (ms). */
  listLimits: Schema.Record(Schema.String, Schema.Struct({ rows: Schema.Int, until: Schema.Int })),
  suspended: Schema.Boolean,
  createdAt: Schema.Date,
  updatedAt: Schema.Date,
  rulesVersion: Schema.BigInt
})
export type StoreContext = typeof StoreContext.Type

/** The language texts fall back to: the first of the store's languages. */
export const defaultLanguage = (store: StoreContext): string => store.languages[0] ?? "en"
